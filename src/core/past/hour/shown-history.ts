import type { HourPartsDeps } from './hour-parts.ts';

/** The same stores, in which a series has nothing before the moment that `firstMs` gives for its name. */
export function shownFrom({ history, hours }: HourPartsDeps, firstMs: (series: string) => number): HourPartsDeps {
  return {
    history: {
      readSlice: (range, afterMs) => {
        const fromMs = Math.max(range.fromMs, firstMs(range.series));
        return history.readSlice({ ...range, fromMs, toMs: Math.max(fromMs, range.toMs) }, afterMs);
      },
      findBefore: async (series, atMs) => {
        const first = firstMs(series);
        const found = atMs <= first ? null : await history.findBefore(series, atMs);
        return found && { ...found, atMs: Math.max(first, found.atMs) };
      },
    },
    hours: {
      readSamplesFrom: hours.readSamplesFrom,
      readHours: async (series, { fromMs, toMs }) => {
        const range = { fromMs: Math.max(fromMs, firstMs(series)), toMs };
        return range.fromMs < toMs ? hours.readHours(series, range) : { hours: [], gaps: [], made: [], next: null };
      },
    },
  };
}
