import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { createRecordingSink, type RecordedDevice } from '#test/support/hub/recording-sink.ts';
import { type HueBridge, startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { createHueWorld } from '#test/support/hue/hue-world.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';

const POLL = { interval: 10 };
const commandOf = (
  externalId: string,
  set: Record<string, JsonValue>,
  action: string | null = null,
): DeviceCommand => ({
  externalId,
  set: new Map(Object.entries(set)),
  action,
  transitionMs: null,
});

/** The integration beside a running bridge, in time that passes so many times faster. */
async function openHome(
  options: Parameters<typeof startHueBridge>[0] = {},
  given: Parameters<typeof createHueWorld>[1] & { readonly factor?: number } = {},
) {
  const bridge: HueBridge = await startHueBridge(options);
  onTestFinished(bridge.close);
  const world = createHueWorld(bridge, { ...createFastTime(given.factor ?? 1), ...given });
  const hue = world.create();
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = hue.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const status = (): string => [sink.statuses.at(-1)?.state, sink.statuses.at(-1)?.code ?? []].flat().join(' ');
  const device = (name: string): RecordedDevice => {
    const found = [...sink.devices.values()].find(({ description }) => description.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const untilStatus = (expected: string): Promise<void> => vi.waitFor(() => expect(status()).toBe(expected), POLL);
  return {
    bridge,
    world,
    hue,
    sink,
    untilStatus,
    device,
    idOf: (name: string) => device(name).description.externalId,
    send: (name: string, set: Record<string, JsonValue>) =>
      hue.sendCommand(commandOf(device(name).description.externalId, set)),
    until: (name: string, values: JsonObject): Promise<void> =>
      vi.waitFor(() => expect(Object.fromEntries(device(name).values)).toMatchObject(values), POLL),
  };
}

async function openUp(...given: Parameters<typeof openHome>) {
  const home = await openHome(...given);
  await home.untilStatus('connected');
  return home;
}

describe('devices of a bridge', () => {
  test('report what happens to them, by the stream', async () => {
    const { bridge, until, device } = await openUp();
    await bridge.act('motion', { name: 'Stairs sensor', value: true });
    await bridge.act('temperature', { name: 'Stairs sensor', value: 18.2 });
    await bridge.act('contact', { name: 'Front door', open: true });
    await bridge.act('tamper', { name: 'Front door', value: true });
    await bridge.act('light', { name: 'Hall', change: { on: { on: true }, dimming: { brightness: 33.33 } } });
    await until('Stairs sensor', { motion: true, temperature: 18.2 });
    await until('Front door', { open: true, tamper: true });
    await until('Hall', { on: true, brightness: 33.33 });
    expect(device('Hall').availability).toEqual({ state: 'online', reason: null });
  });

  test('press buttons once for each report, and never for an old one', async () => {
    const { bridge, device, untilStatus, world } = await openUp({}, { factor: 20 });
    expect(device('Dimmer').occurrences).toEqual([]);
    const pressed = (): string[] =>
      device('Dimmer').occurrences.map(({ key, occurrence }) => `${key} ${occurrence.action}`);
    await bridge.act('button', { name: 'Dimmer', n: 2, event: 'initial_press', updated: '2026-12-01T10:00:00.000Z' });
    await bridge.act('button', { name: 'Dimmer', n: 2, event: 'initial_press', updated: '2026-12-01T10:00:00.000Z' });
    await bridge.act('button', { name: 'Dimmer', n: 2, event: 'short_release', updated: '2026-12-01T10:00:00.300Z' });
    await bridge.act('rotate', { name: 'Tap dial', direction: 'counter_clock_wise', steps: 45 });
    await vi.waitFor(() => expect(device('Tap dial').occurrences).toHaveLength(1), POLL);
    expect(pressed()).toEqual(['button_2.button press', 'button_2.button single']);
    expect(device('Tap dial').occurrences[0]).toMatchObject({ occurrence: { action: 'rotate_left', count: 45 } });
    await bridge.act('stop');
    await untilStatus('error BRIDGE_UNREACHABLE');
    await bridge.act('button', { name: 'Dimmer', n: 1, updated: '2026-12-01T11:00:00.000Z' });
    await bridge.act('start');
    await untilStatus('connected');
    await bridge.act('button', { name: 'Dimmer', n: 1, updated: '2026-12-01T11:00:00.000Z' });
    await bridge.act('button', { name: 'Dimmer', n: 1, updated: '2026-12-01T11:00:01.000Z' });
    await vi.waitFor(() => expect(pressed()).toHaveLength(3), POLL);
    expect(world.open()).toBe(1);
  });

  test('are offline with the reason while the bridge cannot reach them', async () => {
    const { bridge, device } = await openUp();
    await bridge.act('reachable', { name: 'Hall', value: false });
    const offline = { state: 'offline', reason: 'connectivity_issue' };
    await vi.waitFor(() => expect(device('Hall').availability).toEqual(offline), POLL);
    await bridge.act('reachable', { name: 'Hall', value: true });
    await vi.waitFor(() => expect(device('Hall').availability?.state).toBe('online'), POLL);
  });

  test('come, get other names and go while the hub is connected', async () => {
    const { bridge, device, sink } = await openUp({}, { factor: 10 });
    await bridge.act('add', { name: 'New lamp' });
    await vi.waitFor(() => expect(device('New lamp').values.get('on')).toBe(false), POLL);
    await bridge.act('rename', { name: 'New lamp', to: 'Old lamp' });
    await vi.waitFor(() => expect(device('Old lamp').description.type).toBe('dimmable_light'), POLL);
    await bridge.act('remove', { name: 'Old lamp' });
    await vi.waitFor(() => expect(() => device('Old lamp')).toThrow('there is no'), POLL);
    expect(sink.devices.size).toBe(9);
  });

  test('join while the bridge searches, and leave it by the hub', async () => {
    const { bridge, hue, sink, device, idOf } = await openUp({}, { factor: 10 });
    await hue.openPairing?.(60);
    await bridge.act('add', { name: 'New lamp' });
    await vi.waitFor(() => expect(sink.pairing.map(({ step }) => step)).toContain('interview_done'), POLL);
    expect(sink.pairing.slice(0, 2)).toMatchObject([{ step: 'opened', seconds: 60 }, { step: 'device_found' }]);
    await vi.waitFor(() => expect(sink.pairing.at(-1)?.step).toBe('closed'), POLL);
    await hue.removeDevice?.(idOf('New lamp'), false);
    await vi.waitFor(() => expect(() => device('New lamp')).toThrow('there is no'), POLL);
    await expect(hue.openPairing?.(0)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});

describe('a command', () => {
  test('is confirmed by the stream, and its values come back as they were given', async () => {
    const { send, until } = await openUp();
    expect(await send('Desk', { brightness: 40, color_temperature: 2700 })).toBe('transport_ack');
    await until('Desk', { on: true, brightness: 40, color_temperature: 2700 });
    await send('Sofa', { color: { hue: 120, saturation: 100 } });
    await until('Sofa', { color: { hue: 120, saturation: 100 } });
    await send('Sofa', { effect: 'candle' });
    await until('Sofa', { effect: 'candle' });
  });

  test('for what a lamp has already is confirmed by a reading, because the bridge reports no change', async () => {
    const { send, device } = await openUp({}, { factor: 10 });
    const before = device('Plug').seenAtMs;
    expect(before).not.toBeNull();
    device('Plug').seenAtMs = null;
    await send('Plug', { on: false });
    await vi.waitFor(() => expect(device('Plug').seenAtMs).not.toBeNull(), POLL);
    expect(device('Plug').values.get('on')).toBe(false);
  });

  test('to a lamp out of reach fails, and so does a color for a lamp that is off', async () => {
    const { bridge, send, sink, idOf } = await openUp();
    await bridge.act('lose', { name: 'Hall' });
    await send('Hall', { on: true });
    await vi.waitFor(() => expect(sink.commandFailures).toHaveLength(1), POLL);
    expect(sink.commandFailures[0]).toMatchObject({ externalId: idOf('Hall'), keys: ['on'] });
    expect(sink.commandFailures[0]?.reason).toMatch(/cannot reach/);
    await send('Desk', { color_temperature: 3000, power_on_behavior: 'on' });
    await vi.waitFor(() => expect(sink.commandFailures).toHaveLength(2), POLL);
    expect(sink.commandFailures[1]).toMatchObject({ externalId: idOf('Desk'), keys: ['color_temperature'] });
    expect(sink.commandFailures[1]?.reason).toMatch(/is off/);
  });

  test('waits for a busy bridge as long as that asks, and fails if it stays busy', async () => {
    const { bridge, send, until } = await openUp({}, { factor: 10 });
    await bridge.act('busy', { code: 429, count: 2 });
    await send('Hall', { on: true });
    await until('Hall', { on: true });
    await bridge.act('busy', { code: 503, count: 1, retryAfter: 2 });
    const tookMs = startStopwatch();
    await send('Hall', { on: false });
    expect(tookMs() * 10).toBeGreaterThan(2_000);
    await bridge.act('busy', { code: 503, count: 100, retryAfter: 60 });
    await expect(send('Hall', { on: true })).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    await bridge.act('busy', { count: 0 });
  });

  test('to many lamps one by one goes out at most ten times a second, three at once', async () => {
    const { bridge, hue, sink, world } = await openUp({ lamps: 25, latency: 30 });
    const lamps = [...sink.devices.values()].filter(({ description }) => description.name.startsWith('Hall '));
    await Promise.all(lamps.map(({ description }) => hue.sendCommand(commandOf(description.externalId, { on: true }))));
    const { requests } = await bridge.state();
    const times = requests.map(({ at }) => at);
    expect(times).toHaveLength(25);
    const busiest = times.map((from) => times.filter((at) => at >= from && at < from + 900).length);
    // Depends on when messages arrive, which may be late and together: request-turns.test.ts judges when they start.
    expectBelow('messages that reach the bridge within 0.9 s', Math.max(...busiest), 11);
    // The stream is open beside them.
    expect(world.mostOpen()).toBe(4);
  });

  test('to all lamps of a room is one message, and each lamp reports for itself', async () => {
    const { bridge, hue, sink } = await openUp({ lamps: 20 });
    const lamps = [...sink.devices.values()].filter(({ description }) => description.name.startsWith('Hall '));
    const sends = hue.sendGroup?.(
      lamps.map(({ description }) => commandOf(description.externalId, { brightness: 30 })),
    );
    expect(new Set(await Promise.all(sends ?? []))).toEqual(new Set(['transport_ack']));
    const { requests } = await bridge.state();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.text).toMatch(
      /^PUT grouped_light\/[0-9a-f-]+ \{"on":\{"on":true\},"dimming":\{"brightness":30\}\}$/,
    );
    await vi.waitFor(() => {
      for (const { values } of lamps) expect([values.get('on'), values.get('brightness')]).toEqual([true, 30]);
    }, POLL);
  });

  test('that does not fit one of several devices fails for that one', async () => {
    const { hue, idOf } = await openUp();
    const sends = hue.sendGroup?.([
      commandOf(idOf('Desk'), { brightness: 30 }),
      commandOf(idOf('Plug'), { brightness: 30 }),
    ]);
    const outcomes = await Promise.allSettled(sends ?? []);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the link', () => {
  test('that is cut is opened again at once, without a word, and nothing is missed', async () => {
    const { bridge, sink, until, world } = await openUp({}, { factor: 10 });
    await vi.waitFor(async () => expect((await bridge.state()).streams).toBe(1), POLL);
    // A stream that has worked for ten seconds.
    await new Promise((resolve) => void world.ports.startTimer(11_000, () => resolve(undefined)));
    const statuses = sink.statuses.length;
    await bridge.act('light', { name: 'Hall', change: { on: { on: true } } });
    await bridge.act('drop');
    await until('Hall', { on: true });
    await bridge.act('light', { name: 'Hall', change: { on: { on: false } } });
    await until('Hall', { on: false });
    expect(sink.statuses).toHaveLength(statuses);
  });

  test('whose stream is open and says nothing is found by the reading of the lamps', async () => {
    const { bridge, until, sink } = await openUp({}, { factor: 20 });
    await bridge.act('mute', { value: true });
    await bridge.act('light', { name: 'Hall', change: { on: { on: true } } });
    await until('Hall', { on: true });
    await bridge.act('mute', { value: false });
    await bridge.act('motion', { name: 'Stairs sensor', value: true });
    await until('Stairs sensor', { motion: true });
    expect(sink.statuses.map(({ code }) => code)).not.toContain('BRIDGE_UNREACHABLE');
  });

  test('needs a person once the key is withdrawn, and works again with it', async () => {
    const { bridge, untilStatus, send, sink, device } = await openUp({}, { factor: 20 });
    await bridge.act('revoke');
    await untilStatus('needs_action KEY_REFUSED');
    expect(device('Hall').availability).toEqual({ state: 'unknown', reason: 'integration_down' });
    await expect(send('Hall', { on: true })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    expect(sink.statuses.at(-1)?.message).toMatch(/set it up again/);
    await bridge.act('grant');
    await untilStatus('connected');
  });

  test('without a key needs a person', async () => {
    const { untilStatus, world } = await openHome({}, { key: null });
    await untilStatus('needs_action KEY_REFUSED');
    expect(world.mostOpen()).toBe(0);
  });

  test.each([
    ['another certificate of the same bridge', 'renewed', '001788fffe01a0b0', 'CERTIFICATE_CHANGED'],
    ['another bridge', 'other', '001788fffe99c0de', 'BRIDGE_REPLACED'],
  ])('to %s is refused before the key is sent', async (...[, name, bridgeId, code]) => {
    const { bridge, untilStatus } = await openUp({}, { factor: 20 });
    await bridge.act('certificate', { name, bridgeId });
    await untilStatus(`needs_action ${code}`);
    expect((await bridge.state()).keysSeen).toBe(0);
    await bridge.act('certificate', { name: 'bridge' });
    await untilStatus('connected');
  });

  test('to a bridge with another id than at the set-up needs a person', async () => {
    const { untilStatus, sink } = await openHome({}, { uniqueId: '001788fffe000000' });
    await untilStatus('needs_action BRIDGE_REPLACED');
    expect(sink.devices.size).toBe(0);
  });

  test('to a bridge with old software needs a person', async () => {
    const { bridge, untilStatus, sink } = await openUp({}, { factor: 20 });
    await bridge.act('model', { isOld: true });
    await bridge.act('drop');
    await untilStatus('needs_action BRIDGE_TOO_OLD');
    expect(sink.statuses.at(-1)?.message).toMatch(/update it/);
  });
});
