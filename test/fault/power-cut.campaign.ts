import { expect, test } from 'vitest';
import type { Mistakes } from './history.ts';
import { HISTORIES } from './histories.ts';
import { cutPower, summaryOf } from './power-cut.ts';

const MISTAKES: readonly [string, Mistakes][] = [
  ['a rollback journal instead of the log', { sqlite: 'a rollback journal instead of the log' }],
  ['synchronous=NORMAL', { sqlite: 'synchronous=NORMAL' }],
  ['syncs of files that do nothing', { swallowed: 'file syncs' }],
  ['syncs of folders that are left out', { swallowed: 'folder syncs' }],
];
test.each(MISTAKES)('X: power-cut.real.ts finds the losses of a storage with %s', async (name, mistakes) => {
  const { points, findings } = await cutPower(HISTORIES, { points: 300, seed: 1 }, mistakes);
  process.stdout.write(`${name}: ${points} power cuts, ${summaryOf(findings)}\n`);
  expect(findings.length).toBeGreaterThan(3);
});
