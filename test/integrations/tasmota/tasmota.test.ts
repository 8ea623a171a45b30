import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import {
  startTasmotaDevice,
  TASMOTA_MAC,
  type TasmotaDevice,
  type TasmotaKind,
} from '#test/support/tasmota/tasmota-device.ts';
import { type Announcement, readAnnouncement } from '#integrations/tasmota/announcement.ts';
import { outputsOf } from '#integrations/tasmota/mapping/outputs.ts';
import { deviceFrom } from '#integrations/tasmota/mapping/tasmota-device.ts';
import { createTasmotaWorld } from '#test/support/tasmota/tasmota-world.ts';

const POLL = { interval: 10 };

type Options = {
  readonly known?: readonly string[];
  readonly factor?: number;
  /** Runs before the integration does. */
  readonly prepare?: (device: TasmotaDevice) => Promise<void>;
};

async function openDevice(kind: TasmotaKind = 'plug', { known = [TASMOTA_MAC], factor = 10, prepare }: Options = {}) {
  const broker = await startBroker();
  onTestFinished(broker.close);
  const device = await startTasmotaDevice(broker, kind);
  onTestFinished(device.close);
  await prepare?.(device);
  const world = createTasmotaWorld(broker.url, createFastTime(factor), known);
  const sink = createRecordingSink();
  const abort = new AbortController();
  const tasmota = world.create();
  const running = tasmota.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const shown = (mac = TASMOTA_MAC) => sink.device(mac);
  await vi.waitFor(() => expect(shown().availability?.state).toBe('online'), POLL);
  const act = (set: Record<string, JsonValue>, action: string | null, transitionMs: number | null) =>
    tasmota.sendCommand({ externalId: TASMOTA_MAC, set: new Map(Object.entries(set)), action, transitionMs });
  return {
    broker,
    device,
    world,
    sink,
    shown,
    keys: () => shown().description.features.map(({ key }) => key),
    feature: (key: string) => shown().description.features.find((feature) => feature.key === key),
    send: (set: Record<string, JsonValue>, transitionMs: number | null = null) => act(set, null, transitionMs),
    act: (action: string) => act({}, action, null),
    until: (values: JsonObject): Promise<void> =>
      vi.waitFor(() => expect(Object.fromEntries(shown().values)).toMatchObject(values), POLL),
  };
}

test('a plug is known with what it measures as soon as it is there', async () => {
  const { shown, until } = await openDevice();
  expect(shown().description).toMatchObject({
    externalId: TASMOTA_MAC,
    name: 'Plug',
    type: 'on_off_plug_in_unit',
    manufacturer: 'Tasmota',
    firmware: '15.1.0',
  });
  await until({
    on: false,
    power: 0,
    voltage: 231,
    energy: 12.345,
    power_factor: 0,
    'x.today': 0.103,
    signal_strength: -61,
  });
});

test.each<[string, TasmotaKind, Record<string, JsonValue>, string, JsonObject?]>([
  ['a switch', 'plug', { on: true }, 'POWER 1'],
  ['the second of two relays', 'relays', { 'output_2.on': true }, 'POWER2 1', { 'output_1.on': false }],
  ['a relay behind those of a shutter', 'gate', { 'output_1.on': true }, 'POWER3 1', { 'output_2.position': 30 }],
  ['a brightness, which switches on', 'dimmer', { brightness: 30.4 }, 'Dimmer 30', { on: true }],
  ['a color temperature', 'cct', { color_temperature: 2_702 }, 'CT 370'],
  [
    'a color, which leaves the brightness as it is',
    'color',
    { color: { hue: 120.4, saturation: 99.7 } },
    'Backlog0 HSBColor1 120;HSBColor2 100',
    { brightness: 50 },
  ],
  ['a position', 'shutter', { position: 70 }, 'ShutterPosition1 70', { cover_state: 'stop' }],
  ['a blind that opens', 'shutter', { cover_state: 'open' }, 'ShutterOpen1', { position: 100 }],
  ['slats', 'shutter', { tilt: 75 }, 'ShutterTilt1 45'],
  ['the position of an inverted one', 'inverted', { position: 70 }, 'ShutterPosition1 30'],
  ['the speed of a fan', 'fan', { fan_mode: 'medium' }, 'FanSpeed 2'],
])('%s is sent in the words of the firmware, and its value comes from the device', async (...row) => {
  const [, kind, set, wire, further = {}] = row;
  const { send, device, until } = await openDevice(kind);
  await expect(send(set)).resolves.toBe('device_ack');
  expect(device.wire).toEqual([wire]);
  await until({ ...set, ...further });
});

