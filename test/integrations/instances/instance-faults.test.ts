import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Instances } from '#integrations/instances/instances.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { createInstanceWorld, refusalOf, TEST_KINDS } from '#test/support/kinds/instance-world.ts';

const BRIDGE_SETTINGS = { host: '192.168.1.7', fingerprint: 'abcd', key: 'secret' };
const bridge = { kind: 'bridge', uniqueId: 'serial-1', name: 'Hall', settings: BRIDGE_SETTINGS };
const OWNER = { mayReachHub: true };

describe('an instance that cannot run says what to do', () => {
  test('of a kind that this version does not know: it keeps everything for the version that does', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add(bridge);
    const instances = await world.open({ kinds: TEST_KINDS.filter(({ id }) => id !== 'bridge') });
    expect(instances.find('bridge')).toMatchObject({ problem: { code: 'UNKNOWN_KIND' }, settings: {} });
    expect(instances.instanceOf('bridge')).toBeUndefined();
    await instances.change('bridge', { name: 'Kept', enabled: false });
    expect(await refusalOf(instances.change('bridge', { settings: {} }))).toEqual(['NOT_SUPPORTED']);
    const again = await world.open();
    expect(again.find('bridge')).toMatchObject({ name: 'Kept', problem: null });
    expect(await again.readSecret('bridge', 'key')).toBe('secret');
  });

  test('with settings of a newer version, which stay until somebody enters others', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add(bridge);
    const record = world.records.get('bridge');
    if (record === undefined) throw new Error('it was kept');
    const newer = { ...record, settingsVersion: 3, settings: { place: 'x' } };
    world.records.set('bridge', newer);
    const instances = await world.open();
    expect(instances.find('bridge')?.problem?.code).toBe('SETTINGS_TOO_NEW');
    await instances.change('bridge', { name: 'Other' });
    expect(world.records.get('bridge')).toMatchObject({ settingsVersion: 3, settings: { place: 'x' } });
    await instances.change('bridge', { settings: BRIDGE_SETTINGS });
    expect(instances.find('bridge')?.problem).toBeNull();
  });

  test.each([
    ['of an older version are carried over', [1, { address: '192.168.1.7' }], 'SECRET_MISSING'],
    ['of an older version that cannot be understood', [1, { address: 7 }], 'SETTINGS_INVALID'],
    ['with a value of another form', [2, { host: 'a b' }], 'SETTINGS_INVALID'],
    ['with an unknown field', [2, { host: 'a', fingerprint: 'ab', more: 1 }], 'SETTINGS_INVALID'],
    ['without a required one', [2, { host: 'a' }], 'SETTINGS_INCOMPLETE'],
  ] as const)('settings %s', async (_what, [settingsVersion, settings], code) => {
    const world = createInstanceWorld();
    await (await world.open()).add(bridge);
    const record = world.records.get('bridge');
    if (record === undefined) throw new Error('it was kept');
    world.records.set('bridge', { ...record, settingsVersion, settings });
    const instances = await world.open();
    expect(instances.find('bridge')?.problem?.code).toBe(code);
    await instances.change('bridge', { settings: BRIDGE_SETTINGS });
    expect(instances.find('bridge')?.problem).toBeNull();
  });

  test('after a restore from before its secret was given for another place', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add(bridge);
    const backup = new Map(world.records);
    await before.change('bridge', { settings: { fingerprint: 'ef', key: 'second' } });
    await before.change('bridge', { settings: { fingerprint: '0123', key: 'third' } });
    for (const [id, record] of backup) world.records.set(id, record);
    const restored = await world.open();
    // The file of the first secret was used again for the third one, which is for another place.
    expect(readFileSync(join(world.folder, 'integration.bridge.key.a'), 'utf8')).toBe('third\n0123\n');
    expect(restored.find('bridge')).toMatchObject({
      settings: { fingerprint: { value: 'abcd' }, key: { isSet: false } },
      problem: { code: 'SECRET_MISSING' },
    });
    expect(await restored.readSecret('bridge', 'key')).toBeNull();
  });

  test('through another that is not there or is switched off', async () => {
    const instances = await createInstanceWorld().open();
    await instances.add({ kind: 'mqtt', settings: {} }, OWNER);
    await instances.add({ kind: 'zigbee2mqtt', settings: { broker: 'mqtt' } });
    expect(instances.linksOf('zigbee2mqtt')).toEqual(['mqtt']);
    await instances.change('mqtt', { enabled: false });
    expect(instances.find('zigbee2mqtt')?.problem?.code).toBe('LINK_OFF');
    await instances.remove('mqtt', 'keep');
    expect(instances.find('zigbee2mqtt')?.problem?.code).toBe('LINK_MISSING');
    await instances.add({ kind: 'mqtt', settings: {} }, OWNER);
    expect(instances.find('zigbee2mqtt')?.problem).toBeNull();
    const none = { kind: 'zigbee2mqtt', settings: { broker: 'zigbee2mqtt', base_topic: 'other' } };
    expect(await refusalOf(instances.add(none))).toEqual(['VALIDATION_FAILED', '/settings/broker INVALID_VALUE']);
  });
});

