import { describe, expect, test } from 'vitest';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import { HISTORIES } from './histories.ts';
import { cutPower, summaryOf } from './power-cut.ts';

const POINTS = runs(5_200);

describe('a power cut', () => {
  test(
    `X, S1, S2, S6, S7, S8: at ${POINTS} points of ${HISTORIES.length} histories loses nothing that was acknowledged`,
    async () => {
      const seed = drawSeed();
      const { points, findings } = await cutPower(HISTORIES, { points: POINTS, seed });
      process.stdout.write(`${points} power cuts, ${summaryOf(findings)}; seed ${seed}\n`);
      expect({ seed, findings: findings.slice(0, 20) }).toEqual({ seed, findings: [] });
      expect(points).toBeGreaterThanOrEqual(POINTS);
    },
    Math.max(300_000, POINTS * 200),
  );
});
