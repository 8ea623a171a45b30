import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FixedInstance } from '#integrations/instances/instance-view.ts';
import { BRIDGE, createInstanceWorld, refusalOf } from '#test/support/kinds/instance-world.ts';

const BRIDGE_SETTINGS = { host: '192.168.1.7', fingerprint: 'abcd', key: 'secret' };
const bridge = { kind: 'bridge', uniqueId: 'serial-1', name: 'Hall', settings: BRIDGE_SETTINGS };
const OWNER = { mayReachHub: true };

test('an instance outlives a restart, with its settings checked and its secret in a file of its own', async () => {
  const world = createInstanceWorld();
  const first = await world.open();
  expect(await first.add(bridge)).toEqual({ id: 'bridge', isNew: true });
  const again = await world.open();
  expect(again.list()).toEqual([
    {
      id: 'bridge',
      kind: 'bridge',
      name: 'Hall',
      hasOwnName: true,
      uniqueId: 'serial-1',
      isChosen: true,
      revision: 1,
      enabled: { value: true, fixedBy: null },
      fixedBy: null,
      problem: null,
      settings: {
        host: { type: 'value', value: '192.168.1.7', fixedBy: null },
        fingerprint: { type: 'value', value: 'abcd', fixedBy: null },
        poll_s: { type: 'value', value: 5, fixedBy: null },
        rooms: { type: 'value', value: true, fixedBy: null },
        mode: { type: 'value', value: 'fast', fixedBy: null },
        key: { type: 'secret', isSet: true, fixedBy: null },
      },
    },
  ]);
  expect(again.instanceOf('bridge')?.settings).toEqual({
    host: '192.168.1.7',
    fingerprint: 'abcd',
    poll_s: 5,
    rooms: true,
    mode: 'fast',
  });
  expect(await again.readSecret('bridge', 'key')).toBe('secret');
  expect(JSON.stringify([...world.records.values()])).not.toContain('"secret"');
});

test('ids count up, do not collide with those that others have, and a given one must be free', async () => {
  const instances = await createInstanceWorld().open();
  await instances.add(bridge);
  expect(await instances.add({ ...bridge, uniqueId: 'serial-2' })).toEqual({ id: 'bridge-2', isNew: true });
  expect(await instances.add({ kind: 'named', id: 'bridge-3', settings: {} })).toMatchObject({ id: 'bridge-3' });
  expect(await instances.add({ ...bridge, uniqueId: 'serial-3' })).toMatchObject({ id: 'bridge-4' });
  expect(await instances.add({ kind: 'only_one', settings: {} })).toMatchObject({ id: 'only-one' });
  expect(await refusalOf(instances.add({ kind: 'named', settings: {} }))).toEqual(['NOT_SUPPORTED']);
  for (const id of ['bridge-2', 'group', 'mqtt', 'named', 'only-one', 'only_one']) {
    const refused = await refusalOf(instances.add({ kind: 'named', id, settings: {} }));
    expect([id, refused]).toEqual([
      id,
      id === 'only_one' ? ['VALIDATION_FAILED', '/id INVALID_FORMAT'] : ['NAME_TAKEN'],
    ]);
  }
  for (const id of ['Weather', '1a', '', 'a/b', '../x', 'a'.repeat(33)]) {
    expect(await refusalOf(instances.add({ kind: 'named', id, settings: {} }))).toEqual([
      'VALIDATION_FAILED',
      '/id INVALID_FORMAT',
    ]);
  }
  expect(await refusalOf(instances.add({ kind: 'nothing', settings: {} }))).toEqual(['NOT_FOUND']);
});

