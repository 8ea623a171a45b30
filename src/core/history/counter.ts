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
/** A reading that differs less is about the same count. */
const ABOUT = 0.01;

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

/** The count before a restart, and what was counted since. */
type Lost = Reading & { readonly counted: number };

/**
 * A counter only rises, but meters restart, are replaced, and send nonsense:
 * - A fall to nearly nothing is a restart from 0, unless the old value is back within ten minutes.
 * - A jump from there back to about the old value, whenever it comes, is the old count again: of it counts only what is
 *   above the old value and was not counted since the restart.
 * - A smaller fall is noise: nothing counts until the old value is passed or, after a day, the meter is another one. So is
 *   one to more than can have been counted from 0.
 * - A rise that is faster than possible counts only once a second reading confirms it.
 */
export function createCounterReader({ maxPerHour = Infinity }: { readonly maxPerHour?: number } = {}): CounterReader {
  /** The reading that all earlier counts add up to. */
  let base: Reading | undefined;
  let hasGap = false;
  /** Since when the readings are below it, and what those mean. */
  let below: { readonly sinceMs: number; readonly isRestart: boolean } | undefined;
  let suspect: Reading | undefined;
  let lost: Lost | undefined;

  const isPossible = (amount: number, sinceMs: number, atMs: number): boolean =>
    maxPerHour === Infinity || amount <= (maxPerHour * (atMs - sinceMs)) / HOUR_MS;

  const accept = (reading: Reading, counted: number, resets = 0): Count | undefined => {
    const isInGap = hasGap;
    const sinceMs = base?.atMs ?? reading.atMs;
    lost = lostAfter({ lost, base, reading, counted, isReset: resets > 0 });
    base = reading;
    hasGap = false;
    below = undefined;
    suspect = undefined;
    if (counted === 0 && resets === 0) return undefined;
    return { atMs: reading.atMs, sinceMs, increase: isInGap ? 0 : counted, inGap: isInGap ? counted : 0, resets };
  };

  const isBack = ({ atMs, value }: Reading, last: Reading, before: Lost): boolean => {
    const rise = value - last.value;
    if (value < before.value * (1 - ABOUT) || rise < before.value / 2) return false;
    const isJump = !isPossible(rise, last.atMs, atMs) || value <= before.value * (1 + ABOUT);
    return isJump && isPossible(value - before.value, before.atMs, atMs);
  };

  const readRise = (reading: Reading, last: Reading): Count | undefined => {
    if (lost !== undefined && isBack(reading, last, lost)) {
      const reached = lost.value + lost.counted;
      // What it forgot of its count in the meantime is not counted again.
      return accept({ ...reading, value: Math.max(reading.value, reached) }, Math.max(0, reading.value - reached));
    }
    const rise = reading.value - last.value;
    const isConfirmed = suspect !== undefined && reading.value >= suspect.value;
    if (isPossible(rise, last.atMs, reading.atMs) || isConfirmed) return accept(reading, rise);
    suspect = reading;
    return undefined;
  };

  const readFall = (reading: Reading, last: Reading): Count | undefined => {
    suspect = undefined;
    const { atMs, value } = reading;
    const isFromZero = value < last.value * (1 - ABOUT) && isPossible(value, last.atMs, atMs);
    const isNothing = value <= Math.max(last.value / 100, 1) && isPossible(value, last.atMs, below?.sinceMs ?? atMs);
    const isRestart = isFromZero && (isNothing || below?.isRestart === true);
    if (below?.isRestart !== isRestart) below = { sinceMs: atMs, isRestart };
    const belowMs = atMs - below.sinceMs;
    if (isRestart) return belowMs >= GLITCH_MS ? accept(reading, value, 1) : undefined;
    return belowMs >= NEW_METER_MS ? accept(reading, 0) : undefined;
  };

  return {
    read: ({ atMs, value }) => {
      if (isGap(value)) {
        hasGap = base !== undefined;
        return undefined;
      }
      if (!isReading(value)) return undefined;
      const reading = { atMs, value };
      if (base === undefined) return accept(reading, 0);
      return value < base.value ? readFall(reading, base) : readRise(reading, base);
    },
  };
}