test('a transition is of its command alone', async () => {
  const { send, device } = await openDevice('dimmer');
  await send({ brightness: 80 }, 2_500);
  expect(device.wire).toEqual(['Backlog0 Fade2 1;Speed2 5;Dimmer 80']);
});

test('a color that becomes white is no color any more, and its lamp has no brightness of 0', async () => {
  const { device, until, shown } = await openDevice('color');
  await until({ color: { hue: 30, saturation: 100 } });
  device.change({ HSBColor: '0,0,0', White: 40, Dimmer: 0, POWER: 'OFF', CT: 200 });
  await until({ on: false, color_temperature: 5_000, brightness: 50, color: { hue: 30, saturation: 100 } });
  expect(shown().description.type).toBe('extended_color_light');
});

test('a lamp in colored light does not repeat the white that it had before', async () => {
  const { device, until, shown } = await openDevice('color');
  await until({ color: { hue: 30, saturation: 100 } });
  device.change({ HSBColor: '0,0,0', White: 40, CT: 200 });
  await until({ color_temperature: 5_000 });
  shown().values.delete('color_temperature');
  device.change({ HSBColor: '120,100,40', White: 0, CT: 200 });
  await until({ color: { hue: 120, saturation: 100 } });
  expect(shown().values.has('color_temperature')).toBe(false);
});

test('a blind shows where it goes; an inverted one the other way round', async () => {
  const blind = await openDevice('shutter');
  await blind.until({ position: 30, cover_state: 'stop', tilt: 50 });
  blind.device.shutter({ Direction: -1 });
  await blind.until({ cover_state: 'close' });
  const awning = await openDevice('inverted');
  await awning.until({ position: 70 });
  awning.device.shutter({ Direction: -1 });
  await awning.until({ cover_state: 'open' });
  expect(awning.keys()).not.toContain('tilt');
});

test('sensors are in the units of the vocabulary; of several, each is known by its own id', async () => {
  const { until, keys, device } = await openDevice('sensors');
  await until({
    humidity: 61.2,
    illuminance: 120,
    'am2301.temperature': 19,
    'x.dew_point': 11.8,
    'ds18b20_000001a2b3c4.temperature': 44,
    'ds18b20_000001a2b3c5.temperature': 38,
    'x.a0': 512,
    'x.speed_act': 14.8,
    'switch_1.x.input': false,
  });
  expect(keys()).toContain('switch_2.button');
  // One is gone: the numbers of the others move.
  await device.measure({ 'DS18B20-1': { Id: '000001A2B3C5', Temperature: 104 }, 'DS18B20-2': null });
  await until({ 'ds18b20_000001a2b3c5.temperature': 40, 'ds18b20_000001a2b3c4.temperature': 44 });
});

test('buttons and switches tell what was done to them', async () => {
  const relays = await openDevice('relays');
  relays.device.happen({ Button1: { Action: 'DOUBLE' } });
  relays.device.happen({ Button2: { Action: 'CLEAR' } });
  const pressed = { key: 'button_1.button', occurrence: { action: 'double', count: 2, raw: 'DOUBLE' } };
  await vi.waitFor(() => expect(relays.shown().occurrences).toEqual([pressed]), POLL);
  const board = await openDevice('sensors');
  board.device.happen({ Door: { Action: 'ON' } });
  board.device.happen({ Switch2: { Action: 'TOGGLE' } });
  await board.until({ 'switch_1.x.input': true });
  expect(board.shown().occurrences).toMatchObject([{ key: 'switch_2.button', occurrence: { action: 'press' } }]);
});

test('the only relay is known also by its number, as the firmware may be set to say it (SetOption26)', async () => {
  const { shown } = await openDevice('plug', {
    prepare: ({ publish, setMute }) => {
      setMute(true);
      return publish('stat/RESULT', { POWER1: 'ON' }, true);
    },
  });
  await vi.waitFor(() => expect(shown().values.get('on')).toBe(true), POLL);
});

