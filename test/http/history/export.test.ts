import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { seriesOf } from '#core/past/history/recorder.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import type { UserId } from '#core/person/user.ts';
import { authenticateByRole } from '#test/support/hub/http-app.ts';
import { ago, openHistoryApp } from './history-app.ts';

const PATH = '/api/v1/history/export';
const SAMPLES: readonly Sample[] = [
  { atMs: ago(30), value: 19 },
  { atMs: ago(3), value: 20.5 },
  { atMs: ago(2), value: { gap: 'hub_off', isUncertain: true } },
  { atMs: ago(1), value: 22 },
];

async function openApp(history = createHistory(SAMPLES), authenticate = authenticateByRole) {
  const late: { names: readonly string[] } = { names: [] };
  const summary = { kind: 'gauge' as const, unit: null, firstMs: ago(30), lastMs: ago(1), count: 4, bytes: 9 };
  const gone = '00000000-0000-7000-8000-000000000009/on';
  const app = await openHistoryApp(
    [],
    {
      ...history,
      listSeries: async (after) =>
        after === null
          ? { series: [{ ...summary, name: gone }], next: gone }
          : { series: late.names.map((name) => ({ ...summary, name })), next: null },
    },
    { authenticate },
  );
  late.names = ['temperature', 'on', 'availability'].map((key) => seriesOf(app.device, key)).toSorted();
  return app;
}

