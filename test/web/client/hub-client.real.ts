import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { HubEvent, Snapshot } from '#web/client/event-feed.ts';
import { createHubClient } from '#web/client/hub-client.ts';
import type { SignInDeps, Tokens, TokenStore } from '#web/client/sign-in.ts';
import {
  claimHub,
  createHubFolder,
  type DeviceJson,
  type HubFolder,
  type HubProcess,
  OWNER,
} from '#test/support/daemon/hub-process.ts';

const SOON = { interval: 20 };
const LAMP = 'kitchen-ceiling';

let hubs: HubFolder;
let hub: HubProcess;
let store: TokenStore;
/** The requests that the client sent, as `METHOD /path`. */
let sent: string[];
/** Loses the next answer to this request, after the hub has carried it out. */
let lose: string | undefined;
/** Cuts off all answers that the client is still reading. */
let cut: AbortController;

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  await claimHub(hub);
});
afterAll(() => hubs.close());
beforeEach(() => {
  let tokens: Tokens | null = null;
  store = { load: () => tokens, save: (saved) => (tokens = saved) };
  sent = [];
  lose = undefined;
  cut = new AbortController();
});

const overNetwork: SignInDeps['fetch'] = async (url, init) => {
  const call = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
  sent.push(call);
  const signals = [cut.signal, init?.signal].filter((signal) => signal !== undefined && signal !== null);
  const answer = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
  if (lose === undefined || !call.includes(lose)) return answer;
  lose = undefined;
  throw new TypeError('fetch failed');
};
async function signedIn() {
  const client = createHubClient({ baseUrl: hub.address, store, fetch: overNetwork });
  await client.logIn({ ...OWNER, clientName: 'test' });
  return client;
}

