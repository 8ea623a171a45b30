import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StartTimer } from '#base/time/timer.ts';
import type { SampleValue } from '#core/past/history/sample.ts';
import { createThinning, wasThinned } from '#core/past/history/thinning.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const BEGIN_MS = 1_795_000_000_000;
type Written = { readonly value: SampleValue; readonly atMs: number };
type Limits = { readonly minIntervalS: number | null; readonly deadband: number | null };
const EVERYTHING: Limits = { minIntervalS: null, deadband: null };

/** A thinning on a clock with one timer at a time, and what it wrote of the series `s`. */
function createThinned({ isEvent = false, limits = EVERYTHING } = {}) {
  let nowMs = BEGIN_MS;
  let timer: { readonly dueMs: number; readonly run: () => void } | undefined;
  const startTimer: StartTimer = (afterMs, run) => {
    if (timer !== undefined) throw new Error('a second timer was started');
    const started = { dueMs: nowMs + afterMs, run };
    timer = started;
    return () => {
      if (timer === started) timer = undefined;
    };
  };
  const written: Written[] = [];
  const marks: number[] = [];
  const thinning = createThinning({
    nowMs: () => nowMs,
    startTimer,
    write: (series, value, atMs) => {
      if (series === 's') written.push({ value, atMs });
      else marks.push(atMs);
    },
  });
  const line = thinning.startLine('s', isEvent);
  const advance = (ms: number): void => {
    const endMs = nowMs + ms;
    for (let due = timer; due !== undefined && due.dueMs <= endMs; due = timer) {
      nowMs = due.dueMs;
      timer = undefined;
      due.run();
    }
    nowMs = endMs;
  };
  return {
    written,
    marks,
    advance,
    /** The wall clock goes back; the timer does not see it. */
    setBack: (ms: number): void => {
      nowMs -= ms;
      if (timer !== undefined) timer = { ...timer, dueMs: timer.dueMs - ms };
    },
    isIdle: () => timer === undefined,
    nowMs: () => nowMs,
    report: (value: SampleValue): void => thinning.note(line, { value, atMs: nowMs }, limits),
    settle: (): void => thinning.settle(line, nowMs),
  };
}

function valueAt(line: readonly Written[], atMs: number): SampleValue | undefined {
  return line.findLast((one) => one.atMs <= atMs)?.value;
}

/** Reports of a series: the time before each, and its value. Storms of them come in between. */
const reports = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constant(1), fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 40 })),
    },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 100, max: 900 }), fc.integer({ min: 1, max: 90 }), fc.nat(40)) },
  ),
  { minLength: 1, maxLength: 25 },
);
const anyLimits = fc.record({
  minIntervalS: fc.constantFrom(null, null, 1, 5, 60),
  deadband: fc.constantFrom(null, null, 0.5, 3),
});

