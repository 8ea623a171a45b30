import type { NewSample, SampleBatch } from '#core/history/history-store.ts';

/** Bounds what waits while the disk takes none of it. */
export type SamplePause = {
  /**
   * What to add now: the batch, or nothing while it is paused. After a pause each series that missed samples gets a gap from
   * the first of them on, and the last one.
   */
  readonly admit: (batch: SampleBatch, waiting: number) => readonly SampleBatch[];
  readonly sinceMs: () => number | null;
};

/** About 4 MB. They are sealed long before, unless the disk fails. */
const MAX_WAITING = 200_000;

type Missed = { readonly first: NewSample; readonly last: NewSample };

export function createSamplePause(): SamplePause {
  /** By epoch, in the order in which the epochs came, and series. */
  const missed = new Map<string, Map<string, Missed>>();
  let sinceMs: number | null = null;
  const miss = ({ epoch, samples }: SampleBatch): void => {
    const ofEpoch = missed.get(epoch) ?? new Map<string, Missed>();
    missed.set(epoch, ofEpoch);
    for (const sample of samples) {
      ofEpoch.set(sample.series, { first: ofEpoch.get(sample.series)?.first ?? sample, last: sample });
    }
  };
  return {
    admit: (batch, waiting) => {
      if (waiting >= MAX_WAITING) {
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

function samplesOf(missed: readonly Missed[]): NewSample[] {
  return missed
    .flatMap(({ first, last }) => [...(first === last ? [] : [{ ...first, value: { gap: 'paused' } as const }]), last])
    .toSorted((left, right) => left.atMs - right.atMs);
}
