import { formatLocale } from '#web/strings/strings.ts';
import type { Range } from './stretches.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The ranges that a person can choose, with the distance of the marks on their axis. */
export const SPANS = {
  hours: { lengthMs: 6 * HOUR_MS, stepMs: 2 * HOUR_MS, ago: '-6h' },
  day: { lengthMs: DAY_MS, stepMs: 6 * HOUR_MS, ago: '-24h' },
  week: { lengthMs: 7 * DAY_MS, stepMs: DAY_MS, ago: '-7d' },
  month: { lengthMs: 30 * DAY_MS, stepMs: 7 * DAY_MS, ago: '-30d' },
} as const;
export type Span = keyof typeof SPANS;

export type Mark = { readonly atMs: number; readonly label: string };

/** Writes moments in the time zone of the hub, whatever the zone of the browser. */
export type Moments = {
  readonly marks: (range: Range, span: Span) => readonly Mark[];
  /** `21 Nov, 14:02`, with seconds. */
  readonly words: (atMs: number) => string;
};

const WORDS = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** A zone that this browser does not know is shown as UTC. */
export function createMoments(zone: string, locale = formatLocale()): Moments {
  const timeZone = isKnown(zone) ? zone : 'UTC';
  const format = new Intl.DateTimeFormat(locale, { ...WORDS, timeZone });
  const offsetAt = offsetsOf(timeZone);
  return {
    words: (atMs) => format.format(atMs),
    marks: ({ fromMs, toMs }, span) => {
      const label = new Intl.DateTimeFormat(locale, { ...labelOf(span, locale), timeZone });
      const { stepMs } = SPANS[span];
      const marks: Mark[] = [];
      // Months have no common day of the week: their marks are counted back from the last day.
      const anchorMs = stepMs <= DAY_MS ? 0 : Math.floor((toMs + offsetAt(toMs)) / DAY_MS) * DAY_MS;
      const firstMs = fromMs + offsetAt(fromMs) - anchorMs;
      for (let localMs = Math.ceil(firstMs / stepMs) * stepMs + anchorMs; ; localMs += stepMs) {
        // The offset changes around a change of the clocks: the second look has that of the moment itself.
        const guessMs = localMs - offsetAt(localMs);
        const atMs = localMs - offsetAt(guessMs);
        if (atMs > toMs) return marks;
        const isNew = atMs >= fromMs && atMs > (marks.at(-1)?.atMs ?? -Infinity);
        if (isNew) marks.push({ atMs, label: label.format(atMs) });
      }
    },
  };
}

function labelOf(span: Span, locale: string): Intl.DateTimeFormatOptions {
  if (span === 'week') return { weekday: 'short' };
  if (span === 'month') return { day: 'numeric', month: 'short' };
  // `6 PM`, but `18:00`: marks are at whole hours, and four times `6:00 PM` are too wide for a phone.
  const { hour12: isHalfDay } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return isHalfDay === true ? { hour: 'numeric' } : { hour: 'numeric', minute: '2-digit' };
}

function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

/** Local time minus UTC, in ms. */
function offsetsOf(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const wholeMs = Math.floor(atMs / 1000) * 1000;
    const parts = new Map(format.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - wholeMs;
  };
}
