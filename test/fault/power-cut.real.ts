import { describe, expect, test } from 'vitest';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import type { Mistakes } from './history.ts';
import { HISTORIES } from './histories.ts';
import { cutPower, type Finding } from './power-cut.ts';

const POINTS = runs(5_200);

describe('a power cut', () => {
  test(
    `X, S1, S2, S6, S7, S8: at ${POINTS} points of ${HISTORIES.length} histories loses nothing that was acknowledged`,
    async () => {
      const seed = drawSeed();
      const { points, findings } = await cutPower(HISTORIES, { points: POINTS, seed });
      process.stdout.write(`${points} power cuts, ${summary(findings)}; seed ${seed}\n`);
      expect({ seed, findings: findings.slice(0, 20) }).toEqual({ seed, findings: [] });
      expect(points).toBeGreaterThanOrEqual(POINTS);
    },
    60_000 + POINTS * 200,
  );

  const MISTAKES: readonly [string, Mistakes][] = [
    ['a rollback journal instead of the log', { sqlite: 'a rollback journal instead of the log' }],
    ['synchronous=NORMAL', { sqlite: 'synchronous=NORMAL' }],
    ['syncs of files that do nothing', { swallowed: 'file syncs' }],
    ['syncs of folders that are left out', { swallowed: 'folder syncs' }],
  ];
  test.each(MISTAKES)('X: the test finds the losses of a storage with %s', async (_name, mistakes) => {
    const { points, findings } = await cutPower(HISTORIES, { points: 300, seed: 1 }, mistakes);
    process.stdout.write(`${_name}: ${points} power cuts, ${summary(findings)}\n`);
    expect(findings.length).toBeGreaterThan(3);
  });
});

function summary(findings: readonly Finding[]): string {
  const countOf = (...verdicts: readonly string[]): number =>
    new Set(
      findings
        .filter(({ verdict }) => verdicts.includes(verdict))
        .map(({ history, at, cut }) => `${history} ${at} ${cut}`),
    ).size;
  return [
    `${countOf('does not open')} without a hub`,
    `${countOf('corrupt')} corrupt`,
    `${countOf('torn or lost')} torn or lost`,
    `${countOf('value lost', 'sample lost', 'backup lost', 'original lost')} values, samples, backups or originals lost`,
  ].join(', ');
}
