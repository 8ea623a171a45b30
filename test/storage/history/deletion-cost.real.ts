import { countSteps } from '#test/support/attack/work-count.ts';
import { expect, test } from 'vitest';
import { createBench } from '#test/storage/storage-harness.ts';
import { NOW_MS } from '#test/storage/storage-makers.ts';
import { readRows } from './history-harness.ts';

const SERIES = 'd/power';

test('reading costs in proportion to the deletions of a series, and looking up hardly anything', async () => {
  const stepsWith = async (count: number): Promise<{ reading: number; lookingUp: number }> => {
    const engine = createBench().open();
    const { history } = engine.operations;
    const samples = [0, count * 1000].map((sinceMs) => ({ series: SERIES, atMs: NOW_MS + sinceMs, value: sinceMs }));
    history.append({ epoch: 'e1', samples });
    history.deleteSamples(
      Array.from({ length: count }, (_, index) => {
        const fromMs = NOW_MS + index * 1000 + 100;
        return { series: SERIES, fromMs, toMs: fromMs + 500 };
      }),
    );
    const reading = await countSteps(() => readRows(engine, SERIES));
    const lookingUp = await countSteps(() => history.findBefore(SERIES, NOW_MS + count * 500));
    engine.close();
    return { reading, lookingUp };
  };
  await stepsWith(10);
  const [few, many] = [await stepsWith(500), await stepsWith(4_000)];
  expect(many.reading / few.reading).toBeLessThan(16);
  expect(many.lookingUp / few.lookingUp).toBeLessThan(2);
});
