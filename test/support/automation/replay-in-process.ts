import { systemClock } from '#base/time/clock.ts';
import { createSeriesBox, runReplayJob } from '#automations/replay/replay-job.ts';
import { readRecorded, tooLarge } from '#core/automation-replay/recorded/read-recorded.ts';
import { SIMULATION_LIMITS } from '#core/automation-replay/simulation.ts';
import type { SimulateWork } from '#hub/hub-context.ts';

/** Does what the thread does, and passes everything through a copy as a thread would. */
export const simulateInProcess: SimulateWork = async (source, { job, ...work }) => {
  const box = createSeriesBox();
  const inputs = new Set(job.inputs.keys());
  const read = await readRecorded(source, {
    ...work,
    inputs,
    take: (name, part) => box.add(name, structuredClone(part)),
  });
  const whole = structuredClone({ ...job, ...read, workMs: SIMULATION_LIMITS.workMs });
  const simulation = runReplayJob(whole, box.all(), systemClock);
  if (simulation === undefined) throw tooLarge();
  return structuredClone(simulation);
};
