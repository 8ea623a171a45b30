import { accessSync, chmodSync, constants, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { SIDE_FILES, copyToDisk, ensureFolder } from './durable-file.ts';
import { onDisk } from './storage-failure.ts';

/** Where everything lies that storage keeps. */
export type StatePaths = {
  readonly database: string;
  readonly backups: string;
  readonly corrupt: string;
  /** Unfinished files; removed at start. On the same file system as the rest, so that they can be renamed into place. */
  readonly temporary: string;
  /** The state folder takes no writes: all this (but for the backups) is a copy that does not outlive the machine's run. */
  readonly isCopy: boolean;
};

/**
 * Makes the state folder ready, private to its owner. Where it is on a read-only file system a copy in the runtime
 * folder takes its place: the hub works, and nothing that is done lasts.
 */
export function prepareStateFolder(folders: { state: string; runtime: string }, log: Log): StatePaths {
  const isCopy = isReadOnly(folders.state);
  const home = isCopy ? join(folders.runtime, 'storage-copy') : folders.state;
  const paths = {
    database: join(home, 'hearthd.db'),
    backups: join(folders.state, 'backups'),
    corrupt: join(home, 'corrupt'),
    temporary: join(home, 'tmp'),
    isCopy,
  };
  if (isCopy) copyDatabase(join(folders.state, 'hearthd.db'), paths.database, home);
  else ensurePrivate(home, log);
  onDisk(() => rmSync(paths.temporary, { recursive: true, force: true }));
  return paths;
}

/**
 * While it is open a database has a folder for its lock, for which a full disk has no block: the folder of unfinished
 * files gives way to it at the start and takes its place at the end, so that a full disk does not keep the hub down.
 */
export function keepBlockForLock({ temporary }: StatePaths, log: Log): void {
  try {
    ensureFolder(temporary);
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    log.debug('no folder for unfinished files can be made now', { cause });
  }
}

/** Creates the folder where it is missing; `true` if its file system is read-only. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (cause) {
    // A folder that is missing is created; one that belongs to somebody else shows when it is used.
    return errnoOf(cause) === 'EROFS';
  }
}

function ensurePrivate(folder: string, log: Log): void {
  ensureFolder(folder);
  if ((onDisk(() => statSync(folder)).mode & 0o077) === 0) return;
  try {
    chmodSync(folder, 0o700);
    log.warn('the state folder was open to others and is closed now', { folder });
  } catch (cause) {
    log.error('the state folder is open to others', { folder, cause });
  }
}

function copyDatabase(from: string, to: string, home: string): void {
  onDisk(() => rmSync(home, { recursive: true, force: true }));
  ensureFolder(home);
  for (const suffix of ['', ...SIDE_FILES]) {
    if (onDisk(() => statSync(from + suffix, { throwIfNoEntry: false }))?.isFile() === true) {
      copyToDisk(from + suffix, to + suffix);
    }
  }
}
