import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { isSaid } from '#core/feature/feature-value.ts';
import { readAnnouncement } from '#integrations/tasmota/announcement.ts';
import { deviceFrom } from '#integrations/tasmota/mapping/tasmota-device.ts';
import { createSaid } from '#integrations/tasmota/device-run.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { createTasmotaWorld } from '#test/support/tasmota/tasmota-world.ts';

const CONFIG: JsonObject = {
  dn: 'Sofa',
  fn: ['Sofa'],
  mac: 'D8F15B000010',
  md: 'Generic',
  sw: '15.1.0',
  hn: 'sofa',
  t: 'sofa',
  ft: '%prefix%/%topic%/',
  tp: ['cmnd', 'stat', 'tele'],
  rl: [2, 1, 3, 3],
  lt_st: 5,
  so: { 73: 1, 114: 1 },
  swc: [1, 3],
  swn: ['Door', null],
  btn: [1],
  sho: [1],
  sht: [[-90, 90, 1]],
  state: ['OFF', 'ON'],
  if: 1,
};
const SENSORS: JsonObject = {
  AM2301: { Temperature: 1, Humidity: 2 },
  'DS-1': { Id: 'A', Temperature: 3 },
  TempUnit: 'C',
};
const TOLD: JsonObject = {
  POWER1: 'ON',
  Dimmer: 10,
  HSBColor: '1,2,3',
  CT: 200,
  White: 5,
  Shutter1: { Position: 1, Direction: 0, Tilt: 9 },
  FanSpeed: 2,
  Wifi: { Signal: -60 },
  Button1: { Action: 'HOLD' },
  Switch2: { Action: 'TOGGLE' },
  Door: 'ON',
  ...SENSORS,
};

const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as JsonValue),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<JsonValue>(-1, 1e300, '', '+', '#', '$SYS', '%prefix%', [], {}, null),
);
const spoilt = (of: JsonObject) =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(of), '__proto__', 'constructor'), anything, { maxKeys: 4 })
    .map((changes): JsonObject => ({ ...of, ...changes }));

test('what a device announces and says never throws, and has no value that its feature cannot have', () => {
  fc.assert(
    fc.property(spoilt(CONFIG), spoilt(SENSORS), fc.array(spoilt(TOLD), { maxLength: 3 }), (config, sensors, told) => {
      const announcement = readAnnouncement(config);
      if (announcement === undefined) return;
      for (const topic of Object.values(announcement.topics)) expect(topic).toMatch(/^(?![$/])[^+#]+\/$/);
      const shown = deviceFrom(announcement, sensors);
      const keys = shown.description.features.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      const sink = createRecordingSink();
      void sink.describeDevice(shown.description);
      const said = createSaid(sink, () => shown);
      for (const one of told) {
        said.happen(one);
        said.learn(one, false);
      }
      const values = sink.devices.get(announcement.mac)?.values ?? new Map<string, JsonValue>();
      for (const [key, value] of values) {
        const feature = shown.description.features.find((one) => one.key === key);
        expect([key, value, feature !== undefined && isSaid(feature, value)]).toEqual([key, value, true]);
      }
    }),
    searchOf(5_000),
  );
});

test.each<[string, JsonObject]>([
  ['topics with a wildcard', { t: '+' }],
  ['topics of the broker itself', { ft: '$SYS/%prefix%/' }],
  ['one topic for commands and answers', { tp: ['x', 'x', 'tele'] }],
  ['no topic at all', { ft: null }],
  ['something else for a MAC', { mac: '../config' }],
  ['no list of outputs', { rl: 'many' }],
])('an announcement with %s is none', (_what, change) => {
  expect(readAnnouncement({ ...CONFIG, ...change })).toBeUndefined();
});

test('more devices than a home has are not taken, and one line says so', async () => {
  const broker = await startBroker();
  onTestFinished(broker.close);
  for (let count = 0; count < 520; count += 1) {
    const mac = count.toString(16).toUpperCase().padStart(12, '0');
    await broker.publish(`tasmota/discovery/${mac}/config`, JSON.stringify({ ...CONFIG, mac, t: `t${count}` }), true);
  }
  const world = createTasmotaWorld(broker.url, createFastTime(10));
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = world.create().run(sink, abort.signal);
  await vi.waitFor(() => expect(sink.devices.size).toBe(500), { interval: 20 });
  abort.abort();
  await running;
  const warned = world.lines.filter((line) => line.startsWith('<4>'));
  expect(warned).toEqual([expect.stringContaining('more devices announce themselves')]);
  await vi.waitFor(() => expect(broker.subscriptions().size).toBe(0), { interval: 20 });
});
