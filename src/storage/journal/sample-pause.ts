import type { NewSample, SampleBatch } from '#core/past/history/history-store.ts';
import { type GapMark, USUAL_TEXT } from '#core/past/history/sample.ts';

/** Bounds what waits while the disk takes none of it. */
export type SamplePause = {
  /**
   * What to add now: the batch, or nothing while it is paused. After a pause each series that missed samples gets a gap from
   * the first of them on, and the last one.
   */
  readonly admit: (batch: SampleBatch, waitingBytes: number) => readonly SampleBatch[];
  readonly sinceMs: () => number | null;
};

/** As 200,000 numbers take. They are sealed long before, unless the disk fails. */
const MAX_WAITING_BYTES = 3_200_000;

/** A `last` that is a long text does not wait: the gap goes on after it. */
type Missed = { readonly firstMs: number; readonly last: NewSample };

export function createSamplePause(): SamplePause {
  /** By epoch, in the order in which the epochs came, and series. */
  const missed = new Map<string, Map<string, Missed>>();
  let sinceMs: number | null = null;
  const miss = ({ epoch, samples }: SampleBatch): void => {
    const ofEpoch = missed.get(epoch) ?? new Map<string, Missed>();
    missed.set(epoch, ofEpoch);
    for (const sample of samples) {
      const firstMs = ofEpoch.get(sample.series)?.firstMs ?? sample.atMs;
      ofEpoch.set(sample.series, { firstMs, last: isLong(sample) ? { ...sample, value: PAUSED } : sample });
    }
  };
  return {
    admit: (batch, waitingBytes) => {
      if (waitingBytes >= MAX_WAITING_BYTES) {
        sinceMs ??= batch.samples[0]?.atMs ?? null;
        miss(batch);
        return [];
      }
      sinceMs = null;
      if (missed.size === 0) return [batch];
      const batches = [...missed].map(([epoch, ofEpoch]) => ({ epoch, samples: samplesOf([...ofEpoch.values()]) }));
      missed.clear();
      return [...batches, batch];
    },
    sinceMs: () => sinceMs,
  };
}

const PAUSED: GapMark = { gap: 'paused' };

function isLong({ value }: NewSample): boolean {
  return typeof value === 'string' && value.length > USUAL_TEXT;
}

function samplesOf(missed: readonly Missed[]): NewSample[] {
  return missed
    .flatMap(({ firstMs, last }) => [
      ...(firstMs === last.atMs ? [] : [{ ...last, atMs: firstMs, value: PAUSED }]),
      last,
    ])
    .toSorted((left, right) => left.atMs - right.atMs);
}
