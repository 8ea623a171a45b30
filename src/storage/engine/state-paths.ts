import { accessSync, chmodSync, constants, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { SIDE_FILES, copyToDisk, ensureFolder } from './durable-file.ts';
import { onDisk } from './storage-failure.ts';

/** The files and folders of the storage. */
export type StatePaths = {
  readonly database: string;
  /** What a power cut may undo for up to 30 s is written here first. */
  readonly journal: string;
  /** Contains a file for each month of samples. */
  readonly history: string;
  readonly backups: string;
  readonly corrupt: string;
  /** Unfinished files, removed at each start. On the same file system as the rest, so that they can be renamed into place. */
  readonly temporary: string;
  /** The state folder is read-only: these paths, except the backups, lead to a copy that is lost at the next boot. */
  readonly isCopy: boolean;
};

/**
 * Prepares the state folder and makes it private to its owner. If it is on a read-only file system, the hub works on a
 * copy in the runtime folder instead, and no change lasts (S9).
 */
export function prepareStateFolder(folders: { state: string; runtime: string }, log: Log): StatePaths {
  const isCopy = isReadOnly(folders.state);
  const home = isCopy ? join(folders.runtime, 'storage-copy') : folders.state;
  const paths = {
    database: join(home, 'hearthd.db'),
    journal: join(home, 'journal.db'),
    history: join(home, 'history'),
    backups: join(folders.state, 'backups'),
    corrupt: join(home, 'corrupt'),
    temporary: join(home, 'tmp'),
    isCopy,
  };
  if (isCopy) copyDatabases(folders.state, home);
  else ensurePrivate(home, log);
  onDisk(() => rmSync(paths.temporary, { recursive: true, force: true }));
  return paths;
}

/**
 * An open database needs a folder for its lock, and a full disk has no block for one. The folder of unfinished files is
 * removed at the start and created again at the end, with one in it for each further database, so that their blocks are
 * there for the locks at the next start.
 */
export function keepBlocksForLocks({ temporary }: StatePaths, log: Log): void {
  try {
    ensureFolder(join(temporary, 'journal'));
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    log.debug('the folder for unfinished files cannot be created now', { cause });
  }
}

/** Whether the folder's file system is read-only. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (cause) {
    // A missing folder is created later; one of another user fails when it is used.
    return errnoOf(cause) === 'EROFS';
  }
}

function ensurePrivate(folder: string, log: Log): void {
  ensureFolder(folder);
  if ((onDisk(() => statSync(folder)).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, 0o700);
    log.warn('other users could read the state folder, which is private now', { folder });
  } catch (cause) {
    log.error('other users can read the state folder', { folder, cause });
  }
}

function copyDatabases(from: string, home: string): void {
  onDisk(() => rmSync(home, { recursive: true, force: true }));
  ensureFolder(home);
  for (const name of ['hearthd.db', 'journal.db'].flatMap((name) =>
    ['', ...SIDE_FILES].map((suffix) => name + suffix),
  )) {
    if (onDisk(() => statSync(join(from, name), { throwIfNoEntry: false }))?.isFile() === true) {
      copyToDisk(join(from, name), join(home, name));
    }
  }
}
