import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder and mounts something on it until the test ends; only root can. */
export function mount(target: string, ...args: readonly string[]): void {
  mkdirSync(target, { recursive: true });
  execFileSync('mount', [...args, target]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', target]));
}

/** Makes a folder read-only, as a file system of its own, until the test ends. */
export function mountReadOnly(target: string, source = target): void {
  mount(target, '--bind', source);
  execFileSync('mount', ['-o', 'remount,ro,bind', target]);
}

/** The same for one file. */
export function mountFileReadOnly(target: string): void {
  execFileSync('mount', ['--bind', target, target]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', target]));
  execFileSync('mount', ['-o', 'remount,ro,bind', target]);
}

/** Fills the disk until the test ends, or until the result is called. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'filler');
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size, 1), { flag: 'a' });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
    }
  }
  const giveBack = (): void => rmSync(path, { force: true });
  onTestFinished(giveBack);
  return giveBack;
}
