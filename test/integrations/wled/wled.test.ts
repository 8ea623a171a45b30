import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { ownPalettes, readStatus } from '#integrations/wled/wled-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { startWledLight, WLED_MAC } from '#test/support/wled/wled-light.ts';
import { createWledWorld } from '#test/support/wled/wled-world.ts';

const POLL = { interval: 10 };

/** The integration beside a light, by default in time that passes ten times faster. */
async function openLight(
  kind: Parameters<typeof startWledLight>[0] = 'rgb',
  time: Parameters<typeof createWledWorld>[1] = createFastTime(10),
  mostSockets = 4,
) {
  const light = await startWledLight(kind);
  onTestFinished(light.close);
  light.setMostSockets(mostSockets);
  const world = createWledWorld(light.host, time);
  const sink = createRecordingSink();
  const abort = new AbortController();
  const wled = world.create();
  const running = wled.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const untilStatus = (expected: string): Promise<void> =>
    vi.waitFor(() => {
      const last = sink.statuses.at(-1);
      expect([last?.state, last?.code ?? []].flat().join(' ')).toBe(expected);
    }, POLL);
  await untilStatus('connected');
  const device = () => sink.device(WLED_MAC);
  return {
    light,
    world,
    sink,
    wled,
    untilStatus,
    device,
    feature: (key: string) => device().description.features.find((feature) => feature.key === key),
    send: (set: Record<string, JsonValue>, transitionMs: number | null = null) =>
      wled.sendCommand({ externalId: WLED_MAC, set: new Map(Object.entries(set)), action: null, transitionMs }),
    until: (values: JsonObject): Promise<void> =>
      vi.waitFor(() => expect(Object.fromEntries(device().values)).toMatchObject(values), POLL),
    lastChange: (): JsonObject => JSON.parse(light.wire.at(-1) ?? '{}') as JsonObject,
  };
}

test('a light with one segment is one lamp, with its color, effects, palettes and presets', async () => {
  const { device, feature, until } = await openLight('strip');
  const { description } = device();
  expect(description).toMatchObject({
    externalId: WLED_MAC,
    name: 'Strip',
    type: 'extended_color_light',
    manufacturer: 'WLED',
    model: 'ESP32',
    firmware: '0.15.1',
  });
  expect(feature('effect')?.options).toEqual(['Solid', 'Blink', 'Breathe', 'Rainbow', 'Fire 2012', 'Rainbow (7)']);
  expect(feature('x.palette')?.options).toEqual(['Default', '* Random Cycle', 'Party', 'Cloud', 'Custom 1']);
  expect(feature('x.preset')?.options).toEqual(['Rainbow', 'Evening list', 'Warm']);
  await until({
    on: true,
    brightness: 49.8,
    color: { hue: 0, saturation: 100 },
    effect: 'Solid',
    'x.palette': 'Default',
    'x.preset': 'none',
    'x.transition': 0.7,
    signal_strength: -61,
  });
});

test('a light with several segments has a component for each, and a switch for the whole', async () => {
  const { device, light, send, until, lastChange } = await openLight('rgb');
  const keys = device().description.features.map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['on', 'brightness', 'segment_0.on', 'segment_1.on', 'segment_1.color']));
  expect(keys).not.toContain('color');
  await send({ 'segment_1.color': { hue: 120, saturation: 100 }, 'segment_1.brightness': 50 });
  await until({
    'segment_1.color': { hue: 120, saturation: 100 },
    'segment_1.brightness': 50,
    'segment_0.brightness': 100,
  });
  expect(lastChange()).toEqual({ seg: [{ id: 1, on: true, bri: 128, col: [[0, 255, 0]] }], v: true });
  light.set({ seg: [{ id: 0, on: false }] });
  await until({ 'segment_0.on': false, on: true });
});