function groupBy(line: readonly Written[], keyOf: (one: Written) => number): ReadonlyMap<number, readonly Written[]> {
  const groups = new Map<number, Written[]>();
  for (const one of line) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function play(thinned: ReturnType<typeof createThinned>, given: readonly (readonly [number, number, number])[]) {
  const told: Written[] = [];
  for (const [times, gapMs, first] of given) {
    for (let index = 0; index < times; index += 1) {
      thinned.advance(gapMs);
      const value = times === 1 ? first : (first + index * 17) % 41;
      if (told.at(-1)?.value === value) continue;
      told.push({ value, atMs: thinned.nowMs() });
      thinned.report(value);
    }
  }
  return told;
}

test('X: whatever is left out, the line is true within the deadband at each sample and after each interval', () => {
  fc.assert(
    fc.property(anyLimits, reports, (limits, given) => {
      const thinned = createThinned({ limits });
      const told = play(thinned, given);
      const busyMs = 1000;
      const lateMs = (limits.minIntervalS === null ? 0 : limits.minIntervalS * 1000) + busyMs;
      const band = limits.deadband ?? 0;
      // A report at the very end of an interval comes after the sample there.
      for (const { value, atMs } of thinned.written) {
        expect([valueAt(told, atMs), valueAt(told, atMs - 1)]).toContain(value);
      }
      for (const [index, { value, atMs }] of told.entries()) {
        const heldMs = (told[index + 1]?.atMs ?? thinned.nowMs()) - atMs;
        if (heldMs <= lateMs) continue;
        expect(Math.abs(Number(valueAt(thinned.written, atMs + lateMs)) - Number(value))).toBeLessThanOrEqual(band);
      }
      const times = thinned.written.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
      thinned.settle();
      expect(thinned.written.at(-1)?.value).toBe(told.at(-1)?.value);
      expect(thinned.isIdle()).toBe(true);
    }),
    searchOf(2_000),
  );
});

test('X: a busy series keeps the first, least, greatest and last of each second, and no more', () => {
  fc.assert(
    fc.property(reports, (given) => {
      const thinned = createThinned();
      const told = play(thinned, given);
      thinned.settle();
      const secondOf = ({ atMs }: Written): number => Math.floor(atMs / 1000);
      const bySecond = groupBy(told, secondOf);
      const keptBySecond = groupBy(thinned.written, secondOf);
      for (const [second, all] of bySecond) {
        const kept = keptBySecond.get(second) ?? [];
        const numbers = (line: readonly Written[]): number[] => line.map(({ value }) => Number(value));
        expect(kept[0]).toEqual(all[0]);
        expect(kept.at(-1)?.value).toBe(all.at(-1)?.value);
        expect(Math.min(...numbers(kept))).toBe(Math.min(...numbers(all)));
        expect(Math.max(...numbers(kept))).toBe(Math.max(...numbers(all)));
      }
      const left = told.length - thinned.written.length;
      expect(thinned.marks.length > 0).toBe(left > 0);
      // 300 at the beginning, then four a second.
      const seconds = new Set(told.map(secondOf)).size;
      expect(thinned.written.length).toBeLessThanOrEqual(
        302 + 4 * seconds + Math.floor((thinned.nowMs() - BEGIN_MS) / 1000),
      );
    }),
    searchOf(2_000),
  );
});

test('a minute of 1,000 reports a second costs four samples a second and one timer', () => {
  const thinned = createThinned();
  for (let index = 0; index < 60_000; index += 1) {
    thinned.report(index % 1000);
    thinned.advance(1);
  }
  expect(thinned.written.length).toBeLessThanOrEqual(301 + 4 * 61);
  expect(thinned.marks).toHaveLength(1);
});

test('a series that calms down is recorded whole again', () => {
  const thinned = createThinned();
  for (let index = 0; index < 2_000; index += 1) {
    thinned.report(index);
    thinned.advance(10);
  }
  thinned.advance(600_000);
  const before = thinned.written.length;
  for (const value of [1, 5, 2, 4, 3]) {
    thinned.report(value);
    thinned.advance(10);
  }
  expect(thinned.written.slice(before).map(({ value }) => value)).toEqual([1, 5, 2, 4, 3]);
});

test('presses count each, until there are too many', () => {
  const thinned = createThinned({ isEvent: true });
  for (let index = 0; index < 10; index += 1) thinned.report('single');
  expect(thinned.written).toHaveLength(10);
  for (let index = 0; index < 1_000; index += 1) thinned.report('single');
  thinned.settle();
  expect(thinned.written.length).toBeLessThan(310);
  expect(thinned.marks).toHaveLength(1);
});

test('a range is thinned if something was left out in it', async () => {
  const store = {
    findBefore: async (series: string, atMs: number) =>
      series === 'thinned/s' && atMs > 5000 ? { atMs: 5000, value: true } : null,
  };
  const ask = (fromMs: number, toMs: number, series = 's') => wasThinned(store, { series, fromMs, toMs });
  expect(await ask(0, 5000)).toBe(false);
  expect(await ask(0, 6000)).toBe(true);
  expect(await ask(3_604_000, 9_000_000)).toBe(true);
  expect(await ask(3_606_000, 9_000_000)).toBe(false);
  expect(await ask(0, 6000, 'other')).toBe(false);
});

test('windows end as if nothing was, although the clock was set back by a month', () => {
  const monthMs = 30 * 86_400_000;
  const thinned = createThinned({ limits: { minIntervalS: 10, deadband: null } });
  for (const value of [1, 2]) thinned.report(value);
  thinned.setBack(monthMs);
  thinned.advance(11_000);
  expect(thinned.written.map(({ value }) => value)).toEqual([1, 2]);
  expect(thinned.isIdle()).toBe(true);
  for (const value of [3, 4]) thinned.report(value);
  thinned.advance(11_000);
  expect(thinned.written.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  expect(thinned.isIdle()).toBe(true);
});
