import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  importArchive,
  type ImportDeps,
  type ImportedSeries,
  type ImportResult,
} from '#core/past/archive/archive-import.ts';
import { systemClock } from '#base/time/clock.ts';
import { ARCHIVE_FORMATS, ARCHIVE_TEXTS, type ArchiveFormat } from '#core/past/archive/sample-text.ts';
import type { NewSample } from '#core/past/history/history-store.ts';
import { GAP_REASONS, type GapMark } from '#core/past/history/sample.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { readNumbers, readRows, type Row } from './history-harness.ts';

const SERIES: readonly (ImportedSeries & { readonly shown: string })[] = [
  { shown: 'a/temperature', name: 'd/temperature', kind: 'gauge', unit: 'celsius', valueType: 'number' },
  { shown: 'a/on', name: 'd/on', kind: 'state', unit: null, valueType: 'boolean' },
  { shown: 'a/action', name: 'd/action', kind: 'event', unit: null, valueType: 'text' },
];

type Given = Readonly<Record<string, readonly Row[]>>;

const gap = fc
  .constantFrom(...GAP_REASONS)
  .chain((reason): fc.Arbitrary<GapMark> => fc.constantFrom({ gap: reason }, { gap: reason, isUncertain: true }));
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const valueOf = {
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  boolean: fc.boolean(),
  text: fc.oneof(text, fc.constantFrom('=1+1', "'", '12', 'true', '', '"a",\r\n', '\r', '-1e5', ' x ')),
};
/** Ticks of 40 days before now; several samples may share one. */
const ticks = fc.array(fc.nat(40 * 864_000 - 1), { maxLength: 30 }).map((some) => some.toSorted((a, b) => a - b));
const given: fc.Arbitrary<Given> = fc
  .record(
    Object.fromEntries(
      SERIES.map(({ shown, valueType }) => [
        shown,
        ticks.chain((some) =>
          fc.tuple(
            ...some.map((tick) =>
              fc
                .oneof({ weight: 5, arbitrary: valueOf[valueType] }, gap)
                .map((value): Row => [-(tick + 1) * 100, value]),
            ),
          ),
        ),
      ]),
    ),
  )
  .map((record) =>
    Object.fromEntries(Object.entries(record).map(([shown, rows]) => [shown, rows.toSorted(([a], [b]) => a - b)])),
  );

function archiveOf(home: Given, format: ArchiveFormat): string {
  const { head, line, foot } = ARCHIVE_TEXTS[format];
  const lines = Object.entries(home).flatMap(([shown, rows]) =>
    rows.map(([ms, value]) => line(shown, { atMs: NOW_MS + ms, value })),
  );
  return head + lines.join('') + foot(lines.length);
}

function importInto(
  { operations: { history } }: StorageEngine,
  pieces: readonly string[],
  { format = 'csv', ...options }: { format?: ArchiveFormat; isDryRun?: boolean; skipUnknown?: boolean } = {},
): Promise<ImportResult> {
  const deps: ImportDeps = {
    history: {
      readSlice: async (...args) => history.readSlice(...args),
      importSamples: async (...args) => history.importSamples(...args),
    },
    findSeries: (shown) => SERIES.find((series) => series.shown === shown),
    nowMs: () => NOW_MS,
    monotonicMs: systemClock.monotonicMs,
  };
  const stream = async function* () {
    yield* pieces;
  };
  return importArchive(deps, stream(), {
    format,
    isDryRun: false,
    skipUnknown: false,
    authorize: () => undefined,
    ...options,
  });
}

const readHome = (engine: StorageEngine): Given =>
  Object.fromEntries(SERIES.map(({ shown, name }) => [shown, readRows(engine, name)]));

const cut = (whole: string, places: readonly number[]): string[] => {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, whole.length].map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
};

