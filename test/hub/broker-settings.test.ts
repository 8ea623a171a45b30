import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSecretFiles } from '#base/secret-files.ts';
import { secretsFolder } from '#config/config.ts';
import { loadConfig } from '#config/load-config.ts';
import { type BrokerSettings, openBrokerSettings } from '#hub/broker-settings.ts';
import { openBrokerReach } from '#hub/kept-broker.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

type Environment = Readonly<Record<string, string>>;

/** A state folder with what is kept in it, opened as often as the test likes. */
function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-broker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kept = new Map<string, string>();
  const disk: { failWith?: Error } = {};
  const { log, lines } = createRecordingLog();
  const open = async (environment: Environment = {}, toml = ''): Promise<BrokerSettings> => {
    const file = join(folder, 'hearthd.toml');
    writeFileSync(file, toml);
    const loaded = loadConfig({ environment, file, stateDir: join(folder, 'state'), installed: false });
    if (!loaded.ok) throw new Error(loaded.problems.join());
    const { config } = loaded;
    return openBrokerSettings(config, {
      meta: {
        loadMeta: async () => new Map(kept),
        putMeta: async (entries) => {
          if (disk.failWith !== undefined) throw disk.failWith;
          for (const [key, value] of entries) kept.set(key, value);
        },
      },
      secrets: createSecretFiles(secretsFolder(config)),
      log,
    });
  };
  return { folder, kept, disk, lines, open };
}

/** As the connection reads it. */
const passwordOf = (settings: BrokerSettings): string | undefined =>
  readFileSync(settings.current().passwordFile ?? '', 'utf8').split('\n')[0];
const refusal = async (change: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await change.catch((cause: unknown) => cause);
  return error instanceof Error && 'code' in error ? [error.code, error] : error;
};

test('without settings over the API the broker is that of the configuration, and every setting may be changed', async () => {
  const settings = await createWorld().open();
  expect(settings.isOn()).toBe(true);
  expect(settings.current()).toEqual({
    url: 'mqtt://127.0.0.1:1883',
    user: null,
    passwordFile: null,
    baseTopic: 'zigbee2mqtt',
  });
  expect(settings.shown()).toEqual({
    enabled: { value: true, fixedBy: null },
    address: { value: 'mqtt://127.0.0.1:1883', fixedBy: null },
    user: { value: null, fixedBy: null },
    password: { value: false, fixedBy: null },
    baseTopic: { value: 'zigbee2mqtt', fixedBy: null },
  });
});

test('S6: settings outlive a restart; the password is in a 0600 file and not in the database', async () => {
  const world = createWorld();
  const settings = await world.open();
  const change = { address: 'mqtt://10.0.0.7/', user: 'hub', password: 'p', baseTopic: 'z2m/' };
  expect(await settings.change(change)).toBe(true);
  const again = await world.open();
  expect(again.current()).toMatchObject({ url: 'mqtt://10.0.0.7', user: 'hub', baseTopic: 'z2m' });
  expect(again.shown()).toMatchObject({ address: { value: 'mqtt://10.0.0.7' }, password: { value: true } });
  expect(passwordOf(again)).toBe('p');
  expect(statSync(again.current().passwordFile ?? '').mode & 0o777).toBe(0o600);
  expect([...world.kept.values()].join()).not.toContain('"p"');
});

test('setting the same again is no change; switching off and on are changes', async () => {
  const settings = await createWorld().open();
  expect(await settings.change({ address: 'mqtt://127.0.0.1:1883', enabled: true, user: null })).toBe(false);
  expect(await settings.change({ enabled: false })).toBe(true);
  expect(settings.isOn()).toBe(false);
  expect(await settings.change({ enabled: true })).toBe(true);
});

