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

/** Suffixes of the files that SQLite keeps beside an open database, and leaves there after a crash. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

const SMALL_BYTES = 1024;

/** Syncs the content of a file, or the names in a folder, to the disk. */
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

/** Creates the folder and the missing ones above it, readable only by the owner and synced to disk. */
export function ensureFolder(path: string): void {
  onDisk(() => createFolder(path));
}

/**
 * The same for a folder inside the state folder, which must not be a link: through one, the hub would keep or delete files
 * in another place.
 */
export function ensureOwnFolder(path: string): void {
  ensureFolder(path);
  if (onDisk(() => lstatSync(path)).isDirectory()) return;
  const cause = new Error(`${path} is a link: put a folder in its place, or mount another disk there`);
  throw new HubError('STORAGE_UNAVAILABLE', 'A folder of the hub is a link: nothing was saved.', { cause });
}

/** All of a small file; `undefined` if there is none. Fails, without waiting, on a larger file and on anything else. */
export function readSmallFile(path: string): Buffer | undefined {
  return onDisk(() => {
    const fd = openIfThere(path);
    if (fd === undefined) return undefined;
    try {
      const buffer = Buffer.alloc(SMALL_BYTES + 1);
      const length = fstatSync(fd).isFile() ? readSync(fd, buffer, 0, buffer.length, 0) : buffer.length;
      if (length > SMALL_BYTES) throw brokenDisk(new Error(`${path} is not the file that the hub wrote`));
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

/** One by one: Node's recursive mkdir never ends where creating a folder in an existing one fails with ENOENT, as in /proc. */
function createFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another hub that is starting at the same time created it.
    if (errnoOf(cause) !== 'EEXIST' || !isFolder(path)) throw cause;
  }
  syncToDisk(dirname(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates or empties a file that only the owner may read. SQLite would use the umask. */
export function createPrivateFile(path: string): void {
  onDisk(() => {
    rmSync(path, { recursive: true, force: true });
    closeSync(openSync(path, 'wx', 0o600));
  });
}

/** Copies a file. The copy is synced to disk, and only the owner may read it. */
export function copyToDisk(from: string, to: string): void {
  createPrivateFile(to);
  onDisk(() => {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    // The mode was copied as well.
    chmodSync(to, 0o600);
  });
  syncToDisk(to);
}

/** Gives a synced file its final name, in one step. */
export function renameOnDisk(from: string, to: string): void {
  onDisk(() => renameSync(from, to));
  syncToDisk(dirname(to));
  if (dirname(from) !== dirname(to)) syncToDisk(dirname(from));
}

/**
 * Replaces a closed database by another closed one. SQLite would apply a write-ahead log left at the target to the new
 * file, so there must be none, and its removal must be on disk before the rename.
 */
export function replaceDatabase(from: string, to: string): void {
  const left = SIDE_FILES.map((suffix) => to + suffix).find((path) => existsSync(path));
  if (left !== undefined) throw brokenDisk(new Error(`${left} belongs to another database file`));
  if (existsSync(dirname(to))) syncToDisk(dirname(to));
  renameOnDisk(from, to);
}
