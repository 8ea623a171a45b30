import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, releaseFileLock, type Database } from '#storage/engine/database.ts';
import {
  createPrivateFile,
  ensureOwnFolder,
  replaceDatabase,
  SIDE_FILES,
  syncToDisk,
} from '#storage/engine/durable-file.ts';
import { setBadLogAside, setFilesAside, type OpenDeps } from '#storage/engine/bad-files.ts';
import { newerSentence } from '#storage/engine/newer-files.ts';
import { migrate, schemaVersion } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, onDisk, StorageRefusal } from '#storage/engine/storage-failure.ts';
import { knownHistory } from './journal-merge.ts';

/** A commit of twenty bytes writes two frames of the log: 1.1 KB with this page size, 8.2 KB with the usual one. */
const PAGE_BYTES = 512;
const CACHE_KIB = 256;
const LOG_PAGES = 2_000;

/**
 * `flushed` has a row for each flush; sealing moves their samples into the files of months and deletes them. `extent` is what
 * those files have of each series, so that a start opens none of them. `carried` has the last sample of each series that went
 * with its month, `deletion` what a person deleted, and
 * what is older than a series is kept. `entry` has what automations keep while they run; its times count as its epoch
 * does. `run` has traces, `run_past` what is kept of an automation beside them, `run_count` its starts a day.
 * Ticks count as their segment's epoch does; `shift_ms` corrects them.
 */
export const JOURNAL_MIGRATIONS: readonly string[] = [
  `
CREATE TABLE about (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE epoch (
  id TEXT PRIMARY KEY,
  shift_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segment (
  number INTEGER PRIMARY KEY,
  epoch TEXT NOT NULL,
  base INTEGER NOT NULL,
  first_tick INTEGER NOT NULL,
  last_tick INTEGER NOT NULL
) STRICT;

CREATE TABLE series (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT,
  unit TEXT
) STRICT;

CREATE TABLE flushed (
  number INTEGER PRIMARY KEY,
  segment INTEGER,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE extent (
  series INTEGER NOT NULL,
  month TEXT NOT NULL,
  epoch TEXT NOT NULL,
  first_tick INTEGER NOT NULL,
  last_tick INTEGER NOT NULL,
  count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (series, month, epoch)
) STRICT, WITHOUT ROWID;

CREATE TABLE closed_month (
  month TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE carried (
  series INTEGER PRIMARY KEY,
  at_ms REAL NOT NULL,
  value TEXT NOT NULL
) STRICT;
`,
  `
CREATE TABLE deletion (
  number INTEGER PRIMARY KEY,
  series TEXT NOT NULL,
  from_ms REAL,
  to_ms REAL,
  held TEXT NOT NULL,
  erased INTEGER NOT NULL
) STRICT;
`,
  'ALTER TABLE deletion ADD COLUMN retires TEXT',
  `
CREATE TABLE entry (
  key TEXT PRIMARY KEY,
  epoch TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  automation TEXT NOT NULL,
  epoch TEXT NOT NULL,
  outcome TEXT NOT NULL,
  started_ms REAL NOT NULL,
  finished_ms REAL,
  merged INTEGER NOT NULL,
  likeness TEXT NOT NULL,
  tells_presence INTEGER NOT NULL,
  packed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_past (
  automation TEXT PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_count (
  automation TEXT NOT NULL,
  day INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  not_met INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (automation, day)
) STRICT, WITHOUT ROWID;
`,
];

/**
 * Opens the journal. A damaged one is set aside, and an empty one takes its place. Throws StorageRefusal `too_new` for one
 * that a newer version wrote.
 */
export function openJournalFile(deps: OpenDeps & { readonly database: Database }): Database {
  const { paths, log } = deps;
  releaseFileLock(paths.journal);
  setBadLogAside(deps, paths.journal);
  const stats = onDisk(() => lstatSync(paths.journal, { throwIfNoEntry: false }));
  const opened = stats === undefined ? undefined : openTwice(deps);
  if (opened !== undefined && typeof opened !== 'string') return opened;
  if (opened !== undefined) {
    const kept = setFilesAside(deps, paths.journal, ['', ...SIDE_FILES]);
    log.error(`the journal was replaced by an empty one: ${opened}`, { kept });
  }
  createEmpty(deps, knownHistory(deps.database) ?? randomUUID());
  return openSmall(deps, paths.journal);
}

/** SQLite reports a page as damaged after one failed read. */
function openTwice(deps: OpenDeps): Database | string {
  const first = openIfSound(deps);
  return typeof first === 'string' ? openIfSound(deps) : first;
}

function openIfSound(deps: OpenDeps): Database | string {
  let database: Database | undefined;
  try {
    database = openSmall(deps, deps.paths.journal);
    const verdict = database.get('PRAGMA quick_check(1)')?.['quick_check'];
    const schema = schemaVersion(database);
    if (verdict !== 'ok') throw new CorruptDatabaseError(`the check says: ${String(verdict)}`);
    if (schema === 0) throw new CorruptDatabaseError('it is no journal of hearthd');
    if (schema > JOURNAL_MIGRATIONS.length) {
      const found = `the journal has schema ${schema}; this one knows ${JOURNAL_MIGRATIONS.length}`;
      throw new StorageRefusal('too_new', newerSentence(found, deps.paths.backups));
    }
    migrate(database, JOURNAL_MIGRATIONS);
    return database;
  } catch (cause) {
    database?.abandon();
    if (cause instanceof CorruptDatabaseError) return cause.message;
    throw cause;
  }
}

function openSmall({ sqlite }: OpenDeps, path: string): Database {
  return openDatabase(sqlite, path, { pageBytes: PAGE_BYTES, cacheKiB: CACHE_KIB, logPages: LOG_PAGES });
}

function createEmpty(deps: OpenDeps, historyId: string): void {
  const { temporary, journal } = deps.paths;
  const path = join(temporary, 'new-journal.db');
  ensureOwnFolder(temporary);
  createPrivateFile(path);
  const database = openSmall(deps, path);
  try {
    migrate(database, JOURNAL_MIGRATIONS);
    database.run("INSERT INTO about (key, value) VALUES ('id', ?), ('history', ?)", [randomUUID(), historyId]);
  } finally {
    database.close();
  }
  syncToDisk(path);
  replaceDatabase(path, journal);
}
