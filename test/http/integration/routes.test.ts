import { expect, test } from 'vitest';
import type { IntegrationSettings } from '#core/integration/integration-settings.ts';
import type { IntegrationDirectory } from '#http/integration/directory.ts';
import { integrationRoutes } from '#http/integration/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const SETTINGS: IntegrationSettings = {
  enabled: { value: true, fixedBy: null },
  address: { value: 'mqtt://10.0.0.1', fixedBy: 'HEARTHD_MQTT_URL in the environment' },
  user: { value: null, fixedBy: null },
  password: { value: true, fixedBy: null },
  baseTopic: { value: 'zigbee2mqtt', fixedBy: null },
};

function createHarness() {
  const pairing: number[] = [];
  const changes: unknown[] = [];
  const directory: IntegrationDirectory = {
    reports: () => [
      {
        id: 'zigbee2mqtt',
        name: 'Zigbee2MQTT',
        status: { state: 'error', sinceMs: 1_767_225_600_000, error: { code: 'REFUSED', message: 'nobody listens' } },
        devices: 4,
      },
      {
        id: 'simulated-home',
        name: 'Simulated home',
        status: { state: 'connected', sinceMs: 1_767_225_600_001, error: null },
        devices: 13,
      },
    ],
    findIntegration: (id) => {
      if (id === 'zigbee2mqtt')
        return { name: 'Zigbee2MQTT', openPairing: async (seconds) => void pairing.push(seconds) };
      return id === 'simulated-home' ? { name: 'Simulated home' } : undefined;
    },
    isSetUp: ({ id }) => id !== 'zigbee2mqtt',
    settingsOf: (id) => (id === 'zigbee2mqtt' ? SETTINGS : undefined),
    isInSafeMode: () => false,
    endSafeMode: async () => undefined,
    changeSettings: async (id, change) => void changes.push([id, change]),
  };
  const { request } = createTestApp(integrationRoutes({ integrations: directory }));
  const call = (line: string, body?: unknown, who = 'admin'): Promise<Response> => {
    const [method = '', path = ''] = line.split(' ');
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json' };
    return request(`/api/v1/integration${path}`, { method, headers, ...json });
  };
  return { call, pairing, changes };
}

const codeOf = async (answer: Response): Promise<string> => {
  const { code } = (await answer.json()) as { code: string };
  return `${answer.status} ${code}`;
};

test('the list shows each integration with its state, the time of that state, its error and its number of devices', async () => {
  const answer = await createHarness().call('GET ', undefined, 'resident');
  expect(await answer.json()).toEqual([
    {
      id: 'zigbee2mqtt',
      name: 'Zigbee2MQTT',
      status: 'error',
      since: '2026-01-01T00:00:00.000Z',
      error: { code: 'REFUSED', message: 'nobody listens' },
      devices: 4,
      can_pair: true,
      is_set_up: false,
    },
    {
      id: 'simulated-home',
      name: 'Simulated home',
      status: 'connected',
      since: '2026-01-01T00:00:00.001Z',
      error: null,
      devices: 13,
      can_pair: false,
      is_set_up: true,
    },
  ]);
});

test('one integration looks as in the list; an unknown one is 404', async () => {
  const { call } = createHarness();
  const one = await call('GET /simulated-home');
  expect(await one.json()).toMatchObject({ id: 'simulated-home', devices: 13 });
  expect(await codeOf(await call('GET /nest'))).toBe('404 NOT_FOUND');
});

test('POST opens pairing for the requested seconds and DELETE closes it', async () => {
  const { call, pairing } = createHarness();
  const opened = await call('POST /zigbee2mqtt/pairing', { seconds: 120 });
  expect([opened.status, await opened.json()]).toEqual([200, { seconds: 120 }]);
  expect((await call('DELETE /zigbee2mqtt/pairing')).status).toBe(204);
  expect(pairing).toEqual([120, 0]);
});

test.each([
  { seconds: 0 },
  { seconds: 255 },
  { seconds: 1.5 },
  { seconds: '9' },
  {},
  { seconds: 9, ever: true },
  [],
  null,
])('pairing with the body %j is refused', async (body) => {
  const { call, pairing } = createHarness();
  expect(await codeOf(await call('POST /zigbee2mqtt/pairing', body))).toBe('422 VALIDATION_FAILED');
  expect(pairing).toEqual([]);
});

test.each(['POST', 'DELETE'])(
  '%s of pairing at an integration without pairing is refused with that reason',
  async (method) => {
    const { call } = createHarness();
    const body = method === 'POST' ? { seconds: 60 } : undefined;
    expect(await codeOf(await call(`${method} /simulated-home/pairing`, body))).toBe('409 NOT_SUPPORTED');
    expect(await codeOf(await call(`${method} /nest/pairing`, body))).toBe('404 NOT_FOUND');
  },
);

test.each([
  ['GET ', 'guest', 200],
  ['GET /zigbee2mqtt', 'resident', 200],
  ['POST /zigbee2mqtt/pairing', 'resident', 403],
  ['DELETE /zigbee2mqtt/pairing', 'resident', 403],
  ['DELETE /zigbee2mqtt/pairing', 'admin', 204],
  ['PATCH /zigbee2mqtt', 'resident', 403],
])('A1: %s by a %s is answered with %i', async (line, who, status) => {
  const { call, pairing } = createHarness();
  const body = line.startsWith('POST') ? { seconds: 60 } : undefined;
  expect((await call(line, body, who)).status).toBe(status);
  expect(pairing).toEqual(status === 204 ? [0] : []);
});

test('only callers who may change the settings see them; the password is never shown, and fixed settings are marked', async () => {
  const { call } = createHarness();
  const { settings } = (await (await call('GET /zigbee2mqtt')).json()) as { settings: unknown };
  expect(settings).toEqual({
    enabled: { value: true, fixed: false, fixed_by: null },
    address: { value: 'mqtt://10.0.0.1', fixed: true, fixed_by: 'HEARTHD_MQTT_URL in the environment' },
    user: { value: null, fixed: false, fixed_by: null },
    password: { is_set: true, fixed: false, fixed_by: null },
    base_topic: { value: 'zigbee2mqtt', fixed: false, fixed_by: null },
  });
  expect(await (await call('GET /zigbee2mqtt', undefined, 'resident')).json()).not.toHaveProperty('settings');
  expect(await (await call('GET /simulated-home')).json()).not.toHaveProperty('settings');
});

test('a change of settings reaches the integration unchanged', async () => {
  const { call, changes } = createHarness();
  const answer = await call('PATCH /zigbee2mqtt', { enabled: false, password: null, base_topic: 'z2m' });
  expect([answer.status, await answer.json()]).toMatchObject([200, { id: 'zigbee2mqtt', status: 'error' }]);
  expect(changes).toEqual([['zigbee2mqtt', { enabled: false, password: null, baseTopic: 'z2m' }]]);
});

test.each([{ enabled: 1 }, { adress: 'mqtt://10.0.0.1' }, { address: null }, []])(
  'the settings %j are refused',
  async (body) => {
    const { call, changes } = createHarness();
    expect(await codeOf(await call('PATCH /zigbee2mqtt', body))).toBe('422 VALIDATION_FAILED');
    expect(changes).toEqual([]);
  },
);

test('an integration without settings refuses a change of them', async () => {
  const { call } = createHarness();
  expect(await codeOf(await call('PATCH /simulated-home', {}))).toBe('409 NOT_SUPPORTED');
  expect(await codeOf(await call('PATCH /nest', {}))).toBe('404 NOT_FOUND');
});
