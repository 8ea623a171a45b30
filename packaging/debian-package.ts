import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lutimesSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One file of a package; its path is absolute, as on the machine that installs it. */
export type PackagedFile = { readonly path: string; readonly content: string | Buffer; readonly mode?: number };

export type DebianPackage = {
  readonly files: readonly PackagedFile[];
  /** Fields of the control file in order, except Installed-Size. */
  readonly control: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  /** Time of every file: the same input gives the same bytes. */
  readonly epochS: number;
};

/** Writes a .deb with dpkg-deb, without root. An upgrade does not replace edited files in /etc. */
export function writeDebianPackage(deb: DebianPackage, target: string): void {
  const stage = mkdtempSync(join(tmpdir(), 'hearthd-deb-'));
  try {
    const isConfig = ({ path }: PackagedFile): boolean => path.startsWith('/etc/');
    const files = deb.files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    for (const file of files) putFile(stage, file);
    const sums = files
      .filter((file) => !isConfig(file))
      .map(({ path, content }) => `${md5(content)}  ${path.slice(1)}\n`);
    const fields = { ...deb.control, 'Installed-Size': String(installedKib(stage)) };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
    putFile(stage, { path: '/DEBIAN/control', content: lines.join('') });
    putFile(stage, { path: '/DEBIAN/md5sums', content: sums.join('') });
    putFile(stage, {
      path: '/DEBIAN/conffiles',
      content: files
        .filter(isConfig)
        .map(({ path }) => `${path}\n`)
        .join(''),
    });
    for (const [name, content] of Object.entries(deb.scripts)) {
      putFile(stage, { path: `/DEBIAN/${name}`, content, mode: 0o755 });
    }
    setTimes(stage, deb.epochS);
    mkdirSync(dirname(target), { recursive: true });
    // One thread: the number of blocks that xz makes depends on it.
    const flags = ['--root-owner-group', '-Zxz', '-z6', '--threads-max=1', '--build', stage, target];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(deb.epochS), LC_ALL: 'C' };
    execFileSync('dpkg-deb', flags, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** As Debian requires for manual pages and changelogs. By gzip(1): the output of Node's zlib differs between builds. */
export function gzip(text: string): Buffer {
  return execFileSync('gzip', ['-9n'], { input: text });
}

function putFile(stage: string, { path, content, mode = 0o644 }: PackagedFile): void {
  const target = join(stage, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  chmodSync(target, mode);
}

/** As dpkg-gencontrol counts: whole KiB for each file, one for each folder. */
function installedKib(stage: string): number {
  return readdirSync(stage, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(stage, path)))
    .reduce((sum, stats) => sum + (stats.isDirectory() ? 1 : Math.ceil(stats.size / 1024)), 0);
}

function setTimes(folder: string, epochS: number): void {
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const target = join(folder, path);
    if (statSync(target).isDirectory()) chmodSync(target, 0o755);
    lutimesSync(target, epochS, epochS);
  }
}

function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex');
}
