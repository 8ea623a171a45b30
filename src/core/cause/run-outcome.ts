/**
 * How a run ended. `not_met`: a condition did not hold or was unknown. `skipped`: it was not allowed to start.
 * `superseded`: a newer run, or another version of the automation, took its place. `abandoned`: it could not go on
 * after a restart, or would have gone on too late.
 */
export const RUN_OUTCOMES = [
  'running',
  'finished',
  'not_met',
  'skipped',
  'failed',
  'stopped',
  'superseded',
  'abandoned',
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];
