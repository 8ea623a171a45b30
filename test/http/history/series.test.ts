import { describe, expect, test } from 'vitest';
import type { SessionCaller, TokenCaller } from '#auth/caller.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createImportTurn } from '#core/past/archive/archive-import.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { SeriesSummary } from '#core/past/history/history-store.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { historyRoutes } from '#http/history/routes.ts';
import { createAnswers, createHistory } from '#test/core/past/history/sampled-history.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { authenticateByRole, callerOf, createTestApp } from '#test/support/hub/http-app.ts';

const FIRST_MS = Date.parse('2026-03-01T08:12:30.000Z');

/** `Bearer <device id>` is a token of the owner for that device alone. */
function authenticate(values: readonly string[]): SessionCaller | TokenCaller {
  const [, id = ''] = /^Bearer (\w{8}-.*)$/.exec(values[0] ?? '') ?? [];
  if (id === '') return authenticateByRole(values);
  const limits = { rooms: new Set<never>(), devices: new Set([id as DeviceId]) };
  const grant = { id: id as never, scopes: new Set(['history:read'] as const), limits, provider: null };
  const token: TokenCaller = { kind: 'api_token', grant, user: callerOf('owner').user, current: () => token };
  return token;
}

/** Devices a, b and mode; each series that a store may have, in pages of two. */
async function openApp() {
  const home = await openDeviceHome();
  await home.reports.syncDevices(['a', 'b', 'mode'].map((id) => lamp(id)));
  const gone = '00000000-0000-7000-8000-000000000000/on';
  const names = [
    ...['a', 'b'].flatMap((id) =>
      ['availability', 'button', 'on', 'temperature', 'x.gone'].map((key) => `${home.device(id).id}/${key}`),
    ),
    gone,
    'mode/on',
    'mode/season',
    'variable/gone',
  ].toSorted();
  const summaryOf = (name: string): SeriesSummary => ({
    name,
    kind: 'state',
    unit: null,
    firstMs: FIRST_MS,
    lastMs: FIRST_MS + 60_000,
    count: 7,
    bytes: 30,
  });
  const listSeries = async (after: string | null) => {
    const rest = names.filter((name) => after === null || name > after);
    const page = rest.slice(0, 2);
    return { series: page.map(summaryOf), next: rest.length > 2 ? (page.at(-1) ?? null) : null };
  };
  const { request } = createTestApp(
    historyRoutes({
      history: {
        ...createHistory([{ atMs: FIRST_MS, value: 'on' }]),
        listSeries,
        findSeries: async (name) => (names.includes(name) ? summaryOf(name) : null),
      },
      answerHistory: createAnswers(createHistory([])),
      timeZone: () => createTimeZone('UTC'),
      importTurn: createImportTurn(),
      nowMs: home.time.clock.wallMs,
      monotonicMs: home.time.clock.monotonicMs,
      registry: home.registry,
      house: { modes: () => [{ ...HOME_MODE, key: 'season' }], variables: () => [], presences: () => [] },
      startTimer: home.time.startTimer,
      findRoom: home.rooms.findRoom,
      accounts: { findUser: () => undefined },
      automations: { find: () => undefined, findInTrash: () => undefined },
    }),
    { authenticate },
  );
  const get = async (query = '', who = 'resident') => {
    const path = query.startsWith('/') ? query : `/api/v1/history/series${query}`;
    const answer = await request(path, { headers: { Authorization: `Bearer ${who}` } });
    const { series: json = [], next } = (await answer.json()) as { series?: { series: string }[]; next: string | null };
    return { status: answer.status, json, next };
  };
  return { ...home, get };
}

const VISIBLE = ['a/button', 'a/on', 'a/temperature', 'b/button', 'b/on', 'b/temperature', 'mode/season'];
const namesOf = (json: readonly { series: string }[]): string[] => json.map(({ series }) => series);