test.each<[string, Parameters<typeof startWledLight>[0], Record<string, JsonValue>, JsonObject]>([
  ['a switch', 'strip', { on: false }, { on: false }],
  [
    'a brightness, which switches on',
    'strip',
    { brightness: 50 },
    { on: true, bri: 128, seg: [{ id: 0, on: true, bri: 255 }] },
  ],
  [
    'a switch that is off beside a brightness',
    'strip',
    { brightness: 50, on: false },
    { on: false, bri: 128, seg: [{ id: 0, on: true, bri: 255 }] },
  ],
  ['a color by its point', 'strip', { color: { x: 0.64, y: 0.33 } }, { seg: [{ id: 0, col: [[255, 0, 0]] }] }],
  [
    'a color of a light with white',
    'rgbw',
    { color: { hue: 240, saturation: 100 } },
    { seg: [{ id: 0, col: [[0, 0, 255, 0]] }] },
  ],
  ['white', 'rgbw', { 'x.white': 50 }, { seg: [{ id: 0, col: [[0, 0, 0, 128]] }] }],
  [
    'a color and white together',
    'rgbw',
    { 'x.white': 100, color: { hue: 0, saturation: 100 } },
    { seg: [{ id: 0, col: [[255, 0, 0, 255]] }] },
  ],
  ['a color temperature', 'cct', { color_temperature: 2_700 }, { seg: [{ id: 0, cct: 25, col: [[0, 0, 0, 255]] }] }],
  ['an effect', 'strip', { effect: 'Rainbow' }, { seg: [{ id: 0, fx: 4 }] }],
  ['a palette', 'strip', { 'x.palette': 'Custom 1' }, { seg: [{ id: 0, pal: 255 }] }],
  ['a second color', 'strip', { 'x.color_2': [0, 0, 9] }, { seg: [{ id: 0, col: [[], [0, 0, 9]] }] }],
  ['a playlist', 'strip', { 'x.preset': 'Evening list' }, { ps: 2 }],
  [
    'a part of the night light',
    'strip',
    { 'x.nightlight': true, 'x.nightlight_minutes': 20 },
    { nl: { on: true, dur: 20 } },
  ],
  ['the switch of a relay', 'relay', { on: false }, { on: false }],
])('%s is sent with the ids of segments, and confirmed by what the light pushes', async (...row) => {
  const [, kind, set, change] = row;
  const { send, until, lastChange } = await openLight(kind);
  await expect(send(set)).resolves.toBe('device_ack');
  expect(lastChange()).toEqual({ ...change, v: true });
  await until(set);
});

test('a transition is of its command alone', async () => {
  const { send, lastChange, until } = await openLight('strip');
  await send({ on: false }, 2_500);
  expect(lastChange()).toEqual({ on: false, tt: 25, v: true });
  await until({ on: false, 'x.transition': 0.7 });
});

test('a single segment that is off makes a lamp that is off, and its brightness counts', async () => {
  const { light, until, device } = await openLight('strip');
  light.set({ seg: [{ id: 0, on: false, bri: 51 }], bri: 255 });
  await until({ on: false, brightness: 20 });
  expect(device().availability?.state).toBe('online');
});

test('a relay has nothing of a lamp', async () => {
  const { device } = await openLight('relay');
  expect(device().description.type).toBe('on_off_light');
  const keys = device().description.features.map(({ key }) => key);
  expect(keys).toContain('on');
  expect(keys).not.toContain('brightness');
  expect(keys).not.toContain('color');
});

test('a slider that is drawn is sent one value at a time, the newest of those that wait', async () => {
  const { light, send, until } = await openLight('strip');
  await Promise.all(Array.from({ length: 50 }, (_, index) => send({ brightness: index + 1 })));
  await until({ brightness: 50 });
  expect(light.wire.length).toBeLessThanOrEqual(3);
});

