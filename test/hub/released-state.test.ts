import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSecretFiles } from '#base/secret-files.ts';
import { loadConfig } from '#config/load-config.ts';
import { fixedInstances } from '#hub/integration/hub-integrations.ts';
import { type Instances, openInstances } from '#integrations/instances/instances.ts';
import { KINDS } from '#integrations/table.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { storageInProcess, type Storage } from '#storage/storage.ts';
import { NO_TOKENS } from '#test/support/kinds/instance-world.ts';
import { type Bench, createBench, sqlite } from '#test/storage/storage-harness.ts';

/**
 * A database as hearthd 0.1 left it, made by that version: a broker at mqtt://192.168.7.7 with user and password, the
 * base topic home/z2m, a lamp with a name and a room of its own, and a removed plug.
 */
const RELEASED = join(import.meta.dirname, '../fixtures/released/hearthd-0.1.db');

function benchFrom(released: string): Bench {
  const bench = createBench();
  mkdirSync(join(bench.folders.state, 'secrets'), { recursive: true });
  copyFileSync(released, bench.database);
  // The file of the password, as 0.1 wrote it: the password, and the address that it was given for.
  writeFileSync(passwordFile(bench), 'second\nmqtt://192.168.7.7\n');
  return bench;
}

function passwordFile({ folders }: Bench, name = 'mqtt-password.b'): string {
  return join(folders.state, 'secrets', name);
}

async function openHome(
  bench: Bench,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly instances: Instances; readonly storage: Storage }> {
  const storage = storageInProcess(await bench.openOwned());
  const loaded = loadConfig({ environment, stateDir: bench.folders.state, installed: false });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const instances = await openInstances({
    kinds: KINDS,
    store: storage.integrations,
    secrets: createSecretFiles(join(bench.folders.state, 'secrets')),
    fixed: fixedInstances(loaded.config, KINDS),
    rules: { isLanAddress: (address) => address.startsWith('192.168.7.'), isOwnAddress: () => false },
    tokens: NO_TOKENS,
    reservedIds: [],
    isConnected: () => false,
    clock: bench.time.clock,
    log: bench.log,
  });
  return { instances, storage };
}

const MIGRATED = [
  {
    id: 'mqtt',
    kind: 'mqtt',
    isChosen: true,
    enabled: { value: true, fixedBy: null },
    problem: null,
    settings: {
      address: { value: 'mqtt://192.168.7.7', fixedBy: null },
      user: { value: 'hub' },
      password: { isSet: true },
    },
  },
  {
    id: 'zigbee2mqtt',
    kind: 'zigbee2mqtt',
    name: 'Zigbee2MQTT',
    isChosen: true,
    enabled: { value: true },
    problem: null,
    settings: { broker: { value: 'mqtt' }, base_topic: { value: 'home/z2m' } },
  },
];

