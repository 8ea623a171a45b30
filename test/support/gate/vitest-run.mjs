// One run of Vitest, and what came of each file.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
export const VAR = join(ROOT, 'var');
/** What `expectBelow` has seen, a line each: bounds.ts writes it. */
export const FIGURES = join(VAR, 'figures.jsonl');

/**
 * Returns how many tests passed, the names of those that were skipped, and those that failed by file. `fault` says why
 * the whole run is worth nothing: it broke off, or failed outside of any file. It is empty otherwise.
 */
export function runVitest(args, environment = {}) {
  mkdirSync(VAR, { recursive: true });
  const report = join(VAR, `report-${process.pid}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--passWithNoTests', ...args, ...reporters], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, HEARTHD_FIGURES: FIGURES, ...environment },
  });
  const came = { files: [], passed: 0, skipped: [], failed: new Map(), fault: '' };
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch (error) {
    return { ...came, fault: `Vitest ended with ${status} and left no report: ${error.message}` };
  } finally {
    rmSync(report, { force: true });
  }
  for (const { name, status: state, message, assertionResults } of results) {
    const file = relative(ROOT, name);
    const having = (...states) => assertionResults.filter((one) => states.includes(one.status));
    const failed = having('failed').map((one) => one.fullName);
    came.files.push(file);
    came.passed += having('passed').length;
    came.skipped.push(...having('skipped', 'pending', 'todo').map((one) => `${file} > ${one.fullName}`));
    if (state === 'failed' || failed.length > 0) came.failed.set(file, failed.length > 0 ? failed : [message]);
  }
  const isOutside = status !== 0 && came.failed.size === 0;
  return { ...came, fault: isOutside ? `Vitest ended with ${status}, although no test failed: see above` : '' };
}
