import type { Day } from '#core/automation/document/condition.ts';
import type { CivilDay, CivilMoment } from '#core/automation/view.ts';

export const DAY_S = 86_400;
const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** Seconds of the day for `HH:MM` or `HH:MM:SS`; `undefined` for any other text. */
export function readClockTime(text: string): number | undefined {
  const parts = CLOCK_TIME.exec(text);
  if (parts === null) return undefined;
  const [, hours, minutes, seconds = '0'] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Whether a day is one of these; no list means any. */
export function isOneOf(days: readonly Day[] | undefined, { weekday, isWorkday }: CivilDay): boolean {
  return days === undefined || days.includes(weekday) || (isWorkday && days.includes('workday'));
}

/**
 * The day on which the span of clock times around the present began; `undefined` outside of it. The start belongs to
 * the span and the end does not. A span that ends before it begins, or then, goes over midnight:
 * `before` 00:00 alone is the whole day.
 */
export function dayOfSpan(
  { after, before }: { readonly after: number | undefined; readonly before: number | undefined },
  { secondOfDay, today, yesterday }: CivilMoment,
): CivilDay | undefined {
  const [from, to] = [after ?? 0, before ?? DAY_S];
  if (secondOfDay >= from) return secondOfDay < to || to <= from ? today : undefined;
  return secondOfDay < to && to <= from ? yesterday : undefined;
}