test('what is missing or wrong is named, and nothing is kept of it', async () => {
  const world = createInstanceWorld();
  const instances = await world.open();
  const wrong = { host: '8.8.8.8', poll_s: 0, mode: 'warp', more: 1 };
  expect(await refusalOf(instances.add({ kind: 'bridge', settings: wrong }))).toEqual([
    'VALIDATION_FAILED',
    '/settings/host INVALID_VALUE',
    '/settings/poll_s OUT_OF_RANGE',
    '/settings/mode INVALID_VALUE',
    '/settings/more UNKNOWN',
    '/settings/fingerprint REQUIRED',
    '/settings/key REQUIRED',
  ]);
  expect(instances.list()).toEqual([]);
  expect(world.records.size).toBe(0);
  expect(await refusalOf(instances.add({ ...bridge, name: '\u2800' }))).toEqual([
    'VALIDATION_FAILED',
    '/name INVALID_FORMAT',
  ]);
});

describe('the same thing again', () => {
  test('is the same instance with the new settings, and no second one', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    const again = { ...bridge, name: 'Other', settings: { ...BRIDGE_SETTINGS, host: '192.168.1.8', key: 'renewed' } };
    expect(await instances.add(again)).toEqual({ id: 'bridge', isNew: false });
    expect(instances.list()).toMatchObject([{ name: 'Hall', settings: { host: { value: '192.168.1.8' } } }]);
    expect(await instances.readSecret('bridge', 'key')).toBe('renewed');
  });

  test('without a unique id is known by its settings', async () => {
    const instances = await createInstanceWorld().open();
    await instances.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.1.7' } });
    expect(await instances.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.1.7' } })).toEqual({
      id: 'mqtt',
      isNew: false,
    });
    expect(await instances.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.1.8' } })).toMatchObject({
      id: 'mqtt-2',
    });
  });

  test('has its old id after it was removed, also after a restart', async () => {
    const world = createInstanceWorld();
    const first = await world.open();
    await first.add(bridge);
    await first.add({ ...bridge, uniqueId: 'serial-2' });
    await first.remove('bridge', 'keep');
    expect(first.find('bridge')).toBeUndefined();
    expect(await world.files.read('integration.bridge.key.a')).toBeUndefined();
    const again = await world.open();
    expect(await again.add({ ...bridge, uniqueId: 'serial-3' })).toMatchObject({ id: 'bridge-3' });
    expect(await again.add(bridge)).toEqual({ id: 'bridge', isNew: true });
    expect(world.events.map((event) => `${event.type} ${event.id}`)).toEqual([
      'added bridge',
      'added bridge-2',
      'removed bridge',
      'added bridge-3',
      'added bridge',
    ]);
  });

  test('must give its secret again after it was removed', async () => {
    const instances = await createInstanceWorld().open();
    await instances.add(bridge);
    await instances.remove('bridge', 'keep');
    const { key: _, ...settings } = BRIDGE_SETTINGS;
    expect(await refusalOf(instances.add({ ...bridge, settings }))).toEqual([
      'VALIDATION_FAILED',
      '/settings/key REQUIRED',
    ]);
  });

  test('is a new one after it was removed with its devices', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    await instances.remove('bridge', 'remove');
    expect(world.records.size).toBe(0);
    expect(world.events.at(-1)).toEqual({ type: 'removed', id: 'bridge', devices: 'remove' });
  });
});

test('a default instance that nobody has used gives its place to the first that a person adds', async () => {
  const world = createInstanceWorld();
  const before = await world.open();
  await before.add({ kind: 'mqtt', settings: {} }, OWNER);
  for (const [id, record] of world.records) world.records.set(id, { ...record, isChosen: false });
  const instances = await world.open();
  expect(instances.list()[0]?.isChosen).toBe(false);
  const wanted = { kind: 'mqtt', name: 'Attic', settings: { address: 'mqtt://192.168.1.9' } };
  expect(await instances.add(wanted)).toEqual({ id: 'mqtt', isNew: true });
  expect(instances.list()).toMatchObject([{ id: 'mqtt', name: 'Attic', isChosen: true }]);
  expect(await instances.add({ kind: 'mqtt', settings: {} }, OWNER)).toMatchObject({ id: 'mqtt-2' });
});