describe('X: a power cut', () => {
  /** Runs the change again and again, cut before each of its steps on disk, and looks at what the next start finds. */
  const cutAtEachStep = async (
    change: (instances: Instances) => Promise<unknown>,
    look: (instances: Instances) => Promise<void>,
  ): Promise<number> => {
    for (let cutAt = 0; ; cutAt += 1) {
      const world = createInstanceWorld();
      const bench = createBench();
      const before = storageInProcess(await bench.openOwned());
      const instances = await world.open({ store: before.integrations });
      await instances.add(bridge);
      let step = 0;
      let wasCut = false;
      world.disk.before = () => {
        if (step === cutAt) wasCut = true;
        // Once cut, nothing reaches the disk any more.
        if (wasCut) throw new Error('power cut');
        step += 1;
      };
      await change(instances).catch(() => undefined);
      world.disk.before = () => undefined;
      await before.close();
      const after = storageInProcess(await bench.openOwned());
      const restarted = await world.open({ store: after.integrations });
      await restarted.finishRemovals();
      await look(restarted);
      if (!wasCut) return cutAt;
    }
  };

  test('between secret and record leaves the old or the new whole', async () => {
    const seen = new Set<string>();
    const steps = await cutAtEachStep(
      (instances) => instances.change('bridge', { settings: { fingerprint: 'ef', key: 'next' } }),
      async (instances) => {
        const { fingerprint } = instances.instanceOf('bridge')?.settings ?? {};
        const key = await instances.readSecret('bridge', 'key');
        seen.add(`${typeof fingerprint === 'string' ? fingerprint : ''} ${key}`);
        await instances.change('bridge', { settings: { fingerprint: '99', key: 'last' } });
        expect(await instances.readSecret('bridge', 'key')).toBe('last');
      },
    );
    expect(steps).toBe(3);
    expect([...seen].toSorted()).toEqual(['abcd secret', 'ef next']);
  });

  test('a removal that fails again at the start keeps nothing else from starting', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    world.disk.before = (step) => {
      if (step === 'delete bridge') throw new Error('the disk is full');
    };
    await expect(instances.remove('bridge', 'remove')).rejects.toThrow('full');
    const restarted = await world.open();
    await restarted.finishRemovals();
    expect([restarted.list(), world.records.has('bridge')]).toEqual([[], true]);
    expect(world.lines.join()).toContain('could not be removed whole');
    world.disk.before = () => undefined;
    await (await world.open()).finishRemovals();
    expect(world.records.has('bridge')).toBe(false);
  });

  test.each(['keep', 'remove'] as const)(
    'during a removal (%s) ends in the instance or in its removal',
    async (devices) => {
      const seen = new Set<string>();
      await cutAtEachStep(
        (instances) => instances.remove('bridge', devices),
        async (instances) => {
          seen.add(`${instances.find('bridge') === undefined} ${await instances.readSecret('bridge', 'key')}`);
          expect(await instances.add(bridge)).toMatchObject({ id: 'bridge' });
        },
      );
      expect([...seen].toSorted()).toEqual(['false secret', 'true null']);
    },
  );
});

test('a secret that cannot be written leaves the instance as it was', async () => {
  const world = createInstanceWorld();
  const instances = await world.open();
  await instances.add(bridge);
  world.disk.before = (step) => {
    if (step.startsWith('write'))
      throw Object.assign(new Error('full'), { errno: -28, code: 'ENOSPC', syscall: 'write' });
  };
  const change = { settings: { fingerprint: 'ef', key: 'next' } };
  expect(await refusalOf(instances.change('bridge', change))).toEqual(['STORAGE_FULL']);
  world.disk.before = () => undefined;
  expect(await instances.readSecret('bridge', 'key')).toBe('secret');
  expect(instances.find('bridge')).toMatchObject({ revision: 1, settings: { fingerprint: { value: 'abcd' } } });
});