describe('an export', () => {
  test('has all samples and gaps of every feature', async () => {
    const { getText } = await openApp();
    const { bytes, headers } = await getText(PATH);
    expect(bytes.toString().split('\r\n')).toEqual([
      'series,at,value,gap',
      'a/on,2026-11-21T04:00:00.000Z,19,',
      'a/on,2026-11-22T07:00:00.000Z,20.5,',
      'a/on,2026-11-22T08:00:00.000Z,,hub_off uncertain',
      'a/on,2026-11-22T09:00:00.000Z,22,',
      'a/temperature,2026-11-21T04:00:00.000Z,19,',
      'a/temperature,2026-11-22T07:00:00.000Z,20.5,',
      'a/temperature,2026-11-22T08:00:00.000Z,,hub_off uncertain',
      'a/temperature,2026-11-22T09:00:00.000Z,22,',
      '',
    ]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="history.csv"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('of some series and a range says at its end that it is whole', async () => {
    const { getText } = await openApp();
    const { bytes } = await getText(`${PATH}?format=ndjson&series=a/temperature&from=-150m&to=-90m`);
    expect(bytes.toString()).toBe(
      '{"series":"a/temperature","at":"2026-11-22T08:00:00.000Z","gap":"hub_off","from_uncertain":true}\n{"end":true,"samples":1}\n',
    );
  });

  test('is written for other databases, with a time of its own for each sample of a tenth', async () => {
    const { getText } = await openApp(
      createHistory([
        { atMs: ago(3), value: 20.5 },
        { atMs: ago(3), value: 21 },
        { atMs: ago(2), value: { gap: 'offline' } },
      ]),
    );
    const { bytes, headers } = await getText(`${PATH}?format=line_protocol&series=a/temperature`);
    const name = 'hearthd_feature,device=a,key=temperature,unit=celsius';
    expect(bytes.toString()).toBe(
      [`value=20.5 ${ago(3)}`, `value=21 ${ago(3) + 1}`, `gap="offline" ${ago(2)}`]
        .map((rest) => `${name} ${rest}\n`)
        .join(''),
    );
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="history.lp"');
  });

  test('is a table for people with a spreadsheet', async () => {
    const { getText } = await openApp();
    const { bytes, headers } = await getText(`${PATH}?layout=table&language=de&series=a/temperature,a/on&from=-150m`);
    expect(bytes.toString().split('\r\n')).toEqual([
      '\uFEFFtime;a/temperature;a/on',
      '2026-11-22 13:15:00;20,5;20,5',
      '2026-11-22 13:45:00;;',
      '2026-11-22 14:45:00;22;22',
      '',
    ]);
    expect(headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
  });

  test.each([
    '',
    '&series=a/on&format=ndjson',
    '&series=a/on&language=x',
    '&series=a/on&cursor=a/on@2026-11-22T07:00:00Z',
  ])('is no table with %s', async (query) => {
    const { get } = await openApp();
    expect(await get(`${PATH}?layout=table${query}`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } });
  });

  test('goes on where another broke off', async () => {
    const { getText } = await openApp();
    const whole = (await getText(PATH)).bytes.toString().split('\r\n');
    for (const [index, line] of whole.slice(1, -1).entries()) {
      const [series, at] = line.split(',');
      const rest = (await getText(`${PATH}?cursor=${series}@${at}`)).bytes.toString().split('\r\n');
      expect(rest.slice(1)).toEqual(whole.slice(index + 1));
    }
  });

  test('is compressed for clients that can read it', async () => {
    const { getText } = await openApp();
    const { bytes, headers } = await getText(PATH, { 'Accept-Encoding': 'gzip, br' });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toContain('a/on,2026-11-22T09:00:00.000Z,22,\r\n');
  });

  test.each([
    ['?series=b/on', 404, 'NOT_FOUND'],
    ['?series=a/availability', 404, 'NOT_FOUND'],
    ['?from=2027-01-01T00:00:00Z', 400, 'HISTORY_RANGE'],
    ['?from=soon', 400, 'INVALID_QUERY'],
    ['?cursor=a/on', 400, 'INVALID_QUERY'],
    ['?cursor=b/on@2026-11-22T09:00:00.000Z', 400, 'INVALID_QUERY'],
    ['?format=parquet', 400, 'INVALID_QUERY'],
  ])('refuses %s with %i %s', async (query, status, code) => {
    const { get } = await openApp();
    expect(await get(`${PATH}${query}`)).toMatchObject({ status, body: { code } });
  });

  test('is nothing for guests', async () => {
    const { get } = await openApp();
    expect(await get(PATH, 'guest')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

/** A series without an end, in slices of 20,000 samples. */
function endless(failsAfter = Infinity) {
  const reads = { count: 0 };
  const readSlice: HistoryStore['readSlice'] = async ({ fromMs }, afterMs) => {
    reads.count += 1;
    if (reads.count === failsAfter) throw new Error('the disk is gone');
    const first = afterMs ?? fromMs;
    const timesMs = Float64Array.from({ length: 20_000 }, (_, index) => first + (index + 1) * 100);
    return { timesMs, values: [...timesMs], gaps: new Map(), next: timesMs.at(-1) ?? null };
  };
  return { history: { ...createHistory([]), readSlice }, reads };
}

describe('an export without an end', () => {
  test('is read no faster than its client reads, and no further when it goes away', async () => {
    const { history, reads } = endless();
    const { open } = await openApp(history);
    const answer = await open(PATH);
    const reader = answer.body?.getReader();
    expect(reads.count).toBe(0);
    let bytes = 0;
    while (bytes < 2_000_000) bytes += (await reader?.read())?.value?.length ?? 0;
    expect(reads.count).toBeLessThanOrEqual(4);
    const before = reads.count;
    await reader?.cancel();
    expect(reads.count).toBe(before);
  });

  test('is the third at a time that has to wait', async () => {
    const { open } = await openApp(endless().history);
    const [first, second] = [await open(PATH), await open(PATH)];
    const third = await open(PATH);
    expect([first.status, second.status, third.status, third.headers.get('retry-after')]).toEqual([
      200,
      200,
      503,
      '30',
    ]);
    await first.body?.cancel();
    const fourth = await open(PATH);
    expect(fourth.status).toBe(200);
    await second.body?.cancel();
    await fourth.body?.cancel();
  });

  test('takes no place from other people, however slowly it is read', async () => {
    const { open } = await openApp(endless().history);
    const slow = [await open(PATH), await open(PATH)];
    const other = await open(PATH, 'admin');
    expect(other.status).toBe(200);
    for (const { body } of [...slow, other]) await body?.cancel();
  });

  test('ends the newest of a person with two where all places are taken, for somebody who has none', async () => {
    const { open } = await openApp(endless().history, ([value = '']) => {
      const caller = authenticateByRole(['Bearer owner']);
      return { ...caller, user: { ...caller.user, id: value as UserId } };
    });
    const answers = [];
    for (const who of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']) answers.push(await open(PATH, who));
    const late = await open(PATH, 'e');
    expect([...answers, late].map(({ status }) => status)).toEqual(Array(9).fill(200));
    await expect(answers[7]?.text()).rejects.toThrow('exports of more people');
    expect((await open(PATH, 'd')).status, 'of one who has a place').toBe(503);
    const later = [];
    for (const who of ['f', 'g', 'h']) later.push(await open(PATH, who));
    expect(later.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await open(PATH, 'i')).status, 'where nobody has two').toBe(503);
    for (const { body } of [...answers.slice(0, 4), late, ...later]) await body?.cancel();
  });

  test('has no further piece for a reader whose right ends meanwhile', async () => {
    const { history, reads } = endless();
    let isOver = false;
    const { open } = await openApp(history, (values) => {
      const caller = authenticateByRole(values);
      return { ...caller, current: () => (isOver ? authenticateByRole(['Bearer nobody']) : caller) };
    });
    const reader = (await open(`${PATH}?series=a/on`)).body?.getReader();
    await reader?.read();
    isOver = true;
    await expect(reader?.read()).rejects.toThrow('the access token is not valid');
    expect(reads.count).toBe(1);
  });

  test('breaks off when the storage fails, so that nobody takes it for whole', async () => {
    const { open } = await openApp(endless(3).history);
    await expect((await open(PATH)).text()).rejects.toThrow('the disk is gone');
    const next = await open(PATH);
    expect(next.status).toBe(200);
    await next.body?.cancel();
  });
});
