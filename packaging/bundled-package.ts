import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code is in the bundle or beside it. */
export type BundledPackage = {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** The text of its licence as it came with it. */
  readonly licenseText: string;
  /** Below the project: `node_modules/mqtt`. */
  readonly folder: string;
};

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** As in an older form of package.json. */
  readonly licenses?: readonly { readonly type: string }[];
};

/** The packages that the bundler took code from, and argon2, whose files are beside the bundle. Sorted by name. */
export function listBundledPackages(root: string, inputs: readonly string[]): readonly BundledPackage[] {
  const folders = inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const unique = new Set([...folders, 'node_modules/@node-rs/argon2'].filter((folder) => folder !== undefined));
  return [...unique].sort().map((folder) => readPackage(root, folder));
}

/** Packages that have the text of their licence, and do not name it in package.json. */
const NAMED_BY_FILE: ReadonlyMap<string, string> = new Map([['suncalc', 'BSD-2-Clause']]);

function readPackage(root: string, folder: string): BundledPackage {
  const path = join(root, folder);
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  const { name, version } = manifest;
  const license = manifest.license ?? manifest.licenses?.[0]?.type ?? NAMED_BY_FILE.get(name);
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  if (license === undefined || file === undefined) throw new Error(`${name} does not say what its licence is`);
  return { name, version, license, licenseText: readFileSync(join(path, file), 'utf8').trim(), folder };
}
