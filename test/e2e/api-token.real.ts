import { expect, onTestFinished, test, vi } from 'vitest';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { type Answer, claimHub, createHubFolder, type HubProcess, logIn } from '#test/support/daemon/hub-process.ts';

const SOON = { interval: 25 };

type Made = { readonly id: string; readonly token: string };

async function makeToken(hub: HubProcess, token: string, more: object = {}): Promise<Made> {
  const body = { name: 'script', preset: 'read_only', ...more };
  const { status, json } = await hub.ask('POST', '/api/v1/api_token', { token, body });
  expect(status).toBe(201);
  return json as Made;
}
const list = (hub: HubProcess, token: string, localAddress = '127.0.0.1'): Promise<Answer> =>
  hub.ask('GET', '/api/v1/device', { token, localAddress });

test('A8: an API token lives across restarts with its last use; revoked, it is dead at once and its stream ends in 5 s', async () => {
  const hubs = createHubFolder();
  onTestFinished(hubs.close);
  const first = await hubs.serve();
  const owner = (await claimHub(first)).access_token;
  const { id, token } = await makeToken(first, owner);
  const near = await makeToken(first, owner, { name: 'near', networks: ['127.0.0.9'] });
  expect((await list(first, token, '127.0.0.7')).status).toBe(200);
  expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });

  const hub = await hubs.serve();
  const { json } = await hub.ask('GET', '/api/v1/api_token', { token: owner });
  expect(json).toMatchObject([
    { id, last_address: '127.0.0.7', last_used_at: expect.any(String) },
    { id: near.id, last_address: null, last_used_at: null },
  ]);
  expect((await list(hub, near.token, '127.0.0.9')).status).toBe(200);
  const refused = await list(hub, near.token, '127.0.0.8');
  expect([refused.status, refused.json]).toEqual([403, expect.objectContaining({ code: 'NETWORK_REFUSED' })]);

  const stream = hub.ask('GET', '/api/v1/event', { token, headers: { Accept: 'text/event-stream' } });
  await vi.waitFor(async () => {
    const health = await hub.ask('GET', '/api/v1/health', { token: owner });
    expect(health.json).toMatchObject({ event_clients: 1 });
  }, SOON);
  const passedMs = startStopwatch();
  expect((await hub.ask('DELETE', `/api/v1/api_token/${id}`, { token: owner })).status).toBe(204);
  expect((await list(hub, token)).status).toBe(401);
  const frames = (await stream).bytes.toString();
  expectBelow('from the end of a token to the end of its stream, ms', passedMs(), 5_000);
  expect(frames).toMatch(new RegExp(`event: api_token\\.revoked\\ndata: .*${id}.*\\n\\n$`));

  expect(await hub.end('SIGKILL')).toBeDefined();
  const last = await hubs.serve();
  expect((await list(last, token)).status).toBe(401);
  expect((await list(last, near.token, '127.0.0.9')).status).toBe(200);
});

test('A8: the tokens and streams of a removed person end with the account', async () => {
  const hubs = createHubFolder();
  onTestFinished(hubs.close);
  const hub = await hubs.serve();
  const owner = (await claimHub(hub)).access_token;
  const bo = { email: 'bo@example.org', password: 'pebble window 9' };
  const added = await hub.ask('POST', '/api/v1/user', { token: owner, body: { ...bo, name: 'Bo', role: 'resident' } });
  const { token } = await makeToken(hub, (await logIn(hub, bo)).access_token);
  const stream = hub.ask('GET', '/api/v1/event', { token });
  await vi.waitFor(async () => {
    expect((await hub.ask('GET', '/api/v1/health', { token: owner })).json).toMatchObject({ event_clients: 1 });
  }, SOON);
  const { id } = added.json as { id: string };
  const passedMs = startStopwatch();
  expect((await hub.ask('DELETE', `/api/v1/user/${id}`, { token: owner })).status).toBe(204);
  expect((await list(hub, token)).status).toBe(401);
  expect((await stream).bytes.toString()).toContain('event: api_token.revoked');
  expectBelow('from the end of an account to the end of its stream, ms', passedMs(), 5_000);
});
