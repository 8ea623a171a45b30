import { DAYS, type Day } from '#core/automation/document/condition.ts';

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday, and DAYS begins with Monday. */
const THURSDAY = 3;

/** A day of the calendar as days since 1970, whatever the zone. */
export type DayNumber = number;

/** `2026-11-22`. */
export function dateOf(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function weekdayOf(day: DayNumber): Exclude<Day, 'workday'> {
  return DAYS[(((day + THURSDAY) % 7) + 7) % 7] as Exclude<Day, 'workday'>;
}

/** Monday to Friday, but for the free days of the calendar. */
export function isWorkday(day: DayNumber, isFree: (date: string) => boolean): boolean {
  const weekday = weekdayOf(day);
  return weekday !== 'sat' && weekday !== 'sun' && !isFree(dateOf(day));
}

type DateRule = {
  readonly days?: readonly Day[];
  readonly dates?: readonly string[];
  readonly except_dates?: readonly string[];
};

/** Whether a rule holds on a day. `isFree`: of the calendar, for `workday`. */
export function hasDay({ days, dates, except_dates: except }: DateRule, isFree: (date: string) => boolean) {
  return (day: DayNumber): boolean => {
    if (
      days !== undefined &&
      !days.some((one) => (one === 'workday' ? isWorkday(day, isFree) : one === weekdayOf(day)))
    ) {
      return false;
    }
    if (dates === undefined && except === undefined) return true;
    const date = dateOf(day);
    return (
      (dates === undefined || dates.some((one) => isWithin(date, one))) &&
      except?.some((one) => isWithin(date, one)) !== true
    );
  };
}

/** A range of `MM-DD` may go over the end of the year. */
function isWithin(date: string, range: string): boolean {
  const [from = '', to = from] = range.split('..');
  const own = date.slice(-from.length);
  return from <= to ? from <= own && own <= to : own >= from || own <= to;
}

const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** Seconds of the day of `HH:MM[:SS]`; `undefined` for any other text. */
export function secondOfDay(text: string): number | undefined {
  const match = CLOCK_TIME.exec(text);
  return match === null ? undefined : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0);
}
