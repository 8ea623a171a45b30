import type { JsonValue } from '#base/json.ts';
import type { Location } from '#core/place/place.ts';
import type { SimulationSetup } from '#core/automation-replay/simulate.ts';
import type { Missing, ReplayHome, Simulation } from '#core/automation-replay/simulation.ts';
import type { SampleSlice } from '#core/past/history/history-store.ts';

/** To the thread: first all samples, then what to do with them. */
export type ReplayRequest =
  | { readonly type: 'samples'; readonly series: string; readonly part: Omit<SampleSlice, 'next'> }
  | { readonly type: 'replay'; readonly job: ReplayJob };

/** Plain data. */
export type ReplayJob = Omit<SimulationSetup, 'isOver' | 'dateOf' | 'inputs'> & {
  readonly inputs: ReadonlyMap<string, JsonValue>;
  readonly home: ReplayHome;
  readonly triggers: ReadonlySet<string>;
  readonly missing: readonly Missing[];
  readonly startMs: number;
  readonly timeZone: string;
  readonly location: Location | undefined;
  /** `2026-12-25`, those of the time around the window. */
  readonly freeDates: ReadonlySet<string>;
  readonly workMs: number;
};

/** From the thread; `undefined`: it would have taken too long. */
export type ReplayReply = { readonly simulation: Simulation | undefined };

export type ReplayWorkerData = { readonly role: 'replay' };

export function isReplayWorker(workerData: unknown): workerData is ReplayWorkerData {
  return typeof workerData === 'object' && workerData !== null && 'role' in workerData && workerData.role === 'replay';
}