test('settings of the environment or the file are fixed, and say by what, without a path', async () => {
  const world = createWorld();
  const settings = await world.open({ HEARTHD_MQTT_URL: 'mqtt://10.0.0.1' }, '[mqtt]\nuser = "x"');
  expect(settings.shown()).toMatchObject({
    enabled: { value: true, fixedBy: null },
    address: { value: 'mqtt://10.0.0.1', fixedBy: 'HEARTHD_MQTT_URL in the environment' },
    user: { value: 'x', fixedBy: 'mqtt.user in the configuration file' },
  });
  expect(await refusal(settings.change({ address: 'mqtt://10.0.0.2', user: 'y', enabled: false }))).toMatchObject([
    'SETTING_FIXED',
    {
      options: {
        errors: [
          { pointer: '/address', code: 'READ_ONLY' },
          { pointer: '/user', code: 'READ_ONLY' },
        ],
      },
    },
  ]);
  expect(world.kept.size).toBe(0);
  expect(await settings.change({ user: 'x', enabled: false })).toBe(true);
});

test('the configuration takes precedence over an earlier setting, which holds again without it', async () => {
  const world = createWorld();
  await (await world.open()).change({ address: 'mqtt://10.0.0.7' });
  expect((await world.open({ HEARTHD_MQTT_URL: 'off' })).shown()).toMatchObject({
    enabled: { value: false, fixedBy: 'HEARTHD_MQTT_URL in the environment' },
    address: { value: null },
  });
  expect((await world.open()).current().url).toBe('mqtt://10.0.0.7');
});

test('a password of the configuration is sent only to the address of the configuration', async () => {
  const settings = await createWorld().open({ HEARTHD_MQTT_PASSWORD_FILE: '/etc/secret' });
  expect(await refusal(settings.change({ address: 'mqtt://10.6.6.6' }))).toMatchObject(['SETTING_FIXED', {}]);
});

test('a kept password is not sent to a new address: it must be given again or removed', async () => {
  const settings = await createWorld().open();
  await settings.change({ user: 'hub', password: 'secret' });
  expect(await refusal(settings.change({ address: 'mqtt://10.6.6.6' }))).toMatchObject([
    'VALIDATION_FAILED',
    { options: { errors: [{ pointer: '/password', code: 'REQUIRED' }] } },
  ]);
  expect(passwordOf(settings)).toBe('secret');
  await settings.change({ address: 'mqtt://10.0.0.7', password: null });
  expect(settings.current()).toMatchObject({ url: 'mqtt://10.0.0.7', passwordFile: null });
});

test('a kept password is not sent to an address from a backup or the configuration', async () => {
  const world = createWorld();
  const settings = await world.open();
  await settings.change({ address: 'mqtt://10.0.0.7', user: 'hub', password: 'first' });
  const backup = world.kept.get('broker') ?? '';
  await settings.change({ address: 'mqtt://10.0.0.8', password: 'second' });
  await settings.change({ address: 'mqtt://10.0.0.9', password: 'third' });
  const nowKept = world.kept.get('broker') ?? '';
  const elsewhere = [
    async () => world.open({ HEARTHD_MQTT_URL: 'mqtt://10.6.6.6' }),
    async () => (world.kept.set('broker', backup), world.open()),
    async () => (world.kept.set('broker', nowKept.replace('10.0.0.9', '10.6.6.6')), world.open()),
  ];
  for (const open of elsewhere) {
    const opened = await open();
    expect(opened.current().passwordFile).toBe(null);
    expect(opened.shown().password.value).toBe(false);
  }
  world.kept.set('broker', backup);
  const restored = await world.open();
  expect(restored.current().url).toBe('mqtt://10.0.0.7');
  await restored.change({ password: 'again' });
  expect(passwordOf(await world.open())).toBe('again');
  world.kept.set('broker', nowKept);
  expect((await world.open()).current().passwordFile).toBe(null);
});

test('removing the user removes the password', async () => {
  const settings = await createWorld().open();
  await settings.change({ user: 'hub', password: 'secret' });
  const path = settings.current().passwordFile ?? '';
  await settings.change({ user: null });
  expect(settings.current()).toMatchObject({ user: null, passwordFile: null });
  expect(existsSync(path)).toBe(false);
});

