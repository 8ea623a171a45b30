import { execFileSync } from 'node:child_process';

/**
 * Builds the bundle once before any test: tests of the real daemon run what is shipped. Each project of the tests has
 * this module for itself, but they have one process.
 */
export function setup(): void {
  if (process.env['HEARTHD_TEST_BUILD'] === 'done') return;
  execFileSync(process.execPath, ['build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.env['HEARTHD_TEST_BUILD'] = 'done';
}
