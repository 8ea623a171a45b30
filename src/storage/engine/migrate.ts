import type { Backup, BackupKind } from './backups.ts';
import type { Database } from './database.ts';
import { INITIAL } from '#storage/migrations/001-initial.ts';
import { WEBHOOK } from '#storage/migrations/002-webhook.ts';
import { AUDIT } from '#storage/migrations/003-audit.ts';
import { USER_REVISION } from '#storage/migrations/004-user-revision.ts';
import { API_TOKEN } from '#storage/migrations/005-api-token.ts';
import { REVOKED_API_TOKEN } from '#storage/migrations/006-revoked-api-token.ts';
import { AUDIT_API_TOKEN } from '#storage/migrations/007-audit-api-token.ts';
import { StorageRefusal } from './storage-failure.ts';

/** Append only: number n brings schema n - 1 to n. A migration that was ever released never changes. */
export const MIGRATIONS: readonly string[] = [
  INITIAL,
  WEBHOOK,
  AUDIT,
  USER_REVISION,
  API_TOKEN,
  REVOKED_API_TOKEN,
  AUDIT_API_TOKEN,
];

/** The schema of an open database; 0 for an empty one. */
export function schemaVersion(database: Database): number {
  return Number(database.get('PRAGMA user_version')?.['user_version']);
}

/** Brings the schema up to date, one transaction for each step: a crash leaves the schema of before or after a step. */
export function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): void {
  for (let version = schemaVersion(database); version < migrations.length; version += 1) {
    database.transaction(() => {
      database.exec(migrations[version] ?? '');
      database.exec(`PRAGMA user_version=${version + 1}`);
    });
  }
}

export type UpgradeDeps = {
  readonly database: Database;
  readonly makeBackup: (kind: BackupKind) => Backup;
  /** Newest first. */
  readonly listBackups: () => readonly Backup[];
  readonly migrations?: readonly string[];
};

/** Migrates the live database after a backup of it; throws StorageRefusal `too_new` for one from the future. */
export function upgradeDatabase({ database, makeBackup, listBackups, migrations = MIGRATIONS }: UpgradeDeps): void {
  const version = schemaVersion(database);
  if (version > migrations.length) {
    const backup = listBackups().find(({ kind }) => kind === 'pre-migration');
    const remedy = backup === undefined ? '' : `, or go back to the backup ${backup.id} with hearthd restore`;
    const found = `schema ${version}; this one knows ${migrations.length}`;
    const sentence = `the database was written by a newer hearthd (${found}): install that version again${remedy}`;
    throw new StorageRefusal('too_new', sentence);
  }
  if (version === migrations.length) return;
  makeBackup('pre-migration');
  migrate(database, migrations);
}
