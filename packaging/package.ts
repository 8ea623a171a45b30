import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KNOWN_SCHEMAS } from '#storage/known-schemas.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { createCompletion } from './bash-completion.ts';
import { type BundledPackage, listBundledPackages } from './bundled-package.ts';
import { createChangelog, debianVersion } from './debian-changelog.ts';
import { createCopyright } from './debian-copyright.ts';
import { gzip, type PackagedFile, writeDebianPackage } from './debian-package.ts';
import { createDefaultConfig } from './default-config.ts';
import { createConfigPage, createHearthdPage } from './manual.ts';
import { ARCHITECTURES, type Architecture, fetchNativeCode } from './native-code.ts';
import { createSbom } from './sbom.ts';

export type PackageJob = {
  /** The checkout. */
  readonly root: string;
  /** Folder of the built bundle and of the files beside it. */
  readonly dist: string;
  /** Where the packages are written to. */
  readonly out: string;
  /** The files that the bundler took, relative to the checkout. */
  readonly inputs: readonly string[];
  /** Debian's names; empty for all architectures. */
  readonly architectures: readonly string[];
};

const MAINTAINER = 'The hearthd authors <hearthd@example.org>';
const DESCRIPTION = `hub of a home with one HTTP API on the local network
 hearthd keeps the devices of a home and the accounts of its people, and
 serves one HTTP REST API on the local network: to its own page, to other
 clients and to scripts of a few lines. It speaks to Zigbee devices through
 Zigbee2MQTT and an MQTT broker, never listens on an address outside of the
 local network and needs nothing outside of it.`;

/** Writes a Debian package for each architecture, on any machine; the same sources give the same bytes. */
export async function makePackages({ root, dist, out, inputs, architectures }: PackageJob): Promise<readonly string[]> {
  const edition = { version: readVersion(root), epochS: sourceEpochS(root) };
  const { version, epochS } = edition;
  const packages = listBundledPackages(root, inputs);
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const page = (text: string): Buffer => gzip(text);
  const sqliteVersion = await readSqliteVersion();
  const common: readonly PackagedFile[] = [
    ...listProgram(dist),
    { path: '/usr/bin/hearthd', content: read('packaging/hearthd.sh'), mode: 0o755 },
    { path: '/usr/lib/systemd/system/hearthd.service', content: read('systemd/hearthd.service') },
    { path: '/usr/lib/sysusers.d/hearthd.conf', content: read('packaging/hearthd.sysusers') },
    { path: '/etc/hearthd/hearthd.toml', content: createDefaultConfig() },
    { path: '/usr/share/bash-completion/completions/hearthd', content: createCompletion() },
    { path: '/usr/share/man/man8/hearthd.8.gz', content: page(createHearthdPage(edition)) },
    { path: '/usr/share/man/man5/hearthd.toml.5.gz', content: page(createConfigPage(edition)) },
    ...listExamples(join(root, 'packaging/examples')),
    { path: '/usr/share/doc/hearthd/copyright', content: copyrightOf(read, packages) },
    { path: '/usr/share/doc/hearthd/handbook.md', content: read('packaging/handbook.md') },
    {
      path: '/usr/share/doc/hearthd/changelog.gz',
      content: gzip(createChangelog({ ...edition, text: read('CHANGELOG.md'), maintainer: MAINTAINER })),
    },
  ];
  const scripts = Object.fromEntries(
    ['preinst', 'postinst', 'prerm', 'postrm'].map((name) => [name, maintainerScript(root, name, version)]),
  );
  return chosen(architectures).map((architecture) => {
    const native = fetchNativeCode(root, architecture);
    const sbom = createSbom({ root, version, epochS, packages, native: native.from, sqliteVersion });
    const files = [
      ...common,
      { path: `/usr/lib/hearthd/${native.name}`, content: native.bytes },
      { path: '/usr/share/doc/hearthd/sbom.cdx.json', content: sbom },
    ];
    const target = join(out, `hearthd_${debianVersion(version)}_${architecture}.deb`);
    writeDebianPackage({ files, control: controlOf(version, architecture), scripts, epochS }, target);
    return target;
  });
}

/** A script of the package as dpkg runs it. */
export function maintainerScript(root: string, name: string, version: string): string {
  const values = { version, ...KNOWN_SCHEMAS };
  return Object.entries(values).reduce(
    (text, [word, value]) => text.replaceAll(`@${word.toUpperCase()}@`, String(value)),
    readFileSync(join(root, 'packaging/scripts', name), 'utf8'),
  );
}

/** One line for each package: its hash, its name and its size. */
export function describePackage(path: string): string {
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${hash}  ${relative(process.cwd(), path)}  ${statSync(path).size} bytes`;
}

function chosen(names: readonly string[]): readonly Architecture[] {
  const known = Object.keys(ARCHITECTURES) as Architecture[];
  const unknown = names.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`there is no package for ${unknown}, only for ${known.join(', ')}`);
  return names.length === 0 ? known : known.filter((name) => names.includes(name));
}

function controlOf(version: string, architecture: Architecture): Record<string, string> {
  return {
    Package: 'hearthd',
    Version: debianVersion(version),
    Architecture: architecture,
    Maintainer: MAINTAINER,
    // The two libraries are those of argon2's compiled code.
    Depends: 'nodejs (>= 20), systemd (>= 253), libc6 (>= 2.28), libgcc-s1',
    Recommends: 'mosquitto',
    Section: 'net',
    Priority: 'optional',
    Description: DESCRIPTION,
  };
}

/** The bundle and what it loads, except the compiled code for the building machine. */
function listProgram(dist: string): readonly PackagedFile[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(node|deb)$|^THIRD-PARTY-LICENSES\.txt$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: `/usr/lib/hearthd/${relative(dist, path)}`, content: readFileSync(path) }));
}

/** Scripts that bring in devices, for people to copy. */
function listExamples(folder: string): readonly PackagedFile[] {
  return readdirSync(folder).map((name) => {
    return { path: `/usr/share/doc/hearthd/examples/${name}`, content: readFileSync(join(folder, name)) };
  });
}

function copyrightOf(read: (path: string) => string, packages: readonly BundledPackage[]): string {
  const passwordList = read('src/auth/sign-in/common-passwords.txt');
  return `${createCopyright({ license: read('LICENSE').trim(), passwordList, packages })}\n`;
}

function readVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The time that counts as that of the build: SOURCE_DATE_EPOCH, or else the time of the last commit. */
function sourceEpochS(root: string): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  const git = ['-C', root, 'log', '-1', '--format=%ct'];
  return Number(execFileSync('git', git, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

async function readSqliteVersion(): Promise<string> {
  const { Database } = await loadSqlite();
  const database = new Database(':memory:');
  const { version } = database.get('SELECT sqlite_version() AS version') as { version: string };
  database.close();
  return version;
}
