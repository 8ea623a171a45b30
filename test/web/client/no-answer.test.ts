import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHubClient, type HubClient } from '#web/client/hub-client.ts';
import type { SignInDeps, Tokens, TokenStore } from '#web/client/sign-in.ts';

/** Requests that wait for an answer. A request that the client gives up is removed. */
let waiting: string[];
let answer: ((path: string, signal: AbortSignal) => Response | undefined) | undefined;
const fetch: SignInDeps['fetch'] = (url, init) =>
  new Promise((resolve, reject) => {
    const signal = init?.signal ?? new AbortController().signal;
    const given = answer?.(url, signal);
    if (given !== undefined) return resolve(given);
    waiting.push(url);
    signal.addEventListener('abort', () => {
      waiting.splice(waiting.indexOf(url), 1);
      reject(new DOMException('given up', 'AbortError'));
    });
  });
const storeOf = (tokens: Tokens): TokenStore => {
  let kept: Tokens | null = tokens;
  return { load: () => kept, save: (saved) => (kept = saved) };
};
const clientOf = (tokens: Tokens = { accessToken: 'access', refreshToken: 'refresh' }): HubClient =>
  createHubClient({ baseUrl: '', store: storeOf(tokens), fetch });

/** Timers that the page has set, and that have neither run nor been cleared. Other files of the process have theirs. */
const timers = new Set<unknown>();
function watchTimers(): void {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms, ...args) => {
    const isOurs = new Error('who sets it').stack?.includes('/src/web/') === true;
    const timer = set(() => {
      timers.delete(timer);
      run(...args);
    }, ms);
    if (isOurs) timers.add(timer);
    return timer;
  });
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    timers.delete(timer);
    clear(timer);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  timers.clear();
  watchTimers();
  waiting = [];
  answer = undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const CALLS: readonly (readonly [what: string, ms: number, run: (client: HubClient) => Promise<unknown>])[] = [
  ['what is read', 10_000, (client) => client.call('GET', '/hub')],
  ['the list of devices', 10_000, (client) => client.listDevices()],
  ['what is changed', 30_000, (client) => client.call('PATCH', '/hub', { name: 'Home' })],
  ['a command', 4_000, (client) => client.command('lamp', { set: { on: true } }, 2)],
  ['a command on the way of a slider', 4_000, (client) => client.command('lamp', { set: { on: true } }, 0)],
  ['a command for many', 6_000, (client) => client.commandAll({ room: 'hall' }, { set: { on: true } }, 4)],
  ['a login', 30_000, (client) => client.logIn({ email: 'ada@example.org', password: 'cup river stamp' })],
];

test.each(CALLS)('%s is given up after %i ms without an answer, as it is without a network', async (_what, ms, run) => {
  const outcome = vi.fn<(cause: unknown) => void>();
  run(clientOf()).catch(outcome);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect([waiting.length, outcome.mock.calls.length, timers.size]).toEqual([1, 0, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome.mock.calls).toEqual([[expect.any(TypeError)]]);
  expect([waiting, timers.size]).toEqual([[], 0]);
});

test('a refresh token that has waited for 10 s is not sent any more: another tab may have exchanged it long ago', async () => {
  const outcomes: unknown[] = [];
  const client = clientOf({ accessToken: '', refreshToken: 'refresh' });
  for (let count = 0; count < 3; count += 1) client.call('GET', '/hub').catch((cause: unknown) => outcomes.push(cause));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(waiting).toEqual(['/api/v1/access_token']);
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting).toEqual([]);
  expect(outcomes.map((cause) => cause instanceof TypeError)).toEqual([true, true, true]);
});

test('a stream that is not accepted within 8 s, or is silent for 18 s, is opened again', async () => {
  const connections: boolean[] = [];
  const opened: number[] = [];
  const beat = 'event: hub.heartbeat\ndata: {"at":"2026-11-22T00:00:00.000Z"}\n\n';
  let startMs = Date.now();
  let isAccepting = false;
  answer = (_path, signal) => {
    opened.push(Date.now() - startMs);
    startMs = Date.now();
    if (!isAccepting) return undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(beat));
        signal.addEventListener('abort', () => controller.error(new DOMException('given up', 'AbortError')));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const stop = clientOf().follow({
    onEvent: () => undefined,
    onSnapshot: () => undefined,
    onConnection: (isConnected) => void connections.push(isConnected),
    onRefused: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(8_100);
  expect([opened.length, connections]).toEqual([1, [false]]);
  isAccepting = true;
  await vi.advanceTimersByTimeAsync(900);
  expect([opened.length, connections]).toEqual([2, [false, true]]);
  await vi.advanceTimersByTimeAsync(17_000);
  expect(connections).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(connections).toEqual([false, true, false, true]);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([opened.length, timers.size]).toEqual([3, 0]);
});
