import { Cron } from 'croner';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { CronFault } from '#core/automation/check/directory.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = 12 * HOUR_MS;
/** Two times of a pattern are at least so far apart. */
const MINUTE_MS = 60_000;

/** Finds the fault of a pattern of five fields; `undefined`: none. */
export function faultOfCron(pattern: string): CronFault | undefined {
  // An automation is checked again with each change of a device that it names.
  if (!faults.has(pattern)) {
    if (faults.size >= MOST_FAULTS) faults.clear();
    faults.set(pattern, findFault(pattern));
  }
  return faults.get(pattern);
}
const faults = new Map<string, CronFault | undefined>();
const MOST_FAULTS = 1_000;

function findFault(pattern: string): CronFault | undefined {
  // Croner takes names such as @daily and single dates beside the five fields.
  if (pattern.trim().split(/\s+/).length !== 5) {
    return { message: 'must have five fields: minute, hour, day, month, weekday', isNever: false };
  }
  const cron = readPattern(pattern, 'UTC');
  if (cron instanceof Error) return { message: `is not a pattern: ${cron.message}`, isNever: false };
  return cron.nextRun() === null ? { message: 'never comes', isNever: true } : undefined;
}

function readPattern(pattern: string, timezone: string): Cron | Error {
  try {
    return new Cron(pattern, { mode: '5-part', paused: true, timezone });
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError) return cause;
    throw cause;
  }
}

/** A pattern as it stands in time. Times are in ms since 1970. */
export type CronTimes = {
  readonly next: (afterMs: number) => number | undefined;
  /** The last time that is after `afterMs` and not after `atMs`. */
  readonly last: (atMs: number, afterMs: number) => number | undefined;
};

/**
 * A pattern that goes on by elapsed time where the clock is moved: one with a star, a range or a step in its time. What
 * is no pattern never comes.
 */
export function openCron(pattern: string, zone: TimeZone): CronTimes {
  const cron = readPattern(pattern, zone.name);
  if (cron instanceof Error) return { next: () => undefined, last: () => undefined };
  const next = (afterMs: number): number | undefined => cron.nextRun(new Date(afterMs))?.getTime();
  const nextUntil = (afterMs: number, untilMs: number): number | undefined => {
    const found = next(afterMs);
    return found === undefined || found > untilMs ? undefined : found;
  };
  return {
    next,
    last: (atMs, afterMs) => {
      for (let windowMs = HOUR_MS; ; windowMs *= 2) {
        const fromMs = Math.max(afterMs, atMs - windowMs);
        const found = nextUntil(fromMs, atMs);
        if (found !== undefined) return latestFrom(found, atMs, nextUntil);
        if (fromMs === afterMs) return undefined;
      }
    },
  };
}

/** The last time up to `toMs`, of which one is known: a pattern of each minute has half a million in a year. */
function latestFrom(
  knownMs: number,
  toMs: number,
  nextUntil: (afterMs: number, untilMs: number) => number | undefined,
): number {
  let [foundMs, endMs] = [knownMs, toMs];
  while (endMs - foundMs >= MINUTE_MS) {
    const middleMs = Math.floor((foundMs + endMs) / 2);
    const later = nextUntil(middleMs, endMs);
    if (later === undefined) endMs = middleMs;
    else foundMs = later;
  }
  return foundMs;
}

/** Clock times on dates: a pattern whose minutes and hours are plain numbers. Each comes once on each of its dates. */
type CronDates = {
  readonly secondsOfDay: readonly number[];
  /** `day`: days since 1970 by the calendar. */
  readonly hasDay: (day: number) => boolean;
};

const NUMBERS = /^\d+(,\d+)*$/;
const DAY_MS = 24 * HOUR_MS;
const MOST_DAYS_BACK = 64;

/** `undefined` for a pattern that is not one of plain clock times. */
export function clockTimesOf(pattern: string): CronDates | undefined {
  const [minutes, hours, ...date] = pattern.trim().split(/\s+/);
  if (minutes === undefined || hours === undefined || !NUMBERS.test(minutes) || !NUMBERS.test(hours)) return undefined;
  // The dates do not depend on the zone: each stands for itself at noon of UTC.
  const dates = readPattern(['0', '12', ...date].join(' '), 'UTC');
  if (dates instanceof Error) return { secondsOfDay: [], hasDay: () => false };
  const seconds = hours
    .split(',')
    .flatMap((hour) => minutes.split(',').map((minute) => Number(hour) * 3600 + Number(minute) * 60));
  const firstFrom = (day: number): number => {
    const found = dates.nextRun(new Date(day * DAY_MS + NOON_MS - 1));
    return found === null ? Infinity : Math.floor(found.getTime() / DAY_MS);
  };
  /** All that fit of the days from `from` to `to`. */
  let known = { from: 0, to: -1, days: new Set<number>() };
  let daysBack = 1;
  return {
    secondsOfDay: [...new Set(seconds)].toSorted((one, other) => one - other),
    hasDay: (day) => {
      if (day < known.from || day > known.to) {
        // Who goes back asks for the day before next, and for more of them the longer nothing fits.
        daysBack = day < known.from ? Math.min(2 * daysBack, MOST_DAYS_BACK) : 1;
        const from = day - daysBack + 1;
        const days = new Set<number>();
        let to = from - 1;
        do {
          to = firstFrom(to + 1);
          days.add(to);
        } while (to < day);
        // A pattern has no year: one that does not come from some day on never came.
        known = { from: to === Infinity ? -Infinity : from, to, days };
      }
      return known.days.has(day);
    },
  };
}
