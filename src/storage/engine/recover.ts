import { closeSync, lstatSync, openSync, readSync, readdirSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { listBackups, STAMP, stampFromMs } from './backups.ts';
import { prepareCandidate } from './candidate.ts';
import { openDatabase, releaseFileLock, type Database, type Sqlite } from './database.ts';
import {
  SIDE_FILES,
  createPrivateFile,
  ensureFolder,
  ensureOwnFolder,
  replaceDatabase,
  syncToDisk,
} from './durable-file.ts';
import { migrate, schemaVersion } from './schema.ts';
import type { StatePaths } from './state-paths.ts';
import { CorruptDatabaseError, StorageRefusal, onDisk } from './storage-failure.ts';

/** What happened to a damaged database at the start. */
export type Recovery = {
  readonly atMs: number;
  /** What was wrong, in words. */
  readonly reason: string;
  /** Id of the backup that took its place; `null` where there was none, or none was needed. */
  readonly from: string | null;
  /** Folder in which the damaged files are kept. */
  readonly kept: string | null;
};

export type OpenDeps = {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly log: Log;
  readonly wallMs: () => number;
};

const KEPT_FOLDERS = 5;
const LOG_MAGICS: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);

/**
 * The live database, sound and open, whatever was found in its place. Every step can be cut off: what is damaged is
 * moved away before anything takes its place, and a database that is missing is looked for among the backups.
 * Only for the holder of the state lock.
 */
export function openSoundDatabase(deps: OpenDeps): { database: Database; recovered: Recovery | null } {
  const { paths, log } = deps;
  releaseFileLock(paths.database);
  const withoutLog = setBadLogAside(deps);
  const opened = openChecked(deps);
  if (typeof opened !== 'string') return { database: opened, recovered: withoutLog };

  const kept = setAside(deps, ['', ...SIDE_FILES]);
  const from = restoreNewestGood(deps);
  if (from === null) createEmpty(deps);
  const database = openDatabase(deps.sqlite, paths.database);
  if (kept === null && from === null) return { database, recovered: null };
  log.error(`the database was replaced: ${opened}`, { restored: from ?? 'nothing', kept: kept ?? 'nothing' });
  return { database, recovered: { atMs: deps.wallMs(), reason: opened, from, kept } };
}

/** The open database, or what is wrong with it. SQLite's check calls a page damaged that failed to be read just once. */
function openChecked(deps: OpenDeps): Database | string {
  const first = openOnce(deps);
  return typeof first === 'string' ? openOnce(deps) : first;
}

function openOnce({ sqlite, paths }: OpenDeps): Database | string {
  const stats = statsOf(paths.database);
  if (stats === undefined) return 'the file is missing';
  if (!stats.isFile()) return 'it is not a file';
  if (stats.size === 0) return 'the file is empty';
  try {
    return openIfSound(sqlite, paths.database);
  } catch (cause) {
    if (cause instanceof CorruptDatabaseError) return cause.message;
    // Where the disk gives the bytes, the failure may pass; where it does not, they are gone.
    if (cause instanceof HubError && !isReadable(paths.database)) return 'the file cannot be read';
    throw cause;
  }
}

function openIfSound(sqlite: Sqlite, path: string): Database {
  const database = openDatabase(sqlite, path);
  try {
    const verdict = database.get('PRAGMA quick_check(1)')?.['quick_check'];
    if (verdict !== 'ok') throw new CorruptDatabaseError(`the check says: ${String(verdict)}`);
    if (schemaVersion(database) === 0) throw new CorruptDatabaseError('it is not a database of hearthd');
    return database;
  } catch (cause) {
    database.abandon();
    throw cause;
  }
}

/** A log that is no log hides what was lost: SQLite would go on without it and write over it. */
function setBadLogAside(deps: OpenDeps): Recovery | null {
  const path = `${deps.paths.database}-wal`;
  const stats = statsOf(path);
  if (stats === undefined || (stats.isFile() && (stats.size === 0 || isLog(path)))) return null;
  const reason = 'the write-ahead log is damaged: what was not yet in the database itself is lost';
  const kept = setAside(deps, ['-wal']);
  deps.log.error(reason, { kept });
  return { atMs: deps.wallMs(), reason, from: null, kept };
}

