import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import { createHistoryArchive } from '#control/history-archive.ts';
import type { HistoryStore, NewSample } from '#core/past/history/history-store.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { openHistoryApp } from './history-app.ts';

const PATH = '/api/v1/history/import';
const AT = '2026-11-22T09:00:00.000Z';

async function openApp() {
  const written: NewSample[] = [];
  const history: HistoryStore = {
    ...createHistory([]),
    importSamples: async (_, samples) => {
      written.push(...samples);
      return samples.length;
    },
  };
  const app = await openHistoryApp([], history);
  const post = async (body: string | Uint8Array, { type = 'text/csv', who = 'owner', query = '' } = {}) => {
    const headers = { Authorization: `Bearer ${who}`, 'Content-Type': type };
    const answer = await app.send(`${PATH}${query}`, { method: 'POST', headers, body });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  return { ...app, post, written, history };
}

test('an import answers what it added', async () => {
  const { post, written, device } = await openApp();
  const { status, json } = await post(`series,at,value\na/temperature,${AT},21.5\na/button,${AT},single\n`);
  expect([status, json]).toEqual([
    200,
    { dry_run: false, lines: 2, added: 2, known: 0, skipped: 0, series: 2, from: AT, to: AT },
  ]);
  expect(written.map(({ series, value }) => [series.replace(device.id, 'a'), value])).toEqual([
    ['a/temperature', 21.5],
    ['a/button', 'single'],
  ]);
});

test('one import runs at a time, wherever it comes from', async () => {
  const { post, written, history, registry, rooms, importTurn } = await openApp();
  const archive = createHistoryArchive({
    history,
    registry,
    house: { modes: () => [], variables: () => [], presences: () => [] },
    findRoom: rooms.findRoom,
    nowMs: () => Date.parse(AT) + 60_000,
    monotonicMs: systemClock.monotonicMs,
    importTurn,
  });
  const text = `series,at,value\na/temperature,${AT},21.5\n`;
  const upload = new PassThrough();
  const how = { format: 'csv', isDryRun: false, skipUnknown: false } as const;
  const first = archive.importHistory(upload, how);
  expect((await post(text)).status).toBe(503);
  await expect(archive.importHistory(Readable.from([Buffer.from(text)]), how)).rejects.toMatchObject({
    code: 'OVERLOADED',
  });
  upload.end(text);
  expect(await first).toMatchObject({ added: 1 });
  expect((await post(text)).status).toBe(200);
  expect(written).toHaveLength(2);
});

test('a dry run counts and writes nothing', async () => {
  const { post, written } = await openApp();
  const { json } = await post(`series,at,value\na/temperature,${AT},21.5\n`, { query: '?dry_run=true' });
  expect(json).toMatchObject({ dry_run: true, added: 1 });
  expect(written).toEqual([]);
});

test('each line with a fault is named, and nothing is written', async () => {
  const { post, written } = await openApp();
  const { status, json } = await post(`series,at,value\na/temperature,${AT},21.5\nb/on,${AT},true\na/on,2,true\n`);
  expect([status, json['code'], json['detail'], json['errors']]).toMatchObject([
    422,
    'INVALID_IMPORT',
    '2 lines are not right, and nothing was imported.',
    [
      { pointer: '/3', code: 'INVALID_VALUE', message: 'line 3 names a series that the hub does not record' },
      { pointer: '/4', code: 'INVALID_VALUE', message: 'line 4 has a time before the year 2000' },
    ],
  ]);
  expect(written).toEqual([]);
});

test.each([
  ['text in another code', new Uint8Array([0xff, 0xfe, 0x61]), {}, '422 INVALID_IMPORT'],
  ['a half character at its end', Buffer.from('series,at,value\né').subarray(0, -1), {}, '422 INVALID_IMPORT'],
  ['another media type', 'x', { type: 'application/json' }, '415 UNSUPPORTED_MEDIA_TYPE'],
  ['more than 16 MiB', 'x\n'.repeat(8 * 1024 * 1024 + 1), {}, '413 PAYLOAD_TOO_LARGE'],
  ['a resident', 'series,at,value\n', { who: 'resident' }, '403 FORBIDDEN'],
  ['an admin', 'series,at,value\n', { who: 'admin' }, '403 FORBIDDEN'],
  ['an unknown option', 'series,at,value\n', { query: '?force=true' }, '400 INVALID_QUERY'],
] as const)('refuses %s', async (...[, body, options, refusal]) => {
  const { post, written } = await openApp();
  const { status, json } = await post(body, options);
  expect(`${status} ${String(json['code'])}`).toBe(refusal);
  expect(written).toEqual([]);
});
