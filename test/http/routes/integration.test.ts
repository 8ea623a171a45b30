import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { type IntegrationDirectory, integrationRoutes } from '#http/routes/integration.ts';
import type { RouteAnswer } from '#http/route.ts';

function createHarness() {
  const pairing: number[] = [];
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
  };
  const routes = integrationRoutes(directory);
  const call = async (
    method: string,
    path: string,
    input: { id?: string; body?: unknown } = {},
  ): Promise<RouteAnswer> => {
    const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
    if (route === undefined) throw new Error(`no route ${method} ${path}`);
    const answer = await route.handle({
      caller: undefined,
      params: input.id === undefined ? {} : { id: input.id },
      query: undefined,
      body: route.body?.schema.parse(input.body),
      header: () => undefined,
      peer: '127.0.0.1',
      target: path,
      stream: () => null,
      signal: new AbortController().signal,
    });
    expect(route.answers[answer.status]?.parse(answer.json)).toEqual(answer.json);
    return answer;
  };
  return { call, pairing, routes };
}

const ONE = '/api/v1/integration/:id';
const PAIRING = '/api/v1/integration/:id/pairing';

test('the list shows each integration with its state, since when, its error and its devices', async () => {
  const { json } = await createHarness().call('GET', '/api/v1/integration');
  expect(json).toEqual([
    {
      id: 'zigbee2mqtt',
      name: 'Zigbee2MQTT',
      status: 'error',
      since: '2026-01-01T00:00:00.000Z',
      error: { code: 'REFUSED', message: 'nobody listens' },
      devices: 4,
    },
    {
      id: 'simulated-home',
      name: 'Simulated home',
      status: 'connected',
      since: '2026-01-01T00:00:00.001Z',
      error: null,
      devices: 13,
    },
  ]);
});

test('one integration is shown as in the list, an unknown one is not found', async () => {
  const { call } = createHarness();
  expect((await call('GET', ONE, { id: 'simulated-home' })).json).toMatchObject({ id: 'simulated-home', devices: 13 });
  await expect(call('GET', ONE, { id: 'nest' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('pairing is opened for the seconds asked for and closed by delete', async () => {
  const { call, pairing } = createHarness();
  expect(await call('POST', PAIRING, { id: 'zigbee2mqtt', body: { seconds: 120 } })).toEqual({
    status: 200,
    json: { seconds: 120 },
  });
  expect(await call('DELETE', PAIRING, { id: 'zigbee2mqtt' })).toEqual({ status: 204 });
  expect(pairing).toEqual([120, 0]);
});

test.each([
  { seconds: 0 },
  { seconds: 255 },
  { seconds: 1.5 },
  { seconds: '9' },
  {},
  { seconds: 9, forever: true },
  null,
])('pairing with the body %j is refused', async (body) => {
  const { call, pairing } = createHarness();
  await expect(call('POST', PAIRING, { id: 'zigbee2mqtt', body })).rejects.toThrow('code');
  expect(pairing).toEqual([]);
});

test('pairing where there is none is refused as not supported, and as not found where there is no integration', async () => {
  const { call } = createHarness();
  const body = { seconds: 60 };
  for (const method of ['POST', 'DELETE']) {
    await expect(call(method, PAIRING, { id: 'simulated-home', body })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
    await expect(call(method, PAIRING, { id: 'nest', body })).rejects.toBeInstanceOf(HubError);
  }
});

test('A1: reading is for everyone with device:read, pairing for those who manage devices', () => {
  const { routes } = createHarness();
  expect(routes.map((route) => [route.method, route.access])).toEqual([
    ['GET', 'device:read'],
    ['GET', 'device:read'],
    ['POST', 'device:manage'],
    ['DELETE', 'device:manage'],
  ]);
});
