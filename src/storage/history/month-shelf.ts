import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { openDatabase, openReadOnly, releaseFileLock, type Database, type Sqlite } from '#storage/engine/database.ts';
import {
  createPrivateFile,
  ensureOwnFolder,
  replaceDatabase,
  SIDE_FILES,
  syncToDisk,
} from '#storage/engine/durable-file.ts';
import { setFilesAside, type OpenDeps } from '#storage/engine/recover.ts';
import { migrate } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, onDisk } from '#storage/engine/storage-failure.ts';
import type { Month } from './segment.ts';
import { checkMonth, ForeignMonthError, MONTH_MIGRATIONS } from './month-file.ts';

/** The files of months, of which at most two are open. */
export type MonthShelf = {
  /** What `use` returns of the month's file; `undefined` if the file is missing, damaged or not for this hub. */
  readonly read: <Result>(month: Month, use: (file: Database) => Result) => Result | undefined;
  /** The same, but creates a missing file, and replaces one that cannot be used. */
  readonly write: <Result>(month: Month, use: (file: Database) => Result) => Result;
  /** The months that have files. */
  readonly list: () => readonly Month[];
  readonly bytesOf: (month: Month) => number;
  /** Puts a closed and synced file in the place of the month. It is not written again. */
  readonly replace: (month: Month, by: string) => void;
  readonly remove: (month: Month) => void;
  readonly pathOf: (month: Month) => string;
  readonly closeAll: () => void;
};

export type ShelfDeps = OpenDeps & {
  readonly historyId: string;
  /** Called when what a month had is gone. */
  readonly onLost: (month: Month) => void;
};

const NAME = /^(\d{4}-\d{2})\.db$/;
const MAX_OPEN = 2;
const SIZE = { pageBytes: 4096, cacheKiB: 256 };
const ALL_FILES = ['', ...SIDE_FILES];

export function createMonthShelf(deps: ShelfDeps): MonthShelf {
  const { paths, log, onLost } = deps;
  const open = new Map<Month, Database>();
  const pathOf = (month: Month): string => join(paths.history, `${month}.db`);

  const close = (month: Month): void => {
    const file = open.get(month);
    open.delete(month);
    file?.close();
  };
  /** The open file; `undefined` if there is none. Damage and strangeness are thrown. */
  const find = (month: Month): Database | undefined => {
    let file = open.get(month);
    open.delete(month);
    if (file === undefined) {
      const path = pathOf(month);
      if (onDisk(() => lstatSync(path, { throwIfNoEntry: false })) === undefined) return undefined;
      const [oldest] = open.keys();
      if (open.size >= MAX_OPEN && oldest !== undefined) close(oldest);
      file = openMonth(deps, path);
    }
    // The last one of the map was used last.
    open.set(month, file);
    return file;
  };
  const setAside = (month: Month, cause: unknown): void => {
    open.get(month)?.abandon();
    open.delete(month);
    const kept = setFilesAside(deps, pathOf(month), ALL_FILES);
    onLost(month);
    log.error('a month of history cannot be used and was set aside', { month, kept, cause });
  };
  const read = <Result>(month: Month, use: (file: Database) => Result): Result | undefined => {
    try {
      const file = find(month);
      return file === undefined ? undefined : use(file);
    } catch (cause) {
      if (cause instanceof ForeignMonthError) {
        log.error('a month of history is not for this hub and is left alone', { month, cause });
        return undefined;
      }
      if (!(cause instanceof CorruptDatabaseError)) throw cause;
      setAside(month, cause);
      return undefined;
    }
  };
  return {
    read,
    write: (month, use) => {
      const done = read(month, (file) => ({ result: use(file) }));
      if (done !== undefined) return done.result;
      if (existsSync(pathOf(month))) setAside(month, new Error('it is not for this hub'));
      else onLost(month);
      createMonth(deps, pathOf(month));
      const again = read(month, (file) => ({ result: use(file) }));
      if (again === undefined) throw new CorruptDatabaseError(`a new file for ${month} cannot be used`);
      return again.result;
    },
    list: () => {
      if (!existsSync(paths.history)) return [];
      const names = onDisk(() => readdirSync(paths.history));
      return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).toSorted();
    },
    bytesOf: (month) => onDisk(() => statSync(pathOf(month), { throwIfNoEntry: false }))?.size ?? 0,
    replace: (month, by) => {
      close(month);
      onDisk(() => chmodSync(by, 0o400));
      replaceDatabase(by, pathOf(month));
    },
    remove: (month) => {
      close(month);
      for (const suffix of ALL_FILES) onDisk(() => rmSync(pathOf(month) + suffix, { force: true }));
      syncToDisk(paths.history);
    },
    pathOf,
    closeAll: () => {
      for (const month of open.keys()) close(month);
    },
  };
}

/** A month that is still written has a log beside it; a closed one is only read. */
function openMonth({ sqlite, historyId }: ShelfDeps, path: string): Database {
  releaseFileLock(path);
  const file = isClosed(path) ? openReadOnly(sqlite, path, SIZE) : openDatabase(sqlite, path, SIZE);
  try {
    checkMonth(file, historyId);
    return file;
  } catch (cause) {
    file.abandon();
    throw cause;
  }
}

/** Byte 18 of a database says whether writing it takes a log. */
function isClosed(path: string): boolean {
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

function createMonth({ sqlite, paths, historyId }: ShelfDeps, path: string): void {
  ensureOwnFolder(paths.history);
  ensureOwnFolder(paths.temporary);
  const temporary = join(paths.temporary, 'new-month.db');
  openEmptyMonth({ sqlite, historyId, path: temporary }).close();
  syncToDisk(temporary);
  replaceDatabase(temporary, path);
}

/** A new file of a month without samples. */
export function openEmptyMonth({
  sqlite,
  historyId,
  path,
}: {
  readonly sqlite: Sqlite;
  readonly historyId: string;
  readonly path: string;
}): Database {
  createPrivateFile(path);
  const file = openDatabase(sqlite, path, SIZE);
  try {
    migrate(file, MONTH_MIGRATIONS);
    file.run("INSERT INTO about (key, value) VALUES ('history', ?)", [historyId]);
    return file;
  } catch (cause) {
    file.abandon();
    throw cause;
  }
}
