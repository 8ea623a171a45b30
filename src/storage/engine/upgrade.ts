import type { Backup, BackupKind } from './backups.ts';
import type { Database } from './database.ts';
import { newerSentence } from './newer-files.ts';
import { MIGRATIONS, migrate, schemaVersion } from './schema.ts';
import { StorageRefusal } from './storage-failure.ts';

/** Throws StorageRefusal `put_off` if the migration ended the hub again and again. */
export type MigrationGuard = (migration: string) => void;

type UpgradeDeps = {
  readonly database: Database;
  readonly makeBackup: (kind: BackupKind) => Backup;
  /** The folder of the backups. */
  readonly backups: string;
  readonly migrations?: readonly string[];
  /** Looks at what is stored by this schema, inside the transaction of the upgrade. */
  readonly prepare?: (schema: number) => void;
  /** Safe mode may refuse the migration here. */
  readonly guard?: MigrationGuard | undefined;
};

/** Backs up the live database and migrates it. Throws StorageRefusal `too_new` if a newer version wrote it, and what the guard throws. */
export function upgradeDatabase({
  database,
  makeBackup,
  backups,
  migrations = MIGRATIONS,
  prepare,
  guard,
}: UpgradeDeps): void {
  const version = schemaVersion(database);
  if (version > migrations.length) {
    const found = `the database has schema ${version}; this one knows ${migrations.length}`;
    throw new StorageRefusal('too_new', newerSentence(found, backups));
  }
  if (version === migrations.length) return;
  guard?.(`migration ${version} to ${migrations.length}`);
  makeBackup('pre-migration');
  migrate(database, migrations, prepare);
}
