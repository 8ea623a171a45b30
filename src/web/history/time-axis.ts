import { lastOf } from '#web/since-2021.ts';
import { formatLocale } from '#web/strings/formats.ts';
import { instantOf, knownZone, offsetAt } from '#web/strings/hub-zone.ts';
import type { Range } from './stretches.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The ranges that a person can choose, with the distance of the marks on their axis. */
export const SPANS = {
  hours: { lengthMs: 6 * HOUR_MS, stepMs: 2 * HOUR_MS, ago: '-6h' },
  night: { lengthMs: 9 * HOUR_MS, stepMs: 3 * HOUR_MS, ago: '-9h' },
  day: { lengthMs: DAY_MS, stepMs: 6 * HOUR_MS, ago: '-24h' },
  week: { lengthMs: 7 * DAY_MS, stepMs: DAY_MS, ago: '-7d' },
  month: { lengthMs: 30 * DAY_MS, stepMs: 7 * DAY_MS, ago: '-30d' },
  year: { lengthMs: 365 * DAY_MS, stepMs: 61 * DAY_MS, ago: '-365d' },
} as const;
export type Span = keyof typeof SPANS;

/** The choice that a range is nearest to: its axis is marked as that of the choice. */
export function spanOf({ fromMs, toMs }: Range): Span {
  const names = Object.keys(SPANS) as Span[];
  // Clocks change, and no month is as long as another: a little more is still the same choice.
  return names.find((name) => toMs - fromMs <= SPANS[name].lengthMs * 1.2) ?? 'year';
}

export type Mark = { readonly atMs: number; readonly label: string };

/** Writes moments in the time zone of the hub, whatever the zone of the browser. */
export type Moments = {
  readonly marks: (range: Range, span: Span) => readonly Mark[];
  /** `21 Nov, 14:02`, with seconds. */
  readonly words: (atMs: number) => string;
  /** `21 Nov, 14:02`; of a month or a year `21 Nov 2026`. */
  readonly shortWords: (atMs: number, span: Span) => string;
  /** The last night, from ten to seven, that began before this moment. */
  readonly nightBefore: (atMs: number) => Range;
};

const WORDS = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const SHORT_WORDS = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
const EVENING_MS = 22 * HOUR_MS;
const MORNING_MS = (24 + 7) * HOUR_MS;
/** As many months as a phone has room for. */
const MONTHS = 6;

export function createMoments(zone: string, locale = formatLocale()): Moments {
  const timeZone = knownZone(zone);
  const format = new Intl.DateTimeFormat(locale, { ...WORDS, timeZone });
  const shortFormat = new Intl.DateTimeFormat(locale, { ...SHORT_WORDS, timeZone });
  const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const localOf = (atMs: number): number => atMs + offsetAt(atMs, timeZone);
  return {
    words: (atMs) => format.format(atMs),
    shortWords: (atMs, span) => (span === 'month' || span === 'year' ? dateFormat : shortFormat).format(atMs),
    nightBefore: (atMs) => {
      const localMs = localOf(atMs);
      const dayMs = Math.floor((localMs - EVENING_MS - 1) / DAY_MS) * DAY_MS;
      return { fromMs: instantOf(dayMs + EVENING_MS, timeZone), toMs: instantOf(dayMs + MORNING_MS, timeZone) };
    },
    marks: (range, span) => {
      const label = new Intl.DateTimeFormat(locale, { ...labelOf(span, locale), timeZone });
      const { fromMs, toMs } = range;
      if (span === 'year') {
        return monthsIn({ fromMs: localOf(fromMs), toMs: localOf(toMs) }).map((localMs) => {
          const atMs = instantOf(localMs, timeZone);
          return { atMs, label: label.format(atMs) };
        });
      }
      const { stepMs } = SPANS[span];
      const marks: Mark[] = [];
      // Months have no common day of the week: their marks are counted back from the last day.
      const anchorMs = stepMs <= DAY_MS ? 0 : Math.floor(localOf(toMs) / DAY_MS) * DAY_MS;
      const firstMs = localOf(fromMs) - anchorMs;
      for (let localMs = Math.ceil(firstMs / stepMs) * stepMs + anchorMs; ; localMs += stepMs) {
        const atMs = instantOf(localMs, timeZone);
        if (atMs > toMs) return marks;
        const isNew = atMs >= fromMs && atMs > (lastOf(marks)?.atMs ?? -Infinity);
        if (isNew) marks.push({ atMs, label: label.format(atMs) });
      }
    },
  };
}

/** The beginnings of months in a range of local time. */
function monthsIn({ fromMs, toMs }: Range): readonly number[] {
  const first = new Date(fromMs);
  const count = Math.ceil((toMs - fromMs) / (30 * DAY_MS));
  const months = Array.from({ length: count + 1 }, (_, index) =>
    Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1 + index),
  ).filter((localMs) => localMs <= toMs);
  const every = Math.ceil(months.length / MONTHS);
  return months.filter((_, index) => index % every === 0);
}

function labelOf(span: Span, locale: string): Intl.DateTimeFormatOptions {
  if (span === 'week') return { weekday: 'short' };
  if (span === 'month') return { day: 'numeric', month: 'short' };
  if (span === 'year') return { month: 'short' };
  // `6 PM`, but `18:00`: marks are at whole hours, and four times `6:00 PM` are too wide for a phone.
  const { hour12: isHalfDay } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return isHalfDay === true ? { hour: 'numeric' } : { hour: 'numeric', minute: '2-digit' };
}