test('a login gives a session that rotates, a logout ends it', async () => {
  const client = await signedIn();
  expect(client.isSignedIn()).toBe(true);
  expect(await client.call('GET', '/me')).toMatchObject({ email: OWNER.email });
  await client.logOut();
  expect([client.isSignedIn(), store.load()]).toEqual([false, null]);
  await expect(client.call('GET', '/me')).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('a wrong password throws the problem of the hub', async () => {
  const client = createHubClient({ baseUrl: hub.address, store, fetch: overNetwork });
  const wrong = client.logIn({ ...OWNER, password: 'not it at all' });
  await expect(wrong).rejects.toMatchObject({ name: 'HubProblem', status: 401, code: 'INVALID_CREDENTIALS' });
});

test('twenty refused requests renew the token once, and all are answered', async () => {
  const client = await signedIn();
  const old = store.load();
  store.save({ accessToken: 'spoilt', refreshToken: old?.refreshToken ?? '' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.call<{ id: string }>('GET', '/hub')));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(sent.filter((call) => call === 'POST /api/v1/access_token')).toHaveLength(1);
  expect(store.load()?.refreshToken).not.toBe(old?.refreshToken);
});

test('a renewal whose answer was lost can be repeated', async () => {
  const client = await signedIn();
  store.save({ accessToken: 'spoilt', refreshToken: store.load()?.refreshToken ?? '' });
  lose = 'access_token';
  await expect(client.call('GET', '/hub')).rejects.toThrow('fetch failed');
  expect(await client.call('GET', '/hub')).toHaveProperty('id');
});

test('a token that another tab has renewed is taken from the store', async () => {
  const client = await signedIn();
  const [first, other] = [store.load(), await signedIn().then(() => store.load())];
  store.save(first);
  const asked = sent.length;
  let loads = 0;
  const spoilt = { accessToken: 'spoilt', refreshToken: 'old' };
  const shared: TokenStore = { load: () => ((loads += 1) === 1 ? spoilt : other), save: () => undefined };
  const tab = createHubClient({ baseUrl: hub.address, store: shared, fetch: overNetwork });
  // Not of the hub itself, which says what time it is.
  expect(await tab.call('GET', '/me')).toEqual(await client.call('GET', '/me'));
  expect(sent.slice(asked)).not.toContain('POST /api/v1/access_token');
});

test('with only a refresh token, the first request gets an access token, once', async () => {
  const client = await signedIn();
  store.save({ accessToken: '', refreshToken: store.load()?.refreshToken ?? '' });
  sent = [];
  await Promise.all(Array.from({ length: 5 }, () => client.call('GET', '/hub')));
  expect(sent.filter((call) => call === 'POST /api/v1/access_token')).toHaveLength(1);
  expect(sent).toHaveLength(6);
});

test('a late answer to a renewal undoes neither a logout nor another login', async () => {
  await signedIn();
  const other = store.load();
  for (const meanwhile of [null, other]) {
    await signedIn();
    const late: SignInDeps['fetch'] = async (...request) => {
      const answer = await overNetwork(...request);
      if (request[0].endsWith('/access_token')) store.save(meanwhile);
      return answer;
    };
    const tab = createHubClient({ baseUrl: hub.address, store, fetch: late });
    store.save({ accessToken: '', refreshToken: store.load()?.refreshToken ?? '' });
    const [outcome] = await Promise.allSettled([tab.call('GET', '/hub')]);
    expect([outcome.status, store.load()]).toEqual([meanwhile === null ? 'rejected' : 'fulfilled', meanwhile]);
  }
});

test('a client with an invalid refresh token is signed out', async () => {
  const client = await signedIn();
  store.save({ accessToken: 'spoilt', refreshToken: 'spoilt' });
  await expect(client.call('GET', '/hub')).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  expect(client.isSignedIn()).toBe(false);
});

test('a list that did not change is the same list', async () => {
  const client = await signedIn();
  await vi.waitFor(async () => {
    const first = await client.listDevices();
    expect(first.devices.map(({ selector }) => selector)).toContain(LAMP);
    const again = await client.listDevices();
    expect(again.devices).toBe(first.devices);
    expect(again.cursor).toMatch(/^\w+-\d+$/);
  }, SOON);
});

test('a command is confirmed, and sent once although its answer was lost', async () => {
  const client = await signedIn();
  expect(await client.command(LAMP, { set: { on: true } }, 5)).toMatchObject({ status: 'confirmed' });
  const commands: unknown[] = [];
  const stop = client.follow(
    {
      onEvent: ({ data }) => void commands.push((data as { command: { id: string } }).command.id),
      onSnapshot: () => commands.push('snapshot'),
      onRefused: (problem) => void commands.push(problem),
    },
    { types: ['command.changed'] },
  );
  await vi.waitFor(() => expect(commands).toEqual(['snapshot']), SOON);
  lose = '/command';
  const { id, status } = await client.command(LAMP, { set: { on: false } }, 5);
  expect(status).toBe('confirmed');
  await vi.waitFor(() => expect(new Set(commands)).toEqual(new Set(['snapshot', id])), SOON);
  stop();
  expect(sent.filter((call) => call.endsWith('/command'))).toHaveLength(3);
  await expect(client.command(LAMP, { set: { brightness: 200 } })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/set/brightness' }],
  });
});

test('events begin with a snapshot and go on where the connection broke; a restart is a new snapshot', async () => {
  const client = await signedIn();
  const snapshots: Snapshot[] = [];
  const events: HubEvent[] = [];
  const connections: boolean[] = [];
  const refused: unknown[] = [];
  const stop = client.follow({
    onEvent: (event) => void events.push(event),
    onSnapshot: (snapshot) => void snapshots.push(snapshot),
    onConnection: (isConnected) => void connections.push(isConnected),
    onRefused: (problem) => void refused.push(problem),
  });
  await vi.waitFor(() => expect(snapshots).toHaveLength(1), SOON);
  expect(snapshots[0]?.devices.map(({ selector }) => selector)).toContain(LAMP);

  const names = Array.from({ length: 12 }, (_, index) => `Lamp ${index}`);
  for (const [index, name] of names.entries()) {
    await client.call('PATCH', `/device/${LAMP}`, { name });
    if (index % 4 !== 3) continue;
    cut.abort();
    cut = new AbortController();
  }
  const received = (): unknown[] =>
    events
      .filter(({ type }) => type === 'device.changed')
      .map(({ data }) => (data as { device: DeviceJson }).device.name);
  await vi.waitFor(() => expect(received()).toEqual(names), SOON);
  expect(connections.filter((isConnected) => !isConnected).length).toBeGreaterThan(0);
  const ids = events.map(({ id }) => Number(id?.split('-')[1]));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));

  const port = new URL(hub.address).port;
  await hub.end('SIGTERM');
  hub = await hubs.serve({ HEARTHD_PORT: port });
  await vi.waitFor(() => expect(snapshots).toHaveLength(2), { timeout: 40_000, interval: 50 });
  expect(events.find(({ type }) => type === 'hub.gap')?.data).toMatchObject({ reason: 'restarted' });
  expect([refused, hub.address.endsWith(`:${port}`)]).toEqual([[], true]);
  stop();
});

test('a client whose session has ended is signed out and does not reconnect', async () => {
  const client = await signedIn();
  const refused: unknown[] = [];
  const snapshots: unknown[] = [];
  client.follow({
    onEvent: () => undefined,
    onSnapshot: (snapshot) => void snapshots.push(snapshot),
    onRefused: (problem) => void refused.push(problem),
  });
  await vi.waitFor(() => expect(snapshots).toHaveLength(1), SOON);
  const other = createHubClient({ baseUrl: hub.address, store: { load: () => store.load(), save: () => undefined } });
  await other.logOut();
  await vi.waitFor(() => expect(refused).toMatchObject([{ code: 'INVALID_REFRESH_TOKEN' }]), SOON);
});

test('the client is small, and needs nothing but the browser', async () => {
  const entry = join(import.meta.dirname, '../../../src/web/client/hub-client.ts');
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  process.stdout.write(`web client: ${contents.length} bytes minified, ${gzipSync(contents).length} gzipped\n`);
  expect(contents.length).toBeLessThan(8 * 1024);
});
