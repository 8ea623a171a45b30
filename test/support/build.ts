import { execFileSync } from 'node:child_process';

/** Builds the bundle once before any test: tests of the real daemon run what is shipped. */
export function setup(): void {
  execFileSync(process.execPath, ['build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
