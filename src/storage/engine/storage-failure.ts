import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';

export type StorageRefusalReason = 'in_use' | 'too_new' | 'put_off' | 'no_owner';

/** The storage is sound but must not be opened. A restart does not help; the message says what does. */
export class StorageRefusal extends Error {
  readonly reason: StorageRefusalReason;

  constructor(reason: StorageRefusalReason, message: string) {
    super(message);
    this.name = 'StorageRefusal';
    this.reason = reason;
  }
}

/** The database file is damaged. Opening replaces it by a backup, so damage found later requires opening it again. */
export class CorruptDatabaseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CorruptDatabaseError';
  }
}

/** SQLite's own fixed strings (sqlite3ErrStr): the package passes on these and no code. */
const IO_MESSAGES = [
  'disk I/O error',
  'database or disk is full',
  'unable to open database file',
  'unable to open database:',
  'attempt to write a readonly database',
  'database is locked',
  'Could not open the database',
  // Means that the size of the empty file for a backup could not be read.
  'output file already exists',
];
const CORRUPT_MESSAGES = ['database disk image is malformed', 'file is not a database', 'malformed database schema'];

/** Translates a failure of SQLite for the rest of the hub. One that is due neither to the disk nor to the file is a bug. */
export function storageFailure(cause: unknown, file: string): unknown {
  if (!(cause instanceof Error) || cause.name !== 'SQLite3Error') return cause;
  if (CORRUPT_MESSAGES.some((text) => cause.message.startsWith(text))) {
    return new CorruptDatabaseError('the database is damaged', { cause });
  }
  if (!IO_MESSAGES.some((text) => cause.message.startsWith(text))) return cause;
  return probeDisk(dirname(file)) === 'full' ? fullDisk(cause) : brokenDisk(cause);
}

/** A file that is missing or belongs to another user is not a failure of the disk. */
const NOT_THE_DISK = new Set(['ENOENT', 'EACCES', 'EPERM']);

/** The same for a failed file operation of ours. */
export function fileFailure(cause: unknown): unknown {
  const code = errnoOf(cause);
  if (code === undefined || NOT_THE_DISK.has(code)) return cause;
  return code === 'ENOSPC' || code === 'EDQUOT' ? fullDisk(cause) : brokenDisk(cause);
}

/** Runs file operations and reports their failures as failures of the disk. */
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

/** SQLite reports "disk I/O error" for a full disk too, and statfs does not show quotas: only writing shows which it is. */
export function probeDisk(folder: string): 'ok' | 'full' | 'unavailable' {
  const path = join(folder, 'space-probe.tmp');
  try {
    const fd = openSync(path, 'w', 0o600);
    try {
      // Loses its name before it has content, so that a power cut leaves nothing.
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

/** Whether the disk, or the rights on its files, are to blame: what failed may be tried again. */
export function isOfDisk(cause: unknown): boolean {
  if (cause instanceof CorruptDatabaseError || errnoOf(cause) !== undefined) return true;
  return cause instanceof HubError && cause.code.startsWith('STORAGE_');
}
