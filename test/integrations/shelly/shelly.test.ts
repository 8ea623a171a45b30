import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { SENSORS } from '#integrations/shelly/mapping/sensors.ts';
import { unlessWrong } from '#integrations/shelly/mapping/source.ts';
import { virtualSources } from '#integrations/shelly/mapping/virtual.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { type DumpKind, SHELLY_MAC } from '#test/support/shelly/shelly-dumps.ts';
import { createShellyWorld } from '#test/support/shelly/shelly-world.ts';

const POLL = { interval: 10 };

type Options = {
  readonly devicePassword?: string;
  readonly password?: string;
  readonly nonceUses?: number;
  readonly factor?: number;
  readonly uniqueId?: string;
  readonly expected?: string;
};

/** The integration beside a device, in time that passes so many times faster. */
async function openDevice(kind: DumpKind = 'plus1pm', options: Options = {}) {
  const { devicePassword, password, nonceUses, factor = 1, uniqueId, expected = 'connected' } = options;
  const device = await startShellyDevice(kind, {
    ...(devicePassword === undefined ? {} : { password: devicePassword }),
    ...(nonceUses === undefined ? {} : { nonceUses }),
  });
  onTestFinished(device.close);
  const world = createShellyWorld(device.host, {
    ...createFastTime(factor),
    ...(password === undefined ? {} : { password }),
    ...(uniqueId === undefined ? {} : { uniqueId }),
  });
  const sink = createRecordingSink();
  const abort = new AbortController();
  const shelly = world.create();
  const running = shelly.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const untilStatus = (status: string): Promise<void> =>
    vi.waitFor(() => {
      const last = sink.statuses.at(-1);
      expect([last?.state, last?.code ?? []].flat().join(' ')).toBe(status);
    }, POLL);
  await untilStatus(expected);
  const shown = (externalId = SHELLY_MAC) => sink.device(externalId);
  return {
    device,
    world,
    sink,
    untilStatus,
    shown,
    keys: (externalId = SHELLY_MAC) => shown(externalId).description.features.map(({ key }) => key),
    feature: (key: string) => shown().description.features.find((feature) => feature.key === key),
    send: (set: Record<string, JsonValue>, { transitionMs = null, externalId = SHELLY_MAC }: Sending = {}) =>
      shelly.sendCommand({ externalId, set: new Map(Object.entries(set)), action: null, transitionMs }),
    act: (action: string) => shelly.sendCommand({ externalId: SHELLY_MAC, set: new Map(), action, transitionMs: null }),
    until: (values: JsonObject, externalId = SHELLY_MAC): Promise<void> =>
      vi.waitFor(() => expect(Object.fromEntries(shown(externalId).values)).toMatchObject(values), POLL),
    sent: (): JsonObject[] => device.wire.map((text) => JSON.parse(text) as JsonObject),
  };
}

type Sending = { readonly transitionMs?: number | null; readonly externalId?: string };

test('a relay with a meter is one plug, in the units of the vocabulary', async () => {
  const { shown, until } = await openDevice();
  expect(shown().description).toMatchObject({
    externalId: SHELLY_MAC,
    name: 'Kettle',
    type: 'on_off_plug_in_unit',
    manufacturer: 'Shelly',
    model: 'Plus1PM',
    firmware: '1.7.1',
  });
  await until({
    on: false,
    power: 0,
    voltage: 230.4,
    frequency: 50,
    energy: 1.234567,
    device_temperature: 45.1,
    problem: false,
    'input_0.x.input': false,
    signal_strength: -58,
    'x.update_available': 'none',
  });
});

test('two relays have their numbers, and the names that their owner gave them', async () => {
  const { keys, feature, send, sent, until } = await openDevice('relays');
  expect(keys()).toEqual(expect.arrayContaining(['switch_0.on', 'switch_1.on', 'switch_1.energy']));
  expect(keys()).not.toContain('on');
  expect(feature('switch_1.on')?.name).toBe('Right: On');
  await send({ 'switch_1.on': true });
  expect(sent()).toEqual([{ method: 'Switch.Set', params: { id: 1, on: true } }]);
  await until({ 'switch_0.on': false, 'switch_1.on': true });
});