test('a default instance that found something is in use from then on', async () => {
  const world = createInstanceWorld();
  const before = await world.open();
  await before.add({ kind: 'mqtt', settings: {} }, OWNER);
  for (const [id, record] of world.records) world.records.set(id, { ...record, isChosen: false });
  const instances = await world.open();
  await instances.noteUse('mqtt');
  expect((await world.open()).find('mqtt')?.isChosen).toBe(true);
});

test('there is one of a kind of which there can be one', async () => {
  const instances = await createInstanceWorld().open();
  expect(await instances.add({ kind: 'only_one', settings: {} })).toEqual({ id: 'only-one', isNew: true });
  expect(await instances.add({ kind: 'only_one', settings: {} })).toEqual({ id: 'only-one', isNew: false });
  expect(instances.list()).toHaveLength(1);
});

describe('a change', () => {
  test('of nothing is none; of the name it needs no restart', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    await instances.change('bridge', { name: 'Hall', enabled: true, settings: { host: '192.168.1.7', poll_s: 5 } });
    expect(world.events).toHaveLength(1);
    await instances.change('bridge', { name: 'Loft' });
    await instances.change('bridge', { settings: { poll_s: 9 } });
    await instances.change('bridge', { settings: { poll_s: null } });
    expect(world.events.slice(1)).toEqual([
      { type: 'changed', id: 'bridge', needsRestart: false },
      { type: 'changed', id: 'bridge', needsRestart: true },
      { type: 'changed', id: 'bridge', needsRestart: true },
    ]);
    expect(instances.find('bridge')).toMatchObject({ name: 'Loft', revision: 4, settings: { poll_s: { value: 5 } } });
  });

  test('depends on its revision and on the right to make it at the moment of writing', async () => {
    const instances = await createInstanceWorld().open();
    await instances.add(bridge);
    expect(await refusalOf(instances.change('bridge', { name: 'A' }, { ifRevision: 7 }))).toEqual([
      'PRECONDITION_FAILED',
    ]);
    const authorize = (): never => {
      throw Object.assign(new Error('no'), { code: 'FORBIDDEN' });
    };
    for (const attempt of [
      instances.change('bridge', { name: 'A' }, { authorize }),
      instances.remove('bridge', 'keep', { authorize }),
      instances.add({ ...bridge, uniqueId: 'x' }, { authorize }),
    ]) {
      expect(await refusalOf(attempt)).toEqual(['FORBIDDEN']);
    }
    expect(instances.list()).toMatchObject([{ name: 'Hall' }]);
    expect(await refusalOf(instances.change('nothing', { name: 'A' }))).toEqual(['NOT_FOUND']);
  });

  test('of what a secret is bound to needs the secret again', async () => {
    const instances = await createInstanceWorld().open();
    await instances.add(bridge);
    await instances.change('bridge', { settings: { host: '192.168.1.9' } });
    expect(await refusalOf(instances.change('bridge', { settings: { fingerprint: 'ef' } }))).toEqual([
      'VALIDATION_FAILED',
      '/settings/key REQUIRED',
    ]);
    expect(await instances.readSecret('bridge', 'key')).toBe('secret');
    await instances.change('bridge', { settings: { fingerprint: 'ef', key: 'next' } });
    expect(await instances.readSecret('bridge', 'key')).toBe('next');
  });

  test('of an address to the hub itself is for owners, and stays allowed while others change other settings', async () => {
    const instances = await createInstanceWorld().open();
    const own = { address: 'mqtt://localhost:1883' };
    expect(await refusalOf(instances.add({ kind: 'mqtt', settings: own }))).toEqual([
      'VALIDATION_FAILED',
      '/settings/address INVALID_VALUE',
    ]);
    await instances.add({ kind: 'mqtt', settings: own }, OWNER);
    expect(instances.instanceOf('mqtt')?.mayReachHub).toBe(true);
    await instances.change('mqtt', { settings: { ...own, user: 'hub' } });
    expect(instances.instanceOf('mqtt')).toMatchObject({ mayReachHub: true, settings: { user: 'hub' } });
    await instances.change('mqtt', { settings: { address: 'mqtt://broker.local' } });
    expect(instances.instanceOf('mqtt')?.mayReachHub).toBe(false);
  });
});

