import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import type { RecordedSeries } from '#core/automation-replay/simulation.ts';

/** Samples of several series, one after the other in the order of their times. */
export type MergedSamples = ReturnType<typeof mergeSamples>;
export type MergedSample = {
  readonly series: number;
  readonly atMs: number;
  readonly value: SampleValue | GapMark;
};

/** `rankOf`: what comes first of one moment; the least does. */
export function mergeSamples(
  all: readonly RecordedSeries[],
  rankOf: (series: number, value: SampleValue | GapMark) => number,
) {
  const places = all.map(() => 0);
  // The times of the next samples lie side by side: a change costs one walk along them.
  const heads = new Float64Array(all.length);
  /** Asked once for each sample, not once for each that stands beside it. */
  const ranks = new Float64Array(all.length);
  const valueOf = (at: number): SampleValue | GapMark => {
    const place = places[at] ?? 0;
    const series = all[at];
    return series?.values[place] ?? series?.gaps.get(place) ?? LOST;
  };
  const look = (at: number): void => {
    heads[at] = all[at]?.timesMs[places[at] ?? 0] ?? Infinity;
    ranks[at] = heads[at] === Infinity ? Infinity : rankOf(at, valueOf(at));
  };
  for (const at of all.keys()) look(at);
  const find = (): number => {
    let best = -1;
    let bestMs = Infinity;
    let bestRank = Infinity;
    for (let at = 0; at < heads.length; at += 1) {
      const headMs = heads[at] ?? Infinity;
      if (headMs > bestMs || headMs === Infinity) continue;
      const rank = ranks[at] ?? Infinity;
      if (headMs === bestMs && rank >= bestRank) continue;
      best = at;
      bestMs = headMs;
      bestRank = rank;
    }
    return best;
  };
  let found: number | undefined;
  return {
    peek: (): number | undefined => {
      const at = (found ??= find());
      return at < 0 ? undefined : at;
    },
    /** `Infinity` after the last one. */
    nextMs: (): number => heads[(found ??= find())] ?? Infinity,
    /** The next one. Those of one moment come in the order of their ranks, then of the series. */
    take: (): MergedSample | undefined => {
      const at = (found ??= find());
      const atMs = heads[at] ?? Infinity;
      if (atMs === Infinity) return undefined;
      found = undefined;
      const value = valueOf(at);
      places[at] = (places[at] ?? 0) + 1;
      look(at);
      return { series: at, atMs, value };
    },
  };
}

const LOST: GapMark = { gap: 'lost' };
