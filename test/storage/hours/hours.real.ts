import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import { BUCKETS } from '#core/past/history/bucket-edges.ts';
import { readHistory, type SeriesQuery } from '#core/past/history/history-query.ts';
import type { NewSample } from '#core/past/history/history-store.ts';
import type { SeriesKind } from '#core/past/history/sample.ts';
import { readTieredHistory } from '#core/past/hour/hour-query.ts';
import { type Fault, watchFiles } from '#test/storage/fs-faults.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import { createDice as createThrow } from '#test/support/machine/dice.ts';
import { DAY_MS, HOUR_MS, openHoursHome, type HoursHome } from './hours-home.ts';

const KINDS: readonly [SeriesKind, ...SeriesKind[]] = ['gauge', 'counter', 'state', 'event'];
const DAYS = 10;
const ZONE = createTimeZone('UTC');

function createDice(seed: number) {
  const draw = createThrow(seed);
  const below = (count: number): number => Math.floor(draw() * count);
  return { below, pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0] };
}

type Dice = ReturnType<typeof createDice>;

/** Of a counter in kWh, the rises that no home makes wait for their confirmation. */
function unitOf(kind: SeriesKind): string | null {
  return kind === 'counter' ? 'kWh' : null;
}

/** Steps, gaps, long silences, resets, wrong readings; some samples at the very edges of hours. */
function drawSamples(
  dice: Dice,
  kind: SeriesKind,
  { startMs, perDay }: { readonly startMs: number; readonly perDay: number },
): NewSample[] {
  const samples: NewSample[] = [];
  let value = dice.below(1000);
  for (let atMs = startMs + dice.below(DAY_MS); atMs < startMs + DAYS * DAY_MS;) {
    if (kind === 'counter') value = dice.below(12) === 0 ? dice.below(2) : value + dice.below(100) / 10;
    else if (kind === 'gauge') value += (dice.below(401) - 200) / 100;
    const known =
      kind === 'state'
        ? dice.pick(['on', 'off', 'auto'])
        : kind === 'event'
          ? dice.pick(['single', 'double'])
          : round(kind === 'counter' && dice.below(25) === 0 ? value + 5_000 : value);
    samples.push({
      series: kind,
      atMs,
      value: dice.below(15) === 0 ? { gap: dice.pick(['offline', 'stale']) } : known,
    });
    const stepMs = 100 * (1 + dice.below((2 * DAY_MS) / perDay / 100));
    atMs += stepMs;
    if (dice.below(10) === 0) atMs = Math.ceil(atMs / HOUR_MS) * HOUR_MS;
  }
  return samples;
}

/** How often the series of a run change. Of a series with long silences a question may find no hour: the first run has none. */
const drawPerDay = (dice: Dice, run: number): number => (run === 0 ? 40 : dice.pick([0.3, 3, 40, 200]));

const round = (value: number): number => Math.round(value * 100) / 100;

/** Sums of binary fractions differ in their last digits, and maps in their order. */
function near(value: unknown): unknown {
  if (typeof value === 'number') return value > 1e9 ? value : expect.closeTo(value, 6);
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, near(one)]));
}

function expectNear(found: unknown, wanted: unknown): void {
  expect(found).toEqual(near(wanted));
}

async function compare(home: HoursHome, query: SeriesQuery): Promise<'raw' | 'hour'> {
  const { history } = home.storage();
  const raw = await readHistory(history, query);
  const { tier, samplesFromMs, ...tiered } = await readTieredHistory(home.storage(), query);
  expect(samplesFromMs).toBeNull();
  expect([query, tiered]).toEqual([query, near(raw)]);
  return tier;
}

