import { existsSync } from 'node:fs';
import { HubError } from '#base/hub-error.ts';
import { deleteAllSessionRows } from '#storage/tables/session-table.ts';
import type { RestoreKeep, StoredNoun } from '#storage/tables/stored-noun.ts';
import { TABLES } from '#storage/tables/table-list.ts';
import { hasOwnerRow } from '#storage/tables/user-table.ts';
import { prepareCandidate } from './candidate.ts';
import { releaseFileLock, type Database, type Sqlite } from './database.ts';
import { SIDE_FILES, replaceDatabase } from './durable-file.ts';
import { setAside, type OpenDeps } from './recover.ts';
import type { StatePaths } from './state-paths.ts';
import { brokenDisk } from './storage-failure.ts';

export type RestoreDeps = {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly live: Database;
  /** Makes a backup of the present, if it can. */
  readonly keepPresent: () => void;
  readonly closeLive: () => void;
};

/**
 * Puts a checked copy of the file in the place of the live database, which is closed then. Up to the one rename the
 * old database is whole, from there on the new one: sessions and marks were seen to in the copy.
 */
export function restoreDatabase(deps: RestoreDeps, from: string, keep: RestoreKeep): void {
  const { sqlite, paths, live } = deps;
  const candidate = prepareCandidate({ sqlite, temporary: paths.temporary }, from, (database) => {
    assertOwner(database);
    const nouns: readonly StoredNoun[] = Object.values(TABLES);
    for (const { carryOver } of nouns) carryOver?.(live, database, keep);
  });
  deps.keepPresent();
  deps.closeLive();
  // Closing moves the log into the database, and says nothing if it could not.
  if (existsSync(`${paths.database}-wal`)) throw brokenDisk();
  replaceDatabase(candidate, paths.database);
}

/**
 * The same where there is no live database to carry anything over from, because this version cannot open it: that one
 * is set aside whole, and every login ends. Only for the holder of the state lock.
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
  log.info('a backup took the place of the database', { kept });
}

function assertOwner(database: Database): void {
  if (hasOwnerRow(database)) return;
  throw new HubError('INVALID_BACKUP', 'This file cannot be restored. It has no owner: nobody could sign in.');
}
