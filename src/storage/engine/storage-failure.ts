import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';

export type StorageRefusalReason = 'in_use' | 'too_new';

/** Why storage will not open although nothing is broken. A restart does not help; the message says what does. */
export class StorageRefusal extends Error {
  readonly reason: StorageRefusalReason;

  constructor(reason: StorageRefusalReason, message: string) {
    super(message);
    this.name = 'StorageRefusal';
    this.reason = reason;
  }
}

/** The database file is damaged: found at opening it is replaced by a backup, found later it needs a new opening. */
export class CorruptDatabaseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CorruptDatabaseError';
  }
}

/** SQLite's own fixed strings (sqlite3ErrStr): the package passes on no code, only these. */
const IO_MESSAGES = [
  'disk I/O error',
  'database or disk is full',
  'unable to open database file',
  'unable to open database:',
  'attempt to write a readonly database',
  'database is locked',
  'Could not open the database',
  // Of a file for a backup that was just made empty: its size cannot be read.
  'output file already exists',
];
const CORRUPT_MESSAGES = ['database disk image is malformed', 'file is not a database', 'malformed database schema'];

/** SQLite's failure as the rest of the hub knows it; what is neither the disk nor the file is a bug and stays as it is. */
export function storageFailure(cause: unknown, file: string): unknown {
  if (!(cause instanceof Error) || cause.name !== 'SQLite3Error') return cause;
  if (CORRUPT_MESSAGES.some((text) => cause.message.startsWith(text))) {
    return new CorruptDatabaseError('the database is damaged', { cause });
  }
  if (!IO_MESSAGES.some((text) => cause.message.startsWith(text))) return cause;
  return probeDisk(dirname(file)) === 'full' ? fullDisk(cause) : brokenDisk(cause);
}

/** A file that is missing, or is somebody else's, is no failure of the disk. */
const NOT_THE_DISK = new Set(['ENOENT', 'EACCES', 'EPERM']);

/** The same for a failed file operation of our own. */
export function fileFailure(cause: unknown): unknown {
  const code = errnoOf(cause);
  if (code === undefined || NOT_THE_DISK.has(code)) return cause;
  return code === 'ENOSPC' || code === 'EDQUOT' ? fullDisk(cause) : brokenDisk(cause);
}

/** Runs file operations whose failure is the disk's. */
export function onDisk<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw fileFailure(cause);
  }
}

export function fullDisk(cause?: unknown): HubError {
  return new HubError('STORAGE_FULL', 'The disk is full: nothing was saved.', { retryAfterS: 10, cause });
}

export function brokenDisk(cause?: unknown): HubError {
  return new HubError('STORAGE_UNAVAILABLE', 'The disk does not take writes: nothing was saved.', {
    retryAfterS: 10,
    cause,
  });
}

const PROBE_BYTES = 65_536;

/** SQLite says "disk I/O error" for a full disk too, and quotas do not show in statfs: only a try tells them apart. */
export function probeDisk(folder: string): 'ok' | 'full' | 'unavailable' {
  const path = join(folder, 'space-probe.tmp');
  try {
    const fd = openSync(path, 'w', 0o600);
    try {
      // Nameless before it has content: a power cut leaves nothing.
      rmSync(path, { force: true });
      return writeSync(fd, Buffer.alloc(PROBE_BYTES, 1)) < PROBE_BYTES ? 'full' : 'ok';
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const code = errnoOf(cause);
    return code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'unavailable';
  }
}
