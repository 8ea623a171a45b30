import { describe, expect, test } from 'vitest';
import type { SessionCaller, TokenCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import type { Sample } from '#core/past/history/sample.ts';
import type { House } from '#core/past/history/house-series.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { unknownPresence } from '#core/presence/presence.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { authenticateByRole, callerOf } from '#test/support/hub/http-app.ts';
import { ADA, ago, openHistoryApp } from './history-app.ts';

const GUESTS = { key: 'guests', name: 'Guests', type: 'number', min: null, max: null, options: [], value: 2 } as const;
const HOUSE: House = {
  modes: () => [HOME_MODE],
  variables: () => [{ ...GUESTS, changedAtMs: 1, changedBy: null, revision: 1 }],
  presences: () => [{ ...unknownPresence(ADA.id), state: 'home', sinceMs: 1 }],
};
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  'mode/home': [
    { atMs: ago(5), value: 'home' },
    { atMs: ago(3), value: 'night' },
  ],
  'variable/guests': [
    { atMs: ago(5), value: 0 },
    { atMs: ago(4), value: 2 },
  ],
  [`presence/${ADA.id}`]: [
    { atMs: ago(5), value: 'away' },
    { atMs: ago(2), value: 'home' },
  ],
};

/** `Bearer <right> <right>` is a token of the owner with these rights, `Bearer limited` a resident of no room. */
function authenticate(values: readonly string[]): SessionCaller | TokenCaller {
  const [value = ''] = values;
  if (value === 'Bearer limited') {
    const { user } = callerOf('resident');
    const limited: SessionCaller = {
      ...callerOf('resident'),
      user: { ...user, roomIds: new Set<never>() },
      current: () => limited,
    };
    return limited;
  }
  if (!value.includes(':')) return authenticateByRole(values);
  const scopes = new Set(value.slice('Bearer '.length).split(' ') as Scope[]);
  const grant = { id: 'token' as never, scopes, limits: undefined, provider: null };
  const token: TokenCaller = { kind: 'api_token', grant, user: callerOf('owner').user, current: () => token };
  return token;
}

async function openApp() {
  const none = createHistory([]);
  const of = (name: string) => createHistory(SAMPLES[name] ?? []);
  const names = Object.keys(SAMPLES);
  const summary = { kind: 'state', unit: null, firstMs: ago(5), lastMs: ago(2), count: 2, bytes: 9 } as const;
  return openHistoryApp(
    [],
    {
      ...none,
      findBefore: (series, atMs) => of(series).findBefore(series, atMs),
      readSlice: (range, after) => of(range.series).readSlice(range, after),
      listSeries: async () => ({ series: names.map((name) => ({ name, ...summary })), next: null }),
    },
    { house: HOUSE, authenticate },
  );
}

describe('modes, variables and people', () => {
  test('have a history under names of their own', async () => {
    const { get } = await openApp();
    const query = `series=mode/home,variable/guests,presence/${ADA.id}&times=ms&resolution=raw&from=-6h`;
    const { status, body } = await get(`/api/v1/history?${query}`);
    expect(status).toBe(200);
    expect(body.series).toMatchObject([
      {
        series: 'mode/home',
        device: null,
        key: 'home',
        kind: 'state',
        rows: [
          [ago(5), 'home'],
          [ago(3), 'night'],
        ],
      },
      {
        series: 'variable/guests',
        device: null,
        kind: 'gauge',
        rows: [
          [ago(5), 0],
          [ago(4), 2],
        ],
      },
      {
        series: `presence/${ADA.id}`,
        device: null,
        rows: [
          [ago(5), 'away'],
          [ago(2), 'home'],
        ],
      },
    ]);
  });

  test('are listed, exported, and lines of the timeline', async () => {
    const { get, getText } = await openApp();
    const { series: listed } = (await get('/api/v1/history/series')).body as unknown as {
      series: { series: string; device: null }[];
    };
    expect(listed.map(({ series, device }) => [series, device])).toEqual(
      Object.keys(SAMPLES).map((name) => [name, null]),
    );
    const { bytes } = await getText('/api/v1/history/export?series=mode/home,variable/guests');
    expect(
      bytes
        .toString()
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['mode/home', 'mode/home', 'variable/guests', 'variable/guests']);
    const { lines } = (await get('/api/v1/history/timeline')).body as unknown as { lines: unknown[] };
    expect(lines).toMatchObject([
      { type: 'presence.changed', device: null, presence: { user: ADA, state: 'home' } },
      { type: 'mode.changed', mode: { key: 'home', value: 'night' } },
      { type: 'variable.changed', variable: { key: 'guests', value: 2 } },
    ]);
  });

  test.each([
    ['limited', []],
    ['history:read', []],
    ['history:read device:read', ['mode']],
    ['history:read automation:read', ['variable', 'presence']],
  ])('are for callers who may see the present value: %s', async (who, seen) => {
    const { get, send } = await openApp();
    const { series: listed } = (await get('/api/v1/history/series', who)).body as unknown as {
      series: { series: string }[];
    };
    expect(listed.map(({ series }) => series.split('/')[0])).toEqual(seen);
    const { lines } = (await get('/api/v1/history/timeline', who)).body as unknown as { lines: { type: string }[] };
    expect(new Set(lines.map(({ type }) => type.split('.')[0]))).toEqual(new Set(seen));
    for (const name of Object.keys(SAMPLES)) {
      const isSeen = seen.some((noun) => name.startsWith(noun));
      expect((await get(`/api/v1/history?series=${name}`, who)).status).toBe(isSeen ? 200 : 404);
      const headers = { Authorization: `Bearer ${who}` };
      const exported = await send(`/api/v1/history/export?series=${name}`, { headers });
      await exported.text();
      expect(exported.status).toBe(isSeen ? 200 : 404);
    }
  });

  test.each(['mode/none', 'variable/none', 'presence/none'])('there is no %s', async (series) => {
    const { get } = await openApp();
    expect(await get(`/api/v1/history?series=${series}`)).toMatchObject({ status: 404 });
    expect(await get(`/api/v1/history/export?series=${series}`)).toMatchObject({ status: 404 });
  });
});
