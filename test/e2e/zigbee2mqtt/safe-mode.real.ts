import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';
import { type FakeZigbee2mqtt, startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
} from '#test/support/daemon/hub-process.ts';

const POISON = join(import.meta.dirname, 'children/poison.cjs');
const PATIENCE = { interval: 25 };
const entryOf = (name: string) => ({
  ieee_address: '0x00000000000000aa',
  type: 'Router',
  friendly_name: name,
  supported: true,
  definition: { model: 'P1', vendor: 'Test', description: 'plug', exposes: [] },
});
type IntegrationJson = {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
};

describe('safe mode', () => {
  let broker: TestBroker;
  let upstream: FakeZigbee2mqtt;
  let hubs: HubFolder;
  let token = '';

  beforeEach(async () => {
    broker = await startBroker();
    upstream = await startFakeZigbee2mqtt(broker, [entryOf('Plug')]);
    hubs = createHubFolder();
  });
  afterEach(async () => {
    await hubs.close();
    await broker.close();
  });

  const serve = (env: Readonly<Record<string, string>> = {}): Promise<HubProcess> =>
    hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_MQTT_URL: broker.url, ...env });
  const integration = async (hub: HubProcess): Promise<IntegrationJson> =>
    (await hub.ask('GET', '/api/v1/integration/zigbee2mqtt', { token })).json as IntegrationJson;
  const untilConnected = (hub: HubProcess): Promise<unknown> =>
    vi.waitFor(
      async () => expect(await integration(hub)).toMatchObject({ status: 'connected', error: null }),
      PATIENCE,
    );
  const untilHeld = (hub: HubProcess): Promise<unknown> =>
    vi.waitFor(
      async () =>
        expect(await integration(hub)).toMatchObject({ status: 'needs_action', error: { code: 'SAFE_MODE' } }),
      PATIENCE,
    );
  const startAgain = (hub: HubProcess) =>
    hub.ask('PATCH', '/api/v1/integration/zigbee2mqtt', { token, body: { enabled: true } });
  const claimed = async (): Promise<HubProcess> => {
    const hub = await serve();
    token = (await claimHub(hub)).access_token;
    await untilConnected(hub);
    // It is connected before it has saved what the bridge sent.
    await listDevices(hub, token, 1);
    return hub;
  };

  test('begins after two deaths in a row, shows in API, log and doctor, and ends when the owner says so', async () => {
    await (await claimed()).end('SIGKILL');
    const second = await serve();
    await untilConnected(second);
    await second.end('SIGKILL');
    await vi.waitFor(() => expect(broker.connections()).toBe(0), PATIENCE);
    const third = await serve();
    await untilHeld(third);
    expect((await integration(third)).error?.message).toMatch(/died twice .* start the integration again/);
    await vi.waitFor(async () => {
      const { json: health } = await third.ask('GET', '/api/v1/health', { token });
      expect(health).toMatchObject({
        status: 'degraded',
        integrations: [
          { id: 'mqtt', state: 'connected' },
          { id: 'zigbee2mqtt', state: 'needs_action', error: { code: 'SAFE_MODE' } },
        ],
      });
    }, PATIENCE);
    expect([...broker.subscriptions()], 'nothing comes from the broker that it is connected to').toEqual([]);
    const why = 'the hub died twice within two minutes of taking data from an integration';
    await vi.waitFor(() => expect(third.stderr()).toContain(why), PATIENCE);
    const doctor = await hubs.run(['doctor']);
    expect(doctor.stdout).toMatch(/fail {2}zigbee2mqtt: needs_action: The hub died twice[^]*"enabled": true/);
    const { json: devices } = await third.ask('GET', '/api/v1/device', { token });
    expect(devices).toMatchObject([{ name: 'Plug', availability: { state: 'unknown' } }]);
    await third.end('SIGTERM');

    const fourth = await serve();
    // Also after an orderly end.
    await untilHeld(fourth);
    expect((await startAgain(fourth)).json).toMatchObject({ status: 'connecting', error: null });
    await untilConnected(fourth);
    await vi.waitFor(
      async () => expect((await fourth.ask('GET', '/api/v1/health')).json).toEqual({ status: 'ok' }),
      PATIENCE,
    );
    await fourth.end('SIGKILL');
    await untilConnected(await serve());
  });

  /** Of a hub that dies, before it is ready or after that. */
  const lastWords = async (env: Record<string, string>): Promise<string> => {
    let hub: HubProcess;
    try {
      hub = await serve(env);
    } catch (cause) {
      return String(cause);
    }
    await vi.waitFor(() => expect(existsSync(`/proc/${hub.pid}`)).toBe(false), PATIENCE);
    return hub.stderr();
  };

  test('begins after a list that takes all memory: the hub answers, and goes on once the list is repaired', async () => {
    const env = { NODE_OPTIONS: `--max-old-space-size=64 --require ${POISON}` };
    await (await claimed()).end('SIGTERM');
    await upstream.setDevices([entryOf('Poison')]);
    for (let death = 1; death <= 2; death += 1) {
      expect(await lastWords(env)).toContain('heap out of memory');
    }
    const held = await serve(env);
    await untilHeld(held);
    const { json: devices } = await held.ask('GET', '/api/v1/device', { token });
    expect(devices).toMatchObject([{ name: 'Plug' }]);
    await upstream.setDevices([entryOf('Mended')]);
    await startAgain(held);
    await vi.waitFor(async () => {
      expect((await held.ask('GET', '/api/v1/device', { token })).json).toMatchObject([{ name: 'Mended' }]);
    }, PATIENCE);
  });

  test('also ends for an integration without settings', async () => {
    const env = { HEARTHD_SIMULATE: '1', HEARTHD_MQTT_URL: 'off' };
    const first = await serve(env);
    token = (await claimHub(first)).access_token;
    const simulated = async (hub: HubProcess): Promise<IntegrationJson> =>
      (await hub.ask('GET', '/api/v1/integration/simulated-home', { token })).json as IntegrationJson;
    const untilUp = (hub: HubProcess): Promise<unknown> =>
      vi.waitFor(async () => expect(await simulated(hub)).toMatchObject({ status: 'connected' }), PATIENCE);
    const change = (hub: HubProcess, body: unknown) =>
      hub.ask('PATCH', '/api/v1/integration/simulated-home', { token, body });
    await untilUp(first);
    expect((await change(first, { enabled: true })).status).toBe(200);
    await first.end('SIGKILL');
    const second = await serve(env);
    await untilUp(second);
    await second.end('SIGKILL');
    const third = await serve(env);
    await vi.waitFor(async () => expect((await simulated(third)).error?.code).toBe('SAFE_MODE'), PATIENCE);
    expect((await change(third, { enabled: true, user: 'x' })).status).toBe(422);
    expect((await change(third, { enabled: false })).status).toBe(409);
    expect((await change(third, { enabled: true })).status).toBe(200);
    await untilUp(third);
  });
});
