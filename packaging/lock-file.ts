import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type LockedPackage = { readonly version: string; readonly integrity: string };

type Lock = { readonly packages: Readonly<Record<string, Partial<LockedPackage>>> };

/** What package-lock.json says of the package in a folder, as `node_modules/mqtt`. */
export function readLock(root: string, folder: string): LockedPackage {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const { version, integrity } = packages[folder] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json has no ${folder}`);
  return { version, integrity };
}
