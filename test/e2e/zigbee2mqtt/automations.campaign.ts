import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { HALL_LIGHT, LEAK, SHUTTERS } from '#test/support/automation/documents.ts';
import { type RunningHub, startRunningHub } from '#test/support/daemon/running-hub.ts';
import { needs } from '#test/support/machine/requires.ts';
import { type Mosquitto, startMosquitto } from '#test/support/peers/mosquitto.ts';
import { radioAddress, type RealZigbee2mqtt, startZigbee2mqtt } from '#test/support/peers/real-zigbee2mqtt.ts';

type DeviceJson = {
  external_id: string;
  selector: string;
  features: { key: string; value: unknown; quality: string }[];
};
type RunJson = {
  outcome: string;
  trigger: JsonObject;
  conditions: { pointer: string; result: boolean | null; operands: { value: unknown }[] }[];
  steps: { pointer: string; outcome: string }[];
};

const SOON = { timeout: 45_000, interval: 100 };
/** What the documents call the devices, and their numbers at the radio. */
const NUMBERS = {
  'hall-lamp': 1,
  'terrace-door': 4,
  'hall-motion': 5,
  'water-valve': 6,
  shutter: 7,
  'hall-lux': 21,
  leak: 22,
} as const;
type Name = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as Name[];
const LUX = (lux: number): number => Math.round(10_000 * Math.log10(lux)) + 1;
const HOUR_MS = 3_600_000;
/** The sun goes so far while one second passes. */
const DEGREES_A_SECOND = 360 / 86_400;

