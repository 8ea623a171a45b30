import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { needs } from '#test/support/machine/requires.ts';

const SUITE = 'trixie';
const NEXT_SUITE = 'forky';
/** The packages of an owner's machine before hearthd, and those that hearthd recommends: the test has no network. */
const BOOTED = 'systemd,systemd-sysv,dbus,init-system-helpers,iproute2,sudo,man-db,bash-completion,nodejs,mosquitto';
const FOREIGN = 'base-files,nodejs,libc6,libgcc-s1,systemd,init-system-helpers';

/** Whether machines with a systemd of their own can be started here. */
export const canBoot = [needs('root'), needs('mmdebstrap'), needs('systemd-nspawn'), needs('curl')].every(
  (isThere) => isThere,
);

/**
 * A folder with a system of Debian 13, which is never written to. Made from Debian's packages once and kept in a cache
 * folder; remove that to have it made anew. A mirror that is being brought up to date has, for hours, an index that does
 * not fit: then the next release serves a foreign architecture.
 */
export function readyBase(architecture: 'amd64' | 'arm64' | 'armhf'): string {
  if (architecture === 'amd64') return ready({ architecture, suite: SUITE, options: [] });
  try {
    return ready({ architecture, suite: SUITE, options: [] });
  } catch (cause) {
    process.stderr.write(`${SUITE} for ${architecture} cannot be had, so ${NEXT_SUITE} is taken: ${String(cause)}\n`);
    // It may be some weeks behind as well; who signed it is checked all the same.
    return ready({ architecture, suite: NEXT_SUITE, options: ['--aptopt=Acquire::Check-Valid-Until "false"'] });
  }
}

function ready({ architecture, suite, options }: Bootstrap): string {
  const isBooted = architecture === 'amd64';
  const recipe = JSON.stringify([suite, architecture, isBooted ? BOOTED : FOREIGN]);
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  const cache = process.env['HEARTHD_TEST_CACHE'] ?? join(homedir(), '.cache/hearthd-test');
  const folder = join(cache, `${suite}-${architecture}-${hash}`);
  if (existsSync(folder)) return folder;

  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  try {
    const what = { architecture, suite, options };
    if (isBooted) bootstrap(unfinished, { ...what, options: ['--variant=minbase', `--include=${BOOTED}`] });
    else extract(unfinished, what);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

type Bootstrap = { readonly architecture: string; readonly suite: string; readonly options: readonly string[] };

function bootstrap(folder: string, { architecture, suite, options }: Bootstrap): void {
  const lean = ['--aptopt=Apt::Install-Recommends "false"', '--aptopt=Acquire::Languages "none"'];
  const what = [`--architectures=${architecture}`, suite, folder, ...findMirror()];
  execFileSync('mmdebstrap', ['--quiet', '--mode=root', ...lean, ...options, ...what], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** The mirror that this machine has its own packages from, if that is one of Debian; else mmdebstrap knows one. */
function findMirror(): readonly string[] {
  const uris = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' }).split('\n');
  return uris.filter((uri) => /\/debian\/?$/.test(uri)).slice(0, 1);
}

/**
 * Nothing of a foreign architecture runs here: its packages are unpacked and written down as installed, so that dpkg
 * checks what ours depends on.
 */
function extract(folder: string, { architecture, suite, options }: Bootstrap): void {
  const skip = '--skip=check/qemu,cleanup/apt,cleanup/tmp';
  bootstrap(folder, { architecture, suite, options: ['--variant=extract', `--include=${FOREIGN}`, skip, ...options] });
  const archives = join(folder, 'var/cache/apt/archives');
  const debs = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  const records = debs.map((name) => execFileSync('dpkg-deb', ['-f', join(archives, name)], { encoding: 'utf8' }));
  const installed = records.map((record) => record.replace(/^Package: .*$/m, '$&\nStatus: install ok installed'));
  const state = join(folder, 'var/lib/dpkg');
  mkdirSync(join(state, 'info'), { recursive: true });
  mkdirSync(join(state, 'updates'), { recursive: true });
  writeFileSync(join(state, 'status'), installed.join('\n'));
  for (const name of ['available', 'diversions', 'statoverride']) writeFileSync(join(state, name), '');
  rmSync(archives, { recursive: true });
}