describe('the state of version 0.1', () => {
  test('becomes a broker and a Zigbee2MQTT; password, devices, names and rooms stay', async () => {
    const bench = benchFrom(RELEASED);
    const first = await openHome(bench);
    expect(first.instances.list()).toMatchObject(MIGRATED);
    expect(await first.instances.readSecret('mqtt', 'password')).toBe('second');
    const devices = await first.storage.devices.loadDevices();
    expect(devices).toMatchObject([
      { integration: 'zigbee2mqtt', externalId: '0x01', selector: 'lamp', ownName: 'Reading lamp', removedAtMs: null },
      { integration: 'zigbee2mqtt', externalId: '0x02', selector: 'old' },
    ]);
    const [attic] = await first.storage.rooms.loadRooms();
    expect(devices[0]?.roomId).toBe(attic?.id);
    expect([...(await first.storage.meta.loadMeta()).keys()]).not.toContain('broker');
    await first.instances.change('mqtt', { settings: { password: 'third' } });
    await first.storage.close();
    const again = await openHome(bench);
    expect(again.instances.list()).toMatchObject(MIGRATED);
    expect(await again.instances.readSecret('mqtt', 'password')).toBe('third');
  });

  test('is restored from a backup of then: the password holds if it is still there for that address', async () => {
    const bench = createBench();
    const before = await openHome(bench);
    await before.instances.add({ kind: 'mqtt', settings: { address: 'mqtt://192.168.7.9' } });
    const path = await before.storage.backups.newUploadPath();
    copyFileSync(RELEASED, path);
    await before.storage.backups.restore(path, { session: null, meta: [] });
    await before.storage.close();
    const without = await openHome(bench);
    expect(without.instances.list()).toMatchObject([
      { id: 'mqtt', settings: { address: { value: 'mqtt://192.168.7.7' }, password: { isSet: false } } },
      { id: 'zigbee2mqtt', settings: { base_topic: { value: 'home/z2m' } } },
    ]);
    expect(await without.instances.readSecret('mqtt', 'password')).toBeNull();
    await without.storage.close();
    mkdirSync(join(bench.folders.state, 'secrets'), { recursive: true });
    writeFileSync(passwordFile(bench), 'elsewhere\nmqtt://192.168.7.66\n');
    const other = await openHome(bench);
    expect(await other.instances.readSecret('mqtt', 'password')).toBeNull();
    await other.storage.close();
    writeFileSync(passwordFile(bench), 'second\nmqtt://192.168.7.7\n');
    expect(await (await openHome(bench)).instances.readSecret('mqtt', 'password')).toBe('second');
  });

  test.each([
    ['nothing', undefined, { isChosen: false, address: 'mqtt://127.0.0.1:1883', topic: 'zigbee2mqtt' }],
    ['only that it is off', '{"enabled":false}', { isChosen: true, address: 'mqtt://127.0.0.1:1883', isOn: false }],
    ['a user that was taken away', '{"user":null}', { isChosen: true, address: 'mqtt://127.0.0.1:1883' }],
    ['no JSON', '{"enabled":', { isChosen: true, address: 'mqtt://127.0.0.1:1883' }],
    ['no object', '[1]', { isChosen: true, address: 'mqtt://127.0.0.1:1883' }],
    ['values of other types', '{"address":7,"user":{},"base_topic":[],"enabled":1}', { isChosen: true }],
    ['the name of a key as its password', '{"password":"../access-token.key"}', { isChosen: true, secrets: {} }],
    ['an address of no broker', '{"address":"http://x"}', { isChosen: true, problem: 'SETTINGS_INVALID' }],
  ] as const)('with %s about its broker opens', async (_what, broker, expected) => {
    const bench = benchFrom(RELEASED);
    const database = openDatabase(sqlite, bench.database);
    database.run("DELETE FROM meta WHERE key = 'broker'");
    if (broker !== undefined) database.run("INSERT INTO meta (key, value) VALUES ('broker', ?)", [broker]);
    database.close();
    const { instances, storage } = await openHome(bench);
    const [mqtt, zigbee2mqtt] = instances.list();
    const wanted: Readonly<Record<string, unknown>> = {
      isOn: true,
      topic: 'zigbee2mqtt',
      problem: undefined,
      secrets: {},
      ...expected,
    };
    expect({
      isChosen: zigbee2mqtt?.isChosen,
      isOn: zigbee2mqtt?.enabled.value,
      topic: valueOf(zigbee2mqtt?.settings['base_topic']),
      problem: mqtt?.problem?.code,
      secrets: (await storage.integrations.loadInstances())[0]?.secrets,
    }).toMatchObject({
      isChosen: wanted['isChosen'],
      isOn: wanted['isOn'],
      topic: wanted['topic'],
      problem: wanted['problem'],
      secrets: wanted['secrets'],
    });
    expect(valueOf(mqtt?.settings['address'])).toBe(wanted['address'] ?? 'mqtt://127.0.0.1:1883');
  });

  test('whose broker once answered is missed when it is silent', async () => {
    const bench = benchFrom(RELEASED);
    const database = openDatabase(sqlite, bench.database);
    database.run("UPDATE meta SET key = 'broker_reached', value = 'yes' WHERE key = 'broker'");
    database.close();
    expect((await openHome(bench)).instances.list().map(({ isChosen }) => isChosen)).toEqual([true, true]);
  });
});

test('a new hub has both, unused, and where the configuration names a broker, as it says', async () => {
  const bench = createBench();
  const fresh = await openHome(bench);
  expect(fresh.instances.list()).toMatchObject([
    { id: 'mqtt', isChosen: false, problem: null, settings: { address: { value: 'mqtt://127.0.0.1:1883' } } },
    { id: 'zigbee2mqtt', isChosen: false, problem: null },
  ]);
  expect(fresh.instances.instanceOf('mqtt')?.mayReachHub).toBe(true);
  await fresh.storage.close();
  const by = 'HEARTHD_MQTT_URL in the environment';
  const named = await openHome(bench, { HEARTHD_MQTT_URL: 'mqtt://10.0.0.1', HEARTHD_SIMULATE: '1' });
  expect(named.instances.list()).toMatchObject([
    { id: 'mqtt', isChosen: true, fixedBy: by, settings: { address: { value: 'mqtt://10.0.0.1', fixedBy: by } } },
    { id: 'zigbee2mqtt', isChosen: true, fixedBy: null },
    {
      id: 'simulated-home',
      kind: 'simulated_home',
      enabled: { value: true, fixedBy: 'HEARTHD_SIMULATE in the environment' },
    },
  ]);
  await named.storage.close();
  const off = await openHome(bench, { HEARTHD_MQTT_URL: 'off', HEARTHD_SIMULATE: '0' });
  expect(off.instances.list()).toMatchObject([
    { id: 'mqtt', enabled: { value: false, fixedBy: by }, settings: { address: { value: null } } },
    { id: 'zigbee2mqtt', enabled: { value: false, fixedBy: by } },
  ]);
});

function valueOf(setting: unknown): unknown {
  return typeof setting === 'object' && setting !== null && 'value' in setting ? setting.value : undefined;
}
