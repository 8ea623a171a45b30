import { existsSync } from 'node:fs';
import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import { carryAudit } from '#storage/tables/audit-table.ts';
import { prepareCandidate } from './candidate.ts';
import { releaseFileLock, type Database, type Sqlite } from './database.ts';
import { SIDE_FILES, replaceDatabase } from './durable-file.ts';
import { createMetaTable } from '#storage/tables/meta-table.ts';
import { setAside, type OpenDeps } from './recover.ts';
import { carryRevokedApiTokens } from '#storage/tables/api-token-table.ts';
import { createSessionTable } from '#storage/tables/session-table.ts';
import type { StatePaths } from './state-paths.ts';
import { brokenDisk } from './storage-failure.ts';
import { carryPasswords } from '#storage/tables/user-table.ts';

/**
 * What of the present outlives a restore beside the audit log, the passwords and the end of API tokens; everything else
 * is as it was when the backup was made.
 */
export type RestoreKeep = {
  /** The one login that is not ended, if its user is in the backup; every other one is. */
  readonly session: SessionId | null;
  /** Keys of meta whose present values stay, as the marks of the clock must. */
  readonly meta: readonly string[];
};

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
    carryOver(live, database, keep);
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
    database.run('DELETE FROM session');
  });
  releaseFileLock(paths.database);
  const kept = setAside(deps, ['', ...SIDE_FILES]);
  replaceDatabase(candidate, paths.database);
  log.info('a backup took the place of the database', { kept });
}

function assertOwner(database: Database): void {
  if (database.get("SELECT id FROM user WHERE role = 'owner' LIMIT 1") !== undefined) return;
  throw new HubError('INVALID_BACKUP', 'This file cannot be restored. It has no owner: nobody could sign in.');
}

function carryOver(live: Database, candidate: Database, keep: RestoreKeep): void {
  const meta = [...createMetaTable(live).loadMeta()].filter(([key]) => keep.meta.includes(key));
  createMetaTable(candidate).putMeta(new Map(meta));
  carryAudit(live, candidate);
  carryRevokedApiTokens(live, candidate);
  carryPasswords(live, candidate);
  const reused = createSessionTable(live).loadReusedSessions();
  for (const id of reused) createSessionTable(candidate).insertReusedSession(id);
  const session = createSessionTable(live)
    .loadSessions()
    .find(({ id }) => id === keep.session);
  candidate.run('DELETE FROM session');
  if (session === undefined) return;
  const isKnown = candidate.get('SELECT id FROM user WHERE id = ?', [session.userId]) !== undefined;
  if (isKnown) createSessionTable(candidate).insertSession(session);
}
