import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** The build writes this file last. */
const LAST_BUILT = 'dist/THIRD-PARTY-LICENSES.txt';

/** Builds the program where a source is newer than it: tests of the real daemon run what is shipped. */
export function setup(): void {
  const builtMs = statSync(join(root, LAST_BUILT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestMs() < builtMs) return;
  const startedAt = new Date();
  execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  // A source that was saved during the build may not be in it, so it must count as newer.
  utimesSync(join(root, LAST_BUILT), startedAt, startedAt);
}

/** Folders count too: theirs is the only trace of a file that was removed. */
function newestMs(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`);
  const others = ['build.mjs', 'packaging/bundle-plugins.mjs', 'tsconfig.json', 'package.json', 'package-lock.json'];
  const paths = ['src', ...sources, ...others];
  return Math.max(...paths.map((path) => statSync(join(root, path)).mtimeMs));
}
