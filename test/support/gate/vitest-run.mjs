// One run of Vitest, and what came of each file.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
export const VAR = join(ROOT, 'var');
const FIGURES = join(VAR, `figures-${process.pid}.jsonl`);
const OUTCOME = join(VAR, `outcome-${process.pid}.json`);

/**
 * Runs Vitest and returns the outcome of each file (outcome-reporter.ts), and the figures that `expectBelow` has seen.
 * `fault` says why the run is worth nothing: it broke off, or something failed outside of any file. It is empty otherwise.
 */
export function runVitest(args, environment = {}) {
  mkdirSync(VAR, { recursive: true });
  const { status, signal } = spawnSync(process.execPath, [VITEST, 'run', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HEARTHD_FIGURES: FIGURES, HEARTHD_OUTCOME: OUTCOME, ...environment },
  });
  const { files, unhandled } = existsSync(OUTCOME) ? JSON.parse(readFileSync(OUTCOME, 'utf8')) : { unhandled: [] };
  const figures = existsSync(FIGURES) ? readFileSync(FIGURES, 'utf8').split('\n').filter(Boolean).map(JSON.parse) : [];
  rmSync(OUTCOME, { force: true });
  rmSync(FIGURES, { force: true });
  if (files === undefined)
    return { files: [], figures, fault: `Vitest ended with ${status ?? signal}, without an outcome` };
  const isFailed = files.some(({ reasons }) => reasons.length > 0);
  const isOutside = status !== 0 && files.length > 0 && !isFailed;
  const fault = unhandled[0] ?? (isOutside ? `Vitest ended with ${status ?? signal}, although no test failed` : '');
  return { files, figures, fault };
}
