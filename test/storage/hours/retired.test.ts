import { describe, expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { DeletionRange } from '#core/past/history/history-store.ts';
import { readTieredHistory } from '#core/past/hour/hour-query.ts';
import { DAY_MS, HOUR_MS, openHoursHome, type HoursHome } from './hours-home.ts';

const ZONE = createTimeZone('UTC');
const START_MS = Date.parse('2026-03-10T00:00:00Z');
const DAYS = 20;
const RETIRED = { series: 'd/power', fromMs: -Infinity, toMs: START_MS + 10 * DAY_MS, retires: 'samples' } as const;

/** Two series with a sample each hour, whose value is the day. */
async function openHome({ rolls = true } = {}): Promise<HoursHome> {
  const home = openHoursHome('UTC');
  const names = ['d/power', 'd/other'];
  home.storage().history.describeSeries(names.map((name) => ({ name, kind: 'gauge', unit: null })));
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    const atMs = START_MS + hour * HOUR_MS;
    const value = Math.floor(hour / 24);
    home.add(names.map((series) => ({ series, atMs, value })));
  }
  await home.bench.time.advance(30_000);
  if (rolls) await home.rollUpAt(START_MS + DAYS * DAY_MS + HOUR_MS);
  return home;
}

async function daysOf(home: HoursHome, series = 'd/power') {
  const range = { fromMs: START_MS, toMs: START_MS + DAYS * DAY_MS };
  const detail = { type: 'buckets', bucket: '1d', zone: ZONE } as const;
  const { rows, samplesFromMs } = await readTieredHistory(home.storage(), {
    series,
    kind: 'gauge',
    unit: null,
    ...range,
    detail,
  });
  return { means: rows.type === 'gauge' ? rows.buckets.map(({ mean }) => mean) : [], samplesFromMs };
}

async function rawOf(home: HoursHome, series = 'd/power'): Promise<number> {
  const range = { series, fromMs: START_MS, toMs: START_MS + DAYS * DAY_MS };
  return (await home.storage().history.readSlice(range, null)).timesMs.length;
}

async function retire(home: HoursHome, range: DeletionRange): Promise<void> {
  await home.storage().history.deleteSamples([range]);
  await home.seal();
  while (await home.storage().history.eraseDeleted());
}

const ALL_DAYS = Array.from({ length: DAYS }, (_, day) => day);

describe('samples of a series whose time is over', () => {
  test('go, and their hours stay, also when the hours of others are made again', async () => {
    const home = await openHome();
    await retire(home, RETIRED);
    // The value that held at the end stays.
    expect(await rawOf(home)).toBe(10 * 24);
    expect(await rawOf(home, 'd/other')).toBe(20 * 24);
    expect(await daysOf(home)).toEqual({ means: ALL_DAYS, samplesFromMs: RETIRED.toMs });
    expect(await daysOf(home, 'd/other')).toEqual({ means: ALL_DAYS, samplesFromMs: null });
    expect((await home.storage().hours.readDue({ fromMs: 0, toMs: Infinity })).late).toEqual([]);
    home.add([{ series: 'd/other', atMs: START_MS + HOUR_MS / 2, value: 24 }]);
    expect((await daysOf(home)).means).toEqual(ALL_DAYS);
    await home.rollUpAt(START_MS + DAYS * DAY_MS + 2 * HOUR_MS);
    await home.reopen();
    expect((await daysOf(home)).means).toEqual(ALL_DAYS);
    expect((await daysOf(home, 'd/other')).means[0]).toBeGreaterThan(0.4);
  });

  test('points before that time are made of hours', async () => {
    const home = await openHome();
    await retire(home, RETIRED);
    const range = { fromMs: START_MS + 8 * DAY_MS, toMs: START_MS + 12 * DAY_MS };
    const detail = { type: 'points', points: 1000, zone: ZONE } as const;
    const found = await readTieredHistory(home.storage(), {
      series: 'd/power',
      kind: 'gauge',
      unit: null,
      ...range,
      detail,
    });
    const values = found.rows.type === 'values' ? found.rows.points.map(({ value }) => value) : [];
    expect(found.tier).toBe('hour');
    expect(new Set(values)).toEqual(new Set([8, 9, 10, 11]));
  });

  test('stay while hours are still to be made of them', async () => {
    const home = await openHome({ rolls: false });
    await retire(home, RETIRED);
    expect(await rawOf(home)).toBe(20 * 24);
    await home.rollUpAt(START_MS + DAYS * DAY_MS + HOUR_MS);
    home.add([{ series: 'd/power', atMs: START_MS + HOUR_MS / 2, value: 24 }]);
    await retire(home, RETIRED);
    expect(await rawOf(home)).toBe(20 * 24 + 1);
    await home.rollUpAt(START_MS + DAYS * DAY_MS + 2 * HOUR_MS);
    await retire(home, RETIRED);
    expect(await rawOf(home)).toBe(10 * 24);
  });

  test('take their hours along if nothing may stay, and no hours are made again for that', async () => {
    const home = await openHome();
    await retire(home, { ...RETIRED, retires: 'all' });
    expect(await rawOf(home)).toBe(10 * 24);
    const { means } = await daysOf(home);
    expect(means).toEqual(ALL_DAYS.map((day) => (day < 10 ? null : day)));
    expect((await home.storage().hours.readDue({ fromMs: 0, toMs: Infinity })).late).toEqual([]);
  });

  test('are gone with their hours when a person deletes them', async () => {
    const home = await openHome();
    await retire(home, RETIRED);
    await retire(home, { series: 'd/power', fromMs: -Infinity, toMs: START_MS + 5 * DAY_MS });
    await home.rollUpAt(START_MS + DAYS * DAY_MS + 2 * HOUR_MS);
    const { means } = await daysOf(home);
    expect(means).toEqual(ALL_DAYS.map((day) => (day < 5 ? null : day)));
  });
});
