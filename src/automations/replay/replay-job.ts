import { createTimeZone } from '#base/time/time-zone.ts';
import type { Clock } from '#base/time/clock.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { dateOf } from '#automations/civil-date.ts';
import { simulate } from '#core/automation-replay/simulate.ts';
import type { RecordedSeries, Simulation } from '#core/automation-replay/simulation.ts';
import type { SampleSlice } from '#core/past/history/history-store.ts';
import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import type { ReplayJob } from './replay-message.ts';

const DAY_MS = 86_400_000;

type Parts = {
  readonly times: Float64Array[];
  readonly values: (SampleValue | null)[];
  readonly gaps: Map<number, GapMark>;
};

/** Collects series of which parts arrive in order. */
export function createSeriesBox() {
  const all = new Map<string, Parts>();
  return {
    add: (name: string, { timesMs, values, gaps }: Omit<SampleSlice, 'next'>): void => {
      const parts: Parts = all.get(name) ?? { times: [], values: [], gaps: new Map() };
      all.set(name, parts);
      for (const [at, gap] of gaps) parts.gaps.set(parts.values.length + at, gap);
      for (const value of values) parts.values.push(value);
      parts.times.push(timesMs);
    },
    all: (): ReadonlyMap<string, RecordedSeries> =>
      new Map(
        [...all].map(([name, { times, values, gaps }]) => [name, { name, timesMs: joined(times), values, gaps }]),
      ),
  };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Runs a job with its samples, as the thread does. */
export function runReplayJob(
  job: ReplayJob,
  series: ReadonlyMap<string, RecordedSeries>,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): Simulation | undefined {
  const endMs = monotonicMs() + job.workMs;
  const zone = createTimeZone(job.timeZone);
  const { home, triggers, missing, startMs, location, freeDates } = job;
  const clock = (timeIn: (variable: string) => string | undefined) =>
    createCivilTime({ zone: () => zone, place: () => location, isFree: (date) => freeDates.has(date), timeIn });
  const dayOf = (atMs: number): string => dateOf(Math.floor((atMs + zone.offsetMs(atMs)) / DAY_MS));
  const isOver = (): boolean => monotonicMs() > endMs;
  return simulate({ home, series, clock, triggers, missing, startMs }, { ...job, dateOf: dayOf, isOver });
}