test('the list has the series of present features, and none of what is gone or no feature', async () => {
  const { get, device } = await openApp();
  const { json, next } = await get();
  expect(namesOf(json)).toEqual(VISIBLE);
  expect(next).toBe(null);
  expect(json[2]).toEqual({
    series: 'a/temperature',
    device: { id: device('a').id, selector: 'a' },
    key: 'temperature',
    kind: 'gauge',
    unit: 'celsius',
    first: '2026-03-01T08:12:30.000Z',
    last: '2026-03-01T08:13:30.000Z',
    samples: 7,
    bytes: 30,
  });
  for (const name of namesOf(json)) expect((await get(`/api/v1/history?series=${name}`)).status).toBe(200);
});

test.each([1, 2, 3, 5, 6, 7])('pages of %i have each series once, and the last has no next', async (limit) => {
  const { get } = await openApp();
  const seen: string[][] = [];
  for (let path: string | null = `?limit=${limit}`; path !== null;) {
    const page: Awaited<ReturnType<typeof get>> = await get(path);
    seen.push(namesOf(page.json));
    path = page.next && `?limit=${limit}&cursor=${page.next}`;
  }
  expect(seen.flat()).toEqual(VISIBLE);
  expect(seen.length).toBe(Math.ceil(VISIBLE.length / limit));
});

test('a limited token gets the series of its devices', async () => {
  const { get, device, registry } = await openApp();
  expect(namesOf((await get('', device('b').id)).json)).toEqual(VISIBLE.slice(3, 6));
  expect((await get('?limit=3', device('b').id)).next).toBe(null);
  await registry.removeDevice(device('b').id);
  expect(namesOf((await get()).json)).toEqual([...VISIBLE.slice(0, 3), 'mode/season']);
});

test.each(['?limit=0', '?limit=1001', '?cursor=eA', '?cursor=', '?from=-1h'])('%s is refused', async (query) => {
  const { get } = await openApp();
  expect((await get(query)).status).toBe(400);
});

describe('what is kept of devices, features and modes that are gone', () => {
  test('is listed by itself, page by page, and can be read', async () => {
    const { get, device } = await openApp();
    const { json } = await get('?removed=true');
    const gone = ['00000000-0000-7000-8000-000000000000/on', 'a/x.gone', 'b/x.gone', 'mode/on', 'variable/gone'];
    expect(namesOf(json)).toEqual(gone);
    expect(json.map((one) => (one as unknown as { device: unknown }).device)).toEqual([
      { id: gone[0]?.slice(0, 36), selector: gone[0]?.slice(0, 36) },
      { id: device('a').id, selector: 'a' },
      { id: device('b').id, selector: 'b' },
      null,
      null,
    ]);
    const page = await get('?removed=true&limit=3');
    expect(namesOf(page.json)).toEqual(gone.slice(0, 3));
    expect(namesOf((await get(`?removed=true&limit=3&cursor=${page.next}`)).json)).toEqual(gone.slice(3));
    // A feature of a device goes before what is gone.
    for (const series of gone.filter((name) => name !== 'mode/on')) {
      const answer = await get(`/api/v1/history?series=${series}`);
      const [found] = answer.json as unknown as { series: string }[];
      expect([answer.status, found?.series]).toEqual([200, series]);
    }
  });

  test('is for callers that see the whole home, but for features of their devices', async () => {
    const { get, device } = await openApp();
    const token = device('b').id;
    expect(namesOf((await get('?removed=true', token)).json)).toEqual(['b/x.gone']);
    expect((await get('/api/v1/history?series=b/x.gone', token)).status).toBe(200);
    for (const series of ['00000000-0000-7000-8000-000000000000/on', 'a/x.gone', 'mode/on']) {
      expect((await get(`/api/v1/history?series=${series}`, token)).status).toBe(404);
    }
  });

  test.each(['a/availability', 'a/none', '00000000-0000-7000-8000-000000000001/on', 'timeline/home', 'mode/none'])(
    'has nothing of %s',
    async (series) => {
      const { get } = await openApp();
      expect((await get(`/api/v1/history?series=${series}`)).status).toBe(404);
    },
  );
});

test('a guest gets nothing', async () => {
  const { get } = await openApp();
  expect((await get('', 'guest')).status).toBe(403);
});
