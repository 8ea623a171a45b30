import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { type HubAnswer, type HubCall, type RunningHub, startRunningHub } from '#test/support/daemon/running-hub.ts';

type FeatureJson = { key: string; value: unknown; quality: string };
type DeviceJson = { selector: string; availability: { state: string }; features: FeatureJson[] };
const SOON = { interval: 25 };

let hub: RunningHub;
let broker: TestBroker;

const command = (selector: string, body: unknown, headers: HubCall['headers'] = {}): Promise<HubAnswer> =>
  hub.call(`POST /device/${selector}/command`, { body, headers });
const feature = async (selector: string, key: string): Promise<string> => {
  const { json } = await hub.call<DeviceJson>(`GET /device/${selector}`);
  const found = json.features.find((one) => one.key === key);
  return `${JSON.stringify(found?.value)} ${found?.quality}`;
};
const sets = (): string[] =>
  broker.received.flatMap(({ topic, payload }) => (topic.endsWith('/set') ? [`${topic} ${payload}`] : []));

beforeAll(async () => {
  broker = await startBroker();
  await startFakeZigbee2mqtt(broker, [{ ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Porch/Lamp' }]);
  hub = await startRunningHub({ HEARTHD_SIMULATE: '1', HEARTHD_MQTT_URL: broker.url });
  await vi.waitFor(async () => {
    const { json } = await hub.call<DeviceJson[]>('GET /device?availability=online');
    const missing = ['porch-lamp', 'kitchen-ceiling', 'front-door-lock', 'living-room-blind'].filter(
      (wanted) => !json.some(({ selector }) => selector === wanted),
    );
    if (missing.length > 0) throw new Error(`not online: ${missing.join(', ')}`);
  }, SOON);
});

afterAll(async () => {
  await hub.stop();
  await broker.close();
});

describe('commands to the running hub', () => {
  test.each([
    ['kitchen-ceiling', { on: true, brightness: 60 }],
    ['kitchen-ceiling', { on: false }],
    ['living-room-lamp', { color: { hue: 120, saturation: 80 } }],
    ['kitchen-ceiling', { color_temperature: 3000 }],
    ['living-room-thermostat', { target_temperature: 21.5 }],
    ['front-door-lock', { locked: false }],
    ['porch-lamp', { on: true, brightness: 50 }],
  ])('%s gets %j and reports it', async (selector, set) => {
    const passedMs = startStopwatch();
    const { status, json } = await command(selector, { set }, { Prefer: 'wait=5' });
    process.stdout.write(`${selector} ${JSON.stringify(set)}: ${Math.round(passedMs())} ms\n`);
    expect([status, json['status'], json['evidence']]).toEqual([200, 'confirmed', 'state_report']);
  });

  test('a blind on its way is assumed to arrive, and is confirmed when it does', async () => {
    const { status, headers, json } = await command(
      'living-room-blind',
      { set: { position: 90 } },
      { Prefer: 'wait=0' },
    );
    expect(status).toBe(202);
    await vi.waitFor(
      async () => {
        const answer = await hub.call(`GET ${String(headers.get('location')).replace('/api/v1', '')}`);
        expect(answer.json).toMatchObject({ id: json['id'], status: 'confirmed' });
      },
      { interval: 200 },
    );
    expect(await feature('living-room-blind', 'position')).toBe('90 confirmed');
  });

  test('a command that a device cannot do is refused with pointers', async () => {
    const { status, json } = await command('porch-lamp', { set: { brightness: 200, volume: 1 } });
    expect([status, json['code']]).toEqual([422, 'VALIDATION_FAILED']);
    expect(json['errors']).toMatchObject([{ pointer: '/set/brightness' }, { pointer: '/set/volume' }]);
  });

  test('fifty at once with one Idempotency-Key are one command on the wire', async () => {
    const before = sets().length;
    const body = { set: { brightness: 33 } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        hub.call('POST /device/porch-lamp/command', {
          body,
          headers: { 'Idempotency-Key': 'fifty', Prefer: 'wait=5' },
          localAddress: `127.0.0.${2 + (index % 2)}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(1);
    expect(sets().slice(before)).toEqual(['zigbee2mqtt/Porch/Lamp/set {"brightness":84}']);
    const other = await command('porch-lamp', { set: { brightness: 34 } }, { 'Idempotency-Key': 'fifty' });
    expect([other.status, other.json['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(sets().length).toBe(before + 1);
  });

  test('a client that goes away does not end its command', async () => {
    const leaving = new AbortController();
    const gone = hub.call('POST /device/bedroom-bedside-lamp/command', {
      body: { set: { brightness: 17 }, transition_ms: 1500 },
      headers: { Prefer: 'wait=10' },
      signal: leaving.signal,
    });
    await vi.waitFor(async () => expect(await feature('bedroom-bedside-lamp', 'brightness')).toBe('17 assumed'), SOON);
    leaving.abort();
    await expect(gone).rejects.toThrow(/abort/);
    await vi.waitFor(
      async () => expect(await feature('bedroom-bedside-lamp', 'brightness')).toBe('17 confirmed'),
      SOON,
    );
  });

  test('a command for a room reaches each of its lamps, with a result for each', async () => {
    const { status, json } = await hub.call('POST /command', {
      body: { targets: { room: 'kitchen', devices: ['porch-lamp'] }, set: { on: true } },
      headers: { Prefer: 'wait=5' },
    });
    expect([status, json['status']]).toEqual([200, 'confirmed']);
    expect((json['results'] as { device: string }[]).map(({ device }) => device)).toEqual([
      'porch-lamp',
      'kitchen-ceiling',
      'kitchen-fridge-plug',
    ]);
  });

  test('I2: with the broker gone the hub refuses at once, and delivers nothing later', async () => {
    await broker.stop();
    await vi.waitFor(async () => {
      const { json } = await hub.call<{ id: string; status: string }[]>('GET /integration');
      expect(json.find(({ id }) => id === 'zigbee2mqtt')?.status).not.toBe('connected');
    }, SOON);
    const before = sets().length;
    const passedMs = startStopwatch();
    const { status, headers, json } = await command('porch-lamp', { set: { on: false } }, { Prefer: 'wait=10' });
    expect([status, json['code']]).toEqual([503, 'INTEGRATION_DOWN']);
    expectBelow('the refusal without a broker, ms', passedMs(), 500);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    await broker.start();
    await vi.waitFor(
      async () => {
        expect((await command('porch-lamp', { set: { brightness: 71 } }, { Prefer: 'wait=3' })).status).toBe(200);
      },
      { interval: 250 },
    );
    expect(sets().slice(before)).toEqual(['zigbee2mqtt/Porch/Lamp/set {"brightness":180}']);
  });
});
