import { eachSample, type HistoryStore, type SampleRange } from './history-store.ts';
import { isGap, type Sample } from './sample.ts';

/** What a counter counted, at the moment at which it became certain. */
export type Count = {
  readonly atMs: number;
  /** The reading from which it counts: between the two it was counted. */
  readonly sinceMs: number;
  /** In the unit of the counter; never negative. */
  readonly increase: number;
  /** Counted somewhere in a gap that ended here: its time is unknown. */
  readonly inGap: number;
  readonly resets: number;
};

/** Follows one counter. Its counts depend on what came before, never on what comes after. */
export type CounterReader = {
  /** To be called with each sample in order. `undefined` if it counts nothing. */
  readonly read: (sample: Sample) => Count | undefined;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A zero that ends within this time was a fault of the meter. */
const GLITCH_MS = 10 * MINUTE_MS;
/** A counter that stays below its old value for longer is another meter. */
const NEW_METER_MS = 24 * HOUR_MS;

/**
 * What a home can use in an hour: 30 kW, and 30 m³ of gas or water. There is no such limit for rain: a cloudburst is real, and
 * its last reading may be confirmed only weeks later.
 */
const MOST_PER_HOUR: ReadonlyMap<string | null, number> = new Map([
  ['kWh', 30],
  ['m3', 30],
]);

export function maxPerHourOf(unit: string | null): number {
  return MOST_PER_HOUR.get(unit) ?? Infinity;
}

type Reading = { readonly atMs: number; readonly value: number };

/**
 * A counter only rises, but meters restart, are replaced, and send nonsense:
 * - A fall to nearly nothing is a restart from 0, unless the old value is back within ten minutes.
 * - A smaller fall is noise: nothing counts until the old value is passed or, after a day, the meter is another one.
 * - A rise that is faster than possible counts only once a second reading confirms it.
 */
export function createCounterReader({ maxPerHour = Infinity }: { readonly maxPerHour?: number } = {}): CounterReader {
  /** The reading that all earlier counts add up to. */
  let base: Reading | undefined;
  let hasGap = false;
  /** Since when the readings are below it, and the last of those. */
  let below: { readonly sinceMs: number; readonly isRestart: boolean } | undefined;
  let suspect: Reading | undefined;

  const accept = (reading: Reading, counted: number, resets = 0): Count | undefined => {
    const isInGap = hasGap;
    const sinceMs = base?.atMs ?? reading.atMs;
    base = reading;
    hasGap = false;
    below = undefined;
    suspect = undefined;
    if (counted === 0 && resets === 0) return undefined;
    return { atMs: reading.atMs, sinceMs, increase: isInGap ? 0 : counted, inGap: isInGap ? counted : 0, resets };
  };

  const readRise = (reading: Reading, last: Reading): Count | undefined => {
    const rise = reading.value - last.value;
    const isPossible = rise <= (maxPerHour * (reading.atMs - last.atMs)) / HOUR_MS;
    const isConfirmed = suspect !== undefined && reading.value >= suspect.value;
    if (isPossible || isConfirmed) return accept(reading, rise);
    suspect = reading;
    return undefined;
  };

  const readFall = (reading: Reading, last: Reading): Count | undefined => {
    suspect = undefined;
    const { atMs, value } = reading;
    const isRestart = value <= Math.max(last.value / 100, 1) || below?.isRestart === true;
    below ??= { sinceMs: atMs, isRestart };
    if (below.isRestart) return atMs - below.sinceMs >= GLITCH_MS ? accept(reading, value, 1) : undefined;
    if (isRestart) {
      below = { sinceMs: atMs, isRestart };
      return undefined;
    }
    return atMs - below.sinceMs >= NEW_METER_MS ? accept(reading, 0) : undefined;
  };

  return {
    read: ({ atMs, value }) => {
      if (isGap(value)) {
        hasGap = base !== undefined;
        return undefined;
      }
      // A meter counts no negative amounts, and none so great that the next ones add nothing to it; a text is no reading.
      if (typeof value !== 'number' || value < 0 || value > Number.MAX_SAFE_INTEGER) return undefined;
      const reading = { atMs, value };
      if (base === undefined) return accept(reading, 0);
      return value < base.value ? readFall(reading, base) : readRise(reading, base);
    },
  };
}

const DAY_MS = 24 * HOUR_MS;
const WARM_UP_DAYS = 2;

/** Where to begin to read, so that the counts from this moment on are the same whatever else is read. */
function counterWarmUpMs(fromMs: number): number {
  return (Math.floor(fromMs / DAY_MS) - WARM_UP_DAYS) * DAY_MS;
}

/**
 * A reader whose counts depend on nothing but the samples of the day (of UTC), the two days before, and the last sample
 * before those. So the counts of any parts of a range add up to those of the range. Give it the last sample before
 * `counterWarmUpMs`, then all from there on.
 */
export function createDailyCounterReader(options: Parameters<typeof createCounterReader>[0] = {}): CounterReader {
  const readers = new Map<number, CounterReader>();
  let last: Sample | undefined;
  return {
    read: (sample) => {
      const today = Math.floor(sample.atMs / DAY_MS);
      for (const day of readers.keys()) if (day < today) readers.delete(day);
      for (let day = today; day <= today + WARM_UP_DAYS; day += 1) {
        if (readers.has(day)) continue;
        const reader = createCounterReader(options);
        if (last !== undefined) reader.read(last);
        readers.set(day, reader);
      }
      last = sample;
      let counted: Count | undefined;
      for (const [day, reader] of readers) {
        const count = reader.read(sample);
        if (day === today) counted = count;
      }
      return counted;
    },
  };
}

/** A counter counts from what it read before the range. */
export async function warmUp(
  store: Pick<HistoryStore, 'findBefore' | 'readSlice'>,
  { series, fromMs }: Pick<SampleRange, 'series' | 'fromMs'>,
  read: (sample: Sample) => void,
): Promise<void> {
  const beginMs = counterWarmUpMs(fromMs);
  const first = await store.findBefore(series, beginMs);
  if (first !== null) read(first);
  await eachSample(store, { series, fromMs: beginMs, toMs: fromMs }, (sample) => {
    read(sample);
    return true;
  });
}
