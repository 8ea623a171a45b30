import type { StartTimer } from '#base/time/timer.ts';
import type { HistoryStore } from './history-store.ts';
import type { FeatureRecording } from './recording-settings.ts';
import type { SampleValue } from './sample.ts';

/** How a series goes on, and what of it is not written yet. */
export type Line = {
  readonly series: string;
  /** Each report counts, even of the same value. */
  readonly isEvent: boolean;
  /** The value that the last sample has; `undefined` in a gap. */
  recorded: SampleValue | undefined;
  /** The value that the device reported last. */
  newest: SampleValue | undefined;
  window: Window | undefined;
  /** Changes that came faster than one a second. */
  excess: number;
  excessAtMs: number;
  isBusy: boolean;
  markedAtMs: number;
};

type Limits = Pick<FeatureRecording, 'minIntervalS' | 'deadband'>;
type Held = { readonly value: SampleValue; readonly atMs: number };
/** A time after a sample in which no other is written. */
type Window = {
  readonly startMs: number;
  readonly endMs: number;
  readonly limits: Limits;
  count: number;
  least: Held | undefined;
  greatest: Held | undefined;
  last: Held | undefined;
};

type ThinningDeps = {
  readonly nowMs: () => number;
  readonly startTimer: StartTimer;
  readonly write: (series: string, value: SampleValue, atMs: number) => void;
};

const SECOND_MS = 1000;
/** More changes than one a second, over five minutes. */
const BUSY_AT = 300;
const CALM_AT = 150;
const MARK_MS = 3_600_000;

/**
 * Leaves out samples that a person does not want, and those of a device that reports faster than anybody looks. The line that
 * is left is true: within the deadband, or at each sample and the end of each interval. A busy series keeps the first, least,
 * greatest and last of each second. Memory and samples of a series are bounded, whatever it reports.
 */
export function createThinning({ nowMs, startTimer, write }: ThinningDeps) {
  const pending = createPending({ nowMs, startTimer, close: (line, endMs) => close(line, endMs) });
  const mark = (line: Line, atMs: number): void => {
    if (atMs - line.markedAtMs < MARK_MS) return;
    line.markedAtMs = atMs;
    write(markOf(line.series), true, atMs);
  };
  const writeIfWorth = (line: Line, { value, atMs }: Held, { deadband }: Limits): boolean => {
    if (!isWorth(line, value, deadband)) return false;
    line.recorded = value;
    write(line.series, value, atMs);
    return true;
  };
  const record = (line: Line, report: Held, limits: Limits): void => {
    if (!writeIfWorth(line, report, limits)) {
      if (report.value !== line.recorded) mark(line, report.atMs);
      return;
    }
    if (limits.minIntervalS === null && !line.isBusy) return;
    // All windows end with a second, so that one timer serves thousands of series.
    const shortestMs = limits.minIntervalS === null ? 1 : limits.minIntervalS * SECOND_MS;
    const endMs = SECOND_MS * Math.ceil((report.atMs + shortestMs) / SECOND_MS);
    line.window = {
      startMs: report.atMs,
      endMs,
      limits,
      count: 0,
      least: undefined,
      greatest: undefined,
      last: undefined,
    };
  };
  function close(line: Line, atMs: number): void {
    const { window } = line;
    line.window = undefined;
    pending.remove(line);
    if (window?.last === undefined) return;
    const { limits, last, least, greatest, count } = window;
    if (limits.minIntervalS !== null) {
      mark(line, last.atMs);
      record(line, { value: last.value, atMs: Math.max(atMs, last.atMs) }, limits);
      return;
    }
    const kept = [...new Set([least ?? last, greatest ?? last, last])].toSorted(
      (left, right) => left.atMs - right.atMs,
    );
    if (count > kept.length) mark(line, last.atMs);
    for (const held of kept) writeIfWorth(line, held, limits);
  }
  return {
    startLine: (series: string, isEvent: boolean): Line => ({
      series,
      isEvent,
      recorded: undefined,
      newest: undefined,
      window: undefined,
      excess: 0,
      excessAtMs: nowMs(),
      isBusy: false,
      markedAtMs: -Infinity,
    }),
    note: (line: Line, report: Held, limits: Limits): void => {
      line.newest = report.value;
      countReport(line, nowMs());
      const { window } = line;
      if (window !== undefined && (report.atMs >= window.endMs || nowMs() < window.startMs)) close(line, window.endMs);
      // What it held may have opened another one at a time that is ahead too.
      if (line.window !== undefined && nowMs() < line.window.startMs) line.window = undefined;
      if (line.window === undefined) return record(line, report, limits);
      hold(line.window, report);
      pending.add(line, line.window.endMs);
    },
    /** Writes what the line ends with: nothing is carried across a gap. */
    settle: (line: Line, atMs: number): void => {
      close(line, atMs);
      if (!line.isEvent && line.newest !== undefined && line.newest !== line.recorded) {
        write(line.series, line.newest, atMs);
        line.recorded = line.newest;
      }
      line.window = undefined;
    },
  };
}