test('a command that does not take effect is not reported as done', async () => {
  const { light, send, device } = await openLight('strip');
  light.setFault({ busy: 99 });
  await expect(send({ on: false })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  expect(device().values.get('on')).toBe(true);
  light.setFault();
});

test('a light that is busy for a moment gets the command again', async () => {
  const { light, send, until } = await openLight('strip', createFastTime(20));
  light.setFault({ busy: 2 });
  await send({ on: false });
  await until({ on: false });
  expect(light.wire).toHaveLength(1);
});

test('a light whose sockets are taken is read by requests, and commanded by them', async () => {
  const { light, send, until, device } = await openLight('strip', createFastTime(20), 0);
  expect(light.clients()).toBe(0);
  light.set({ bri: 255 });
  await until({ brightness: 100 });
  await expect(send({ on: false })).resolves.toBe('device_ack');
  expect(device().values.get('on')).toBe(false);
  light.setMostSockets(4);
  await vi.waitFor(() => expect(light.clients()).toBe(1), POLL);
  light.set({ on: true });
  await until({ on: true });
});

test('a light that was cut off after it had worked is back without a word', async () => {
  const { light, world, sink } = await openLight('strip', createFastTime(20));
  const statuses = sink.statuses.length;
  // More than the ten seconds after which a connection counts as working.
  await vi.waitFor(() => expect(light.clients()).toBe(1), POLL);
  const before = light.reads.length;
  await new Promise((resolve) => world.ports.startTimer(11_000, () => resolve(undefined)));
  light.drop();
  await vi.waitFor(() => expect(light.reads.length).toBeGreaterThan(before), POLL);
  await vi.waitFor(() => expect(light.clients()).toBe(1), POLL);
  expect(sink.statuses).toHaveLength(statuses);
});

test('a light that says nothing any more is lost: a command notices it, else the hub asks again', async () => {
  const { light, send, untilStatus, device } = await openLight('strip', createFastTime(20));
  light.setFault({ isMute: true });
  await expect(send({ on: false })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  await vi.waitFor(() => expect(device().availability).toEqual({ state: 'offline', reason: 'unreachable' }), POLL);
  light.setFault();
  await untilStatus('connected');
  light.setFault({ isMute: true });
  const before = light.reads.length;
  await vi.waitFor(() => expect(light.reads.length).toBeGreaterThan(before), POLL);
  expect(device().values.get('on')).toBe(true);
});

test('a light that has other segments, another name or other presets is described anew', async () => {
  const { light, feature, device, send, until } = await openLight('strip', createFastTime(20));
  light.set({ seg: [{ id: 1, start: 10, stop: 20 }] });
  await vi.waitFor(() => expect(feature('segment_1.on')).toBeDefined(), POLL);
  light.setInfo({ name: 'Long strip', fs: { pmt: 2 } });
  await vi.waitFor(() => expect(device().description.name).toBe('Long strip'), POLL);
  expect(light.reads.filter((read) => read === 'GET /presets.json')).toHaveLength(2);
  await send({ 'segment_1.effect': 'Blink' });
  await until({ 'segment_1.effect': 'Blink', 'segment_0.effect': 'Solid' });
});

test('another light at the address needs a person, and gets no command', async () => {
  const { light, untilStatus, send } = await openLight('strip', createFastTime(20));
  light.setInfo({ mac: 'ffffffffffff' });
  await untilStatus('needs_action OTHER_LIGHT');
  await expect(send({ on: false })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  expect(light.wire).toEqual([]);
  light.setInfo({ mac: WLED_MAC });
  await untilStatus('connected');
});

test('a light that restarts every second is tried more and more seldom', async () => {
  const { clock, startTimer, advance, pendingMs } = createManualTime();
  const { light, untilStatus } = await openLight('strip', { clock, startTimer });
  for (const waitMs of [1_000, 1_000, 2_000, 4_000, 8_000]) {
    await advance(1_000);
    light.drop();
    await untilStatus('error LIGHT_UNREACHABLE');
    expect(pendingMs()).toEqual([waitMs]);
    await advance(waitMs);
    await untilStatus('connected');
  }
});

const INFO = { mac: WLED_MAC, name: 'Shelf', leds: {}, cpalcount: 2, umpalcount: 2, umpalnames: ['Plasma'] };

test.each([
  ['0.14.4', [255, 254]],
  ['15.0.0', [255, 254]],
  // python-wled 0.23, `16.0.0.json`: own ones from 200 down, those of extensions from 255.
  ['16.0.0', [200, 199, 255, 254]],
  ['16.1.0-b2', [200, 199, 255, 254]],
])('palettes that are not in the list of version %s have the numbers %j', (ver, numbers) => {
  const status = readStatus(JSON.stringify({ state: { on: true }, info: { ...INFO, ver } }));
  const palettes = status === undefined ? [] : ownPalettes(status.info);
  expect(palettes.map(([number]) => number)).toEqual(numbers);
  expect(palettes.map(([, name]) => name)).toEqual(
    ['Custom 1', 'Custom 2', 'Plasma', 'Usermod 2'].slice(0, numbers.length),
  );
});