test.each<[string, DumpKind, Record<string, JsonValue>, JsonObject, JsonObject?]>([
  ['a switch', 'plus1pm', { on: true }, { method: 'Switch.Set', params: { id: 0, on: true } }],
  [
    'a brightness, which switches on',
    'dimmer',
    { brightness: 30 },
    { method: 'Light.Set', params: { id: 0, on: true, brightness: 30 } },
    { on: true },
  ],
  [
    'a switch that is off beside a brightness',
    'dimmer',
    { brightness: 30, on: false },
    { method: 'Light.Set', params: { id: 0, on: false, brightness: 30 } },
  ],
  [
    'a color and white together',
    'rgbw',
    { color: { hue: 120, saturation: 100 }, 'x.white': 40 },
    { method: 'RGBW.Set', params: { id: 0, on: true, rgb: [0, 255, 0], white: 102 } },
  ],
  [
    'a color temperature',
    'cct',
    { color_temperature: 4_000 },
    { method: 'CCT.Set', params: { id: 0, on: true, ct: 4_000 } },
  ],
  ['a position', 'cover', { position: 70 }, { method: 'Cover.GoToPosition', params: { id: 0, pos: 70 } }],
  [
    'position and slats at once',
    'cover',
    { position: 70, tilt: 50 },
    { method: 'Cover.GoToPosition', params: { id: 0, pos: 70, slat_pos: 50 } },
  ],
  [
    'a blind that opens',
    'cover',
    { cover_state: 'open' },
    { method: 'Cover.Open', params: { id: 0 } },
    { position: 100 },
  ],
  [
    'a value of the owner',
    'gateway',
    { 'number_200.x.value': 20.5 },
    { method: 'Number.Set', params: { id: 200, value: 20.5 } },
  ],
])('%s is one request, and its values come from the device', async (...row) => {
  const [, kind, set, request, further = {}] = row;
  const { send, sent, until } = await openDevice(kind);
  await expect(send(set)).resolves.toBe('device_ack');
  expect(sent()).toEqual([request]);
  await until({ ...set, ...further });
});

test('what changes nothing is confirmed too: the device is asked, because it says nothing by itself', async () => {
  const { send, sink, shown, until } = await openDevice();
  await send({ on: true });
  await until({ on: true });
  shown().values.clear();
  const reports = sink.calls.get('reportValues') ?? 0;
  await send({ on: true });
  expect(sink.calls.get('reportValues')).toBeGreaterThan(reports);
  expect(shown().values.get('on')).toBe(true);
});

test('a transition goes with the request of a lamp, and not with that of a relay', async () => {
  const lamp = await openDevice('dimmer');
  await lamp.send({ brightness: 80 }, { transitionMs: 2_500 });
  expect(lamp.sent().at(-1)).toMatchObject({ params: { brightness: 80, transition_duration: 2.5 } });
  const relay = await openDevice('plus1pm');
  await relay.send({ on: true }, { transitionMs: 2_500 });
  expect(relay.sent().at(-1)).toEqual({ method: 'Switch.Set', params: { id: 0, on: true } });
});

test('a lamp that is dimmed to nothing has no brightness of 0', async () => {
  const { device, shown, until } = await openDevice('dimmer');
  await until({ brightness: 45 });
  device.patch('light:0', { output: false, brightness: 0 });
  device.patch('light:0', { apower: 3 });
  await until({ on: false, power: 3, brightness: 45 });
  expect(shown().description.type).toBe('dimmable_light');
});

test('a blind shows where it goes, how it moves and where it is', async () => {
  const { device, until, shown } = await openDevice('cover');
  await until({ cover_state: 'stop', 'x.movement': 'stopped', position: 40, tilt: 0 });
  device.patch('cover:0', { state: 'closing' });
  await until({ cover_state: 'close', 'x.movement': 'closing', position: 40 });
  device.patch('cover:0', { state: 'closed', current_pos: 0 });
  await until({ cover_state: 'close', 'x.movement': 'closed', position: 0 });
  expect(shown().description.type).toBe('window_covering');
});

test('a blind that is not calibrated has no position', async () => {
  const { device, keys, until } = await openDevice('cover', { factor: 10 });
  device.patch('cover:0', { pos_control: false });
  device.happen('cover:0', 'config_changed');
  await vi.waitFor(() => expect(keys()).not.toContain('position'), POLL);
  await until({ cover_state: 'stop' });
});

test('a meter of three phases shows each, and what they are together', async () => {
  const { until, shown } = await openDevice('meter');
  expect(shown().description.type).toBe('electrical_sensor');
  await until({
    power: 595.6,
    energy: 134.5431,
    energy_returned: 3,
    'phase_a.power': 812.5,
    'phase_c.power': -260,
    'phase_c.energy_returned': 3,
    temperature: 44.4,
  });
});

