import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, onDisk } from './storage-failure.ts';

/** A database is one file and what SQLite keeps beside it while it is open, or after a crash. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** Puts the content of a file, or the names in a folder, on the disk itself. */
export function syncToDisk(path: string): void {
  onDisk(() => {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** Creates the folder for the owner alone, and those above it that are missing; all are on disk. */
export function ensureFolder(path: string): void {
  onDisk(() => createFolder(path));
}

/** One by one: where the system calls a folder missing in one that is there, as /proc does, Node's own way never ends. */
function createFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another hub that starts at the same moment.
    if (errnoOf(cause) !== 'EEXIST' || !isFolder(path)) throw cause;
  }
  syncToDisk(dirname(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates or empties a file that the owner alone may read: SQLite would use the umask. */
export function createPrivateFile(path: string): void {
  onDisk(() => {
    rmSync(path, { recursive: true, force: true });
    closeSync(openSync(path, 'wx', 0o600));
  });
}

/** Copies a file; the copy is on disk and the owner's alone. */
export function copyToDisk(from: string, to: string): void {
  createPrivateFile(to);
  onDisk(() => {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    // The copy has taken over the mode as well.
    chmodSync(to, 0o600);
  });
  syncToDisk(to);
}

/** Gives a file that is on disk its final name, in one step. */
export function renameOnDisk(from: string, to: string): void {
  onDisk(() => renameSync(from, to));
  syncToDisk(dirname(to));
  if (dirname(from) !== dirname(to)) syncToDisk(dirname(from));
}

/**
 * Puts a closed database in the place of another closed one. A write-ahead log left at the target would be played into
 * the new file, so there must be none, and its removal must be on disk before the name changes.
 */
export function replaceDatabase(from: string, to: string): void {
  const left = SIDE_FILES.map((suffix) => to + suffix).find((path) => existsSync(path));
  if (left !== undefined) throw new Error(`${left} belongs to another database file`);
  if (existsSync(dirname(to))) syncToDisk(dirname(to));
  renameOnDisk(from, to);
}
