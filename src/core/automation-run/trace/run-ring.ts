import type { StoredRun } from './run-store.ts';
import { isDull } from './trace.ts';

/** A trace that is kept. Only what the lists need is at hand; it changes in its place. */
export type KeptRun = { -readonly [Key in keyof StoredRun]: StoredRun[Key] };

/**
 * The last traces of an automation, in two rings: a hundred starts that came to nothing never push out the one that
 * did something. Of equal dull ones only the first and the newest moment are kept, with a count.
 */
export type RunRing = {
  /** Returns what has to go for it. */
  readonly add: (run: KeptRun) => readonly KeptRun[];
  readonly remove: (run: KeptRun) => void;
  readonly setPacked: (run: KeptRun, packed: Uint8Array) => void;
  /** A dull one that came to nothing in the same way. */
  readonly findLike: (likeness: string) => KeptRun | undefined;
  /** The one that is missed least: of the dull ones the oldest, then of the others; the last one stays. */
  readonly leastMissed: () => KeptRun | undefined;
  /** Oldest first in each ring. */
  readonly runs: () => readonly KeptRun[];
  readonly bytes: () => number;
};

export const TELLING_KEPT = 50;
export const DULL_KEPT = 50;
/** A row of the journal takes so much beside the trace, and an entry of the memory too. */
export const ROW_BYTES = 256;

export function createRunRing(): RunRing {
  const telling: KeptRun[] = [];
  const dull: KeptRun[] = [];
  let bytes = 0;
  const ringOf = (run: KeptRun): KeptRun[] => (isDull(run) ? dull : telling);
  const remove = (run: KeptRun): void => {
    for (const ring of [telling, dull]) {
      const at = ring.indexOf(run);
      if (at < 0) continue;
      ring.splice(at, 1);
      bytes -= run.packed.length + ROW_BYTES;
    }
  };
  return {
    add: (run) => {
      const ring = ringOf(run);
      ring.push(run);
      bytes += run.packed.length + ROW_BYTES;
      if (ring.length <= (ring === dull ? DULL_KEPT : TELLING_KEPT)) return [];
      const oldest = ring[oldestFinished(ring)];
      if (oldest === undefined) return [];
      remove(oldest);
      return [oldest];
    },
    remove,
    setPacked: (run, packed) => {
      bytes += packed.length - run.packed.length;
      run.packed = packed;
    },
    findLike: (likeness) => dull.findLast((run) => run.likeness === likeness),
    leastMissed: () => dull[0] ?? (telling.length > 1 ? telling[oldestFinished(telling)] : undefined),
    runs: () => [...dull, ...telling],
    bytes: () => bytes,
  };
}

/** One that goes on is needed until it ends; if all go on, the oldest has to go. */
function oldestFinished(runs: readonly KeptRun[]): number {
  return Math.max(
    0,
    runs.findIndex(({ finishedAtMs }) => finishedAtMs !== null),
  );
}