test('what the broker has kept is of unknown age, and no press', async () => {
  const { sink, shown, until } = await openDevice('relays', {
    prepare: ({ publish, setMute }) => {
      setMute(true);
      return publish('stat/RESULT', { POWER1: 'ON', Button1: { Action: 'SINGLE' } }, true);
    },
  });
  await until({ 'output_1.on': true });
  expect(sink.calls.get('reportKeptValues')).toBe(1);
  expect(sink.calls.get('reportValues')).toBeUndefined();
  expect(shown().occurrences).toEqual([]);
});

test('a command that the firmware does not know fails; the next one is sent', async () => {
  const { send, device, act } = await openDevice('fan');
  device.setMute(true);
  const refused = send({ fan_mode: 'low' }).catch((cause: unknown) => cause);
  await vi.waitFor(() => expect(device.wire).toEqual(['FanSpeed 1']), POLL);
  device.happen({ Command: 'Unknown' });
  expect(await refused).toMatchObject({ code: 'COMMAND_FAILED' });
  device.setMute(false);
  await expect(act('x.restart')).resolves.toBe('device_ack');
  expect(device.wire).toEqual(['FanSpeed 1', 'Restart 1']);
});

test('a device that does not answer is believed no further than the broker', async () => {
  const { send, device } = await openDevice('plug', { factor: 20 });
  device.setMute(true);
  await expect(send({ on: true })).resolves.toBe('transport_ack');
});

test('a relay behind those of a shutter is not what they are, and a command to it is not done by them', async () => {
  const { send, device, until, shown } = await openDevice('gate', { factor: 20 });
  await until({ 'output_1.on': false });
  device.setMute(true);
  const sent = send({ 'output_1.on': true });
  await vi.waitFor(() => expect(device.wire).toEqual(['POWER3 1']), POLL);
  device.change({ POWER1: 'ON' });
  await expect(sent).resolves.toBe('transport_ack');
  expect(shown().values.get('output_1.on')).toBe(false);
});

test('a slider that is drawn is sent one value at a time, the newest of those that wait', async () => {
  const { send, until, device } = await openDevice('dimmer');
  await Promise.all(Array.from({ length: 40 }, (_, index) => send({ brightness: 10 + index })));
  await until({ brightness: 49 });
  expect(device.wire.length).toBeLessThan(20);
  expect(device.wire.at(-1)).toBe('Dimmer 49');
});

test('a device that goes is offline, and asked how it is when it comes back', async () => {
  const { device, shown, send, until } = await openDevice();
  await device.unplug();
  await vi.waitFor(() => expect(shown().availability).toEqual({ state: 'offline', reason: 'last_will' }), POLL);
  device.change({ POWER: 'ON' });
  await device.plug();
  await vi.waitFor(() => expect(shown().availability?.state).toBe('online'), POLL);
  await until({ on: true });
  await expect(send({ on: false })).resolves.toBe('device_ack');
});

describe('announcements', () => {
  test('another name or another relay changes the device', async () => {
    const { device, shown, keys, until } = await openDevice();
    await device.announce({ dn: 'Kettle', rl: [1, 1] });
    await vi.waitFor(() => expect(shown().description.name).toBe('Kettle'), POLL);
    expect(keys()).toContain('output_2.on');
    device.change({ POWER2: 'ON' });
    await until({ 'output_2.on': true });
  });

  test('another topic is where the device is from then on', async () => {
    const { device, send, until } = await openDevice();
    await device.move('kettle');
    await vi.waitFor(async () => {
      await send({ on: true });
      expect(device.wire).toContain('POWER 1');
    }, POLL);
    await until({ on: true });
  });

  test('one that is taken back removes the device', async () => {
    const { device, sink } = await openDevice();
    await device.forget();
    await vi.waitFor(() => expect(sink.devices.has(TASMOTA_MAC)).toBe(false), POLL);
  });

  test('a device of the hub that nobody announces any more is offline', async () => {
    const { sink } = await openDevice('plug', { known: ['ffffffffffff', TASMOTA_MAC], factor: 20 });
    await sink.describeDevice({ ...sink.device(TASMOTA_MAC).description, externalId: 'ffffffffffff' });
    await vi.waitFor(
      () => expect(sink.device('ffffffffffff').availability).toEqual({ state: 'offline', reason: 'not_announced' }),
      POLL,
    );
    expect(sink.device(TASMOTA_MAC).availability?.state).toBe('online');
  });

  test('a second device under the topic of the first is not heard, and does not take its place', async () => {
    const { broker, device, sink, until, world } = await openDevice();
    const config = { dn: 'Thief', mac: 'D8F15B000011', rl: [1], t: device.topic(), ft: '%prefix%/%topic%/' };
    const announced = { ...config, tp: ['cmnd', 'stat', 'tele'], state: ['OFF', 'ON'] };
    await broker.publish('tasmota/discovery/D8F15B000011/config', JSON.stringify(announced), true);
    await vi.waitFor(() => expect(sink.devices.has('d8f15b000011')).toBe(true), POLL);
    device.change({ POWER: 'ON' });
    await until({ on: true });
    expect(sink.device('d8f15b000011').values.size).toBe(0);
    expect(world.lines.some((line) => line.includes('two devices announce the same topic'))).toBe(true);
  });
});