/** All zeros are what a power cut leaves of a log that was just begun. */
function isLog(path: string): boolean {
  return onDisk(() => {
    const fd = openSync(path, 'r');
    try {
      const start = Buffer.alloc(4);
      readSync(fd, start, 0, 4, 0);
      const magic = start.readUInt32BE();
      return magic === 0 || LOG_MAGICS.has(magic);
    } finally {
      closeSync(fd);
    }
  });
}

/** Moves what there is of the database's files to a folder of their own, the database first; `null` if there is none. */
export function setAside({ paths, log, wallMs }: OpenDeps, suffixes: readonly string[]): string | null {
  const found = suffixes.map((suffix) => paths.database + suffix).filter((path) => statsOf(path) !== undefined);
  if (found.length === 0) return null;
  let ms = wallMs();
  while (statsOf(join(paths.corrupt, stampFromMs(ms))) !== undefined) ms += 1000;
  const folder = join(paths.corrupt, stampFromMs(ms));
  ensureOwnFolder(paths.corrupt);
  ensureFolder(folder);
  for (const path of found) {
    onDisk(() => renameSync(path, join(folder, basename(path))));
    syncToDisk(folder);
    syncToDisk(dirname(path));
  }
  const isOurs = (name: string): boolean =>
    STAMP.test(name) && statsOf(join(paths.corrupt, name))?.isDirectory() === true;
  const old = onDisk(() => readdirSync(paths.corrupt)).filter((name) => name !== basename(folder) && isOurs(name));
  for (const name of old
    .toSorted()
    .toReversed()
    .slice(KEPT_FOLDERS - 1)) {
    onDisk(() => rmSync(join(paths.corrupt, name), { recursive: true, force: true }));
    log.info('files of an earlier damage were removed', { folder: name });
  }
  return folder;
}

/** Id of the backup that is the database now; `null` if there is none that can be. */
function restoreNewestGood(deps: OpenDeps): string | null {
  let unread: Error | undefined;
  for (const { id } of listBackups(deps.paths.backups)) {
    // As with the database itself, what failed to be read just once looks damaged.
    const cause = useBackup(deps, id) && useBackup(deps, id);
    if (cause === undefined) return id;
    if (cause.code !== 'INVALID_BACKUP') unread ??= cause;
    if (cause.cause instanceof StorageRefusal) unread ??= new StorageRefusal('too_new', tooNew(cause.cause.message));
    deps.log.warn('a backup cannot be used', { backup: id, cause });
  }
  // An empty hub must not take the place of backups that can be used again one day.
  if (unread !== undefined) throw unread;
  return null;
}

/** Why a backup cannot be the database; `undefined` if it is now. */
function useBackup({ sqlite, paths }: OpenDeps, id: string): HubError | undefined {
  try {
    const candidate = prepareCandidate({ sqlite, temporary: paths.temporary }, join(paths.backups, `${id}.db`));
    replaceDatabase(candidate, paths.database);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof HubError) || cause.code === 'STORAGE_FULL') throw cause;
    return cause;
  }
}

function tooNew(found: string): string {
  return `the backups were made by a newer hearthd (${found}), and there is no other: install that version again`;
}

function createEmpty({ sqlite, paths }: OpenDeps): void {
  const path = join(paths.temporary, 'new.db');
  ensureOwnFolder(paths.temporary);
  createPrivateFile(path);
  const database = openDatabase(sqlite, path);
  try {
    migrate(database);
  } finally {
    database.close();
  }
  syncToDisk(path);
  replaceDatabase(path, paths.database);
}

/** `false` only if the medium itself fails: too many open files, say, is no reason to give up a database. */
function isReadable(path: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const part = Buffer.alloc(65_536);
    while (readSync(fd, part) > 0);
    return true;
  } catch (cause) {
    return errnoOf(cause) !== 'EIO';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function statsOf(path: string): Stats | undefined {
  return onDisk(() => lstatSync(path, { throwIfNoEntry: false }));
}
