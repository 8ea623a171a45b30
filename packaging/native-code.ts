import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readLock } from './lock-file.ts';

/** Debian's name of each architecture that has a package, and npm's name of its compiled code. */
export const ARCHITECTURES = {
  arm64: 'linux-arm64-gnu',
  amd64: 'linux-x64-gnu',
  armhf: 'linux-arm-gnueabihf',
} as const;
export type Architecture = keyof typeof ARCHITECTURES;

export type NativeCode = { readonly name: string; readonly bytes: Buffer; readonly from: string };

/**
 * The compiled argon2 for an architecture, which need not be this machine's: npm downloads it, and package-lock.json
 * has its hash. Downloaded files are kept, and checked at each use.
 */
export function fetchNativeCode(root: string, architecture: Architecture): NativeCode {
  const target = ARCHITECTURES[architecture];
  const from = `@node-rs/argon2-${target}`;
  const { version, integrity } = readLock(root, `node_modules/${from}`);
  const cache = join(root, 'node_modules/.cache/hearthd');
  const file = join(cache, `node-rs-argon2-${target}-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(file)) {
    const call = ['pack', `${from}@${version}`, '--pack-destination', cache, '--prefer-offline', '--silent'];
    execFileSync('npm', call, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const packed = readFileSync(file);
  if (`sha512-${createHash('sha512').update(packed).digest('base64')}` !== integrity) {
    rmSync(file);
    throw new Error(`${from} ${version} does not have the hash in package-lock.json; it was removed, try again`);
  }
  const name = `argon2.${target}.node`;
  const bytes = execFileSync('tar', ['-xzO', `package/${name}`], { input: packed, maxBuffer: 64 * 1024 * 1024 });
  return { name, bytes, from };
}
