import { bytesOf, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import type { SampleChunk, Segment } from './segment.ts';

/** The samples that are not in a file of a month yet, by series. They are all in the journal too, once it is flushed. */
export type WaitingSamples = ReturnType<typeof createWaitingSamples>;

type WaitingSample = { readonly tick: number; readonly value: SampleValue | GapMark };

type Run = {
  readonly segment: Segment;
  readonly ticks: number[];
  readonly values: (SampleValue | GapMark)[];
  /** How many of them are frozen: later ones have later ticks. */
  frozen: number;
};

export function createWaitingSamples() {
  const runsOf = new Map<number, Run[]>();
  let count = 0;
  let bytes = 0;
  let longest = 0;
  return {
    add: (series: number, segment: Segment, { tick, value }: WaitingSample): void => {
      const runs = runsOf.get(series) ?? [];
      if (runs.length === 0) runsOf.set(series, runs);
      let run = runs.at(-1);
      if (run === undefined || run.segment.number !== segment.number) {
        run = { segment, ticks: [], values: [], frozen: 0 };
        runs.push(run);
      }
      count += 1;
      bytes += bytesOf(value);
      longest = Math.max(longest, run.ticks.length + 1);
      let at = run.ticks.length;
      if (at === 0 || (run.ticks[at - 1] ?? 0) <= tick) {
        run.ticks.push(tick);
        run.values.push(value);
        return;
      }
      // Two integrations may report in one order and be recorded in another.
      while (at > run.frozen && (run.ticks[at - 1] ?? 0) > tick) at -= 1;
      run.ticks.splice(at, 0, tick);
      run.values.splice(at, 0, value);
    },
    chunksOf: (series: number): readonly SampleChunk[] =>
      (runsOf.get(series) ?? []).map((run) => chunkFrom(run.segment, run)),
    series: (): Iterable<number> => runsOf.keys(),
    /** How many the series with the most has. */
    longest: (): number => longest,
    count: (): number => count,
    /** About how much memory they take. */
    bytes: (): number => bytes,
    /** Marks what is here now as what is being sealed, until it is dropped. All of it must be flushed. */
    freeze: (): void => {
      for (const run of [...runsOf.values()].flat()) run.frozen = run.ticks.length;
    },
    /** What is being sealed. */
    frozen: (): readonly (readonly [series: number, chunk: SampleChunk])[] =>
      [...runsOf].flatMap(([series, runs]) =>
        runs.flatMap(({ segment, ticks, values, frozen }): (readonly [number, SampleChunk])[] =>
          frozen === 0
            ? []
            : [[series, chunkFrom(segment, { ticks: ticks.slice(0, frozen), values: values.slice(0, frozen) })]],
        ),
      ),
    dropFrozen: (): void => {
      longest = 0;
      for (const [series, runs] of runsOf) {
        for (const run of runs) {
          run.ticks.splice(0, run.frozen);
          for (const value of run.values.splice(0, run.frozen)) bytes -= bytesOf(value);
          count -= run.frozen;
          run.frozen = 0;
          longest = Math.max(longest, run.ticks.length);
        }
        const left = runs.filter(({ ticks }) => ticks.length > 0);
        if (left.length === 0) runsOf.delete(series);
        else runsOf.set(series, left);
      }
    },
  };
}

function chunkFrom(segment: Segment, { ticks, values }: Pick<Run, 'ticks' | 'values'>): SampleChunk {
  return {
    segment,
    firstTick: ticks[0] ?? 0,
    lastTick: ticks.at(-1) ?? 0,
    count: ticks.length,
    read: () => ({ ticks, values }),
  };
}
