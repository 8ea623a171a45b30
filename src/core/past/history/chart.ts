import { AREA_SCALE } from './bucket-totals.ts';
import type { Gap, SampleRange, SampleSlice } from './history-store.ts';
import { isGap, type Point, type Sample, type SampleValue } from './sample.ts';
import { createStepLine, knownValue, type Piece } from './step-line.ts';

/** A range that is drawn as so many columns. */
export type ChartRange = SampleRange & { readonly columns: number };

/** A slice of samples adds this to a chart: a month of a meter has 180,000 samples, and its chart 500 points. */
type ChartSlice = {
  readonly points: readonly Point[];
  readonly gaps: readonly Gap[];
  readonly amounts: ChartAmounts;
  /** The last sample up to here: it holds when the next slice begins. */
  readonly held: Sample | null;
  /** The `afterMs` of the next slice; `null` after the last one. */
  readonly next: number | null;
};

/** A summary is made of these amounts. Those of parts add up. */
type ChartAmounts = {
  readonly min: number;
  readonly max: number;
  readonly knownMs: number;
  readonly changes: number;
  /** Numbers have an area (value times time, in the scale of `AREA_SCALE`) and the time that it covers. */
  readonly area: number;
  readonly numberMs: number;
};

export type Summary = {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly knownMs: number;
  readonly changes: number;
};

/** `held` is the last sample before the slice, in or before the range. */
export function chartSlice(
  { timesMs, values, gaps: marks, next }: SampleSlice,
  range: ChartRange,
  held: Sample | null,
): ChartSlice {
  const summary = createSummary();
  const gaps = createGaps();
  const thinned = createM4(range.fromMs, range.toMs, range.columns);
  const isBefore = held === null || held.atMs < range.fromMs;
  const line = createStepLine(range, isBefore ? held : null, (piece) => {
    summary.addPiece(piece);
    gaps.addPiece(piece);
  });
  if (!isBefore) line.add(held);
  let last = held;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? marks.get(index);
    if (value === undefined) continue;
    last = { atMs: timesMs[index] ?? range.fromMs, value };
    line.add(last);
    if (!isGap(value)) thinned.add(last as Point);
  }
  if (next === null) line.end();
  return { points: thinned.end(), gaps: gaps.end(), amounts: summary.amounts(), held: last, next };
}

export function createSummary() {
  let [knownMs, changes, area, numberMs] = [0, 0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  return {
    addPiece: (piece: Piece): void => {
      const value = knownValue(piece);
      if (value === undefined) return;
      const lengthMs = piece.toMs - piece.fromMs;
      knownMs += lengthMs;
      if (piece.isSample) changes += 1;
      if (typeof value !== 'number' || (lengthMs === 0 && !piece.isSample)) return;
      min = Math.min(min, value);
      max = Math.max(max, value);
      area += value * AREA_SCALE * lengthMs;
      numberMs += lengthMs;
    },
    add: (part: ChartAmounts): void => {
      min = Math.min(min, part.min);
      max = Math.max(max, part.max);
      knownMs += part.knownMs;
      changes += part.changes;
      area += part.area;
      numberMs += part.numberMs;
    },
    amounts: (): ChartAmounts => ({ min, max, knownMs, changes, area, numberMs }),
    end: (): Summary => {
      const isNumber = min <= max;
      const mean = numberMs === 0 ? null : Math.min(max, Math.max(min, area / numberMs / AREA_SCALE));
      return { min: isNumber ? min : null, max: isNumber ? max : null, mean, knownMs, changes };
    },
  };
}

/** More gaps than this in one answer join into one at the end: nobody looks at each of them. */
const MAX_GAPS = 1_000;

export function createGaps() {
  const gaps: Gap[] = [];
  const add = (gap: Gap): void => {
    const last = gaps.at(-1);
    const isSame = last !== undefined && last.toMs === gap.fromMs && last.reason === gap.reason;
    if (last !== undefined && (isSame || gaps.length >= MAX_GAPS)) gaps[gaps.length - 1] = { ...last, toMs: gap.toMs };
    else gaps.push(gap);
  };
  return {
    add,
    addPiece: ({ fromMs, toMs, value }: Piece): void => {
      if (!isGap(value) || fromMs === toMs) return;
      add({ fromMs, toMs, reason: value.gap, isUncertain: value.isUncertain ?? false });
    },
    end: (): readonly Gap[] => gaps,
  };
}

/**
 * Thins samples to the first, least, greatest and last of each of `columns` equal parts of a range, with their true
 * times: a line drawn through them, `columns` pixels wide, is the line through all samples (M4, Jugel et al. 2014).
 * A text has no order: of texts the first, the last and one of each other kind stay, four at most. Expects samples in
 * order of time, without gaps.
 */
export function createM4(
  fromMs: number,
  toMs: number,
  columns: number,
): { add: (point: Point) => void; end: () => readonly Point[] } {
  const points: Point[] = [];
  let column = -1;
  let kept: Point[] = [];
  let least: SampleValue = 0;
  let greatest: SampleValue = 0;
  /** Whether the newest point is an extreme, and not only the last one. */
  let isNewestExtreme = false;
  const columnOf = (atMs: number): number => Math.floor(((atMs - fromMs) * columns) / (toMs - fromMs));
  const flush = (): void => {
    points.push(...kept);
    kept = [];
  };
  return {
    add: (point) => {
      const { atMs, value } = point;
      const at = columnOf(atMs);
      if (at !== column) flush();
      column = at;
      const newest = kept[3];
      // Most points: between the extremes, which are others than the newest point, whose place it takes.
      if (newest !== undefined && !isNewestExtreme && value >= least && value <= greatest) {
        kept[3] = point;
        return;
      }
      kept = fourOf([...kept, point]);
      const [lowest, highest] = [
        extreme(kept, (one, other) => one < other),
        extreme(kept, (one, other) => one > other),
      ];
      least = lowest?.value ?? 0;
      greatest = highest?.value ?? 0;
      isNewestExtreme = kept[3] === lowest || kept[3] === highest;
    },
    end: () => {
      flush();
      return points;
    },
  };
}

/** Chooses the points that stay, of at most five in order of time. */
function fourOf(points: readonly Point[]): Point[] {
  if (points.length <= 4) return [...points];
  const first = points[0];
  const last = points.at(-1);
  const inner = points.slice(1, -1);
  const least = extreme(points, (one, other) => one < other);
  const greatest = extreme(points, (one, other) => one > other);
  const stays = new Set([first, last, least, greatest]);
  // With fewer than four, a point that is needed by no rule may stay as well.
  for (const point of inner) if (stays.size < 4) stays.add(point);
  return points.filter((point) => stays.has(point));
}

function extreme(
  points: readonly Point[],
  isBeyond: (one: SampleValue, other: SampleValue) => boolean,
): Point | undefined {
  let found: Point | undefined;
  for (const point of points) if (found === undefined || isBeyond(point.value, found.value)) found = point;
  return found;
}
