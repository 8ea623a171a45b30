import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { startMosquitto, type Mosquitto } from '#test/support/peers/mosquitto.ts';
import { needs } from '#test/support/machine/requires.ts';

const SOON = { interval: 50 };
const LOGIN = { user: 'hub', password: 'first word' };
const NEXT_LOGIN = { user: 'hub2', password: 'second word' };
const LAMP = { ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Lamp' };
const PLUG = { ...deviceEntry('SONOFF/SNZB-02D'), friendly_name: 'Climate' };

type Integration = {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly devices: number;
  readonly settings: Readonly<
    Record<string, { readonly value?: unknown; readonly is_set?: boolean; readonly fixed: boolean }>
  >;
};

/** What a Zigbee2MQTT with these devices leaves at its broker. */
async function announce(broker: Mosquitto, login: typeof LOGIN, entries: readonly unknown[]): Promise<void> {
  const client = await connectAsync(broker.url, { username: login.user, password: login.password });
  await client.publishAsync('zigbee2mqtt/bridge/state', '{"state":"online"}', { retain: true, qos: 1 });
  await client.publishAsync('zigbee2mqtt/bridge/devices', JSON.stringify(entries), { retain: true, qos: 1 });
  await client.endAsync();
}

describe.skipIf(!needs('mosquitto'))('the settings of a real broker', () => {
  let first: Mosquitto;
  let second: Mosquitto;
  let folder: HubFolder;
  let hub: HubProcess;
  let tokens: Tokens;

  const ask = (method: string, path: string, body?: unknown) =>
    hub.ask(method, `/api/v1${path}`, { token: tokens.access_token, body });
  const integration = async (): Promise<Integration> =>
    (await ask('GET', '/integration/zigbee2mqtt')).json as Integration;
  const change = (body: unknown) => ask('PATCH', '/integration/zigbee2mqtt', body);
  const devices = async () =>
    (await ask('GET', '/device')).json as {
      id: string;
      external_id: string;
      availability: { state: string; reason: string };
    }[];
  const untilStatus = async (status: string, code?: string): Promise<void> =>
    vi.waitFor(async () => {
      const { status: is, error } = await integration();
      expect([is, error?.code]).toEqual([status, code]);
    }, SOON);

  beforeAll(async () => {
    first = await startMosquitto(LOGIN);
    second = await startMosquitto(NEXT_LOGIN);
    await announce(first, LOGIN, [LAMP]);
    await announce(second, NEXT_LOGIN, [LAMP, PLUG]);
    folder = createHubFolder();
    // The address by default: nothing of the broker is fixed.
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: '' });
    tokens = await claimHub(hub);
  });
  afterAll(async () => {
    await folder.close();
    await first.stop();
    await second.stop();
  });

  test('an address at which nothing listens is reported in words, and the hub is healthy', async () => {
    const port = await findFreePort();
    expect((await change({ address: `mqtt://127.0.0.1:${port}` })).status).toBe(200);
    await untilStatus('error', 'CONNECTION_REFUSED');
    expect((await integration()).error?.message).toContain('start the MQTT broker there, or enter another address');
    expect((await hub.ask('GET', '/api/v1/health')).json).toEqual({ status: 'ok' });
  });

  test('a broker that needs a password is reported so, and with the password the devices are there', async () => {
    await change({ address: first.url });
    await untilStatus('error', 'WRONG_PASSWORD');
    await change({ user: LOGIN.user, password: 'wrong word' });
    await untilStatus('error', 'WRONG_PASSWORD');
    await change({ password: LOGIN.password });
    await untilStatus('connected');
    await vi.waitFor(async () => expect(await devices()).toHaveLength(1), SOON);
    const answer = await ask('GET', '/integration');
    expect(answer.bytes.toString()).not.toContain(LOGIN.password);
    expect((await integration()).settings['password']).toMatchObject({ is_set: true, fixed: false });
  });

  test('another broker takes over at once, and the device that both have stays the same', async () => {
    const [lamp] = await devices();
    expect((await change({ address: second.url })).status).toBe(422);
    const { status } = await change({ address: second.url, ...NEXT_LOGIN });
    expect(status).toBe(200);
    await untilStatus('connected');
    await vi.waitFor(async () => expect(await devices()).toHaveLength(2), SOON);
    expect((await devices()).find(({ external_id }) => external_id === lamp?.external_id)?.id).toBe(lamp?.id);
  });

  test('switched off, it refuses commands and its devices stay with unknown values; switched on, they are back', async () => {
    await change({ enabled: false });
    await untilStatus('off');
    const isOff = { state: 'unknown', reason: 'integration_off' };
    await vi.waitFor(
      async () => expect((await devices()).map(({ availability }) => availability)).toMatchObject([isOff, isOff]),
      SOON,
    );
    const lamps = await devices();
    const lamp = lamps.find(({ external_id }) => external_id === LAMP['ieee_address' as keyof typeof LAMP]);
    const { status, json } = await ask('POST', `/device/${lamp?.id}/command`, { set: { on: true } });
    expect([status, json]).toMatchObject([503, { code: 'INTEGRATION_DOWN' }]);
    await change({ enabled: true });
    await untilStatus('connected');
  });

  test('S6: after a kill the hub uses the same broker with the same password', async () => {
    await hub.end('SIGKILL');
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: '' });
    await untilStatus('connected');
    expect((await integration()).settings).toMatchObject({ address: { value: second.url }, user: { value: 'hub2' } });
  });

  test('a setting from the environment is fixed', async () => {
    await hub.end('SIGTERM');
    hub = await folder.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: first.url });
    const { status, json } = await change({ address: second.url, password: null });
    expect([status, json]).toMatchObject([409, { code: 'SETTING_FIXED', errors: [{ pointer: '/address' }] }]);
    expect((await integration()).settings['address']).toMatchObject({ value: first.url, fixed: true });
  });
});