describe.skipIf(!needs('mosquitto') || !needs('zigbee2mqtt'))('automations through the real Zigbee2MQTT', () => {
  let broker: Mosquitto;
  let peer: RealZigbee2mqtt;
  let hub: RunningHub;
  const selectors = new Map<string, string>();

  const shown = async (name: Name, key: string): Promise<string> => {
    const { json } = await hub.call<DeviceJson>(`GET /device/${selectors.get(name)}`);
    const found = json.features.find((feature) => feature.key === key);
    return `${JSON.stringify(found?.value)} ${found?.quality}`;
  };
  const untilShown = (name: Name, key: string, wanted: RegExp): Promise<void> =>
    vi.waitFor(async () => expect(await shown(name, key)).toMatch(wanted), SOON);
  const demand = async (line: string, body: unknown): Promise<JsonObject> => {
    const { status, json } = await hub.call<JsonObject>(line, { body, headers: { Prefer: 'wait=10' } });
    expect(status, `${line}: ${JSON.stringify(json)}`).toBeLessThan(300);
    return json;
  };
  /** The document with the names that its devices have here. */
  const add = (name: string, document: string): Promise<JsonObject> => {
    const named = NAMES.reduce((text, one) => text.replaceAll(`"${one}"`, `"${selectors.get(one)}"`), document);
    return demand('POST /automation', { name, ...(JSON.parse(named) as JsonObject) });
  };
  const runsOf = async (automation: string): Promise<RunJson[]> =>
    (await hub.call<{ runs: RunJson[] }>(`GET /automation/${automation}/run`)).json.runs;
  /** A run does not wait for its last command: what became of it may come after the end. */
  const untilRun = (automation: string, outcome: string): Promise<RunJson> =>
    vi.waitFor(async () => {
      const [run] = await runsOf(automation);
      if (run?.outcome !== outcome) throw new Error(`the outcome is ${run?.outcome}`);
      expect(run.steps.filter((step) => step.outcome === 'running')).toEqual([]);
      return run;
    }, SOON);
  const report = (name: Name, cluster: string, attrs: JsonObject): Promise<unknown> =>
    peer.radio('/report', { ieee: radioAddress(NUMBERS[name]), cluster, attrs });
  /** What sensors of motion, water and doors say. */
  const alarm = (name: Name, isOn: boolean): Promise<unknown> =>
    peer.radio('/command', {
      ieee: radioAddress(NUMBERS[name]),
      cluster: 'ssIasZone',
      command: 'statusChangeNotification',
      server: true,
      payload: { zonestatus: isOn ? 1 : 0, extendedstatus: 0, zoneID: 0, delay: 0 },
    });

  beforeAll(async () => {
    broker = await startMosquitto();
    peer = await startZigbee2mqtt({ brokerPort: broker.port, devices: 'hall-house.cjs' });
    hub = await startRunningHub({ HEARTHD_MQTT_URL: broker.url });
    await vi.waitFor(async () => {
      const { json } = await hub.call<{ id: string; status: string }[]>('GET /integration');
      if (json.find(({ id }) => id === 'zigbee2mqtt')?.status !== 'connected') throw new Error('not connected');
    }, SOON);
    await hub.call('POST /integration/zigbee2mqtt/pairing', { body: { seconds: 60 } });
    await vi.waitFor(async () => {
      const { json } = await hub.call<DeviceJson[]>('GET /device?availability=online');
      for (const name of NAMES) {
        const found = json.find(({ external_id: id }) => id === radioAddress(NUMBERS[name]));
        if (found !== undefined && found.features.length > 0) selectors.set(name, found.selector);
      }
      const missing = NAMES.filter((name) => !selectors.has(name));
      if (missing.length > 0) throw new Error(`not there: ${missing.join(', ')}`);
    }, SOON);
    await demand('POST /room', { name: 'Hall' });
    for (const name of ['hall-lamp', 'hall-motion', 'hall-lux'] as const) {
      await demand(`PATCH /device/${selectors.get(name)}`, { room: 'hall' });
    }
  }, 180_000);

  afterAll(async () => {
    await hub.stop();
    await peer.remove();
    await broker.stop();
  });

  test('a light goes on with motion where it is dark, and off once all is quiet', { timeout: 120_000 }, async () => {
    await untilShown('hall-lamp', 'on', /^false confirmed$/);
    await report('hall-lux', 'msIlluminanceMeasurement', { measuredValue: LUX(212) });
    await untilShown('hall-lux', 'illuminance', /^212 /);
    await alarm('hall-motion', false);
    await untilShown('hall-motion', 'motion', /^false /);
    // Two seconds of quiet take the place of three minutes.
    await add('Hall light', JSON.stringify(HALL_LIGHT).replace('"for_s":180', '"for_s":2'));
    await alarm('hall-motion', true);
    const refused = await untilRun('hall-light', 'not_met');
    expect(refused.conditions.map(({ pointer, result, operands }) => [pointer, result, operands[0]?.value])).toEqual([
      ['/conditions/0/or/0', false, 212],
      ['/conditions/0/or/1', false, false],
    ]);
    await alarm('hall-motion', false);
    await untilShown('hall-motion', 'motion', /^false /);
    await report('hall-lux', 'msIlluminanceMeasurement', { measuredValue: LUX(12) });
    await untilShown('hall-lux', 'illuminance', /^12 /);

    await alarm('hall-motion', true);
    await untilShown('hall-lamp', 'on', /^true confirmed$/);
    await untilShown('hall-lamp', 'brightness', /^70 confirmed$/);
    await alarm('hall-motion', false);
    const run = await untilRun('hall-light', 'finished');
    expect(run.trigger).toMatchObject({ id: 'seen', device: selectors.get('hall-motion'), value: true });
    expect(run.steps.map(({ pointer, outcome }) => `${pointer} ${outcome}`)).toEqual([
      '/steps/0/command done',
      '/steps/1/wait_for done',
      '/steps/2/command done',
    ]);
    await untilShown('hall-lamp', 'on', /^false confirmed$/);
  });

  test('water shuts the valve although its sensor is gone a moment later', { timeout: 120_000 }, async () => {
    const valve = `/device/${selectors.get('water-valve')}`;
    expect(await demand(`POST ${valve}/command`, { set: { on: true } })).toMatchObject({ status: 'confirmed' });
    await demand(`PATCH ${valve}`, { sensitive: true });
    // To Zigbee2MQTT the valve is a relay.
    await add('Leak closes the water', JSON.stringify(LEAK).replace('"valve_open"', '"on"'));
    // The first value that a device ever reports is no change.
    await alarm('leak', false);
    await untilShown('leak', 'water_leak', /^false /);
    await alarm('leak', true);
    await peer.radio('/offline', { ieee: radioAddress(NUMBERS.leak), offline: true });
    const run = await untilRun('leak-closes-the-water', 'finished');
    expect(run.steps.map(({ pointer, outcome }) => `${pointer} ${outcome}`)).toEqual([
      '/steps/0/command done',
      '/steps/1/notify done',
    ]);
    expect(await shown('water-valve', 'on')).toBe('false confirmed');
    await vi.waitFor(async () => {
      const { json } = await hub.call<{ notifications: JsonObject[] }>('GET /notification');
      expect(json.notifications).toContainEqual(
        expect.objectContaining({
          source: expect.objectContaining({ kind: 'automation' }),
          severity: 'critical',
          title: 'Water at Leak sensor',
          to: ['role:resident', 'role:owner'],
          state: 'open',
        }),
      );
    }, SOON);
  });

  test('shutters go down after sunset, but only with the door closed', { timeout: 120_000 }, async () => {
    await demand('POST /hub/clock', { now: new Date().toISOString() });
    await alarm('terrace-door', false);
    await untilShown('terrace-door', 'open', /^false /);
    const shutter = selectors.get('shutter');
    await demand('POST /scene', { name: 'Shutters night', targets: [{ device: shutter, set: { position: 50 } }] });
    // The home lies where it is between seven and eight in the evening, and the sun has not set yet.
    const ahead = (24 + 19 - new Date().getUTCHours()) % 24;
    const offset = ahead > 12 ? ahead - 24 : ahead;
    await demand('PATCH /hub', { time_zone: `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}` });
    let longitude = offset * 15 - 45;
    const move = async (degrees: number): Promise<void> => {
      longitude = ((longitude + degrees + 540) % 360) - 180;
      await demand('PUT /hub/location', { latitude: 5, longitude });
    };
    await move(0);
    await add('Shutters down', JSON.stringify(SHUTTERS));
    // Then it is moved east until its time is near.
    await vi.waitFor(async () => {
      if ((await runsOf('shutters-down')).length > 0) return;
      const { json } = await hub.call<{ next_at: string }>('GET /automation/shutters-down');
      const inS = (Date.parse(json.next_at) - Date.now()) / 1000;
      if (inS > 20) await move((inS - 10) * DEGREES_A_SECOND);
      throw new Error(`the shutters go down in ${inS} s`);
    }, SOON);
    const run = await untilRun('shutters-down', 'finished');
    expect(run.trigger).toMatchObject({ type: 'sun' });
    await untilShown('shutter', 'position', /^50 confirmed$/);
    const { json } = await hub.call<{ next_at: string }>('GET /automation/shutters-down');
    expect(Date.parse(json.next_at) - Date.now()).toBeGreaterThan(20 * HOUR_MS);
  });
});
