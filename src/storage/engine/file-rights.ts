import { chmodSync, closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { copyToDisk, ensureOwnFolder, renameOnDisk, SIDE_FILES } from './durable-file.ts';
import { fileFailure } from './storage-failure.ts';

const DENIALS: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Whether the system refused what a person can allow: the file belongs to somebody else, or must not be changed. */
export function isDenied(cause: unknown): boolean {
  return DENIALS.has(errnoOf(cause));
}

/** Whether the rights of a file let the hub read it (`r`), or write it too (`r+`). Nobody denies a file that is missing. */
export function mayOpen(path: string, flags: 'r' | 'r+'): boolean {
  try {
    closeSync(openSync(path, flags));
    return true;
  } catch (cause) {
    if (isDenied(cause)) return false;
    if (errnoOf(cause) === 'ENOENT') return true;
    throw fileFailure(cause);
  }
}

/**
 * Makes a database writable that somebody put there as another user, or made read-only, and returns whether that was
 * necessary. What the hub can only read it replaces by a copy of its own. Throws what the system says if that is refused.
 */
export function takeDatabase(path: string, temporary: string): boolean {
  const files = ['', ...SIDE_FILES].map((suffix) => path + suffix).filter((file) => existsSync(file));
  const others = files.filter((file) => !mayOpen(file, 'r+'));
  for (const file of others) {
    if (lstatSync(file).uid === process.geteuid?.()) chmodSync(file, 0o600);
    else {
      ensureOwnFolder(temporary);
      const copy = join(temporary, 'taken.db');
      copyToDisk(file, copy);
      renameOnDisk(copy, file);
    }
  }
  return others.length > 0;
}