describe('what the configuration fixes', () => {
  const by = 'mqtt.url in the configuration file';
  const fixed = (settings: FixedInstance['settings'], enabled: FixedInstance['enabled'] = null): FixedInstance[] => [
    { id: 'mqtt', kind: 'mqtt', enabled, settings },
  ];

  test('may be the hub itself, also where an admin had given another place', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.1.2' } });
    expect(before.instanceOf('mqtt')?.mayReachHub).toBe(false);
    const ofUser = await world.open({ fixed: fixed({ user: { value: 'hub', by } }) });
    expect(ofUser.instanceOf('mqtt')?.mayReachHub).toBe(false);
    const ofPlace = await world.open({ fixed: fixed({ address: { value: 'mqtt://127.0.0.1', by } }) });
    expect(ofPlace.instanceOf('mqtt')?.mayReachHub).toBe(true);
  });

  test('is there, is shown with its source, and cannot be changed or removed', async () => {
    const world = createInstanceWorld();
    const instances = await world.open({ fixed: fixed({ address: { value: 'mqtt://10.0.0.1', by } }) });
    expect(instances.list()).toMatchObject([
      {
        id: 'mqtt',
        isChosen: true,
        fixedBy: by,
        settings: { address: { value: 'mqtt://10.0.0.1', fixedBy: by }, user: { value: null, fixedBy: null } },
      },
    ]);
    expect(instances.instanceOf('mqtt')?.mayReachHub).toBe(true);
    const other = { settings: { address: 'mqtt://192.168.1.9', user: 'x' } };
    expect(await refusalOf(instances.change('mqtt', other))).toEqual(['SETTING_FIXED', '/settings/address READ_ONLY']);
    expect(await refusalOf(instances.remove('mqtt', 'keep'))).toEqual(['SETTING_FIXED']);
    await instances.change('mqtt', { settings: { address: 'mqtt://10.0.0.1', user: 'x' } });
    expect((await world.open()).find('mqtt')).toMatchObject({
      fixedBy: null,
      settings: { address: { value: 'mqtt://127.0.0.1:1883' }, user: { value: 'x' } },
    });
  });

  test('what is there only because of it goes with it, even if a person renamed it', async () => {
    const world = createInstanceWorld();
    const there: FixedInstance = { id: 'only-one', kind: 'only_one', enabled: { value: true, by }, settings: {} };
    const instances = await world.open({ fixed: [there] });
    await instances.change('only-one', { name: 'Show' });
    expect((await world.open()).list()).toEqual([]);
    expect((await world.open({ fixed: [there] })).list()).toMatchObject([{ id: 'only-one', name: 'Show' }]);
  });

  test('a secret fixes what it is bound to, and is read from its file', async () => {
    const world = createInstanceWorld();
    await world.files.write('given', Buffer.from('from-file\nrest'));
    const path = join(world.folder, 'given');
    const instances = await world.open({ fixed: fixed({ password: { value: path, by: 'x' } }) });
    expect(instances.find('mqtt')?.settings).toMatchObject({
      address: { value: 'mqtt://127.0.0.1:1883', fixedBy: 'x' },
      password: { isSet: true, fixedBy: 'x' },
    });
    expect(JSON.stringify(instances.list())).not.toContain(path);
    expect(await instances.readSecret('mqtt', 'password')).toBe('from-file');
    for (const settings of [{ password: 'other' }, { password: null }, { address: 'mqtt://192.168.1.9' }]) {
      expect(await refusalOf(instances.change('mqtt', { settings }))).toMatchObject(['SETTING_FIXED', {}]);
    }
  });

  test('switched off takes along what speaks through it', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add({ kind: 'mqtt', settings: {} }, OWNER);
    await before.add({ kind: 'zigbee2mqtt', settings: { broker: 'mqtt' } });
    const instances = await world.open({
      fixed: fixed({ address: { value: null, by } }, { value: false, by }),
    });
    expect(instances.list()).toMatchObject([
      { id: 'mqtt', enabled: { value: false, fixedBy: by }, settings: { address: { value: null } } },
      { id: 'zigbee2mqtt', enabled: { value: false, fixedBy: by } },
    ]);
    expect(await refusalOf(instances.change('zigbee2mqtt', { enabled: true }))).toEqual([
      'SETTING_FIXED',
      '/enabled READ_ONLY',
    ]);
  });

  test('a kept secret is not sent to an address of the configuration', async () => {
    const world = createInstanceWorld();
    const before = await world.open();
    await before.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.1.9', user: 'u', password: 'p' } });
    const other = await world.open({ fixed: fixed({ address: { value: 'mqtt://192.168.1.66', by } }) });
    expect(other.find('mqtt')?.settings['password']).toMatchObject({ isSet: false });
    expect(await other.readSecret('mqtt', 'password')).toBeNull();
    expect(await (await world.open()).readSecret('mqtt', 'password')).toBe('p');
  });
});

