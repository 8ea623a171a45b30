import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, type RealZigbee2mqtt, startZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';
import { needs } from '#test/support/machine/requires.ts';
import { type HubAnswer, type RunningHub, startRunningHub } from '#test/support/daemon/running-hub.ts';

type FeatureJson = { key: string; value: unknown; quality: string };
type DeviceJson = { external_id: string; selector: string; availability: { state: string }; features: FeatureJson[] };
const SOON = { timeout: 15_000, interval: 50 };
const [COLOR_BULB, WHITE_BULB, PLUG, BLIND, THERMOSTAT, LOCK] = [1, 2, 6, 7, 8, 9].map(radioAddress) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const NAMES = new Map([
  [COLOR_BULB, 'color bulb'],
  [WHITE_BULB, 'white bulb'],
  [PLUG, 'plug'],
  [BLIND, 'blind'],
  [THERMOSTAT, 'thermostat'],
  [LOCK, 'lock'],
]);

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('commands through the real Zigbee2MQTT', () => {
  let broker: Mosquitto;
  let peer: RealZigbee2mqtt;
  let hub: RunningHub;
  const selectors = new Map<string, string>();

  const device = async (ieee: string): Promise<DeviceJson> =>
    (await hub.call<DeviceJson>(`GET /device/${selectors.get(ieee)}`)).json;
  const shown = async (ieee: string, key: string): Promise<string> => {
    const found = (await device(ieee)).features.find((feature) => feature.key === key);
    return `${JSON.stringify(found?.value)} ${found?.quality}`;
  };
  const command = (ieee: string, body: unknown, waitS = 10): Promise<HubAnswer> =>
    hub.call(`POST /device/${selectors.get(ieee)}/command`, { body, headers: { Prefer: `wait=${waitS}` } });
  const untilStatus = (wanted: boolean): Promise<void> =>
    vi.waitFor(
      async () => {
        const { json } = await hub.call<{ id: string; status: string }[]>('GET /integration');
        const isConnected = json.find(({ id }) => id === 'zigbee2mqtt')?.status === 'connected';
        if (isConnected !== wanted) throw new Error(`connected: ${isConnected}`);
      },
      { timeout: 30_000, interval: 50 },
    );

  beforeAll(async () => {
    broker = await startMosquitto();
    peer = await startZigbee2mqtt({ brokerPort: broker.port });
    hub = await startRunningHub({ HEARTHD_MQTT_URL: broker.url });
    await untilStatus(true);
    await hub.call('POST /integration/zigbee2mqtt/pairing', { body: { seconds: 60 } });
    await vi.waitFor(
      async () => {
        const { json } = await hub.call<DeviceJson[]>('GET /device?availability=online');
        for (const { external_id: ieee, selector } of json) selectors.set(ieee, selector);
        const missing = [...NAMES].filter(([ieee]) => !selectors.has(ieee)).map(([, name]) => name);
        if (missing.length > 0) throw new Error(`not there: ${missing.join(', ')}`);
      },
      { timeout: 45_000, interval: 200 },
    );
  }, 120_000);

  afterAll(async () => {
    await hub.stop();
    await peer.remove();
    await broker.stop();
  });

  test.each([
    [COLOR_BULB, { on: true }],
    [COLOR_BULB, { on: true }],
    [COLOR_BULB, { brightness: 60 }],
    [COLOR_BULB, { color: { x: 0.6, y: 0.35 } }],
    [COLOR_BULB, { color_temperature: 2700 }],
    [COLOR_BULB, { on: false }],
    [WHITE_BULB, { on: true, brightness: 25, color_temperature: 3000 }],
    [PLUG, { on: true }],
    [BLIND, { position: 25 }],
    [LOCK, { locked: true }],
    [LOCK, { locked: false }],
  ])('%s confirms %j', async (ieee, set) => {
    const startedMs = performance.now();
    const { status, json } = await command(ieee, { set });
    const tookMs = Math.round(performance.now() - startedMs);
    process.stdout.write(`${NAMES.get(ieee)} ${JSON.stringify(set)}: ${String(json['status'])} in ${tookMs} ms\n`);
    expect([status, json['status'], json['evidence']]).toEqual([200, 'confirmed', 'state_report']);
    for (const key of Object.keys(set)) expect(await shown(ieee, key)).toMatch(/ confirmed$/);
  });

  // Zigbee2MQTT echoes nothing for this model: only the valve itself can report what it took.
  test('a command to a silent valve stays unconfirmed until the valve reports', async () => {
    const before = await shown(THERMOSTAT, 'target_temperature');
    const silent = await command(THERMOSTAT, { set: { target_temperature: 22.5 } });
    expect(silent).toMatchObject({ status: 200, json: { status: 'unconfirmed', evidence: 'transport_ack' } });
    expect(await shown(THERMOSTAT, 'target_temperature')).toBe(before);

    const again = await command(THERMOSTAT, { set: { target_temperature: 22.5 } }, 0);
    expect(again.status).toBe(202);
    const attrs = { occupiedHeatingSetpoint: 2250 };
    await peer.radio('/report', { ieee: THERMOSTAT, cluster: 'hvacThermostat', attrs });
    await vi.waitFor(async () => {
      const { json } = await hub.call(`GET /command/${String(again.json['id'])}`);
      expect(json).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    }, SOON);
  });

  test('a command to a lamp without power fails with the reason of Zigbee2MQTT, and the lamp shows its last state again', async () => {
    const before = await shown(WHITE_BULB, 'on');
    expect(before).toBe('true confirmed');
    await peer.radio('/offline', { ieee: WHITE_BULB, offline: true });
    const startedMs = performance.now();
    const answer = command(WHITE_BULB, { set: { on: false } });
    await vi.waitFor(async () => expect(await shown(WHITE_BULB, 'on')).toBe('false assumed'), SOON);
    const { status, json } = await answer;
    process.stdout.write(
      `unplugged: ${JSON.stringify(json['results'])} in ${Math.round(performance.now() - startedMs)} ms\n`,
    );
    expect([status, json['status']]).toEqual([200, 'failed']);
    expect(json['results']).toMatchObject([
      {
        key: 'on',
        status: 'failed',
        code: 'COMMAND_FAILED',
        reason: expect.stringContaining('simulated offline'),
      },
    ]);
    expect(await shown(WHITE_BULB, 'on')).toBe(before);
    await peer.radio('/offline', { ieee: WHITE_BULB, offline: false });
  });

  test(
    'I2: without a broker a command is refused at once, with it the true state is back within 5 s',
    { timeout: 60_000 },
    async () => {
      expect(await shown(PLUG, 'on')).toBe('true confirmed');
      await broker.kill();
      await untilStatus(false);
      const startedMs = performance.now();
      const { status, json } = await command(PLUG, { set: { on: true } });
      process.stdout.write(`broker gone: ${status} in ${Math.round(performance.now() - startedMs)} ms\n`);
      expect([status, json['code']]).toEqual([503, 'INTEGRATION_DOWN']);
      expectBelow('a command without a broker is refused, ms', performance.now() - startedMs, 500);
      // Somebody switches it by hand meanwhile.
      await peer.radio('/report', { ieee: PLUG, cluster: 'genOnOff', attrs: { onOff: 0 } });
      await broker.start();
      await untilStatus(true);
      const backMs = performance.now();
      await vi.waitFor(async () => expect(await shown(PLUG, 'on')).toBe('false confirmed'), SOON);
      process.stdout.write(`true state ${Math.round(performance.now() - backMs)} ms after the broker was back\n`);
      expectBelow('true state after the broker is back, ms', performance.now() - backMs, 5_000);
      expect((await command(PLUG, { set: { on: true } })).json['status']).toBe('confirmed');
    },
  );
});
