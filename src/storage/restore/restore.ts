import { existsSync } from 'node:fs';
import { HubError } from '#base/hub-error.ts';
import { deleteAllSessionRows } from '#storage/tables/people/session-table.ts';
import type { RestoreKeep, StoredNoun } from '#storage/tables/stored-noun.ts';
import { TABLES } from '#storage/tables/table-list.ts';
import { hasOwnerRow } from '#storage/tables/people/user-table.ts';
import { prepareCandidate } from './candidate.ts';
import { releaseFileLock, type Database, type Sqlite } from '#storage/engine/database.ts';
import { SIDE_FILES, replaceDatabase } from '#storage/engine/durable-file.ts';
import { setAside, type OpenDeps } from '#storage/engine/bad-files.ts';
import type { StatePaths } from '#storage/engine/state-paths.ts';
import { brokenDisk } from '#storage/engine/storage-failure.ts';

type RestoreDeps = {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly live: Database;
  /** Lets the restored database keep its own last values, not take the newer ones of the journal. */
  readonly settle: (restored: Database) => void;
  readonly keepPresent: () => void;
  readonly closeLive: () => void;
};

/**
 * Replaces the live database, which is closed, by a checked copy of the file. Sessions and clock marks are carried over
 * into the copy first, so one rename separates the complete old state from the complete new one.
 */
export function restoreDatabase(deps: RestoreDeps, from: string, keep: RestoreKeep): void {
  const { sqlite, paths, live } = deps;
  const candidate = prepareCandidate({ sqlite, temporary: paths.temporary }, from, (database) => {
    assertOwner(database);
    const nouns: readonly StoredNoun[] = Object.values(TABLES);
    for (const { carryOver } of nouns) carryOver?.(live, database, keep);
    database.transaction(() => deps.settle(database));
  });
  deps.keepPresent();
  deps.closeLive();
  // Closing moves the log into the database, but does not report that it could not.
  if (existsSync(`${paths.database}-wal`)) throw brokenDisk();
  replaceDatabase(candidate, paths.database);
}

/**
 * The same for a live database that this version cannot open, so that nothing can be carried over: its files are set
 * aside and every login ends. The caller must hold the state lock.
 */
export function replaceDatabaseUnopened(deps: OpenDeps, from: string): void {
  const { sqlite, paths, log } = deps;
  const candidate = prepareCandidate({ sqlite, temporary: paths.temporary }, from, (database) => {
    assertOwner(database);
    deleteAllSessionRows(database);
  });
  releaseFileLock(paths.database);
  const kept = setAside(deps, ['', ...SIDE_FILES]);
  replaceDatabase(candidate, paths.database);
  log.info('a backup replaced the database', { kept });
}

function assertOwner(database: Database): void {
  if (hasOwnerRow(database)) return;
  throw new HubError('INVALID_BACKUP', 'This file cannot be restored. It has no owner: nobody could sign in.');
}
