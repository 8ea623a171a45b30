import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { exportTable, type TablePlan } from '#core/past/archive/table-export.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';

const AT = Date.parse('2026-11-22T10:00:00.000Z');
const SECOND_MS = 1_000;
const samples = (...list: readonly (readonly [number, Sample['value']])[]): readonly Sample[] =>
  list.map(([second, value]) => ({ atMs: AT + second * SECOND_MS, value }));

type Stores = Readonly<Record<string, Pick<HistoryStore, 'readSlice' | 'findBefore'>>>;

function tableOf(stores: Stores, plan: Partial<TablePlan> = {}, shownAs = (name: string): string | undefined => name) {
  const of = (series: string) => stores[series] ?? createHistory([]);
  const history: Pick<HistoryStore, 'readSlice' | 'findBefore'> = {
    readSlice: (range, after) => of(range.series).readSlice(range, after),
    findBefore: (series, atMs) => of(series).findBefore(series, atMs),
  };
  const isMoment = (name: string): boolean => name.endsWith('/press');
  const whole = { names: Object.keys(stores), fromMs: AT, toMs: AT + 3_600_000, language: 'en', ...plan };
  return exportTable(
    { history, shownAs, isMoment, authorize: () => undefined },
    { ...whole, zone: createTimeZone('Europe/Berlin') },
  );
}

async function linesOf(table: AsyncGenerator<string, void>): Promise<readonly string[]> {
  let text = '';
  for await (const piece of table) text += piece;
  expect(text.startsWith('\uFEFF')).toBe(true);
  return text.slice(1).split('\r\n');
}

const STORES = {
  'a/temperature': createHistory(samples([-60, 19], [10, 20.5], [20, { gap: 'offline' }], [30, 22], [40, -0.25])),
  'a/on': createHistory(samples([10, true], [25, false])),
  'b/press': createHistory(samples([-5, 'single'], [25, 'double'])),
};

test('a row has all that holds at a moment, in the local time of the hub', async () => {
  expect(await linesOf(tableOf(STORES))).toEqual([
    'time,a/temperature,a/on,b/press',
    '2026-11-22 11:00:00,19,,',
    '2026-11-22 11:00:10,20.5,1,',
    '2026-11-22 11:00:20,,1,',
    '2026-11-22 11:00:25,,0,double',
    '2026-11-22 11:00:30,22,0,',
    '2026-11-22 11:00:40,-0.25,0,',
    '',
  ]);
});

test.each([
  ['de', '2026-11-22 11:00:40;-0,25;0;'],
  ['fr-CA', '2026-11-22 11:00:40;-0,25;0;'],
  ['de-CH', '2026-11-22 11:00:40,-0.25,0,'],
  ['ar-EG', '2026-11-22 11:00:40,-0.25,0,'],
])('where the decimal sign of %s is a comma, semicolons stand between the cells', async (language, last) => {
  expect((await linesOf(tableOf(STORES, { language }))).at(-2)).toBe(last);
});

test('no text is run as a formula, and none becomes two cells, whatever the spreadsheet parts cells by', async () => {
  const texts = ['=1+1', '+1', '-cmd', '@sum', '\t=1', 'a,=1', 'b;=1', 'c"d', 'e\r\n=1'];
  const stores = { '=A1/x': createHistory(samples(...texts.map((text, index) => [index, text] as const))) };
  const text = (await linesOf(tableOf(stores))).join('\n');
  expect(text).toBe(
    [
      "time,'=A1/x",
      "2026-11-22 11:00:00,'=1+1",
      "2026-11-22 11:00:01,'+1",
      "2026-11-22 11:00:02,'-cmd",
      "2026-11-22 11:00:03,'@sum",
      `2026-11-22 11:00:04,"'\t=1"`,
      '2026-11-22 11:00:05,"a,=1"',
      '2026-11-22 11:00:06,"b;=1"',
      '2026-11-22 11:00:07,"c""d"',
      '2026-11-22 11:00:08,"e\n=1"',
      '',
    ].join('\n'),
  );
});

/** Slices of 20,000 samples without an end. */
function endless(stepMs: number) {
  const reads = { count: 0 };
  const readSlice: HistoryStore['readSlice'] = async ({ fromMs }, afterMs) => {
    reads.count += 1;
    const first = afterMs ?? fromMs;
    const timesMs = Float64Array.from({ length: 20_000 }, (_, index) => first + (index + 1) * stepMs);
    return { timesMs, values: [...timesMs], gaps: new Map(), next: timesMs.at(-1) ?? null };
  };
  return { ...createHistory([]), readSlice, reads };
}

test('it is read no faster than it is taken, and keeps a slice of each series', async () => {
  const [quick, slow] = [endless(100), endless(700)];
  const table = tableOf({ quick, slow });
  for (let characters = 0; characters < 1_000_000;) characters += (await table.next()).value?.length ?? 0;
  expect([quick.reads.count, slow.reads.count]).toEqual([2, 1]);
  await table.return();
});

test('a column is empty from the moment on at which its reader may not see it any more', async () => {
  const stores = { a: endless(100), b: endless(100) };
  let isOver = false;
  const table = tableOf(stores, {}, (name) => (isOver && name === 'b' ? undefined : name));
  const [, row = ''] = String((await table.next()).value).split('\r\n');
  expect(row).toMatch(/,\d+,\d+$/);
  isOver = true;
  for (const line of String((await table.next()).value)
    .split('\r\n')
    .slice(0, -1))
    expect(line).toMatch(/,\d+,$/);
});