function isWorth({ isEvent, recorded }: Line, value: SampleValue, deadband: number | null): boolean {
  if (isEvent || recorded === undefined) return true;
  if (deadband === null || typeof value !== 'number' || typeof recorded !== 'number') return value !== recorded;
  return Math.abs(value - recorded) > deadband;
}

/** Texts have an order too: it keeps two more of the values that an enum had in the second. */
function hold(window: Window, report: Held): void {
  window.count += 1;
  if (window.least === undefined || report.value < window.least.value) window.least = report;
  if (window.greatest === undefined || report.value > window.greatest.value) window.greatest = report;
  window.last = report;
}

function countReport(line: Line, nowMs: number): void {
  const pastS = Math.max(0, nowMs - line.excessAtMs) / SECOND_MS;
  line.excess = Math.min(BUSY_AT, Math.max(0, line.excess - pastS) + 1);
  line.excessAtMs = nowMs;
  line.isBusy = line.excess >= (line.isBusy ? CALM_AT : BUSY_AT);
}

type PendingDeps = Pick<ThinningDeps, 'nowMs' | 'startTimer'> & {
  readonly close: (line: Line, endMs: number) => void;
};

/** The lines that have something to write at the end of their windows. One timer runs while there are any. */
function createPending({ nowMs, startTimer, close }: PendingDeps) {
  const ends = new Map<Line, number>();
  let timer: { readonly endMs: number; readonly stop: () => void } | undefined;
  const arm = (endMs: number): void => {
    if (timer !== undefined && timer.endMs <= endMs) return;
    timer?.stop();
    timer = { endMs, stop: startTimer(Math.max(1, endMs - nowMs()), sweep) };
  };
  function sweep(): void {
    timer = undefined;
    const atMs = nowMs();
    let nextMs = Infinity;
    for (const [line, endMs] of ends) {
      // One that began ahead of now is from before the clock was set back.
      if (endMs <= atMs || atMs < (line.window?.startMs ?? atMs)) close(line, endMs);
      else nextMs = Math.min(nextMs, endMs);
    }
    if (nextMs < Infinity) arm(nextMs);
  }
  return {
    add: (line: Line, endMs: number): void => {
      if (ends.get(line) === endMs) return;
      ends.set(line, endMs);
      arm(endMs);
    },
    remove: (line: Line): void => {
      ends.delete(line);
      if (ends.size > 0) return;
      timer?.stop();
      timer = undefined;
    },
  };
}

/** A series of marks: each says that in the hour from it on, something was left out. */
export function markOf(series: string): string {
  return `thinned/${series}`;
}

/** Whether changes within the range were left out. */
export async function wasThinned(
  store: Pick<HistoryStore, 'findBefore'>,
  { series, fromMs, toMs }: { readonly series: string; readonly fromMs: number; readonly toMs: number },
): Promise<boolean> {
  const mark = await store.findBefore(markOf(series), toMs);
  return mark !== null && mark.value === true && mark.atMs + MARK_MS > fromMs;
}
