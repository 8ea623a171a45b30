import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { median } from '#test/support/median.ts';
import { recordFigure } from './support/figure.ts';
import { UNIT_FLAGS } from './support/unit-flags.ts';

const LIMIT_MS = 20;

test('the largest messages that a device or broker may send take 20 ms of processor time at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-bench-'));
  try {
    const entry = await bundleEntry('test/bench/support/worst-message.ts', folder);
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, [...UNIT_FLAGS.split(' '), entry, ...args], { encoding: 'utf8' });
    const kinds = JSON.parse(run()) as string[];
    for (const kind of kinds) {
      // The first is read by code that is not optimised yet: that of a fresh process each time.
      const runs = Array.from({ length: 5 }, () => JSON.parse(run(kind)) as number[]);
      // The least of several runs, as a busy machine only adds to it.
      const first = Math.min(...runs.map(([ms = Number.NaN]) => ms));
      recordFigure({
        what: `processor time of ${kind}`,
        hub: `${first.toFixed(1)} ms the first time, then ${median(runs.flatMap((later) => later.slice(1))).toFixed(1)} ms`,
        reference: `${LIMIT_MS} ms`,
        ratio: first / LIMIT_MS,
        target: { atMost: 1 },
      });
    }
    expect(kinds.length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
