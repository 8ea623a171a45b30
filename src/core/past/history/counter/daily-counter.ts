import { type Count, type CounterReader, createCounterReader, isReading } from './counter.ts';
import { eachSample, type HistoryStore, type SampleRange } from '#core/past/history/history-store.ts';
import { isGap, type Sample } from '#core/past/history/sample.ts';

const DAY_MS = 86_400_000;
const WARM_UP_DAYS = 2;

/** Where to begin to read, so that the counts from this moment on are the same whatever else is read. */
function counterWarmUpMs(fromMs: number): number {
  return (Math.floor(fromMs / DAY_MS) - WARM_UP_DAYS) * DAY_MS;
}

/** A meter that shows nothing may have its count again later, so the last one before that stays the last. */
function isCount({ value }: Sample): boolean {
  return isReading(value) && value > 0;
}

/**
 * Keeps what a reader needs from before its warm-up, once this sample is part of it: the last reading above 0, the one
 * before if the last fell from that, and the first zero and the gaps after each. So no restart is forgotten before it
 * is confirmed.
 */
function tailWith(tail: readonly Sample[], sample: Sample): readonly Sample[] {
  const lastAt = tail.findLastIndex(isCount);
  const last = tail[lastAt];
  if (isCount(sample))
    return last !== undefined && last.value > sample.value ? [...tail.slice(lastAt), sample] : [sample];
  const since = tail.slice(lastAt + 1);
  const isKnown = isGap(sample.value)
    ? since.length > 0 && isGap(since.at(-1)?.value ?? 0)
    : !isReading(sample.value) || since.some(({ value }) => value === 0);
  return isKnown ? tail : [...tail, sample];
}

/**
 * A reader whose counts depend on nothing but the samples of the day (of UTC), the two days before, and the tail of those
 * before. So the counts of any parts of a range add up to those of the range. Give it what `warmUp` reads, then all from there
 * on.
 */
export function createDailyCounterReader(options: Parameters<typeof createCounterReader>[0] = {}): CounterReader {
  const readers = new Map<number, CounterReader>();
  let tail: readonly Sample[] = [];
  return {
    read: (sample) => {
      const today = Math.floor(sample.atMs / DAY_MS);
      for (const day of readers.keys()) if (day < today) readers.delete(day);
      for (let day = today; day <= today + WARM_UP_DAYS; day += 1) {
        if (readers.has(day)) continue;
        const reader = createCounterReader(options);
        for (const one of tail) reader.read(one);
        readers.set(day, reader);
      }
      tail = tailWith(tail, sample);
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
  for (const sample of await readTail(store, { series, beforeMs: beginMs })) read(sample);
  await eachSample(store, { series, fromMs: beginMs, toMs: fromMs }, (sample) => {
    read(sample);
    return true;
  });
}

/** More of them in a row are those of a device that was off for very long. */
const MAX_BACK = 20;

async function readTail(
  store: Pick<HistoryStore, 'findBefore'>,
  { series, beforeMs }: { readonly series: string; readonly beforeMs: number },
): Promise<readonly Sample[]> {
  const found: Sample[] = [];
  let sample = await store.findBefore(series, beforeMs);
  while (sample !== null && found.length < MAX_BACK) {
    found.unshift(sample);
    if (found.filter(isCount).length > 1) break;
    sample = await store.findBefore(series, sample.atMs);
  }
  return found.reduce(tailWith, []);
}
