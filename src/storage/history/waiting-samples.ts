import type { GapMark, SampleValue } from '#core/history/sample.ts';
import type { SampleChunk } from './sample-chunk.ts';
import type { Segment } from './segment.ts';

/** The samples that are not in a file of a month yet, by series. They are all in the journal too, once it is flushed. */
export type WaitingSamples = {
  readonly add: (series: number, segment: Segment, sample: WaitingSample) => void;
  readonly chunksOf: (series: number) => readonly SampleChunk[];
  readonly series: () => Iterable<number>;
  /** How many the series with the most has. */
  readonly longest: () => number;
  readonly count: () => number;
  readonly clear: () => void;
};

export type WaitingSample = { readonly tick: number; readonly value: SampleValue | GapMark };

type Run = { readonly segment: Segment; readonly ticks: number[]; readonly values: (SampleValue | GapMark)[] };

export function createWaitingSamples(): WaitingSamples {
  const runsOf = new Map<number, Run[]>();
  let count = 0;
  let longest = 0;
  return {
    add: (series, segment, { tick, value }) => {
      const runs = runsOf.get(series) ?? [];
      if (runs.length === 0) runsOf.set(series, runs);
      let run = runs.at(-1);
      if (run === undefined || run.segment.number !== segment.number) {
        run = { segment, ticks: [], values: [] };
        runs.push(run);
      }
      count += 1;
      longest = Math.max(longest, run.ticks.length + 1);
      let at = run.ticks.length;
      // Two integrations may report in one order and be recorded in another.
      while (at > 0 && (run.ticks[at - 1] ?? 0) > tick) at -= 1;
      run.ticks.splice(at, 0, tick);
      run.values.splice(at, 0, value);
    },
    chunksOf: (series) => (runsOf.get(series) ?? []).map(chunkFromRun),
    series: () => runsOf.keys(),
    longest: () => longest,
    count: () => count,
    clear: () => {
      runsOf.clear();
      count = 0;
      longest = 0;
    },
  };
}

function chunkFromRun({ segment, ticks, values }: Run): SampleChunk {
  return {
    segment,
    firstTick: ticks[0] ?? 0,
    lastTick: ticks.at(-1) ?? 0,
    count: ticks.length,
    read: () => ({ ticks, values }),
  };
}