test('a button is an occurrence, a switch a state, a level a number', async () => {
  const { device, shown, feature, until } = await openDevice('i4');
  expect(feature('input_0.button')?.options).toContain('double');
  await until({ 'input_2.x.input': false, 'input_3.x.level': 12.5 });
  device.happen('input:1', 'double_push', { id: 1 });
  device.happen('input:0', 'long_push', { id: 0 });
  await vi.waitFor(() =>
    expect(shown().occurrences).toEqual([
      { key: 'input_1.button', occurrence: { action: 'double', count: 2, raw: 'double_push' } },
      { key: 'input_0.button', occurrence: { action: 'hold', raw: 'long_push' } },
    ]),
  );
});

test('devices by Bluetooth are devices of their own behind their gateway', async () => {
  const { device, sink, shown, keys, until, send, sent } = await openDevice('gateway');
  expect([...sink.devices.keys()].toSorted()).toEqual([SHELLY_MAC, 'aabbcc000001', 'aabbcc000002', 'aabbcc000003']);
  expect(shown('aabbcc000001').description).toMatchObject({
    name: 'Window',
    type: 'contact_sensor',
    parentExternalId: SHELLY_MAC,
  });
  await until({ open: false, illuminance: 320, battery: 96, signal_strength: -62 }, 'aabbcc000001');
  expect(shown('aabbcc000001').availability?.state).toBe('online');
  // It was never heard, so nobody knows whether it is there.
  expect(shown('aabbcc000002').availability).toEqual({ state: 'unknown', reason: 'no_report' });
  expect(keys('aabbcc000002')).toEqual(expect.arrayContaining(['button', 'object_58_2.button']));
  device.happen('bthomedevice:201', 'single_push', { idx: 1 });
  await vi.waitFor(() =>
    expect(shown('aabbcc000002').occurrences).toMatchObject([
      { key: 'object_58_2.button', occurrence: { action: 'single' } },
    ]),
  );
  device.patch('bthomesensor:200', { value: true });
  await until({ open: true }, 'aabbcc000001');
  await until({ target_temperature: 19, temperature: 20.1, heating_demand: 15 }, 'aabbcc000003');
  await send({ target_temperature: 21.5 }, { externalId: 'aabbcc000003' });
  expect(sent().at(-1)).toEqual({
    method: 'BluTRV.Call',
    params: { id: 200, method: 'Trv.SetTarget', params: { id: 0, target_C: 21.5 } },
  });
  await until({ target_temperature: 21.5 }, 'aabbcc000003');
  await until({ 'boolean_200.x.value': true, 'number_200.x.value': 12.5, 'enum_200.x.value': 'eco' });
});

test('another profile is a changed device: it is read again', async () => {
  const { device, keys, shown, until } = await openDevice('cover', { factor: 20 });
  device.remake('relays');
  await vi.waitFor(() => expect(keys()).toContain('switch_0.on'), POLL);
  expect(keys()).not.toContain('position');
  await until({ 'switch_0.on': false });
  expect(shown().availability?.state).toBe('online');
});

test('a fault that a device names is a problem until it is over', async () => {
  const { device, until, feature } = await openDevice();
  expect(feature('problem')?.valueType).toBe('boolean');
  device.patch('switch:0', { errors: ['overtemp'] });
  await until({ problem: true });
  device.patch('switch:0', { errors: [] });
  await until({ problem: false });
});

test.each([
  ['smoke', 'smoke'],
  ['flood', 'water_leak'],
])('a detector of %s that raises its alarm is believed, whatever is wrong with it', (type, word) => {
  const part = { name: 'main', key: `${type}:0`, id: 0, config: {}, status: { alarm: false } };
  const source = unlessWrong(SENSORS.get(type)?.(part) ?? []).find(({ feature }) => feature.key === word);
  const errors = ['cable_unplugged'];
  expect(
    [{ alarm: true, errors }, { alarm: false, errors }, { alarm: true }].map((status) => source?.read?.(status)),
  ).toEqual([true, null, true]);
});

test('a restart is an action', async () => {
  const { device, act } = await openDevice();
  await act('x.restart');
  expect(device.restarts()).toBe(1);
});

