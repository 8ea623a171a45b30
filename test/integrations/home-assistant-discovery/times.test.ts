import { afterEach, expect, test } from 'vitest';
import { createAnnouncedDevices } from '#integrations/home-assistant-discovery/announced-devices.ts';
import { createDeviceBook } from '#integrations/home-assistant-discovery/device-book.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { type DeviceHome, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createInlineTemplates } from '#test/support/discovery/inline-templates.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type World = {
  readonly home: DeviceHome;
  readonly announce: (component: string, id: string, config: object | null) => Promise<void>;
  readonly say: (topic: string, payload: string, retained?: boolean) => void;
  readonly leave: () => void;
};

/** The hub's own registry, with a clock that moves only by hand. */
async function openWorld(): Promise<World> {
  const home = await openDeviceHome();
  const { log } = createRecordingLog();
  const announced = createAnnouncedDevices({ log, isLeftOut: () => false });
  const book = createDeviceBook({
    sink: {
      ...createRecordingSink(),
      ...home.reports,
      openList: async () => () => true,
      syncDevices: async () => true,
      describeDevice: async (device) => (await home.reports.describeDevice(device)).refusal === null,
    },
    link: { subscribe: () => undefined },
    log,
    clock: home.time.clock,
    startTimer: home.time.startTimer,
    signal: new AbortController().signal,
    knownFeatures: () => [],
    elsewhere: createInlineTemplates(),
    onStrange: () => undefined,
  });
  ends.push(book.stop);
  return {
    home,
    announce: async (component, id, config) => {
      const topic = `homeassistant/${component}/${id}/config`;
      const place = readTopic(topic, 'homeassistant');
      const payload = Buffer.from(
        config === null ? '' : JSON.stringify({ uniq_id: id, stat_t: `s/${id}`, dev: { ids: 'box' }, ...config }),
      );
      if (place === undefined) throw new Error(topic);
      for (const device of announced.take(place, { topic, payload, retained: false })) {
        const parts = announced.find(device);
        await (parts === undefined ? book.remove(device) : book.describe(parts));
      }
    },
    say: (topic, payload, retained = false) => book.onState({ topic, payload: Buffer.from(payload), retained }),
    leave: book.stop,
  };
}

test('a sensor is stale when it has been silent for its expire_after, and the rest of its device is not', async () => {
  const { home, announce, say } = await openWorld();
  await announce('sensor', 'p', { dev_cla: 'power', unit_of_meas: 'W', expire_after: 60 });
  await announce('binary_sensor', 'm', { dev_cla: 'motion', expire_after: 90 });
  await announce('sensor', 'h', { dev_cla: 'humidity', unit_of_meas: '%' });
  const shown = (): readonly string[] => ['power', 'motion', 'humidity'].map((key) => home.shown('box', key));
  say('s/p', '5');
  say('s/m', 'ON');
  say('s/h', '40');
  await home.time.advance(59_999);
  expect(shown()).toEqual(['5 confirmed', 'true confirmed', '40 confirmed']);
  home.takeEvents();
  await home.time.advance(1);
  expect(shown()).toEqual(['5 stale', 'true confirmed', '40 confirmed']);
  expect(home.takeEvents()).toEqual(['feature.changed']);
  await home.time.advance(30_000);
  expect(shown()).toEqual(['5 stale', 'true stale', '40 confirmed']);
  say('s/p', '5');
  expect(shown()).toEqual(['5 confirmed', 'true stale', '40 confirmed']);
});

test('each message of its topic starts the time anew, also one that repeats a value or says nothing', async () => {
  const { home, announce, say } = await openWorld();
  const config = { dev_cla: 'power', unit_of_meas: 'W', expire_after: 60, val_tpl: '{{ value_json.p }}' };
  await announce('sensor', 'p', config);
  say('s/p', '{"p":5}');
  for (const payload of ['{"p":5}', '{"p":"none"}', '{"q":1}']) {
    await home.time.advance(50_000);
    say('s/p', payload);
  }
  await home.time.advance(59_999);
  expect(home.shown('box', 'power')).toBe('5 confirmed');
  await home.time.advance(1);
  expect(home.shown('box', 'power')).toBe('5 stale');
});

