import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Builds the packages of `root` in the folder `out`, and returns their paths; without architectures, for all of them. */
export function buildPackages(root: string, out: string, architectures: readonly string[]): string[] {
  const epoch = execFileSync('git', ['-C', ROOT, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim();
  const call = `umask ${root === ROOT ? '022' : '077'}; exec node build.mjs --package --out "$@"`;
  execFileSync('sh', ['-c', call, 'sh', out, ...architectures], {
    cwd: root,
    env: { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: root === ROOT ? 'UTC' : 'Asia/Kathmandu' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readdirSync(out).map((file) => join(out, file));
}

/** All that git knows or would take, with the installed packages as links to the same bytes. */
export function copySources(folder: string): string {
  const git = ['-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', git, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  const needed = files.filter((file) => file !== '' && !file.startsWith('test/'));
  for (const file of needed) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  copyModules(join(ROOT, 'node_modules'), folder);
  return folder;
}

/** As links, which take no time, where both folders are on one disk; what a build writes there must be its own. */
function copyModules(modules: string, folder: string): void {
  const { status } = spawnSync('cp', ['-al', modules, folder], { stdio: 'ignore' });
  if (status !== 0) execFileSync('cp', ['-a', modules, folder]);
  for (const name of ['package.mjs', 'program.json'])
    rmSync(join(folder, 'node_modules/.cache/hearthd', name), { force: true });
}
