import { isGap, type GapMark, type Sample, type SampleValue } from './sample.ts';

/** A value and the time in which it holds: a piece of the step line that the samples of a series draw. */
export type Piece = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: SampleValue | GapMark;
  /** It begins here: it is a sample, and not the rest of one that holds from before the range. */
  readonly isSample: boolean;
};

/**
 * Draws the step line of the samples within a range. `before` is the last sample before the range: its value holds at the
 * beginning. Before the first sample of all nothing is known, and there is no piece.
 */
export function createStepLine(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  before: Sample | null,
  onPiece: (piece: Piece) => void,
): { readonly add: (sample: Sample) => void; readonly end: (untilMs?: number) => void } {
  let held = before;
  let isSample = false;
  let sinceMs = fromMs;
  const drawUntil = (untilMs: number): void => {
    if (held !== null) onPiece({ fromMs: sinceMs, toMs: untilMs, value: held.value, isSample });
  };
  return {
    add: (sample) => {
      drawUntil(sample.atMs);
      held = sample;
      sinceMs = sample.atMs;
      isSample = true;
    },
    end: (untilMs = toMs) => drawUntil(untilMs),
  };
}

/** The known value of a piece; `undefined` in a gap. */
export function knownValue({ value }: Piece): SampleValue | undefined {
  return isGap(value) ? undefined : value;
}