describe('the hours of days that are over', () => {
  test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns'])(
    'answer as the samples do, in %s',
    async (name) => {
      const seed = drawSeed();
      const dice = createDice(seed);
      const zone = createTimeZone(name);
      let fromHours = 0;
      for (let run = 0; run < runs(25, 2); run += 1) {
        // Around the days on which these zones change their clocks.
        const startMs = Date.parse(dice.pick(['2026-03-26', '2026-04-01', '2026-10-01', '2026-10-22', '2026-12-27']));
        const home = openHoursHome(name);
        home.storage().history.describeSeries(KINDS.map((kind) => ({ name: kind, kind, unit: unitOf(kind) })));
        home.add(KINDS.flatMap((kind) => drawSamples(dice, kind, { startMs, perDay: drawPerDay(dice, run) })));
        await home.rollUpAt(startMs + (DAYS - 1) * DAY_MS + dice.below(DAY_MS));
        for (let asked = 0; asked < 24; asked += 1) {
          const edges = [dice.below(DAYS * DAY_MS), dice.below(DAYS * DAY_MS)].toSorted((left, right) => left - right);
          const [from = 0, to = 0] =
            dice.below(2) === 0 ? edges : edges.map((ms) => Math.floor(ms / HOUR_MS) * HOUR_MS);
          if (from === to) continue;
          const detail = { type: 'buckets', bucket: dice.pick([...BUCKETS]), zone } as const;
          const kind = dice.pick(KINDS);
          const range = { fromMs: startMs + from, toMs: startMs + to };
          if ((await compare(home, { series: kind, kind, unit: unitOf(kind), ...range, detail })) === 'hour')
            fromHours += 1;
        }
        await home.storage().close();
      }
      expect(fromHours, `seed ${seed}`).toBeGreaterThan(10);
    },
  );
});

describe('points that are far apart', () => {
  const COLUMN_MS = DAY_MS / 2;

  test.each(['gauge', 'counter'] as const)('of a %s have the extremes that the samples have there', async (kind) => {
    const seed = drawSeed();
    const dice = createDice(seed);
    let fromHours = 0;
    for (let run = 0; run < runs(20, 2); run += 1) {
      const startMs = Date.parse('2026-03-26');
      const home = openHoursHome('UTC');
      home.storage().history.describeSeries([{ name: kind, kind, unit: null }]);
      home.add(drawSamples(dice, kind, { startMs, perDay: drawPerDay(dice, run) }));
      // Some of the days are made, the others are read from the samples. The first run has all of them made.
      await home.rollUpAt(startMs + (run === 0 ? DAYS : dice.below(DAYS)) * DAY_MS + HOUR_MS);
      const fromMs = startMs + dice.below(4) * DAY_MS + dice.below(24) * HOUR_MS;
      const columns = 2 + dice.below(8);
      const toMs = fromMs + columns * COLUMN_MS;
      const query = { series: kind, kind, unit: null, fromMs, toMs } as const;
      const detail = { type: 'points', points: 4 * columns, zone: ZONE } as const;
      const found = await readTieredHistory(home.storage(), { ...query, detail });
      const points = found.rows.type === 'values' ? found.rows.points : [];
      if (found.tier === 'hour') fromHours += 1;
      expect(points.length).toBeLessThanOrEqual(4 * columns);
      expect(points.map(({ atMs }) => atMs)).toEqual(
        points.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
      );
      for (let atMs = fromMs; atMs < toMs; atMs += COLUMN_MS) {
        const part = { ...query, fromMs: atMs, toMs: atMs + COLUMN_MS };
        const raw = await readHistory(home.storage().history, { ...part, detail: { ...detail, points: 5000 } });
        const values = points
          .filter((point) => point.atMs >= atMs && point.atMs < part.toMs)
          .map(({ value }) => Number(value));
        const least = values.length === 0 ? null : Math.min(...values);
        const greatest = values.length === 0 ? null : Math.max(...values);
        expect({ least, greatest }).toEqual({ least: raw.summary.min, greatest: raw.summary.max });
      }
      const whole = await readHistory(home.storage().history, { ...query, detail });
      expectNear(found.summary, whole.summary);
      await home.storage().close();
    }
    expect(fromHours, `seed ${seed}`).toBeGreaterThan(0);
  });

  test('of states and shorter parts are samples', async () => {
    const home = openHoursHome('UTC');
    const startMs = Date.parse('2026-03-26');
    home.storage().history.describeSeries(KINDS.map((kind) => ({ name: kind, kind, unit: null })));
    home.add(
      KINDS.flatMap((kind) =>
        [0, 1, 30].map((hour) => ({ series: kind, atMs: startMs + hour * HOUR_MS + 5e5, value: 1 })),
      ),
    );
    await home.rollUpAt(startMs + DAYS * DAY_MS);
    const tierOf = async (kind: SeriesKind, points: number): Promise<string> => {
      const detail = { type: 'points', points, zone: ZONE } as const;
      const range = { fromMs: startMs, toMs: startMs + 2 * DAY_MS };
      return (await readTieredHistory(home.storage(), { series: kind, kind, unit: null, ...range, detail })).tier;
    };
    expect(await Promise.all(KINDS.map((kind) => tierOf(kind, 16)))).toEqual(['hour', 'hour', 'raw', 'raw']);
    expect(await tierOf('gauge', 20)).toBe('raw');
  });
});

