import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { Integration } from '#integrations/integration.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { createBrokeredZigbee2mqtt } from '#test/support/kinds/mqtt-broker-instance.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, startZigbee2mqtt, type RealZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink, type RecordedDevice, type RecordingSink } from '#test/support/hub/recording-sink.ts';
import { needs } from '#test/support/machine/requires.ts';

const SOON = { timeout: 15_000, interval: 50 };
const [COLOR_BULB, SENSOR, CONTACT, PLUG, BLIND, THERMOSTAT, LOCK, REMOTE, UNSUPPORTED] = [
  1, 3, 4, 6, 7, 8, 9, 10, 11,
].map(radioAddress) as [string, string, string, string, string, string, string, string, string];

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('the real Zigbee2MQTT with ten devices', () => {
  let broker: Mosquitto;
  let peer: RealZigbee2mqtt;
  let integration: Integration;
  let sink: RecordingSink;
  const { log, lines } = createRecordingLog();
  const abort = new AbortController();
  let running: Promise<void>;

  const device = (externalId: string): RecordedDevice => sink.device(externalId);
  const value = (externalId: string, key: string): JsonValue | undefined => device(externalId).values.get(key);
  const set = (
    externalId: string,
    values: Record<string, JsonValue>,
    transitionMs: number | null = null,
  ): Promise<unknown> =>
    integration.sendCommand({ externalId, set: new Map(Object.entries(values)), action: null, transitionMs });

  beforeAll(async () => {
    broker = await startMosquitto();
    peer = await startZigbee2mqtt({ brokerPort: broker.port });
    sink = createRecordingSink();
    integration = createBrokeredZigbee2mqtt({ url: broker.url }, { log, random: Math.random });
    running = integration.run(sink, abort.signal);
  });

  afterAll(async () => {
    abort.abort();
    await running;
    await peer.remove();
    await broker.stop();
  });

  test('pairing finds ten devices and reports each step', { timeout: 60_000 }, async () => {
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'), { timeout: 20_000 });
    await integration.openPairing?.(60);
    expect(sink.pairing.at(-1)).toMatchObject({ step: 'opened', seconds: 60 });
    await vi.waitFor(() => expect(sink.pairing.filter(({ step }) => step === 'interview_done')).toHaveLength(10), {
      timeout: 30_000,
    });
    await vi.waitFor(() => expect(sink.devices.size).toBe(10), SOON);
    expect(new Set(sink.pairing.map(({ step }) => step))).toEqual(
      new Set(['opened', 'device_found', 'interview_started', 'interview_done']),
    );
    await integration.openPairing?.(0);
    expect(sink.pairing.at(-1)?.step).toBe('closed');
  });

  test('each device has its type', () => {
    expect(device(COLOR_BULB).description).toMatchObject({
      type: 'extended_color_light',
      manufacturer: 'IKEA',
      firmware: '1.0.0-sim',
    });
    expect(device(SENSOR).description).toMatchObject({ type: 'temperature_sensor', staleAfterMs: 90_000_000 });
    expect(device(CONTACT).description.type).toBe('contact_sensor');
    expect(device(PLUG).description).toMatchObject({ type: 'on_off_plug_in_unit', staleAfterMs: null });
    expect(device(BLIND).description.type).toBe('window_covering');
    expect(device(THERMOSTAT).description.type).toBe('thermostat');
    expect(device(LOCK).description.type).toBe('door_lock');
    expect(device(REMOTE).description.type).toBe('generic_switch');
  });

  test('all devices are online and were seen just now', async () => {
    await vi.waitFor(() => {
      const states = [...sink.devices.values()].map(({ availability }) => availability?.state);
      expect(states).toEqual(Array.from({ length: 10 }, () => 'online'));
    }, SOON);
    // The hub asked the plug for its state when it was new.
    await vi.waitFor(() => expect(value(PLUG, 'on')).toBe(false), SOON);
    expect(Math.abs(Date.now() - (device(PLUG).seenAtMs ?? 0))).toBeLessThan(60_000);
  });

  test('reports arrive in the units and polarity of the vocabulary', async () => {
    await peer.radio('/report', { ieee: SENSOR, cluster: 'msTemperatureMeasurement', attrs: { measuredValue: 1987 } });
    await vi.waitFor(() => expect(value(SENSOR, 'temperature')).toBe(19.87), SOON);
    await peer.radio('/command', {
      ieee: CONTACT,
      cluster: 'ssIasZone',
      command: 'statusChangeNotification',
      server: true,
      payload: { zonestatus: 1, extendedstatus: 0, zoneID: 0, delay: 0 },
    });
    await vi.waitFor(() => expect(value(CONTACT, 'open')).toBe(true), SOON);
  });

  test('a button press is an occurrence and never a state', async () => {
    await peer.radio('/command', { ieee: REMOTE, cluster: 'genOnOff', command: 'toggle' });
    await vi.waitFor(
      () =>
        expect(device(REMOTE).occurrences.at(-1)).toMatchObject({
          key: 'button',
          occurrence: { action: 'toggle', raw: 'toggle' },
        }),
      SOON,
    );
    expect(device(REMOTE).values.has('button')).toBe(false);
  });

  test('commands come back as the requested values', async () => {
    await set(COLOR_BULB, { on: true, brightness: 60, color_temperature: 2700 }, 100);
    await vi.waitFor(() => {
      expect(value(COLOR_BULB, 'on')).toBe(true);
      expect(value(COLOR_BULB, 'brightness')).toBe(60);
      expect(value(COLOR_BULB, 'color_temperature')).toBe(2700);
    }, SOON);
    await set(COLOR_BULB, { color: { x: 0.6, y: 0.35 } });
    await vi.waitFor(
      () => expect(value(COLOR_BULB, 'color')).toEqual({ x: expect.closeTo(0.6, 3), y: expect.closeTo(0.35, 3) }),
      SOON,
    );
    await set(LOCK, { locked: true });
    await vi.waitFor(() => expect(value(LOCK, 'locked')).toBe(true), SOON);
    await set(BLIND, { position: 25 });
    await vi.waitFor(() => expect(value(BLIND, 'position')).toBe(25), SOON);
    await set(PLUG, { on: true });
    await vi.waitFor(() => expect([value(PLUG, 'on'), value(PLUG, 'power')]).toEqual([true, 42]), SOON);
  });

  test('a command to a device without power is reported as failed, with the reason', async () => {
    await peer.radio('/offline', { ieee: PLUG, offline: true });
    await set(PLUG, { on: false });
    await vi.waitFor(() => expect(sink.commandFailures.at(-1)).toMatchObject({ externalId: PLUG, keys: ['on'] }), SOON);
    // Cut out of a line of Zigbee2MQTT's log, for which it has no code: this pins the line of the installed version.
    expect(sink.commandFailures.at(-1)?.reason).toMatch(/^Timeout - \d+ - 1 \(simulated offline\)$/);
    await peer.radio('/offline', { ieee: PLUG, offline: false });
  });

  test('I2: a device switched while the broker was away has its new value within 5 s of its return', async () => {
    expect(value(PLUG, 'on')).toBe(true);
    await broker.kill();
    await vi.waitFor(
      () => expect(device(PLUG).availability).toEqual({ state: 'unknown', reason: 'integration_down' }),
      SOON,
    );
    await expect(set(PLUG, { on: false })).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
    await peer.radio('/report', { ieee: PLUG, cluster: 'genOnOff', attrs: { onOff: 0 } });
    await broker.start();
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'), SOON);
    const backAt = performance.now();
    await vi.waitFor(() => expect(value(PLUG, 'on')).toBe(false), SOON);
    process.stdout.write(`true state ${Math.round(performance.now() - backAt)} ms after the broker was back\n`);
    expectBelow('true state after the broker is back, ms', performance.now() - backAt, 5_000);
  });

  test('a removed device is gone', async () => {
    await integration.removeDevice?.(SENSOR, false);
    await vi.waitFor(() => expect(sink.devices.has(SENSOR)).toBe(false), SOON);
    await expect(integration.removeDevice?.(SENSOR, false)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });

  test('the hub tells Zigbee2MQTT gone from the broker gone, and its return brings the same devices', async () => {
    const keys = (): unknown =>
      new Map([...sink.devices].map(([id, { description }]) => [id, description.features.map(({ key }) => key)]));
    const before = keys();
    await peer.stop();
    await vi.waitFor(
      () => expect(sink.statuses.at(-1)).toMatchObject({ state: 'error', code: 'BRIDGE_OFFLINE' }),
      SOON,
    );
    expect(device(LOCK).availability?.state).toBe('unknown');
    await peer.start();
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'), { timeout: 20_000 });
    await vi.waitFor(() => expect(device(LOCK).availability?.state).toBe('online'), SOON);
    expect(keys()).toEqual(before);
  });

  test('a device without a definition is listed as other', async () => {
    await integration.openPairing?.(30);
    await peer.radio('/join', { ieee: UNSUPPORTED });
    await vi.waitFor(
      () =>
        expect(sink.devices.get(UNSUPPORTED)?.description).toMatchObject({
          type: 'other',
          manufacturer: 'Acme',
          model: 'UNSUPPORTED-1',
        }),
      SOON,
    );
  });

  test('the hub found none of its messages malformed', () => {
    expect(lines.filter((line) => /malformed|could not/.test(line))).toEqual([]);
  });
});
