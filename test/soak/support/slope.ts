export type Point = { readonly atS: number; readonly value: number };

/** Growth per second of the straight line that lies closest to the points of the second half, where all is warm. */
export function slopePerS(points: readonly Point[]): number {
  const half = points.slice(Math.floor(points.length / 2));
  const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const atS = meanOf(half.map((point) => point.atS));
  const value = meanOf(half.map((point) => point.value));
  const spread = half.reduce((sum, point) => sum + (point.atS - atS) ** 2, 0);
  return half.reduce((sum, point) => sum + (point.atS - atS) * (point.value - value), 0) / spread;
}

/** The value below which this share of them lies; 0 where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
