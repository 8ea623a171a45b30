import { expect, test } from 'vitest';
import type { Simulation } from '#core/automation-replay/simulation.ts';
import { createSimulations, type SimulationRequest } from '#core/automation-replay/simulations.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const REQUEST = {} as SimulationRequest;
const OVERLOADED = expect.objectContaining({ code: 'OVERLOADED' }) as unknown;

function open() {
  const ends: (() => void)[] = [];
  let count = 0;
  const simulations = createSimulations({
    usedBy: () => {
      throw new Error('nothing is replayed');
    },
    simulate: () => new Promise((resolve) => void ends.push(() => resolve({} as Simulation))),
    newId: () => String((count += 1)),
    startTimer: () => () => undefined,
    log: createRecordingLog().log,
  });
  const run = async (owner: string): Promise<string> => {
    const entry = simulations.begin(owner, REQUEST);
    ends.pop()?.();
    await Promise.resolve();
    ends.pop()?.();
    await entry.ended;
    return entry.id;
  };
  return { ...simulations, run };
}

test('one person takes four of the six places, however many are asked for and cancelled', () => {
  const { begin, cancel } = open();
  for (let count = 0; count < 4; count += 1) cancel('ada', begin('ada', REQUEST).id);
  expect(() => begin('ada', REQUEST)).toThrow(OVERLOADED);
  expect([begin('ben', REQUEST), begin('ben', REQUEST)]).toHaveLength(2);
  expect(() => begin('cem', REQUEST)).toThrow(OVERLOADED);
});

test('what one person asked for is not pushed out by many of another', async () => {
  const { run, find } = open();
  const id = await run('ben');
  for (let count = 0; count < 12; count += 1) await run('ada');
  expect(find('ben', id)?.state.status).toBe('done');
});
