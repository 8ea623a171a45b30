import type { Gap } from '#core/past/history/history-store.ts';
import type { Hour } from '#core/past/hour/hour.ts';
import type { DayOfSeries, HourSlice, HoursDue } from '#core/past/hour/hour-store.ts';
import { type TimeSpan, without } from '#core/past/hour/time-span.ts';
import type { History } from './history.ts';
import { retiredToMs } from './deletions.ts';
import { TICK_MS } from '#storage/samples/segment.ts';
import { read, write } from '#storage/tables/operation.ts';
import { encodeDay } from '#storage/hours/day-codec.ts';
import {
  hoursFileOf,
  isYearWithin,
  listSpans,
  putDays,
  putSpan,
  readDays,
  type HoursFile,
  type PackedDay,
} from '#storage/hours/hours-file.ts';

/** More waiting bytes are written although their days are not complete. */
const MAX_STAGED_BYTES = 524_288;
/** Days of one slice of an answer: about a millisecond for who reads it, and 5 ms on a slow computer. */
const SLICE_DAYS = 32;
const DAY_MS = 86_400_000;

/** The operations of `HourStore`. */
export function createHoursOperations({ history }: { readonly history: History }) {
  const { years } = history;
  const { late } = history.journal;
  let staged: PackedDay[] = [];
  const filesWithin = (range: TimeSpan): readonly HoursFile[] =>
    years.list().filter((file) => isYearWithin(file, range));
  const spansWithin = (range: TimeSpan): TimeSpan[] =>
    filesWithin(range).flatMap((name) => years.read(name, (file) => listSpans(file, range)) ?? []);
  /** In one transaction for each year: a day is written once, and no page of it twice. */
  const commit = (spans: readonly TimeSpan[]): void => {
    const names = new Set([...staged, ...spans].map(({ fromMs }) => hoursFileOf(fromMs)));
    for (const name of names) {
      const isHere = ({ fromMs }: { readonly fromMs: number }): boolean => hoursFileOf(fromMs) === name;
      years.write(name, (file) =>
        file.transaction(() => {
          putDays(file, staged.filter(isHere));
          for (const span of spans.filter(isHere)) putSpan(file, span);
        }),
      );
    }
    staged = [];
  };
  return {
    readDue: read((range: TimeSpan): HoursDue => {
      staged = [];
      return {
        firstMs: firstSampleMs(history),
        wholeFromMs: late.wholeFromMs(),
        made: spansWithin(range),
        late: late.spans(),
        version: late.version(),
      };
    }),
    putDays: write((days: readonly DayOfSeries[], version: number): boolean => {
      if (version !== late.version()) return false;
      // What samples do not tell any more stays as it is.
      const isTold = (day: DayOfSeries) =>
        retiredToMs(history.deletions.ofSeries(day.name)) <= day.fromMs && !losesHours(history, day);
      staged.push(...days.filter(isTold).map(packedDay));
      const bytes = staged.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
      if (bytes > MAX_STAGED_BYTES) commit([]);
      return true;
    }),
    finishDays: write((spans: readonly TimeSpan[], version: number): boolean => {
      if (version !== late.version()) return false;
      commit(spans);
      late.finish(spans);
      keepCopies(history, spans);
      return true;
    }),
    readSamplesFrom: read((series: string): number => samplesFromMs(history, series)),
    readHours: read((series: string, { fromMs, toMs }: TimeSpan): HourSlice => {
      const endMs = Math.min(toMs, fromMs + SLICE_DAYS * DAY_MS);
      const range = { fromMs, toMs: endMs };
      const hours: Hour[] = [];
      const gaps: Gap[] = [];
      const made: TimeSpan[] = [];
      // What cannot be made again is shown as it is.
      const again = without(late.spans(), { fromMs: -Infinity, toMs: samplesFromMs(history, series) });
      const hidden = hiddenOf(history, series);
      const isShown = (hour: TimeSpan): boolean =>
        hour.fromMs >= fromMs &&
        hour.fromMs < endMs &&
        !hidden.some((one) => one.fromMs < hour.toMs && one.toMs > hour.fromMs);
      for (const name of filesWithin(range)) {
        years.read(name, (file) => {
          const days = readDays(file, series, range);
          for (const span of listSpans(file, range)) {
            const day = days.get(span.fromMs);
            // A damaged day is as one that was not made.
            if (day === undefined && days.has(span.fromMs)) continue;
            if (again.some((one) => one.fromMs < span.toMs && one.toMs > span.fromMs)) continue;
            made.push(span);
            hours.push(...(day?.hours ?? []).filter(isShown));
            gaps.push(...(day?.gaps ?? []));
          }
        });
      }
      return { hours, gaps, made, next: endMs < toMs ? endMs : null };
    }),
  };
}

/** Whether samples of the day were lost after its hours were made. */
function losesHours({ years }: History, { name, fromMs, gaps }: DayOfSeries): boolean {
  const lost = lostMs(gaps);
  if (lost === 0) return false;
  const day = { fromMs, toMs: fromMs + 1 };
  const made = years.read(hoursFileOf(fromMs), (file) => readDays(file, name, day))?.get(fromMs);
  return made !== undefined && lostMs(made.gaps) < lost;
}

function lostMs(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, { reason, fromMs, toMs }) => (reason === 'lost' ? sum + toMs - fromMs : sum), 0);
}

function packedDay({ name, kind, unit, fromMs, hours, gaps }: DayOfSeries): PackedDay {
  const isUnknown = hours.length === 0 && gaps.length === 0;
  return { name, kind, unit, fromMs, data: isUnknown ? null : encodeDay(fromMs, { kind, hours, gaps }) };
}

/** Lists the deletions that took hours as well, and whose bytes are still there. */
function hiddenOf({ deletions }: History, series: string) {
  return deletions.ofSeries(series).filter((one) => !one.isErased && one.retires !== 'samples');
}

function samplesFromMs({ journal, deletions }: History, series: string): number {
  return Math.max(journal.late.wholeFromMs(), retiredToMs(deletions.ofSeries(series)));
}

/**
 * A year is copied into the backups when it has another month, and when it is over: until then all that a damaged file had
 * can be made from samples. A copy each day would write more than everything else that the hub writes.
 */
function keepCopies({ years }: History, spans: readonly TimeSpan[]): void {
  const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
  for (const { fromMs, toMs } of spans) {
    const file = hoursFileOf(fromMs);
    if (monthOf(fromMs + DAY_MS / 2) !== monthOf(toMs + DAY_MS / 2)) years.keepCopy(file);
  }
}

function firstSampleMs({ catalog, journal: { samples, shiftOf } }: History): number | null {
  const times = catalog.months().flatMap((month) => {
    const extents = month.startsWith('lost-') ? [] : catalog.ofMonth(month);
    return extents.map(({ epoch, firstTick }) => firstTick * TICK_MS + shiftOf(epoch));
  });
  for (const series of samples.series()) {
    for (const { segment, firstTick } of samples.chunksOf(series)) {
      times.push(firstTick * TICK_MS + shiftOf(segment.epoch));
    }
  }
  return times.length === 0 ? null : times.reduce((least, ms) => Math.min(least, ms));
}