const START_MS = Date.parse('2026-03-10T00:00:00Z');

function steps(days: number, everyMs = HOUR_MS / 2): NewSample[] {
  return Array.from({ length: (days * DAY_MS) / everyMs }, (_, index) => ({
    series: 'd/power',
    atMs: START_MS + index * everyMs,
    value: index % 48,
  }));
}

async function daysOf(home: HoursHome, days: number) {
  const detail = { type: 'buckets', bucket: '1d', zone: ZONE } as const;
  const range = { fromMs: START_MS, toMs: START_MS + days * DAY_MS };
  const found = await readTieredHistory(home.storage(), {
    series: 'd/power',
    kind: 'gauge',
    unit: 'watt',
    ...range,
    detail,
  });
  if (found.rows.type !== 'gauge') throw new Error('these are no buckets of a gauge');
  return { ...found, means: found.rows.buckets.map(({ mean }) => mean) };
}

async function openWithDays(days: number): Promise<HoursHome> {
  const home = openHoursHome('UTC');
  home.storage().history.describeSeries([{ name: 'd/power', kind: 'gauge', unit: 'watt' }]);
  home.add(steps(days));
  await home.bench.time.advance(30_000);
  return home;
}

/** The file operations of some work, and its end where one of them does not happen. */
async function underFault(fault: Fault | undefined, work: () => Promise<void>): Promise<number> {
  const watch = watchFiles(fault);
  try {
    await work().catch((cause: unknown) => {
      if (fault === undefined) throw cause;
    });
    return watch.operations();
  } finally {
    watch.stop();
  }
}

const hoursFiles = ({ bench }: HoursHome): string[] =>
  readdirSync(join(bench.folders.state, 'history')).filter((name) => /^hours-.*\.db$/.test(name));

