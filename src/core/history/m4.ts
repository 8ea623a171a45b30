import type { SampleValue } from './sample.ts';

export type Point = { readonly atMs: number; readonly value: SampleValue };

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
  const columnOf = (atMs: number): number => Math.floor(((atMs - fromMs) * columns) / (toMs - fromMs));
  const flush = (): void => {
    points.push(...kept);
    kept = [];
  };
  return {
    add: (point) => {
      const at = columnOf(point.atMs);
      if (at !== column) flush();
      column = at;
      kept = fourOf([...kept, point]);
    },
    end: () => {
      flush();
      return points;
    },
  };
}

/** Of at most five points in order of time, those that stay. */
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