describe('an imported archive', () => {
  test.each(ARCHIVE_FORMATS)('%s has the samples that were exported, in pieces of any length, once', async (format) => {
    await fc.assert(
      fc.asyncProperty(given, fc.array(fc.nat(), { maxLength: 12 }), async (home, places) => {
        const engine = createBench().open();
        const whole = archiveOf(home, format);
        const count = Object.values(home).flat().length;
        expect(await importInto(engine, cut(whole, places), { format })).toMatchObject({ added: count, faultCount: 0 });
        expect(readHome(engine)).toEqual(home);
        expect(archiveOf(readHome(engine), format)).toBe(whole);
        expect(await importInto(engine, [whole], { format })).toMatchObject({ added: 0, duplicates: count });
        expect(readHome(engine)).toEqual(home);
        engine.close();
      }),
      searchOf(60),
    );
  });

  test('adds what is missing, also in a month that is sealed, and stays after a power cut', async () => {
    const bench = createBench();
    const engine = bench.open();
    const live: NewSample[] = [-3_000_000, -2_000_000, -1000].map((ms, index) => ({
      series: 'd/temperature',
      atMs: NOW_MS + ms,
      value: index,
    }));
    engine.operations.history.append({ epoch: 'e1', samples: live });
    engine.operations.history.seal();
    const rows: readonly Row[] = [
      [-90 * 86_400_000, 1.5],
      [-2_500_000, 2.5],
      [-2_000_000, 99],
    ];
    expect(await importInto(engine, [archiveOf({ 'a/temperature': rows }, 'csv')])).toMatchObject({
      added: 2,
      duplicates: 1,
    });
    const wanted = [
      [-90 * 86_400_000, 1.5],
      [-3_000_000, 0],
      [-2_500_000, 2.5],
      [-2_000_000, 1],
      [-1000, 2],
    ];
    expect(readRows(engine, 'd/temperature')).toEqual(wanted);
    // Nothing is closed or flushed in order: the next start finds what is on disk.
    const again = bench.open();
    expect(readRows(again, 'd/temperature')).toEqual(wanted);
    again.operations.history.seal();
    expect(readRows(again, 'd/temperature')).toEqual(wanted);
  });

  test('does not become the end of the last run', async () => {
    const bench = createBench();
    const engine = bench.open();
    engine.operations.history.append({ epoch: 'e1', samples: [{ series: 'd/on', atMs: NOW_MS - 500, value: true }] });
    engine.operations.history.flush();
    await importInto(engine, [archiveOf({ 'a/on': [[-86_400_000, false]] }, 'csv')]);
    expect(engine.operations.history.readUsage().lastSampleMs).toBe(NOW_MS - 500 - ((NOW_MS - 500) % 100));
    expect(bench.open().operations.history.readUsage().lastSampleMs).toBe(NOW_MS - 500 - ((NOW_MS - 500) % 100));
  });

  test('comes to readers who go on from a number', async () => {
    const engine = createBench().open();
    engine.operations.history.append({ epoch: 'e1', samples: [{ series: 'd/on', atMs: NOW_MS - 500, value: true }] });
    const { next } = engine.operations.history.readNumbered(0);
    await importInto(engine, [archiveOf({ 'a/on': [[-86_400_000, false]] }, 'csv')]);
    const later = readNumbers(engine, next).filter(({ series }) => series === 'd/on');
    expect(later.map(({ atMs, value }) => [atMs - NOW_MS, value])).toEqual([[-86_400_000, false]]);
  });

  test('changes nothing in a dry run', async () => {
    const engine = createBench().open();
    const archive = archiveOf({ 'a/on': [[-500, true]] }, 'ndjson');
    expect(await importInto(engine, [archive], { format: 'ndjson', isDryRun: true })).toMatchObject({ added: 1 });
    expect(readRows(engine, 'd/on')).toEqual([]);
  });

  test('leaves out series that the hub does not have, where that is wished', async () => {
    const engine = createBench().open();
    const archive = archiveOf({ 'b/on': [[-500, true]], 'a/on': [[-500, true]] }, 'csv');
    expect(await importInto(engine, [archive])).toMatchObject({ faultCount: 1 });
    expect(readRows(engine, 'd/on')).toEqual([]);
    expect(await importInto(engine, [archive], { skipUnknown: true })).toMatchObject({ added: 1, skipped: 1 });
  });
});

