import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isFlag, isText, listOf, recordOf } from '#core/records/record-check.ts';
import { KEYED_CHECKS, type KeyedRecord } from '#core/records/keyed-records.ts';
import { faultWords } from '#words/faults.ts';

/** Dates under a name, such as holidays. */
export type Calendar = KeyedRecord & {
  readonly name: string;
  /** `MM-DD` for every year, `YYYY-MM-DD` for one, or from one to another: `12-24..01-06`. */
  readonly dates: readonly string[];
  /** Whether its days are no workdays. */
  readonly isFree: boolean;
  /** Milliseconds on the hub's clock. */
  readonly changedAtMs: number;
};

export const MAX_CALENDARS = 20;
export const MAX_CALENDAR_DATES = 400;

const DATE = String.raw`(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
export const CALENDAR_DATE = new RegExp(`^${DATE}(?:\\.\\.${DATE})?$`);

/** Finds the faults of dates whose form is right; `pointer` is where the list is. */
export function refuseDates(dates: readonly string[], pointer: string): readonly FieldError[] {
  return dates.flatMap((range, index) => {
    const [from = '', to = from] = range.split('..');
    const at = `${pointer}/${index}`;
    if (from.length !== to.length) return [fieldError(at, 'INVALID_VALUE', ...faultWords('year_on_one_side'))];
    if (![from, to].every(isReal)) return [fieldError(at, 'INVALID_VALUE', ...faultWords('no_day'))];
    if (from.length > MONTH_DAY && from > to) return [fieldError(at, 'INVALID_VALUE', ...faultWords('ends_before'))];
    return [];
  });
}

const MONTH_DAY = 'MM-DD'.length;

/** 29 February is real without a year. */
function isReal(date: string): boolean {
  const whole = date.length === MONTH_DAY ? `2024-${date}` : date;
  const parsed = Date.parse(`${whole}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(whole);
}

type Range = { readonly from: string; readonly to: string };

/** Whether a date (`2026-12-25`) is among the dates. Prepared once, because a rule asks for years of days. */
export function dateFinder(dates: readonly string[]): (date: string) => boolean {
  const yearly: Range[] = [];
  const once: Range[] = [];
  for (const one of dates) {
    const [from = '', to = from] = one.split('..');
    if (from.length > MONTH_DAY) once.push({ from, to });
    else if (from <= to) yearly.push({ from, to });
    else yearly.push({ from, to: '12-31' }, { from: '01-01', to });
  }
  const eachYear = finderIn(yearly);
  const inOne = finderIn(once);
  return (date) => inOne(date) || eachYear(date.slice(-MONTH_DAY));
}

function finderIn(ranges: readonly Range[]): (date: string) => boolean {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || last.to < range.from) merged.push(range);
    else if (last.to < range.to) merged[merged.length - 1] = { ...last, to: range.to };
  }
  return (date) => {
    let low = 0;
    let high = merged.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((merged[middle]?.to ?? '') < date) low = middle + 1;
      else high = middle;
    }
    return (merged[low]?.from ?? '~') <= date;
  };
}

export const isCalendarRecord = recordOf<Calendar>({ ...KEYED_CHECKS, dates: listOf(isText), isFree: isFlag });
