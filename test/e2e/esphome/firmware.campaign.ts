import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { setUpEsphome } from '#integrations/esphome/set-up.ts';
import { createEsphomeWorld } from '#test/support/esphome/esphome-world.ts';
import { FIRMWARE_MAC, type RealFirmware, startFirmware } from '#test/support/esphome/real-firmware.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { needs } from '#test/support/machine/requires.ts';

const PART = `${FIRMWARE_MAC}-f323f3ac`;
const PATIENCE = { timeout: 60_000, interval: 10 };

async function openNode(): Promise<RealFirmware> {
  const node = await startFirmware();
  onTestFinished(node.remove);
  return node;
}

function startHub(host: string, password?: string) {
  const world = createEsphomeWorld(host, { uniqueId: FIRMWARE_MAC, ...(password === undefined ? {} : { password }) });
  const sink = createRecordingSink();
  const integration = world.create();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const until = (check: () => void): Promise<void> => vi.waitFor(check, PATIENCE);
  const send = (given: Partial<DeviceCommand>) =>
    integration.sendCommand({ externalId: FIRMWARE_MAC, set: new Map(), action: null, transitionMs: null, ...given });
  /** Sets a value and waits for the report that confirms it. */
  const confirm = async (key: string, value: JsonValue, externalId = FIRMWARE_MAC): Promise<void> => {
    const feature = sink.device(externalId).description.features.find((one) => one.key === key);
    if (feature === undefined) throw new Error(`the node has no ${key}`);
    await send({ externalId, set: new Map([[key, value]]) });
    await until(() => {
      const reported = sink.device(externalId).values.get(key) ?? null;
      expect([key, reported, isConfirmedBy(feature, value, reported)]).toEqual([key, reported, true]);
    });
  };
  const untilState = (state: string): Promise<void> => until(() => expect(sink.statuses.at(-1)?.state).toBe(state));
  const untilRead = (): Promise<void> => until(() => expect(sink.device(PART).values.get('on')).toBeDefined());
  return { sink, send, confirm, until, untilState, untilRead };
}

/** A set-up that gives the node a key. */
async function adopt(host: string): Promise<string> {
  const { ports } = createEsphomeWorld(host);
  const talk = setUpEsphome(undefined, { ...ports, signal: new AbortController().signal });
  let step = await talk.next({});
  for (let answer = {}; step.done !== true; step = await talk.next(answer)) {
    const { type } = step.value;
    answer = type === 'form' ? { host } : type === 'choose' ? { option: 'set' } : {};
  }
  expect(step.value).toMatchObject({ uniqueId: FIRMWARE_MAC, name: 'Test Node' });
  return step.value.secrets['key'] ?? '';
}

const COMMANDS: readonly (readonly [key: string, value: JsonValue])[] = [
  ['plain_light.on', true],
  ['dimmer.brightness', 40],
  ['dimmer.effect', 'Pulse'],
  ['dimmer.effect', 'None'],
  ['white_spectrum.color_temperature', 4_000],
  ['color_strip.color', { hue: 120, saturation: 100 }],
  ['full_color.color', { hue: 240, saturation: 100 }],
  ['full_color.color_temperature', 3_300],
  ['full_color.on', false],
  ['relay.on', true],
  ['slow_relay.on', true],
  ['blind.position', 40],
  ['blind.cover_state', 'close'],
  ['blind.cover_state', 'open'],
  ['valve_open', false],
  ['valve_open', true],
  ['locked', true],
  ['locked', false],
  ['ceiling_fan.fan_speed', 60],
  ['ceiling_fan.fan_mode', 'sleep'],
  ['ceiling_fan.x.oscillating', true],
  ['ceiling_fan.x.direction', 'reverse'],
  ['ceiling_fan.on', false],
  ['thermostat.target_temperature', 19.5],
  ['thermostat.target_temperature_cool', 25],
  ['thermostat.thermostat_mode', 'heat'],
  ['thermostat.fan_mode', 'low'],
  ['thermostat.preset', 'away'],
  ['thermostat.preset', 'Party'],
  ['floor_heating.thermostat_mode', 'off'],
  ['boiler.operation_mode', 'eco'],
  ['boiler.target_temperature', 50],
  ['arm_mode', 'armed_away'],
  ['x.setpoint', 21.5],
  ['x.mode', 'boost'],
  ['x.mode', 'boost'],
  ['x.label', 'größer'],
  ['x.wake_time', '06:15:30'],
  ['x.holiday', '2027-01-06'],
  ['x.next_service', '2027-03-01T12:00:00.000Z'],
];

describe.runIf(needs('esphome-firmware'))('the real firmware', () => {
  test('is given a key, and shows, confirms and reports all that it has', { timeout: 120_000 }, async () => {
    const { host } = await openNode();
    const key = await adopt(host);
    const { sink, send, confirm, until, untilRead } = startHub(host, key);
    await untilRead();
    const features = sink.device(FIRMWARE_MAC).description.features;
    expect(features.length).toBeGreaterThan(70);
    for (const [feature, value] of COMMANDS) await confirm(feature, value);
    await confirm('on', true, PART);
    for (const assumed of ['gate.cover_state', 'timed_shutter.cover_state']) {
      expect(await send({ set: new Map([[assumed, 'close']]) })).toBe('device_ack');
    }
    await send({ action: 'press_me.press' });
    await send({ set: new Map([['x.ring', { kind: 'double', times: 2 }]]) });
    await send({ set: new Map([['x.set_temperature', { value: 23.5 }]]) });
    await until(() => {
      const { occurrences, values } = sink.device(FIRMWARE_MAC);
      expect(occurrences.map(({ occurrence }) => occurrence.action)).toEqual(['single', 'double']);
      expect([values.get('open'), values.get('temperature')]).toEqual([true, 23.5]);
    });
  });

  test('wants its key from then on, and no other', { timeout: 120_000 }, async () => {
    const { host } = await openNode();
    await adopt(host);
    for (const [password, code] of [
      [undefined, 'KEY_NEEDED'],
      [randomBytes(32).toString('base64'), 'KEY_REFUSED'],
    ] as const) {
      const { sink, untilState } = startHub(host, password);
      await untilState('needs_action');
      expect(sink.statuses.at(-1)?.code).toBe(code);
    }
  });

  test('without a key is refused by a hub that has one', { timeout: 120_000 }, async () => {
    const { host } = await openNode();
    const { sink, untilState } = startHub(host, randomBytes(32).toString('base64'));
    await untilState('needs_action');
    expect(sink.statuses.at(-1)?.code).toBe('NOT_ENCRYPTED');
  });

  test('is found again after it was killed, and after it has stopped to answer', { timeout: 180_000 }, async () => {
    const node = await openNode();
    const { sink, send, confirm, untilRead, untilState } = startHub(node.host);
    await untilRead();
    await node.kill();
    await untilState('error');
    expect(sink.device(FIRMWARE_MAC).availability).toEqual({ state: 'offline', reason: 'unreachable' });
    await node.start();
    await untilState('connected');
    await confirm('relay.on', true);
    await node.freeze();
    await expect(send({ set: new Map([['relay.on', false]]) })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    await node.thaw();
    // The hub connects anew without a word, for the connection had worked.
    await vi.waitFor(() => send({ action: 'press_me.press' }), PATIENCE);
    await confirm('slow_relay.on', true);
  });
});