describe('the files of hours', () => {
  test('are written once a day, and read from then on', async () => {
    const home = await openWithDays(3);
    expect((await daysOf(home, 3)).tier).toBe('raw');
    await home.rollUpAt(START_MS + DAY_MS + 299_000);
    expect(existsSync(join(home.bench.folders.state, 'history'))).toBe(false);
    await home.rollUpAt(START_MS + DAY_MS + 300_000);
    expect(hoursFiles(home)).toEqual(['hours-2026.db']);
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'hour', means: [23.5, 23.5, 23.5] });
    await home.reopen();
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'hour', means: [23.5, 23.5, 23.5] });
  });

  test('nothing is made while the clock may be wrong, nor without samples', async () => {
    const home = openHoursHome('UTC');
    await home.rollUpAt(START_MS);
    expect(existsSync(join(home.bench.folders.state, 'history'))).toBe(false);
  });

  test('tell what was, when the samples are gone', async () => {
    const home = await openWithDays(40);
    const before = await daysOf(home, 40);
    await home.rollUpAt(START_MS + 40 * DAY_MS + HOUR_MS);
    await home.storage().history.flush();
    await home.bench.time.advance(HOUR_MS);
    home.add([{ series: 'd/power', atMs: START_MS + 40 * DAY_MS + HOUR_MS, value: 1 }]);
    await home.seal();
    const removed = await home.storage().history.forgetMonths({ keepFromMs: START_MS + 30 * DAY_MS, maxBytes: 1e9 });
    expect(removed).toEqual(['2026-03']);
    const after = await daysOf(home, 40);
    expect(after.means).toEqual(before.means);
    expect(after.summary).toEqual({ ...before.summary, mean: expect.closeTo(before.summary.mean ?? 0, 9) });
    expect(after.samplesFromMs).toBe(Date.parse('2026-04-01T00:00:00Z'));
    const points = await readTieredHistory(home.storage(), {
      series: 'd/power',
      kind: 'gauge',
      unit: 'watt',
      fromMs: START_MS,
      toMs: START_MS + 25 * DAY_MS,
      detail: { type: 'points', points: 5000, zone: ZONE },
    });
    // Until April a point is the mean of its hour; then come the samples.
    const rows = points.rows.type === 'values' ? points.rows.points : [];
    expect(points.tier).toBe('hour');
    expect(rows.slice(0, 2)).toEqual([
      { atMs: START_MS, value: 0.5 },
      { atMs: START_MS + HOUR_MS, value: 2.5 },
    ]);
    expect(rows.at(-1)).toEqual({ atMs: START_MS + 25 * DAY_MS - HOUR_MS / 2, value: 47 });
    // Made hours of which the samples are gone are never made anew.
    home.add([{ series: 'd/power', atMs: START_MS + DAY_MS, value: 1000 }]);
    await home.rollUpAt(START_MS + 41 * DAY_MS + HOUR_MS);
    expect((await daysOf(home, 20)).means).toEqual(before.means.slice(0, 20));
  });

  test('answer for the time before the first month also after the journal was lost', async () => {
    const home = await openWithDays(40);
    await home.rollUpAt(START_MS + 40 * DAY_MS + HOUR_MS);
    const before = await daysOf(home, 40);
    // What rides in the journal reaches the database with the id of the history, which a new journal takes over.
    home.storage().meta.addMeta(new Map([['any', 'mark']]));
    home.add([{ series: 'd/power', atMs: START_MS + 41 * DAY_MS, value: 1 }]);
    await home.seal();
    await home.storage().history.forgetMonths({ keepFromMs: START_MS + 30 * DAY_MS, maxBytes: 1e9 });
    await home.storage().close();
    for (const name of ['journal.db', 'journal.db-wal']) rmSync(join(home.bench.folders.state, name), { force: true });
    await home.reopen();
    expect(await home.storage().hours.readSamplesFrom('any/series')).toBe(Date.parse('2026-04-01T00:00:00Z'));
    expect((await daysOf(home, 40)).means).toEqual(before.means);
  });

  test.each([
    ['garbled', (path: string) => writeFileSync(path, Buffer.alloc(20_000, 7))],
    ['missing', (path: string) => rmSync(path)],
  ])('stay when the file of their samples is %s and they are made again', async (_, damage) => {
    const home = await openWithDays(40);
    await home.seal();
    await home.rollUpAt(START_MS + 40 * DAY_MS + HOUR_MS);
    const before = await daysOf(home, 40);
    home.add([{ series: 'other/power', atMs: START_MS + 40 * DAY_MS, value: 1 }]);
    await home.storage().close();
    rmSync(join(home.bench.folders.state, 'backups', 'history', '2026-03.db'), { force: true });
    damage(join(home.bench.folders.state, 'history', '2026-03.db'));
    await home.reopenClosed();
    // As when a device is removed together with its history.
    const gone = { series: 'other/power', fromMs: -Infinity, toMs: START_MS + 41 * DAY_MS, isEnd: true } as const;
    await home.storage().history.deleteSamples([gone]);
    await home.rollUpAt(START_MS + 40 * DAY_MS + 2 * HOUR_MS);
    expect(await daysOf(home, 40)).toMatchObject({ tier: 'hour', means: before.means });
    // Late samples of the other month are still in its hours.
    home.add([{ series: 'd/power', atMs: START_MS + 38 * DAY_MS, value: 1000 }]);
    await home.rollUpAt(START_MS + 40 * DAY_MS + 3 * HOUR_MS);
    const { means } = await daysOf(home, 40);
    expect(means.slice(0, 38)).toEqual(before.means.slice(0, 38));
    expect(means[38]).toBeGreaterThan(before.means[38] ?? 0);
  });

  test('are made again where samples come late, also after a restart', async () => {
    const home = await openWithDays(3);
    await home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    home.add([{ series: 'd/power', atMs: START_MS + DAY_MS + 1.9 * HOUR_MS, value: 480 }]);
    const late = [23.5, expect.closeTo(23.5 + (477 / 24) * 0.1, 6), 23.5];
    // Until they are made, the samples answer.
    expect((await daysOf(home, 3)).means).toEqual(late);
    await home.bench.time.advance(30_000);
    await home.reopen();
    expect((await daysOf(home, 3)).means).toEqual(late);
    await home.rollUpAt(START_MS + 2 * DAY_MS + 2 * HOUR_MS);
    expect(await home.storage().hours.readDue({ fromMs: 0, toMs: Infinity })).toMatchObject({ late: [] });
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'hour', means: late });
  });

  test('are made again where samples are imported', async () => {
    const home = await openWithDays(3);
    await home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    await home
      .storage()
      .history.importSamples([], [{ series: 'd/power', atMs: START_MS + DAY_MS + 1.9 * HOUR_MS, value: 480 }]);
    const imported = [23.5, expect.closeTo(23.5 + (477 / 24) * 0.1, 6), 23.5];
    await home.reopen();
    expect((await daysOf(home, 3)).means).toEqual(imported);
    await home.rollUpAt(START_MS + 2 * DAY_MS + 2 * HOUR_MS);
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'hour', means: imported });
  });

  test('what is deleted is gone from the hours at once', async () => {
    const home = await openWithDays(3);
    await home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    const range = { series: 'd/power', fromMs: START_MS, toMs: START_MS + DAY_MS };
    const { history } = home.storage();
    await history.deleteSamples([range]);
    expect((await home.storage().hours.readHours('d/power', range)).hours).toEqual([]);
    await home.reopen();
    expect((await home.storage().hours.readHours('d/power', range)).hours).toEqual([]);
    expect((await daysOf(home, 3)).means).toEqual([null, 23.5, 23.5]);
    while (await home.storage().history.eraseDeleted());
    expect((await daysOf(home, 3)).means).toEqual([null, 23.5, 23.5]);
    await home.rollUpAt(START_MS + 2 * DAY_MS + 2 * HOUR_MS);
    expect((await daysOf(home, 3)).means).toEqual([null, 23.5, 23.5]);
  });

  test('what is deleted of a time whose samples are gone is in no hour', async () => {
    const home = await openWithDays(40);
    await home.rollUpAt(START_MS + 40 * DAY_MS + HOUR_MS);
    home.add([{ series: 'd/power', atMs: START_MS + 40 * DAY_MS + HOUR_MS, value: 1 }]);
    await home.seal();
    await home.storage().history.forgetMonths({ keepFromMs: START_MS + 30 * DAY_MS, maxBytes: 1e9 });
    const before = await daysOf(home, 4);
    const range = { series: 'd/power', fromMs: START_MS + DAY_MS, toMs: START_MS + 2 * DAY_MS };
    await home.storage().history.deleteSamples([range]);
    const expected = [before.means[0], null, before.means[2], before.means[3]];
    expect((await daysOf(home, 4)).means).toEqual(expected);
    await home.reopen();
    expect((await daysOf(home, 4)).means).toEqual(expected);
    while (await home.storage().history.eraseDeleted());
    expect((await daysOf(home, 4)).means).toEqual(expected);
  });

  test.each([
    ['garbled', (path: string) => writeFileSync(path, Buffer.alloc(20_000, 7))],
    ['cut', (path: string) => truncateSync(path, 5000)],
  ])('a %s file is set aside and made again from the samples', async (_, damage) => {
    const home = await openWithDays(3);
    await home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    await home.storage().close();
    damage(join(home.bench.folders.state, 'history', 'hours-2026.db'));
    await home.reopen();
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'raw', means: [23.5, 23.5, 23.5] });
    expect(home.bench.lines.join()).toContain('a year of hours cannot be used and was set aside');
    await home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    expect(await daysOf(home, 3)).toMatchObject({ tier: 'hour', means: [23.5, 23.5, 23.5] });
  });

  test('a year is copied into the backups once a month, and the copy replaces a damaged one', async () => {
    const home = await openWithDays(30);
    await home.rollUpAt(START_MS + 30 * DAY_MS + HOUR_MS);
    expect(existsSync(join(home.bench.folders.state, 'backups', 'history', 'hours-2026.db'))).toBe(true);
    await home.storage().close();
    writeFileSync(join(home.bench.folders.state, 'history', 'hours-2026.db'), 'garbage');
    await home.reopen();
    expect((await daysOf(home, 30)).tier).toBe('hour');
  });

  test('S6: a kill at any file operation while a day is written loses and doubles nothing', async () => {
    const live = async (): Promise<HoursHome> => {
      const home = await openWithDays(3);
      await home.rollUpAt(START_MS + DAY_MS + HOUR_MS);
      return home;
    };
    const again = (home: HoursHome) => home.rollUpAt(START_MS + 2 * DAY_MS + HOUR_MS);
    const whole = await live();
    const total = await underFault(undefined, () => again(whole));
    expect(total).toBeGreaterThan(3);
    for (let cut = 1; cut <= total; cut += 1) {
      const home = await live();
      await underFault({ kind: 'kill', at: cut }, () => again(home));
      const bench = home.bench;
      const next = openHoursHome('UTC', bench);
      expect([cut, (await daysOf(next, 3)).means]).toEqual([cut, [23.5, 23.5, 23.5]]);
      await again(next);
      expect([cut, (await daysOf(next, 3)).means]).toEqual([cut, [23.5, 23.5, 23.5]]);
    }
  });
});
