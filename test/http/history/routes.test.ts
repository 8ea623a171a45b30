import { describe, expect, test } from 'vitest';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { ago, openHistoryApp as openApp } from './history-app.ts';

const TEMPERATURE = '/api/v1/device/a/feature/temperature/history';

describe('the history of a feature', () => {
  test('has the samples of the last day, the one before, and the gaps', async () => {
    const { get, device } = await openApp();
    const { status, body } = await get(TEMPERATURE);
    expect(status).toBe(200);
    expect(body).toEqual({
      from: '2026-11-21T10:00:00.000Z',
      to: '2026-11-22T10:00:00.000Z',
      time_zone: 'Asia/Kathmandu',
      next: null,
      series: [
        {
          series: 'a/temperature',
          device: { id: device.id, selector: 'a' },
          key: 'temperature',
          kind: 'gauge',
          unit: 'celsius',
          resolution: 'points',
          columns: ['at', 'value'],
          rows: [
            ['2026-11-22T07:00:00.000Z', 20],
            ['2026-11-22T09:00:00.000Z', 22],
          ],
          before: ['2026-11-21T04:00:00.000Z', 19],
          gaps: [
            {
              from: '2026-11-22T08:00:00.000Z',
              to: '2026-11-22T09:00:00.000Z',
              reason: 'hub_off',
              from_uncertain: true,
            },
          ],
          thinned: false,
          tier: 'raw',
          samples_from: null,
          summary: { min: 19, max: 22, mean: (21 * 19 + 20 + 22) / 23, known_s: 23 * 3600, changes: 2 },
        },
      ],
    });
  });

  test('has buckets of local hours, and null where nothing is known', async () => {
    const { get } = await openApp();
    const { body } = await get(`${TEMPERATURE}?from=-165m&to=-75m&resolution=1h&times=ms`);
    const at = (text: string): number => Date.parse(`2026-11-22T${text}:00Z`);
    expect(body.series[0]).toMatchObject({
      columns: ['at', 'min', 'mean', 'max', 'last', 'known_s'],
      rows: [
        [at('07:15'), 20, 20, 20, 20, 45 * 60],
        [at('08:15'), null, null, null, null, 0],
      ],
    });
  });

  test('counts what a counter counted, without the noise of binary fractions', async () => {
    const { get } = await openApp([
      { atMs: ago(3), value: 128.4 },
      { atMs: ago(2), value: 128.401 },
    ]);
    const { body } = await get('/api/v1/device/a/feature/energy/history?from=-150m&to=-90m&resolution=1d');
    expect(body.series[0]).toMatchObject({
      kind: 'counter',
      columns: ['at', 'increase', 'in_gap', 'resets', 'known_s'],
      rows: [['2026-11-21T18:15:00.000Z', 0.001, 0, 0, 3600]],
    });
  });

  test('counts what happened, and lets no press hold for a time', async () => {
    const { get } = await openApp([
      { atMs: ago(30), value: 'single' },
      { atMs: ago(3), value: 'single' },
      { atMs: ago(2.9), value: 'single' },
      { atMs: ago(2.8), value: 'hold' },
    ]);
    const { body } = await get('/api/v1/device/a/feature/button/history?from=-225m&to=-105m&resolution=1h');
    expect(body.series[0]).toMatchObject({
      kind: 'event',
      columns: ['at', 'counts'],
      rows: [
        ['2026-11-22T06:15:00.000Z', { single: 2, hold: 1 }],
        ['2026-11-22T07:15:00.000Z', {}],
      ],
      before: null,
      summary: { known_s: 0, changes: 3 },
    });
  });

  test('a feature without samples has none, and no value before', async () => {
    const { get } = await openApp([]);
    const { body } = await get('/api/v1/device/a/feature/on/history?resolution=raw');
    expect(body.series[0]).toMatchObject({ kind: 'state', rows: [], before: null, gaps: [] });
  });

  test.each([
    ['?from=2026-11-22T10:00:00Z&to=2026-11-22T09:00:00Z', 400, 'HISTORY_RANGE'],
    ['?from=2027-01-01T00:00:00Z', 400, 'HISTORY_RANGE'],
    ['?from=1900-01-01T00:00:00Z', 400, 'HISTORY_RANGE'],
    ['?from=-9000d&resolution=1m', 400, 'HISTORY_RANGE'],
    ['?from=-400d&resolution=1m', 400, 'HISTORY_RANGE'],
    ['?from=yesterday', 400, 'INVALID_QUERY'],
    ['?from=2026-13-40T00:00:00Z', 400, 'INVALID_QUERY'],
    ['?points=500&resolution=1h', 400, 'INVALID_QUERY'],
    ['?points=9', 400, 'INVALID_QUERY'],
    ['?points=5001', 400, 'INVALID_QUERY'],
    ['?resolution=2h', 400, 'INVALID_QUERY'],
    ['?cursor=x&resolution=raw', 400, 'INVALID_QUERY'],
    ['?cursor=0.1.2', 400, 'INVALID_QUERY'],
    ['?until=now', 400, 'INVALID_QUERY'],
  ])('refuses %s with %i %s', async (query, status, code) => {
    const { get } = await openApp();
    expect(await get(`${TEMPERATURE}${query}`)).toMatchObject({ status, body: { code } });
  });

  test.each([
    ['/api/v1/device/b/feature/temperature/history', 404, 'NOT_FOUND'],
    ['/api/v1/device/a/feature/pressure/history', 404, 'NOT_FOUND'],
  ])('answers %s with %i', async (path, status, code) => {
    const { get } = await openApp();
    expect(await get(path)).toMatchObject({ status, body: { code } });
  });

  test('is nothing for guests', async () => {
    const { get } = await openApp();
    expect(await get(TEMPERATURE, 'guest')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

describe('the history of several features', () => {
  test('shows each in the order of the request', async () => {
    const { get } = await openApp();
    const { body } = await get('/api/v1/history?series=a/on,a/temperature,a/button&times=ms');
    expect(body.series.map(({ series, kind }) => [series, kind])).toEqual([
      ['a/on', 'state'],
      ['a/temperature', 'gauge'],
      ['a/button', 'event'],
    ]);
  });

  test('refuses 51 series, none, and one that does not exist', async () => {
    const { get } = await openApp();
    const many = Array.from({ length: 51 }, () => 'a/on').join();
    expect((await get(`/api/v1/history?series=${many}`)).status).toBe(400);
    expect((await get('/api/v1/history')).status).toBe(400);
    expect((await get('/api/v1/history?series=a')).status).toBe(400);
    expect((await get('/api/v1/history?series=a/on,b/on')).status).toBe(404);
  });

  test('refuses buckets of a year of minutes and of fifty series of hours', async () => {
    const { get } = await openApp([]);
    const many = Array.from({ length: 50 }, () => 'a/on').join();
    expect((await get(`/api/v1/history?series=${many}&from=-30d&resolution=15m`)).body.code).toBe('HISTORY_RANGE');
    expect((await get(`/api/v1/history?series=${many}&from=-7d&resolution=15m`)).status).toBe(200);
  });

  test('reads no further for a client that went away', async () => {
    const gone = new AbortController();
    let reads = 0;
    const { get } = await openApp([], {
      ...createHistory([]),
      readSlice: async () => {
        reads += 1;
        gone.abort();
        return { timesMs: new Float64Array(), values: [], gaps: new Map(), next: reads < 5 ? reads : null };
      },
    });
    await get(`/api/v1/history?series=a/on,a/temperature`, 'resident', gone.signal).catch(() => undefined);
    expect(reads).toBe(1);
  });

  test('goes on behind 50,000 rows, and the end of the range stays', async () => {
    const samples = Array.from({ length: 50_003 }, (_, index): Sample => ({
      atMs: ago(20) + index * 300,
      value: index,
    }));
    const slices = createHistory([]);
    const values = samples.map(({ value }) => value as number);
    const { get } = await openApp([], {
      ...slices,
      readSlice: async ({ fromMs }) => {
        const from = samples.findIndex(({ atMs }) => atMs >= fromMs);
        const timesMs = Float64Array.from(samples.slice(from), ({ atMs }) => atMs);
        return { timesMs, values: values.slice(from), gaps: new Map(), next: null };
      },
    });
    const first = await get('/api/v1/history?series=a/temperature,a/on&resolution=raw&times=ms');
    const cursor = String(first.body.next);
    expect(first.body.series).toHaveLength(1);
    const second = await get(`/api/v1/history?series=a/temperature,a/on&resolution=raw&times=ms&cursor=${cursor}`);
    const rowsOf = ({ body }: typeof first): readonly number[][] => body.series[0]?.rows ?? [];
    expect([rowsOf(first).length, rowsOf(second).length]).toEqual([50_000, 3]);
    expect(rowsOf(second)[0]?.[1]).toBe(50_000);
    expect(second.body.to).toBe(first.body.to);
  });

  test('asks to come back when ten queries run or wait', async () => {
    let goOn = (): void => undefined;
    const going = new Promise<null>((resolve) => (goOn = () => resolve(null)));
    const { get } = await openApp([], { ...createHistory([]), findBefore: () => going });
    const running = Array.from({ length: 10 }, () => get(TEMPERATURE));
    const eleventh = await get(TEMPERATURE);
    expect(eleventh).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } });
    expect(eleventh.headers.get('retry-after')).toBe('2');
    goOn();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await get(TEMPERATURE)).status).toBe(200);
  });

  test('answers others while one person asks without end', async () => {
    let goOn = (): void => undefined;
    const going = new Promise<null>((resolve) => (goOn = () => resolve(null)));
    const { get } = await openApp([], { ...createHistory([]), findBefore: () => going });
    const ended: string[] = [];
    const ask = (who: string) =>
      get(TEMPERATURE, who).then(({ status }) => {
        if (status === 200) ended.push(who);
        return status;
      });
    const many = Array.from({ length: 11 }, () => ask('resident'));
    const other = ask('owner');
    goOn();
    expect(await other).toBe(200);
    // Its newest one gave its place away, and the eleventh had none.
    expect((await Promise.all(many)).filter((status) => status === 503)).toHaveLength(2);
    expect(ended.indexOf('owner')).toBeLessThan(3);
  });
});
