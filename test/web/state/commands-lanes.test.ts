import { expect, test } from 'vitest';
import { createCommandLanes } from '#web/state/commands.ts';
import type { Spot } from '#web/state/pending-values.ts';

test.each([
  ['that comes later', 2],
  ['that waits already', 0],
])('a value whose answer nobody understands does not hold up the next one %s', async (_when, turns) => {
  const sent: unknown[] = [];
  const failures: unknown[] = [];
  const noteFailure = (cause: unknown): void => void failures.push(cause);
  process.on('unhandledRejection', noteFailure);
  const spot = { entry: {}, key: 'on' } as unknown as Spot;
  const lanes = createCommandLanes((_spot, { value }) => {
    sent.push(value);
    return sent.length === 1 ? Promise.reject(new SyntaxError('no JSON')) : Promise.resolve();
  });
  lanes.push(spot, { value: true, isPassing: false });
  const untilLater = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < turns; turn += 1) await untilLater();
  lanes.push(spot, { value: false, isPassing: false });
  await untilLater();
  process.off('unhandledRejection', noteFailure);
  expect(sent).toEqual([true, false]);
});
