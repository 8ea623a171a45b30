import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundled-package.ts';
import { readLock } from './lock-file.ts';

export type SbomParts = {
  readonly root: string;
  readonly version: string;
  readonly epochS: number;
  readonly packages: readonly BundledPackage[];
  /** npm's name of the package with the compiled code. */
  readonly native: string;
  /** SQLite is inside node-sqlite3-wasm. Advisories name SQLite's own version. */
  readonly sqliteVersion: string;
};

/** The contents of the package as CycloneDX 1.5; the same parts give the same bytes. */
export function createSbom({ root, version, epochS, packages, native, sqliteVersion }: SbomParts): string {
  const argon2 = packages.find(({ name }) => name === '@node-rs/argon2');
  const components = [
    ...packages.map(({ name, license, folder }) => npmComponent({ root, name, license, folder })),
    npmComponent({ root, name: native, license: argon2?.license ?? 'MIT', folder: `node_modules/${native}` }),
    {
      type: 'library',
      'bom-ref': `pkg:generic/sqlite@${sqliteVersion}`,
      name: 'sqlite',
      version: sqliteVersion,
      licenses: [{ license: { id: 'blessing' } }],
      cpe: `cpe:2.3:a:sqlite:sqlite:${sqliteVersion}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/sqlite@${sqliteVersion}`,
    },
  ];
  const hub = `pkg:deb/hearthd@${version}`;
  const content = {
    metadata: {
      timestamp: new Date(epochS * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': hub, name: 'hearthd', version, purl: hub },
    },
    components,
    dependencies: [{ ref: hub, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const serialNumber = `urn:uuid:${uuidFrom(JSON.stringify(content))}`;
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber, version: 1, ...content };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

type NpmPart = { readonly root: string; readonly name: string; readonly license: string; readonly folder: string };

function npmComponent({ root, name, license, folder }: NpmPart): Record<string, unknown> & { 'bom-ref': string } {
  const { version, integrity } = readLock(root, folder);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    // The hash of the archive that npm checked when it installed the package.
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
    purl,
  };
}

function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