test('a value that the broker kept stays restored, and no time of an entity outlives it', async () => {
  const { home, announce, say } = await openWorld();
  await announce('sensor', 'p', { dev_cla: 'power', unit_of_meas: 'W', expire_after: 60 });
  await announce('binary_sensor', 'm', { dev_cla: 'motion', off_delay: 30, expire_after: 5_000_000 });
  say('s/p', '5', true);
  say('s/m', 'ON');
  expect(home.time.pendingMs()).toEqual([30_000, 60_000, 2 ** 31 - 1]);
  await home.time.advance(120_000);
  expect(home.shown('box', 'power')).toBe('5 restored');
  say('s/p', '6');
  say('s/m', 'ON');
  await announce('sensor', 'p', { dev_cla: 'power', unit_of_meas: 'W' });
  expect(home.time.pendingMs()).toEqual([30_000, 2 ** 31 - 1]);
  await announce('sensor', 'p', null);
  await announce('binary_sensor', 'm', null);
  expect(home.time.pendingMs()).toEqual([]);
});

test('a sensor that only says on is off after its off_delay; each on starts it anew and an off ends it', async () => {
  const { home, announce, say } = await openWorld();
  await announce('binary_sensor', 'm', { dev_cla: 'motion', off_delay: 30 });
  say('s/m', 'ON');
  await home.time.advance(20_000);
  say('s/m', 'ON');
  await home.time.advance(29_999);
  expect(home.shown('box', 'motion')).toBe('true confirmed');
  await home.time.advance(1);
  expect(home.shown('box', 'motion')).toBe('false confirmed');
  say('s/m', 'ON');
  say('s/m', 'nonsense');
  say('s/m', 'OFF');
  expect(home.shown('box', 'motion')).toBe('false confirmed');
  expect(home.time.pendingMs()).toEqual([]);
});

test('a sensor that only says on stays unknown once it says that it does not know', async () => {
  const { home, announce, say } = await openWorld();
  await announce('binary_sensor', 'm', { dev_cla: 'motion', off_delay: 30 });
  say('s/m', 'ON');
  say('s/m', 'None');
  expect(home.time.pendingMs()).toEqual([]);
  await home.time.advance(60_000);
  expect(home.shown('box', 'motion')).toMatch(/^null/);
});

test('a sensor with force_update is as fresh as its last message, and a repeated value is no change', async () => {
  const { home, announce, say } = await openWorld();
  await announce('sensor', 'p', { dev_cla: 'power', unit_of_meas: 'W', force_update: true });
  say('s/p', '5');
  home.takeEvents();
  await home.time.advance(10_000);
  say('s/p', '5');
  expect(home.takeEvents()).toEqual([]);
  const { observedAtMs = 0, changedAtMs = 0 } = home.device('box').states.get('power') ?? {};
  expect(Number(observedAtMs) - Number(changedAtMs)).toBe(10_000);
});

test('a device that is described anew goes on with the times of its entities', async () => {
  const { home, announce, say } = await openWorld();
  await announce('sensor', 'p', { dev_cla: 'power', unit_of_meas: 'W', expire_after: 60 });
  await announce('binary_sensor', 'm', { dev_cla: 'motion', off_delay: 30 });
  say('s/p', '5');
  say('s/m', 'ON');
  await home.time.advance(20_000);
  await announce('sensor', 'h', { dev_cla: 'humidity', unit_of_meas: '%' });
  await home.time.advance(10_000);
  expect(home.shown('box', 'motion')).toBe('false confirmed');
  await home.time.advance(30_000);
  expect(home.shown('box', 'power')).toBe('5 stale');
});
