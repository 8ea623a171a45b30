import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';

// A script by someone who knows only the specification: three calls, and of the answers only the tokens.
const login = (base: string): Promise<Response> =>
  fetch(`${base}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(OWNER),
  });
const listDevices = (base: string, token: string): Promise<Response> =>
  fetch(`${base}/api/v1/device`, {
    headers: { Accept: 'application/json, text/plain, */*', authorization: `Bearer ${token}` },
  });
const renew = (base: string, refresh_token: string): Promise<Response> =>
  fetch(`${base}/api/v1/access_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ refresh_token }),
  });
const tokensOf = async (answer: Response): Promise<Record<string, string>> => {
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, string>;
};

let hubs: HubFolder;
let hub: HubProcess;
let tokens: Record<string, string>;

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  await claimHub(hub);
  tokens = await tokensOf(await login(hub.address));
});
afterAll(() => hubs.close());

async function deviceNames(token: string | undefined): Promise<readonly string[]> {
  const answer = await listDevices(hub.address, token ?? '');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
}

test('a script written from the specification logs in and lists the devices', async () => {
  const names = await deviceNames(tokens['access_token']);
  expect(names).toContain('Kitchen ceiling');
  expect(names.length).toBeGreaterThan(10);
});

test('the refreshed token works, and the same refresh token works again', async () => {
  const first = await tokensOf(await renew(hub.address, tokens['refresh_token'] ?? ''));
  const second = await tokensOf(await renew(hub.address, tokens['refresh_token'] ?? ''));
  expect(new Set([tokens, first, second].map(({ access_token }) => access_token)).size).toBe(3);
  expect(await deviceNames(first['access_token'])).toContain('Kitchen ceiling');
  expect(await deviceNames(second['access_token'])).toContain('Kitchen ceiling');
});

test.each(['SIGTERM', 'SIGKILL'] as const)('both tokens live on when the hub ended with %s', async (signal) => {
  await hub.end(signal);
  hub = await hubs.serve();
  expect(await deviceNames(tokens['access_token'])).toContain('Kitchen ceiling');
  for (let time = 0; time < 2; time += 1) {
    const renewed = await tokensOf(await renew(hub.address, tokens['refresh_token'] ?? ''));
    expect(await deviceNames(renewed['access_token'])).toContain('Kitchen ceiling');
  }
});
