import { existsSync, readFileSync } from 'node:fs';
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
  const claimed = async (env: Readonly<Record<string, string>> = {}): Promise<HubProcess> => {
    const hub = await serve(env);
    token = (await claimHub(hub)).access_token;
    await untilConnected(hub);
    // It is connected before it has saved what the bridge sent.
    await listDevices(hub, token, 1);
    return hub;
  };
  const env = { NODE_OPTIONS: `--max-old-space-size=64 --require ${POISON}` };
  const isThere = ({ pid }: HubProcess): boolean => existsSync(`/proc/${pid}`);
  const untilGone = (hub: HubProcess): Promise<unknown> =>
    vi.waitFor(() => expect(isThere(hub), `the hub is there: ${hub.stderr()}`).toBe(false), PATIENCE);
  /** The hub has its first messages behind it, and gets a last one. */
  const die = async (hub: HubProcess, poison: 'memory' | 'hang'): Promise<void> => {
    await untilConnected(hub);
    // It is connected before it listens to its devices, and the broker keeps no such message.
    const isHit = (): boolean => (poison === 'hang' ? hub.stderr().includes('it hangs') : !isThere(hub));
    await vi.waitFor(async () => {
      await upstream.publish('Plug', { poison });
      expect(isHit()).toBe(true);
    }, PATIENCE);
    // As the watchdog of systemd does.
    if (poison === 'hang') await hub.end('SIGABRT');
    await untilGone(hub);
  };

  test.each(['memory', 'hang'] as const)(
    'begins after three deaths of a message (%s), shows in API, log and doctor, and ends when the owner says so',
    async (poison) => {
      await die(await claimed(env), poison);
      await die(await serve(env), poison);
      await die(await serve(env), poison);
      await vi.waitFor(() => expect(broker.connections()).toBe(0), PATIENCE);
      const fourth = await serve();
      await untilHeld(fourth);
      expect((await integration(fourth)).error?.message).toMatch(/ended three times .* start it again/);
      await vi.waitFor(async () => {
        const { json: health } = await fourth.ask('GET', '/api/v1/health', { token });
        expect(health).toMatchObject({
          status: 'degraded',
          integrations: [
            { id: 'mqtt', state: 'connected' },
            { id: 'zigbee2mqtt', state: 'needs_action', error: { code: 'SAFE_MODE' } },
          ],
          put_off: [],
        });
      }, PATIENCE);
      expect([...broker.subscriptions()], 'nothing comes from the broker that it is connected to').toEqual([]);
      const why = 'the hub ended 3 times within an hour while it served this';
      await vi.waitFor(() => expect(fourth.stderr()).toContain(why), PATIENCE);
      const doctor = await hubs.run(['doctor']);
      expect(doctor.stdout).toMatch(/fail {2}zigbee2mqtt: needs_action: The hub ended three[^]*"enabled": true/);
      const { json: devices } = await fourth.ask('GET', '/api/v1/device', { token });
      expect(devices).toMatchObject([{ name: 'Plug', availability: { state: 'unknown' } }]);
      await fourth.end('SIGTERM');

      const fifth = await serve();
      // Also after an orderly end.
      await untilHeld(fifth);
      expect((await startAgain(fifth)).json).toMatchObject({ status: 'connecting', error: null });
      await untilConnected(fifth);
      await vi.waitFor(
        async () => expect((await fifth.ask('GET', '/api/v1/health')).json).toEqual({ status: 'ok' }),
        PATIENCE,
      );
      await fifth.end('SIGKILL');
      await untilConnected(await serve());
    },
  );

  /** The mark of an idle hub names nothing, and a question leaves none. */
  const untilIdle = (): Promise<void> => {
    const mark = join(hubs.folder, 'state/run/served');
    return vi.waitFor(() => expect(readFileSync(mark, 'utf8')).toMatch(/"serving":null/), PATIENCE);
  };

  test('counts no orderly ends and no ends of an idle hub, however many', async () => {
    let hub = await claimed();
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      if (signal === 'SIGKILL') await untilIdle();
      await hub.end(signal);
      hub = await serve();
      await untilConnected(hub);
    }
    expect(hub.stderr()).not.toContain('put off');
  });

  /** Of a hub that dies, before it is ready or after that. */
  const lastWords = async (env: Record<string, string>): Promise<string> => {
    let hub: HubProcess;
    try {
      hub = await serve(env);
    } catch (cause) {
      return String(cause);
    }
    await untilGone(hub);
    return hub.stderr();
  };

  test('begins after a list that takes all memory: the hub answers, and goes on once the list is repaired', async () => {
    await (await claimed()).end('SIGTERM');
    await upstream.setDevices([entryOf('Poison')]);
    for (let death = 1; death <= 3; death += 1) {
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

  test('puts off all automations after three deaths in one, and runs them again by one call', async () => {
    let hub = await claimed(env);
    const home = '/api/v1/automation';
    const body = { name: 'Evening', triggers: [], steps: [{ delay: { s: 666 } }] };
    const made = await hub.ask('POST', home, { token, body });
    expect(made.status, `the answer: ${JSON.stringify(made.json)}`).toBe(201);
    const { id } = made.json as { id: string };
    for (let death = 1; death <= 3; death += 1) {
      const running = hub.ask('POST', `${home}/${id}/run`, { token }).catch(() => 'the hub is gone');
      await vi.waitFor(() => expect(hub.stderr()).toContain('it hangs'), PATIENCE);
      await hub.end('SIGABRT');
      expect(await running).toBe('the hub is gone');
      hub = await serve(env);
    }
    const health = async () => (await hub.ask('GET', '/api/v1/health', { token })).json;
    expect(await health()).toMatchObject({ status: 'degraded', put_off: ['automations'] });
    expect(hub.stderr().match(/it is put off .*serving=automations/g), 'once for the process').toHaveLength(1);
    expect((await hubs.run(['doctor'])).stdout).toMatch(/fail {2}automations: none runs[^]*automation\/resume/);
    expect((await hub.ask('GET', home, { token })).json).toMatchObject([{ id, running: 0 }]);
    expect((await hub.ask('POST', `${home}/${id}/run`, { token })).json).toMatchObject({
      code: 'AUTOMATION_NOT_READY',
    });
    await hub.end('SIGTERM');
    hub = await serve();
    expect(await health(), 'also after an orderly end').toMatchObject({ put_off: ['automations'] });
    expect((await hub.ask('POST', `${home}/resume_all`, { token })).status).toBe(204);
    expect(await health()).toMatchObject({ put_off: [] });
    expect((await hub.ask('POST', `${home}/${id}/run`, { token })).status).toBe(200);
    expect((await hub.ask('GET', home, { token })).json).toMatchObject([{ id, running: 1 }]);
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
    expect((await change(first, { enabled: true })).status).toBe(200);
    const mark = join(hubs.folder, 'state/run/served');
    const dieAtWork = async (hub: HubProcess): Promise<void> => {
      await untilUp(hub);
      await change(hub, { enabled: false });
      await change(hub, { enabled: true });
      await vi.waitFor(() => expect(readFileSync(mark, 'utf8')).toContain('integration simulated-home'), PATIENCE);
      await hub.end('SIGKILL');
    };
    await dieAtWork(first);
    await dieAtWork(await serve(env));
    await dieAtWork(await serve(env));
    const third = await serve(env);
    await vi.waitFor(async () => expect((await simulated(third)).error?.code).toBe('SAFE_MODE'), PATIENCE);
    expect((await change(third, { enabled: true, user: 'x' })).status).toBe(422);
    expect((await change(third, { enabled: false })).status).toBe(409);
    expect((await change(third, { enabled: true })).status).toBe(200);
    await untilUp(third);
  });
});
