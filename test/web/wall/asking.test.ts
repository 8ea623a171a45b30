import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Asking, startAsking } from '#web/wall/asking.ts';

type Answer = { readonly status: number; readonly json?: unknown; readonly headers?: Record<string, string> } | 'away';

const ASKED = { id: 'one', secret: 's', code: '493027', expires_in: 300 };
const OPEN: Answer = { status: 200, json: { state: 'open' } };
const KEY = 'hearthd.wall.request';

function startScreen(answers: Answer[], kept: Record<string, string> = {}) {
  const calls: string[] = [];
  const seen: Asking[] = [];
  const tokens: string[] = [];
  const items = new Map(Object.entries(kept));
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', headers }: RequestInit) => {
    calls.push([method, path, (headers as Record<string, string>)['Hearthd-Wall']].filter(Boolean).join(' '));
    const answer = answers.shift() ?? OPEN;
    if (answer === 'away') throw new TypeError('no network');
    return new Response(JSON.stringify(answer.json ?? {}), {
      status: answer.status,
      headers: { 'Content-Type': 'application/problem+json', ...answer.headers },
    });
  });
  const shelf = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const stop = startAsking({
    shelf,
    name: 'Tablet',
    onChange: (asking) => void seen.push(asking),
    onToken: (token) => void tokens.push(token),
  });
  return { calls, seen, tokens, items, stop, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe('a screen without a token', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('asks, looks every few seconds, and takes the token', async () => {
    const allowed = { status: 200, json: { state: 'allowed', token: 'hat_x' } };
    const { calls, seen, tokens, items, pass } = startScreen([{ status: 201, json: ASKED }, OPEN, allowed]);
    await pass(0);
    expect([seen.at(-1), items.has(KEY)]).toEqual([{ state: 'open', code: '493027' }, true]);
    await pass(60_000);
    expect([tokens, calls.length, items.size]).toEqual([['hat_x'], 3, 0]);
    expect(calls[1]).toBe('GET /api/v1/wall_request/one s');
  });

  test('keeps its digits while the network is away, and shows new ones when they have ended', async () => {
    const next = { status: 201, json: { ...ASKED, id: 'two', code: '000001' } };
    const { seen, pass } = startScreen([{ status: 201, json: ASKED }, 'away', 'away', OPEN, { status: 404 }, next]);
    await pass(3_000);
    expect(seen.at(-1)).toEqual({ state: 'away', code: '493027' });
    await pass(10_000);
    expect(seen.at(-1)).toEqual({ state: 'open', code: '493027' });
    await pass(3_000);
    await pass(1);
    expect(seen.at(-1)).toEqual({ state: 'open', code: '000001' });
  });

  test('goes on with what it asked before a reload, and waits as long as the hub says', async () => {
    const busy = { status: 429, json: { code: 'TOO_MANY_REQUESTS' }, headers: { 'Retry-After': '60' } };
    const { calls, seen, pass } = startScreen([{ status: 404 }, busy, { status: 201, json: ASKED }], {
      [KEY]: JSON.stringify(ASKED),
    });
    await pass(0);
    await pass(1);
    expect(calls).toEqual(['GET /api/v1/wall_request/one s', 'POST /api/v1/wall_request']);
    expect(seen.at(-1)).toEqual({ state: 'busy', code: null });
    await pass(59_000);
    expect(calls).toHaveLength(2);
    await pass(1_000);
    expect(seen.at(-1)).toEqual({ state: 'open', code: '493027' });
  });

  test('asks no more once a person has refused it, nor after it was stopped', async () => {
    const refused = { status: 200, json: { state: 'refused' } };
    const one = startScreen([{ status: 201, json: ASKED }, refused]);
    await one.pass(60_000);
    expect([one.seen.at(-1), one.calls.length]).toEqual([{ state: 'refused', code: null }, 2]);
    const other = startScreen([{ status: 201, json: ASKED }], { [KEY]: 'not of this page' });
    await other.pass(0);
    other.stop();
    await other.pass(60_000);
    expect([other.calls, other.items.size]).toEqual([['POST /api/v1/wall_request'], 0]);
  });

  test('says that nobody owns the hub yet', async () => {
    const { seen, pass } = startScreen([{ status: 409, json: { code: 'HUB_UNCLAIMED' } }]);
    await pass(0);
    expect(seen.at(-1)).toEqual({ state: 'unclaimed', code: null });
  });
});
