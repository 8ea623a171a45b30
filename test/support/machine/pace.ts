import { startProcessorWatch } from './bounds.ts';
import { median } from '#test/support/median.ts';

/** Milliseconds of processor that the job took where the limits of the tests were set, with nothing else running. */
const REFERENCE_MS = 16;
const ROUNDS = 9;
const JOB = JSON.stringify(
  Array.from({ length: 5_000 }, (_, id) => ({ id, name: `Lamp ${id}`, values: { on: true, level: id / 7 } })),
);

/**
 * How many times slower this machine is just now than the one where the limits were set, at least 1: a limit in
 * processor time is multiplied by it. Processor time is not the same everywhere: a slower core, or a neighbour on the
 * same one, makes each millisecond do less. Ask right before or after what is measured.
 */
export function machinePace(): number {
  return Math.max(1, median(Array.from({ length: ROUNDS }, takeJob)) / REFERENCE_MS);
}

function takeJob(): number {
  const processorMs = startProcessorWatch();
  for (let times = 0; times < 4; times += 1) JSON.stringify(JSON.parse(JOB));
  return processorMs();
}
