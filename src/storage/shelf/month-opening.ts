import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openDatabase, openReadOnly, releaseFileLock, type Database, type Sqlite } from '#storage/engine/database.ts';
import { createPrivateFile, ensureOwnFolder, replaceDatabase, syncToDisk } from '#storage/engine/durable-file.ts';
import { takeDatabase } from '#storage/engine/file-rights.ts';
import type { OpenDeps } from '#storage/engine/bad-files.ts';
import { migrate, schemaVersion } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, onDisk } from '#storage/engine/storage-failure.ts';
import { UnusableFileError } from './unusable-files.ts';

/** A shelf has months of samples, or years of hours. */
type ShelfKind = {
  /** For the log. */
  readonly what: string;
  /** Matches the names of the files; its first group is what the other functions call a month. */
  readonly names: RegExp;
  readonly migrations: readonly string[];
  readonly maxOpen: number;
};

export type MonthOpeningDeps = OpenDeps & { readonly kind: ShelfKind; readonly historyId: string };

const SIZE = { pageBytes: 4096, cacheKiB: 256 };

export type OpenMonth = { readonly file: Database; readonly isClosed: boolean };

/** A month that is still written has a log beside it; a closed one is only read, unless late samples come for it. */
export function openMonth(
  { sqlite, paths, log, historyId, kind }: MonthOpeningDeps,
  path: string,
  mustWrite: boolean,
): OpenMonth {
  // Even reading takes a lock, which is made in the folder.
  onDisk(() => accessSync(dirname(path), constants.W_OK));
  releaseFileLock(path);
  const isClosed = hasNoLog(path);
  const isRead = isClosed && !mustWrite;
  if (!isRead && takeDatabase(path, paths.temporary) && !isClosed) {
    log.warn(`${kind.what} could not be written by the hub, which took it over`, { file: basename(path) });
  }
  const file = isRead ? openReadOnly(sqlite, path, SIZE) : openDatabase(sqlite, path, SIZE);
  try {
    checkFile(file, historyId, kind);
    return { file, isClosed: isRead };
  } catch (cause) {
    file.abandon();
    throw cause;
  }
}

/** Throws what is wrong with an opened file: damage, or that it is not one of this hub for this version. */
function checkFile(file: Database, historyId: string, { what, migrations }: ShelfKind): void {
  const schema = schemaVersion(file);
  if (schema === 0) throw new CorruptDatabaseError(`it is not ${what}`);
  if (schema > migrations.length) throw new UnusableFileError('newer_version', 'it was written by a newer hearthd');
  const id = file.get("SELECT value FROM about WHERE key = 'history'")?.['value'];
  if (id !== historyId) throw new UnusableFileError('other_hub', 'it comes from another hub');
}

/** Byte 18 of a database says whether writing it takes a log. */
export function hasNoLog(path: string): boolean {
  return onDisk(() => {
    const fd = openSync(path, 'r');
    try {
      const head = Buffer.alloc(19);
      return readSync(fd, head, 0, head.length, 0) === head.length && head[18] === 1;
    } finally {
      closeSync(fd);
    }
  });
}

export function createMonth({ sqlite, paths, historyId, kind }: MonthOpeningDeps, path: string): void {
  ensureOwnFolder(paths.history);
  ensureOwnFolder(paths.temporary);
  const temporary = join(paths.temporary, 'new-month.db');
  openEmptyFile({ sqlite, historyId, path: temporary, ...kind }).close();
  syncToDisk(temporary);
  replaceDatabase(temporary, path);
}

/** A new file with nothing in it. */
export function openEmptyFile({
  sqlite,
  historyId,
  path,
  migrations,
}: Pick<ShelfKind, 'migrations'> & {
  readonly sqlite: Sqlite;
  readonly historyId: string;
  readonly path: string;
}): Database {
  createPrivateFile(path);
  const file = openDatabase(sqlite, path, SIZE);
  try {
    migrate(file, migrations);
    file.run("INSERT INTO about (key, value) VALUES ('history', ?)", [historyId]);
    return file;
  } catch (cause) {
    file.abandon();
    throw cause;
  }
}
