import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import { listBackups } from '#storage/engine/backups.ts';
import { prepareCandidate } from './candidate.ts';
import { openDatabase, releaseFileLock, type Database, type Sqlite } from '#storage/engine/database.ts';
import {
  SIDE_FILES,
  createPrivateFile,
  ensureOwnFolder,
  replaceDatabase,
  syncToDisk,
} from '#storage/engine/durable-file.ts';
import { sweepAll } from '#storage/set-aside/set-aside.ts';
import { migrate, quickCheck, schemaVersion } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, StorageRefusal } from '#storage/engine/storage-failure.ts';
import { type OpenDeps, type Recovery, setAside, setBadLogAside, statsOf } from '#storage/engine/bad-files.ts';

/**
 * Opens the live database; a damaged one is replaced by the newest good backup (S8). A crash at any step is safe: damaged
 * files are moved away before anything replaces them, and a missing database is restored from the backups. The caller
 * must hold the state lock.
 */
export function openSoundDatabase(deps: OpenDeps): { database: Database; recovered: Recovery | null } {
  const { paths, log } = deps;
  releaseFileLock(paths.database);
  const withoutLog = setBadLogAside(deps, paths.database);
  const opened = openChecked(deps);
  if (typeof opened !== 'string') return { database: opened, recovered: withoutLog };

  const folder = setAside(deps, ['', ...SIDE_FILES]);
  const from = restoreNewestGood(deps);
  if (from === null) createEmpty(deps);
  const database = openDatabase(deps.sqlite, paths.database);
  if (folder === null && from === null) return { database, recovered: null };
  log.error(`the database was replaced: ${opened}`, { restored: from ?? 'nothing', kept: folder ?? 'nothing' });
  return { database, recovered: { atMs: deps.wallMs(), reason: opened, from, folder } };
}

/** The open database, or what is wrong with it. Tried twice: SQLite's check reports a page as damaged after one failed read. */
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
    // If the disk can read the file, the failure may pass; if not, the data is lost.
    if (cause instanceof HubError && !isReadable(paths.database)) return 'the file cannot be read';
    throw cause;
  }
}

function openIfSound(sqlite: Sqlite, path: string): Database {
  const database = openDatabase(sqlite, path);
  try {
    const verdict = quickCheck(database);
    if (verdict !== 'ok') throw new CorruptDatabaseError(`the check says: ${verdict}`);
    if (schemaVersion(database) === 0) throw new CorruptDatabaseError('it is not a hearthd database');
    return database;
  } catch (cause) {
    database.abandon();
    throw cause;
  }
}

/** Makes the newest good backup the database and returns its id; `null` if there is none. */
function restoreNewestGood(deps: OpenDeps): string | null {
  let unread: Error | undefined;
  for (const { id } of listBackups(deps.paths.backups)) {
    // Twice, as with the database itself: one failed read makes a file look damaged.
    const cause = useBackup(deps, id) && useBackup(deps, id);
    if (cause === undefined) return id;
    if (cause.code !== 'INVALID_BACKUP') unread ??= cause;
    if (cause.cause instanceof StorageRefusal) unread ??= new StorageRefusal('too_new', tooNew(cause.cause.message));
    deps.log.warn('a backup cannot be used', { backup: id, cause });
  }
  // Backups that may be readable later must not be replaced by an empty hub.
  if (unread !== undefined) throw unread;
  return null;
}

/** Makes the backup the database. Returns why it cannot be, or `undefined`. */
function useBackup(deps: OpenDeps, id: string): HubError | undefined {
  const { sqlite, paths } = deps;
  const sweep = (database: Database, schema: number): void => sweepAll({ ...deps, database }, schema);
  try {
    const candidate = prepareCandidate({ sqlite, temporary: paths.temporary, sweep }, join(paths.backups, `${id}.db`));
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

/** `false` only if the medium fails: too many open files, for example, do not make a database unusable. */
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
