import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';
import { deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { startFakeZigbee2mqtt, type FakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import {
  claimHub,
  createHubFolder,
  type DeviceJson,
  type HubFolder,
  type HubProcess,
} from '#test/support/daemon/hub-process.ts';
import { describeLatency, type Latency, startLatencyProbe } from '#test/support/machine/latency-probe.ts';

type Listed = DeviceJson & { readonly external_id: string };

const entries = deviceEntryTexts().map((text) => JSON.parse(text) as Record<string, unknown>);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let hubs: HubFolder;
let hub: HubProcess;
let broker: TestBroker;
let zigbee2mqtt: FakeZigbee2mqtt;
let token: string;
let listed: readonly Listed[];

const env = (): Record<string, string> => ({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url });
const count = async (query: string): Promise<number> => {
  const { headers } = await hub.ask('GET', `/api/v1/device?limit=1${query}`, { token });
  return Number(headers.get('x-total-count'));
};
const waitForCount = (query: string, wanted: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const found = await count(query);
      if (found !== wanted) throw new Error(`${found} devices of ${wanted}`);
    },
    { timeout: 30_000, interval: 50 },
  );
const listAll = async (): Promise<readonly Listed[]> =>
  (await hub.ask('GET', '/api/v1/device', { token })).json as readonly Listed[];
const eventSequence = async (): Promise<number> => {
  const { headers } = await hub.ask('GET', '/api/v1/device?limit=1', { token });
  return Number(headers.get('event-cursor')?.split('-')[1]);
};

/** Measures what a piece of work costs the hub, and how it answers others meanwhile. */
async function measure(
  what: string,
  work: () => Promise<void>,
): Promise<{ took: { cpuMs: number }; latency: Latency }> {
  const probe = startLatencyProbe(hub.address, token, { everyMs: 5 });
  const startMs = performance.now();
  const startCpuMs = hub.cpuMs();
  await work();
  const [tookMs, cpuMs] = [performance.now() - startMs, hub.cpuMs() - startCpuMs];
  const latency = await probe.end();
  say(`${what}: ${tookMs.toFixed(0)} ms, ${cpuMs} ms of processor; meanwhile ${describeLatency(latency)}`);
  return { took: { cpuMs }, latency };
}
const identity = (devices: readonly Listed[]): unknown =>
  devices.map(({ id, selector, name, external_id }) => ({ id, selector, name, external_id }));

beforeAll(async () => {
  broker = await startBroker();
  hubs = createHubFolder();
  zigbee2mqtt = await startFakeZigbee2mqtt(broker, []);
  hub = await hubs.serve(env());
  token = (await claimHub(hub)).access_token;
});
afterAll(async () => {
  await hubs.close();
  await broker.close();
});

test(
  'I1: every device that there is comes in one message, and small requests are answered meanwhile',
  { timeout: 60_000 },
  async () => {
    const idleMb = hub.memoryMb();
    const { took, latency } = await measure('4,478 devices', async () => {
      await zigbee2mqtt.setDevices(entries);
      await waitForCount('', entries.length);
    });
    const startMs = performance.now();
    listed = await listAll();
    say(`the whole list in ${(performance.now() - startMs).toFixed(0)} ms`);
    say(`memory ${idleMb.toFixed(0)} MB before, ${hub.memoryMb().toFixed(0)} MB after`);

    expect(new Set(listed.map(({ external_id }) => external_id))).toEqual(
      new Set(entries.map(({ ieee_address }) => ieee_address)),
    );
    expect(new Set(listed.map(({ selector }) => selector)).size).toBe(entries.length);
    expect(took.cpuMs).toBeLessThan(10_000);
    expect(latency.p99).toBeLessThan(500);
  },
);

test('a second message with one device renamed costs little and changes that one', { timeout: 60_000 }, async () => {
  // The work on the first message has ended when the hub listens to its last device.
  const last = `zigbee2mqtt/${String(entries.at(-1)?.['friendly_name'])}`;
  await vi.waitFor(() => expect(broker.subscriptions()).toContain(last), { timeout: 10_000, interval: 100 });
  const [first = {}] = entries;
  const before = await eventSequence();
  // One event for each device, and few others: a client that follows a new home gets nothing twice.
  expect(before).toBeLessThan(entries.length + 10);
  const { took } = await measure('one of them renamed', async () => {
    await zigbee2mqtt.setDevices([{ ...first, friendly_name: 'Renamed' }, ...entries.slice(1)]);
    await waitForCount('&search=Renamed', 1);
  });
  expect((await eventSequence()) - before).toBeLessThan(5);
  expect(took.cpuMs).toBeLessThan(3000);
  const devices = await listAll();
  const names = new Map(listed.map(({ id, name }) => [id, name]));
  expect(devices.filter(({ id, name }) => names.get(id) !== name).map(({ name }) => name)).toEqual(['Renamed']);
  listed = devices;
});

test('a restart keeps every id and is ready within 10 s', { timeout: 60_000 }, async () => {
  const { code, tookMs } = await hub.end('SIGTERM');
  expect(code).toBe(0);
  hub = await hubs.serve(env());
  say(`ended after ${tookMs.toFixed(0)} ms, ready after ${hub.readyMs.toFixed(0)} ms, ${hub.memoryMb().toFixed(0)} MB`);
  expect(identity(await listAll())).toEqual(identity(listed));
  expect(hub.readyMs).toBeLessThan(10_000);
  await vi.waitFor(
    async () => {
      const { json } = await hub.ask('GET', '/api/v1/integration/zigbee2mqtt', { token });
      expect(json).toMatchObject({ status: 'connected', devices: entries.length });
    },
    { timeout: 10_000, interval: 100 },
  );
  expect(identity(await listAll())).toEqual(identity(listed));
  expect(hub.stderr()).not.toMatch(/ error /);
});
