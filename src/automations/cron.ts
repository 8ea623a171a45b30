import { Cron } from 'croner';
import type { TimeZone } from '#base/time/time-zone.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = 12 * HOUR_MS;
/** Back in time, the window is doubled up to this. */
const MOST_MS = 9 * 366 * 24 * HOUR_MS;

/** The fault of a pattern of five fields, as a sentence without its subject; `undefined`: it is one. */
export function faultOfCron(pattern: string): string | undefined {
  // Croner takes names such as @daily and single dates beside the five fields.
  if (pattern.trim().split(/\s+/).length !== 5) return 'must have five fields: minute, hour, day, month, weekday';
  try {
    const cron = new Cron(pattern, { mode: '5-part', paused: true, timezone: 'UTC' });
    return cron.nextRun() === null ? 'never comes' : undefined;
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof RangeError) return `is not a pattern: ${cause.message}`;
    throw cause;
  }
}

/** A pattern as it stands in time. Times are in ms since 1970. */
export type CronTimes = {
  readonly next: (afterMs: number) => number | undefined;
  /** The last time that is not after `atMs`. */
  readonly last: (atMs: number) => number | undefined;
};

/** A pattern that goes on by elapsed time where the clock is moved: one with a star, a range or a step in its time. */
export function openCron(pattern: string, zone: TimeZone): CronTimes {
  const cron = new Cron(pattern, { mode: '5-part', paused: true, timezone: zone.name });
  const next = (afterMs: number): number | undefined => cron.nextRun(new Date(afterMs))?.getTime();
  return {
    next,
    last: (atMs) => {
      for (let windowMs = HOUR_MS; windowMs < MOST_MS; windowMs *= 2) {
        let found: number | undefined;
        for (let at = next(atMs - windowMs); at !== undefined && at <= atMs; at = next(at)) found = at;
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** Clock times on dates: a pattern whose minutes and hours are plain numbers. Each comes once on each of its dates. */
export type CronDates = {
  /** Seconds of the day, ascending. */
  readonly secondsOfDay: readonly number[];
  /** `day`: days since 1970 by the calendar. */
  readonly hasDay: (day: number) => boolean;
};

const NUMBERS = /^\d+(,\d+)*$/;
const DAY_MS = 24 * HOUR_MS;

/** `undefined` for a pattern that is not one of plain clock times. */
export function clockTimesOf(pattern: string): CronDates | undefined {
  const [minutes, hours, ...date] = pattern.trim().split(/\s+/);
  if (minutes === undefined || hours === undefined || !NUMBERS.test(minutes) || !NUMBERS.test(hours)) return undefined;
  // The dates do not depend on the zone: each stands for itself at noon of UTC.
  const dates = new Cron(['0', '12', ...date].join(' '), { mode: '5-part', paused: true, timezone: 'UTC' });
  const seconds = hours
    .split(',')
    .flatMap((hour) => minutes.split(',').map((minute) => Number(hour) * 3600 + Number(minute) * 60));
  let known: { readonly from: number; readonly to: number } | undefined;
  return {
    secondsOfDay: [...new Set(seconds)].toSorted((one, other) => one - other),
    hasDay: (day) => {
      // From `from` on, `to` is the first one that fits.
      if (known === undefined || day < known.from || day > known.to) {
        const found = dates.nextRun(new Date(day * DAY_MS + NOON_MS - 1));
        known = { from: day, to: found === null ? Infinity : Math.floor(found.getTime() / DAY_MS) };
      }
      return day === known.to;
    },
  };
}