describe('a discovered thing that is an instance already', () => {
  const found = (host: string, more: Record<string, string> = {}) => ({
    uniqueId: 'serial-1',
    name: 'x',
    settings: { host, ...more },
  });

  test('is followed to its new address, but not while it is connected, and at most once a minute', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    const host = (): unknown => instances.find('bridge')?.settings['host'];
    world.connected.add('bridge');
    expect(await instances.meet(BRIDGE.id, found('192.168.1.8'))).toBe('bridge');
    expect(host()).toMatchObject({ value: '192.168.1.7' });
    world.connected.clear();
    expect(await instances.meet(BRIDGE.id, found('192.168.1.8'))).toBe('bridge');
    expect(host()).toMatchObject({ value: '192.168.1.8' });
    expect(await instances.readSecret('bridge', 'key')).toBe('secret');
    await instances.meet(BRIDGE.id, found('192.168.1.9'));
    expect(host()).toMatchObject({ value: '192.168.1.8' });
    await world.time.advance(60_000);
    await instances.meet(BRIDGE.id, found('192.168.1.9'));
    expect(host()).toMatchObject({ value: '192.168.1.9' });
  });

  test('has nothing changed that would lead out of the LAN, to the hub, or its secret elsewhere', async () => {
    const world = createInstanceWorld();
    const instances = await world.open();
    await instances.add(bridge);
    const before = JSON.stringify([...world.records.values()]);
    for (const stranger of [
      found('8.8.8.8'),
      found('192.168.1.1'),
      found('localhost'),
      found('192.168.1.8', { fingerprint: 'ef' }),
      found('192.168.1.8', { unknown: 'x' }),
    ]) {
      expect(await instances.meet('bridge', stranger)).toBe('bridge');
    }
    expect(JSON.stringify([...world.records.values()])).toBe(before);
    expect(await instances.meet('bridge', { ...found('192.168.1.8'), uniqueId: 'other' })).toBeUndefined();
    expect(await instances.meet('bridge', { ...found('192.168.1.8'), uniqueId: null })).toBeUndefined();
  });
});

test('a secret that a device gives later is bound as the others and starts nothing anew', async () => {
  const world = createInstanceWorld();
  const instances = await world.open();
  await instances.add(bridge);
  await instances.writeSecret('bridge', 'key', 'line 1\nline 2');
  expect(world.events).toHaveLength(1);
  expect(await (await world.open()).readSecret('bridge', 'key')).toBe('line 1\nline 2');
  expect(world.records.get('bridge')?.revision).toBe(1);
});