test('a slider that is drawn is sent one value at a time, the newest of those that wait', async () => {
  const { send, sent, until } = await openDevice('dimmer');
  await Promise.all(Array.from({ length: 40 }, (_, index) => send({ brightness: 10 + index })));
  await until({ brightness: 49 });
  expect(sent().length).toBeLessThan(20);
  expect(sent().at(-1)).toMatchObject({ params: { brightness: 49 } });
});

test('an order of different requests stays an order', async () => {
  const { send, sent } = await openDevice('cover');
  const words = ['open', 'stop', 'close', 'stop', 'open'];
  await Promise.all(words.map((word) => send({ cover_state: word })));
  expect(sent().map(({ method }) => method)).toEqual([
    'Cover.Open',
    'Cover.Stop',
    'Cover.Close',
    'Cover.Stop',
    'Cover.Open',
  ]);
});

test('a password is proven and never sent, also when its challenge grows old', async () => {
  const { send, until, device } = await openDevice('dimmer', {
    devicePassword: 'swordfish',
    password: 'swordfish',
    nonceUses: 3,
  });
  for (const brightness of [10, 20, 30, 40]) {
    await send({ brightness });
    await until({ brightness });
  }
  device.forgetNonces();
  await send({ brightness: 50 });
  await until({ brightness: 50 });
  expect(device.wire.join()).not.toContain('swordfish');
});

test.each([
  ['none', undefined, 'PASSWORD_NEEDED'],
  ['a wrong one', 'guess', 'PASSWORD_REFUSED'],
] as const)('with %s a person is asked for the password', async (_what, password, code) => {
  const { sink } = await openDevice('plus1pm', {
    devicePassword: 'swordfish',
    ...(password === undefined ? {} : { password }),
    expected: `needs_action ${code}`,
  });
  expect(sink.devices.size).toBe(0);
});

test('another device at the address is sent nothing, and a person is asked', async () => {
  const { device } = await openDevice('plus1pm', {
    uniqueId: 'ffeeddccbbaa',
    expected: 'needs_action OTHER_DEVICE',
  });
  expect(device.wire).toEqual([]);
});

test('a command that the device refuses fails with its code, and the connection stays', async () => {
  const { device, send, sink, shown } = await openDevice('cover');
  device.setRefusal(-106);
  await expect(send({ position: 10 })).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: 'The device refused Cover.GoToPosition (-106).',
  });
  expect(sink.statuses.at(-1)?.state).toBe('connected');
  expect(shown().values.get('position')).toBe(40);
});

test('a device that says nothing any more is lost, and found again', async () => {
  const { device, send, untilStatus, until } = await openDevice('plus1pm', { factor: 20 });
  device.setMute(true);
  await expect(send({ on: true })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  await untilStatus('error DEVICE_SILENT');
  device.setMute(false);
  await untilStatus('connected');
  await send({ on: true });
  await until({ on: true });
});

const unit = (sign: string): JsonObject => ({ meta: { ui: { unit: sign } } });

// The parts of a LinkedGo ST1820, a thermostat that is made of virtual components.
test.each<[string, JsonObject, object]>([
  [
    'number',
    { role: 'target_temperature', access: 'crw', ...unit('°C') },
    { key: 'target_temperature', writable: true },
  ],
  ['number', { role: 'current_temperature', access: 'cr', ...unit('°C') }, { key: 'temperature', writable: false }],
  ['number', { role: 'current_humidity', access: 'cr', ...unit('%') }, { key: 'humidity', writable: false }],
  ['boolean', { role: 'child_lock', access: 'crw' }, { key: 'child_lock', writable: true }],
  ['boolean', { role: 'anti_freeze', access: 'cr' }, { key: 'b.x.value', writable: false }],
  ['boolean', {}, { key: 'b.x.value', writable: true }],
  ['boolean', { role: 'constructor', access: 'r' }, { key: 'b.x.value', writable: false }],
  // A role that does not fit its value is none.
  ['text', { role: 'current_temperature', access: 'crw' }, { key: 'b.x.value', writable: true }],
  ['number', { role: 'current_humidity', access: 'r', ...unit('°C') }, { key: 'b.x.value', writable: false }],
])('a virtual %s of %j is %j', (type, config, shown) => {
  const [source] = virtualSources(type, { name: 'b', key: `${type}:200`, id: 200, config, status: {} });
  expect(source?.feature).toMatchObject(shown);
  expect(source?.write !== undefined).toBe(source?.feature.writable);
});