test.each([
  [{ address: '192.168.1.2' }, '/address'],
  [{ address: 'off' }, '/address'],
  [{ address: 'mqtt://user:word@10.0.0.1' }, '/address'],
  [{ address: 'http://10.0.0.1' }, '/address'],
  [{ user: '' }, '/user'],
  [{ user: 'a\nb' }, '/user'],
  [{ user: 'hub', password: 'a\nb' }, '/password'],
  [{ user: 'hub', password: 'p'.repeat(257) }, '/password'],
  [{ password: 'p' }, '/user'],
  [{ baseTopic: 'a/#' }, '/base_topic'],
])('%j is refused with a pointer and changes nothing', async (change, pointer) => {
  const world = createWorld();
  const settings = await world.open();
  const before = settings.current();
  expect(await refusal(settings.change(change))).toMatchObject([
    'VALIDATION_FAILED',
    { options: { errors: [{ pointer }] } },
  ]);
  expect([settings.current(), world.kept.size]).toEqual([before, 0]);
});

test('S9: while the disk takes no writes, the old settings and the old password stay complete', async () => {
  const world = createWorld();
  const settings = await world.open();
  await settings.change({ user: 'hub', password: 'old' });
  world.disk.failWith = new Error('disk full');
  await expect(settings.change({ user: 'other', password: 'new' })).rejects.toThrow('disk full');
  expect([settings.current().user, passwordOf(settings)]).toEqual(['hub', 'old']);
  const again = await world.open();
  expect([again.current().user, passwordOf(again)]).toEqual(['hub', 'old']);
  delete world.disk.failWith;
  await again.change({ user: 'other', password: 'new' });
  expect(passwordOf(await world.open())).toBe('new');
});

test.each(['no JSON', '[]', '{"enabled":"yes","address":"off","user":7,"base_topic":"#","password":"../key"}'])(
  'kept settings that make no sense, such as %s, count as never made',
  async (text) => {
    const world = createWorld();
    world.kept.set('broker', text);
    const settings = await world.open();
    expect(settings.current()).toEqual((await createWorld().open()).current());
  },
);

test('changes at the same time are made one after the other, and none is lost', async () => {
  const settings = await createWorld().open();
  await Promise.all([settings.change({ address: 'mqtt://10.0.0.7' }), settings.change({ baseTopic: 'other' })]);
  expect(settings.current()).toMatchObject({ url: 'mqtt://10.0.0.7', baseTopic: 'other' });
});

describe('whether a broker was ever set up', () => {
  test.each<[string, Environment, string, boolean]>([
    ['as it comes', {}, '', false],
    ['an address in the environment', { HEARTHD_MQTT_URL: 'mqtt://10.0.0.1' }, '', true],
    ['a topic in the file', {}, '[mqtt]\nbase_topic = "home"\n', true],
    ['no broker by configuration', { HEARTHD_MQTT_URL: 'off' }, '', true],
  ])('by configuration: %s', async (...[, environment, toml, isChosen]) => {
    expect((await createWorld().open(environment, toml)).isChosen()).toBe(isChosen);
  });

  test('by a person, from the first change on and after a restart', async () => {
    const world = createWorld();
    const settings = await world.open();
    await settings.change({ address: 'mqtt://10.0.0.1:1883' });
    expect(settings.isChosen()).toBe(true);
    expect((await world.open()).isChosen()).toBe(true);
  });

  const failure = (code: string) => ({ state: 'error', sinceMs: 0, error: { code, message: '' } }) as const;
  test.each([
    ['nothing that answers', failure('CONNECTION_REFUSED'), false],
    ['no such host', failure('UNKNOWN_HOST'), false],
    ['the beginning', { state: 'connecting', sinceMs: 0, error: null } as const, false],
    ['a broker that refuses the password', failure('WRONG_PASSWORD'), true],
    ['a broker without Zigbee2MQTT', failure('BRIDGE_SILENT'), true],
    ['a connection', { state: 'connected', sinceMs: 0, error: null } as const, true],
  ])('by %s', async (_name, status, isReached) => {
    const { kept } = createWorld();
    const store = {
      meta: {
        loadMeta: async () => new Map(kept),
        putMeta: async (entries: ReadonlyMap<string, string>) => {
          for (const [key, value] of entries) kept.set(key, value);
        },
      },
      log: createRecordingLog().log,
    };
    const reach = await openBrokerReach(store);
    reach.note(status);
    reach.note(failure('CONNECTION_REFUSED'));
    expect(reach.wasReached()).toBe(isReached);
    expect((await openBrokerReach(store)).wasReached()).toBe(isReached);
  });
});
