import { expect, test } from 'vitest';
import { HEAVY_USE, SHORT_HISTORIES } from './histories.ts';
import { failEach } from './one-failure.ts';

test('X: one-failure.real.ts finds the losses of a storage that ignores failures', async () => {
  const [history = HEAVY_USE] = SHORT_HISTORIES;
  const { bad } = await failEach(history, (at) => (at % 7 === 0 ? ['EIO'] : []), {
    sqlite: 'failures that are passed over',
  });
  process.stdout.write(`failures that are passed over: ${bad.length} with a loss\n`);
  expect(bad.length).toBeGreaterThan(5);
});
