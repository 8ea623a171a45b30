import type { SampleBatch } from '#core/past/history/history-store.ts';
import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import { nextSegment, numberOf, TICK_MS, type Segment } from './segment.ts';

export type SampleIntake = ReturnType<typeof createSampleIntake>;

export type PlacedSample = {
  readonly segment: Segment;
  readonly series: string;
  readonly tick: number;
  /** Its own one, where that was free no more. */
  readonly movedFrom?: number;
  readonly value: SampleValue | GapMark;
};

/** A segment and the last tick in it. */
export type LastStretch = { readonly segment: Segment; readonly lastTick: number };

/**
 * A sample that is this late is moved to the next free tick. A later one begins a new segment. Of a busy series those of the
 * last second come together.
 */
const LATE_TICKS = 20;
const MAX_TEXT = 4_096;
/** The year 2200: later times are no times. */
const MAX_MS = 7_258_118_400_000;

export function createSampleIntake(last: LastStretch | undefined, onSegment: (segment: Segment) => void) {
  let current = last === undefined ? undefined : { ...last, closedTick: last.lastTick };
  let begun: Segment[] = [];
  const stretchFor = (epoch: string, tick: number) => {
    if (current?.segment.epoch === epoch && tick > current.closedTick - LATE_TICKS) return current;
    const segment = nextSegment(current, epoch, tick);
    onSegment(segment);
    begun.push(segment);
    current = { segment, lastTick: tick, closedTick: tick - 1 };
    return current;
  };
  return {
    /** Calls `take` for each sample that can be kept, and returns how many cannot. */
    add: ({ epoch, samples }: SampleBatch, take: (sample: PlacedSample) => void): number => {
      let refused = 0;
      for (const { series, atMs, value } of samples) {
        if (!isKeepable(atMs, value)) {
          refused += 1;
          continue;
        }
        const wanted = Math.floor(atMs / TICK_MS);
        const stretch = stretchFor(epoch, wanted);
        const tick = Math.max(wanted, stretch.closedTick + 1);
        current = { ...stretch, lastTick: Math.max(stretch.lastTick, tick) };
        take({ segment: stretch.segment, series, tick, value, ...(tick > wanted && { movedFrom: wanted }) });
      }
      return refused;
    },
    /**
     * Lets no later sample get a number below the returned one: what is written or read now stays before everything that is
     * written or read afterwards.
     */
    close: (): number => {
      if (current === undefined) return 0;
      current = { ...current, closedTick: current.lastTick };
      return numberOf(current.segment, current.lastTick + 1);
    },
    last: (): LastStretch | undefined => current,
    /** The segments that began since `noteWritten`. The rows of their samples may have been dropped. */
    begun: (): readonly Segment[] => begun,
    noteWritten: (): void => {
      begun = [];
    },
    /** Lets the next sample come after this tick of this segment. */
    adopt: (stretch: LastStretch): void => {
      const { number } = stretch.segment;
      const isLater =
        current === undefined ||
        current.segment.number < number ||
        (current.segment.number === number && current.lastTick < stretch.lastTick);
      if (isLater) current = { ...stretch, closedTick: stretch.lastTick };
    },
  };
}

function isKeepable(atMs: number, value: SampleValue | GapMark): boolean {
  if (!Number.isFinite(atMs) || atMs < 0 || atMs > MAX_MS) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'string' || value.length <= MAX_TEXT;
}
