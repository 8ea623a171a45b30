import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import { brokenDisk, onDisk } from './storage-failure.ts';

/** A database is one file and what SQLite keeps beside it while it is open, or after a crash. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

const SMALL_BYTES = 1024;

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

/**
 * The same for a folder in the state, which must not be a link: through one, what the hub keeps and what it clears away
 * would be somebody else's.
 */
export function ensureOwnFolder(path: string): void {
  ensureFolder(path);
  if (onDisk(() => lstatSync(path)).isDirectory()) return;
  const cause = new Error(`${path} is a link: put a folder in its place, or mount another disk there`);
  throw new HubError('STORAGE_UNAVAILABLE', 'A folder of the hub is a link: nothing was saved.', { cause });
}

/** A small file whole, `undefined` where there is none; what is no file, or is larger, fails and is never waited for. */
export function readSmallFile(path: string): Buffer | undefined {
  return onDisk(() => {
    const fd = openIfThere(path);
    if (fd === undefined) return undefined;
    try {
      const buffer = Buffer.alloc(SMALL_BYTES + 1);
      const length = fstatSync(fd).isFile() ? readSync(fd, buffer, 0, buffer.length, 0) : buffer.length;
      if (length > SMALL_BYTES) throw brokenDisk(new Error(`${path} is not what the hub has put there`));
      return buffer.subarray(0, length);
    } finally {
      closeSync(fd);
    }
  });
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
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
