import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Backup, BackupKind } from './backups.ts';
import type { Database } from './database.ts';
import { createPrivateFile, ensureOwnFolder, readSmallFile, renameOnDisk, syncToDisk } from './durable-file.ts';
import { newerSentence } from './newer-files.ts';
import { MIGRATIONS, migrate, schemaVersion } from './schema.ts';
import type { StatePaths } from './state-paths.ts';
import { StorageRefusal, onDisk } from './storage-failure.ts';

/** Throws StorageRefusal `put_off` if the migration ended the hub again and again. */
export type MigrationGuard = (migration: string) => void;

export type UpgradeDeps = {
  readonly database: Database;
  readonly makeBackup: (kind: BackupKind) => Backup;
  /** The folder of the backups. */
  readonly backups: string;
  readonly migrations?: readonly string[];
  /** Looks at what is stored by this schema, inside the transaction of the upgrade. */
  readonly prepare?: (schema: number) => void;
  /** Of safe mode. */
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

/**
 * Writes the schema's number into a file. The package of an older hearthd reads it before it stops a newer one, because
 * only the newer one could be started again. A failure to write it does not prevent the start.
 */
export function noteSchema(paths: StatePaths, schema: number, log: Log): void {
  if (paths.isCopy) return;
  const path = join(dirname(paths.database), 'schema');
  const text = `${schema}\n`;
  try {
    if (readNote(path) === text) return;
    ensureOwnFolder(paths.temporary);
    const temporary = join(paths.temporary, 'schema');
    createPrivateFile(temporary);
    onDisk(() => writeFileSync(temporary, text));
    syncToDisk(temporary);
    renameOnDisk(temporary, path);
  } catch (cause) {
    if (!(cause instanceof HubError) && errnoOf(cause) === undefined) throw cause;
    log.warn('the number of the schema could not be written to its file', { path, cause });
  }
}

/** `undefined` if there is none that can be read: it is then written again. */
function readNote(path: string): string | undefined {
  try {
    return readSmallFile(path)?.toString();
  } catch (cause) {
    if (cause instanceof HubError) return undefined;
    throw cause;
  }
}