const announced = (more: JsonObject): Announcement => {
  const base = { mac: TASMOTA_MAC, ft: '%prefix%/%topic%/', t: 'one', tp: ['cmnd', 'stat', 'tele'], rl: [1] };
  const announcement = readAnnouncement({ ...base, ...more });
  if (announcement === undefined) throw new Error('it was not read');
  return announcement;
};

/** `SWITCHMODE_MAP` of hatasmota 0.10: which modes are binary sensors, and which have triggers. A newer one tells both. */
const BINARY = new Set([1, 2, 9, 10, 13, 14, 15, 16, 17]);
const TRIGGERS = new Set([0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17]);

test.each(Array.from({ length: 18 }, (_, mode) => mode))('a switch of mode %s tells what hatasmota hears', (mode) => {
  const { sources } = deviceFrom(announced({ swc: [mode], swn: ['Door'], so: { 114: 1 } }), {});
  const own = sources.filter(({ feature }) => feature.component === 'switch_1');
  const state = own.find(({ feature }) => feature.kind === 'state');
  const press = own.find(({ feature }) => feature.kind === 'event');
  expect([state !== undefined, press !== undefined]).toEqual([BINARY.has(mode), TRIGGERS.has(mode)]);
  const told = new Map([['Door', { Action: 'ON' }]]);
  expect(state?.read?.(told) ?? true).toBe(true);
  expect(press === undefined || state === undefined ? undefined : press.readEvent?.({ Action: 'ON' })).toBeUndefined();
});

test('quantities with the number of their pin, and one level deeper, have their words', async () => {
  const sensors = {
    ANALOG: {
      Temperature1: 21.4,
      Temperature2: 48.9,
      Illuminance3: 120,
      CTEnergy1: { Energy: 12.345, Power: 2300, Voltage: 230, Current: 10 },
    },
    TX23: { Speed: { Act: 36, Avg: 18 } },
    SpeedUnit: 'km/h',
  };
  const { device, until, feature } = await openDevice('dimmer', {
    prepare: async (one) => {
      await one.measure(sensors);
      await one.announce({});
    },
  });
  await device.measure(sensors);
  await until({
    'analog_1.temperature': 21.4,
    'analog_2.temperature': 48.9,
    illuminance: 120,
    power: 2300,
    energy: 12.345,
    voltage: 230,
    current: 10,
    wind_speed: 10,
  });
  expect(feature('analog_2.temperature')?.unit).toBe('celsius');
});

test('an output that changes its name in reports shows what it said last', async () => {
  const { device, until, shown } = await openDevice('plug');
  await device.publish('stat/RESULT', { POWER: 'OFF' });
  await until({ on: false });
  await device.publish('stat/RESULT', { POWER1: 'ON' });
  await until({ on: true });
  await device.publish('stat/RESULT', { POWER: 'OFF' });
  await until({ on: false });
  expect(shown().values.get('on')).toBe(false);
});

test('the second shutter has the name of its own relays', () => {
  const outputs = outputsOf(announced({ rl: [3, 3, 3, 3, 1], fn: ['Left', null, 'Right', null, 'Lamp'] }));
  expect(outputs.map(({ title }) => title)).toEqual(['Lamp', 'Left', 'Right']);
});