const HEAD = 'series,at,value,gap\n';
const AT = '2026-11-20T10:00:00Z';

describe('a line with a fault is named, and nothing is imported', () => {
  test.each([
    ['at,value\n', 1, 'must be a header that names the column series'],
    [`${HEAD}a/on,${AT},true\n`, 2, 'must have 4 cells and has 3'],
    [`${HEAD}"a\n/on",${AT},true,\n`, 2, 'names a series that the hub does not record'],
    [`${HEAD}a/on,yesterday,true,\n`, 2, 'has no time as 2026-11-22T10:00:00Z, or in milliseconds since 1970'],
    [`${HEAD}a/on,1999-12-31T23:59:59Z,true,\n`, 2, 'has a time before the year 2000'],
    [`${HEAD}a/on,${NOW_MS + 1},true,\n`, 2, 'has a time in the future'],
    [`${HEAD}a/on,${AT},1,\n`, 2, 'must have a boolean'],
    [`${HEAD}a/temperature,${AT},warm,\n`, 2, 'must have a number'],
    [`${HEAD}a/temperature,${AT},1e999,\n`, 2, 'has a number that is too large'],
    [`${HEAD}a/action,${AT},5,\n`, 2, 'must have a text'],
    [`${HEAD}a/on,${AT},,\n`, 2, 'must have either a value or a gap'],
    [`${HEAD}a/on,${AT},true,offline\n`, 2, 'must have either a value or a gap'],
    [`${HEAD}a/on,${AT},,asleep\n`, 2, 'has a gap of no known reason'],
    [`${HEAD}a/on,${AT},true,\n\na/action,${AT},"x\ny",\n,${AT},true,\n`, 6, 'names no series'],
    [`${HEAD}a/action,${AT},"never ends`, 2, 'is too long, or a quote in it has no end'],
    [`${HEAD}a/action,${AT},${'x'.repeat(5000)},\n`, 2, 'has a text of more than 4096 characters'],
    [`${HEAD}a/action,${AT},${'x'.repeat(50_000)},\n`, 2, 'is too long, or a quote in it has no end'],
  ])('%j', async (archive, line, message) => {
    const engine = createBench().open();
    const { faults, added } = await importInto(engine, [archive]);
    expect([faults[0], added]).toEqual([{ line, message }, 0]);
    expect(Object.values(readHome(engine)).flat()).toEqual([]);
  });

  test.each([
    ['{"series":"a/on"\n', 1, 'is no JSON object'],
    ['[]\n', 1, 'is no JSON object'],
    [
      `\n{"series":"a/on","at":"${AT}","value":null}\n`,
      2,
      'has a value that is neither a number, nor a text, nor true or false',
    ],
    [`{"series":"a/on","at":"${AT}","gap":3}`, 1, 'has a gap of no known reason'],
    ['x'.repeat(40_000), 1, 'is too long'],
  ])('of JSON: %#', async (archive, line, message) => {
    const { faults } = await importInto(createBench().open(), [archive], { format: 'ndjson' });
    expect(faults[0]).toEqual({ line, message });
  });

  test('any text is read to its end, in bounded pieces of memory', async () => {
    const engine = createBench().open();
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(HEAD, '"', '""', ',', '\r\n', '\n', `a/on,${AT},true,`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.constantFrom(...ARCHIVE_FORMATS), async (pieces, format) => {
        const whole = await importInto(engine, [pieces.join('')], { format, isDryRun: true });
        expect(await importInto(engine, pieces, { format, isDryRun: true })).toEqual(whole);
      }),
      searchOf(1_000),
    );
  });

  test('only a hundred faults are kept of a million', async () => {
    const archive = HEAD + 'x\n'.repeat(100_000);
    const { faults, faultCount } = await importInto(createBench().open(), [archive]);
    expect([faults.length, faultCount]).toEqual([100, 100_000]);
  });
});