type Accepted = {
  readonly lost: Lost | undefined;
  readonly base: Reading | undefined;
  readonly reading: Reading;
  readonly counted: number;
  readonly isReset: boolean;
};

/** The count that may come back once this reading is the present one. */
function lostAfter({ lost, base, reading, counted, isReset }: Accepted): Lost | undefined {
  const isOlder = lost !== undefined && (!isReset || base === undefined || lost.value >= base.value);
  const before = isOlder ? lost : isReset && base !== undefined ? { ...base, counted: 0 } : undefined;
  if (before === undefined || reading.value >= before.value) return undefined;
  return { ...before, counted: before.counted + counted };
}

/** A meter counts no negative amounts, and none so great that the next ones add nothing to it; a text is no reading. */
function isReading(value: Sample['value']): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

const DAY_MS = 24 * HOUR_MS;
const WARM_UP_DAYS = 2;

/** Where to begin to read, so that the counts from this moment on are the same whatever else is read. */
function counterWarmUpMs(fromMs: number): number {
  return (Math.floor(fromMs / DAY_MS) - WARM_UP_DAYS) * DAY_MS;
}

/** A meter that shows nothing may have its count again later, so the last one before that stays the last. */
function isZero({ value }: Sample): boolean {
  return value === 0;
}

/**
 * A reader whose counts depend on nothing but the samples of the day (of UTC), the two days before, and the last reading
 * above 0 before those with the gap after it. So the counts of any parts of a range add up to those of the range. Give it
 * what `warmUp` reads, then all from there on.
 */
export function createDailyCounterReader(options: Parameters<typeof createCounterReader>[0] = {}): CounterReader {
  const readers = new Map<number, CounterReader>();
  let last: Sample | undefined;
  /** Since that reading. */
  let gap: Sample | undefined;
  const keep = (sample: Sample): void => {
    if (isGap(sample.value)) gap = sample;
    else if (isReading(sample.value) && !(isZero(sample) && last !== undefined)) [last, gap] = [sample, undefined];
  };
  return {
    read: (sample) => {
      const today = Math.floor(sample.atMs / DAY_MS);
      for (const day of readers.keys()) if (day < today) readers.delete(day);
      for (let day = today; day <= today + WARM_UP_DAYS; day += 1) {
        if (readers.has(day)) continue;
        const reader = createCounterReader(options);
        if (last !== undefined) reader.read(last);
        if (gap !== undefined) reader.read(gap);
        readers.set(day, reader);
      }
      keep(sample);
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
  for (const sample of await lastReading(store, { series, beforeMs: beginMs })) read(sample);
  await eachSample(store, { series, fromMs: beginMs, toMs: fromMs }, (sample) => {
    read(sample);
    return true;
  });
}

/** More of them in a row are those of a device that was off for very long. */
const MAX_BACK = 20;

/** The last reading before a moment, above 0 if there is one, and the gap after it if there is one. */
async function lastReading(
  store: Pick<HistoryStore, 'findBefore'>,
  { series, beforeMs }: { readonly series: string; readonly beforeMs: number },
): Promise<readonly Sample[]> {
  let gap: Sample | undefined;
  let zero: readonly Sample[] = [];
  let found = await store.findBefore(series, beforeMs);
  for (let tries = 0; found !== null && tries < MAX_BACK; tries += 1) {
    if (isReading(found.value) && !isZero(found)) return [found, gap ?? []].flat();
    if (isGap(found.value)) gap ??= found;
    else if (isReading(found.value)) zero = [found, gap ?? []].flat();
    found = await store.findBefore(series, found.atMs);
  }
  return zero;
}
