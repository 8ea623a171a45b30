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
import { dirname, join } from 'node:path';
import { openDatabase, openReadOnly, releaseFileLock, type Database, type Sqlite } from '#storage/engine/database.ts';
import {
  copyToDisk,
  createPrivateFile,
  ensureOwnFolder,
  renameOnDisk,
  replaceDatabase,
  SIDE_FILES,
  syncToDisk,
} from '#storage/engine/durable-file.ts';
import { setFilesAside, type OpenDeps } from '#storage/engine/recover.ts';
import { migrate, schemaVersion } from '#storage/engine/schema.ts';
import { CorruptDatabaseError, onDisk } from '#storage/engine/storage-failure.ts';
import type { Month } from './segment.ts';

/** A file of this hub that this version cannot read. It is left where it is. */
class ForeignFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ForeignFileError';
  }
}

/** What is on a shelf: months of samples, or years of hours. */
export type ShelfKind = {
  /** For the log. */
  readonly what: string;
  /** Of the files; its first group is what the other functions call a month. */
  readonly names: RegExp;
  readonly migrations: readonly string[];
  readonly maxOpen: number;
};

/** The files of months, of which few are open. */
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
  /** Puts a copy of a month that nobody writes at the moment into the backups. */
  readonly keepCopy: (month: Month) => void;
  /** Removes that copy, which has what was deleted since. */
  readonly dropCopy: (month: Month) => void;
  readonly closeAll: () => void;
};

export type ShelfDeps = OpenDeps & {
  readonly kind: ShelfKind;
  readonly historyId: string;
  /** Called when what a month had is gone. */
  readonly onLost: (month: Month) => void;
};

const SIZE = { pageBytes: 4096, cacheKiB: 256 };
const ALL_FILES = ['', ...SIDE_FILES];

export function createMonthShelf(deps: ShelfDeps): MonthShelf {
  const { paths, log, onLost } = deps;
  const { what, names } = deps.kind;
  const pathOf = (month: Month): string => join(paths.history, `${month}.db`);
  const copyOf = (month: Month): string => join(paths.backups, 'history', `${month}.db`);

  const { find, close, forget, closeAll } = createOpenMonths(deps, pathOf);
  const setAside = (month: Month, cause: unknown): void => {
    forget(month);
    const kept = setFilesAside(deps, pathOf(month), ALL_FILES);
    const copy = copyOf(month);
    const hasCopy = existsSync(copy);
    if (hasCopy) copyToDisk(copy, pathOf(month));
    else onLost(month);
    log.error(`${what} cannot be used and was set aside`, { month, kept, hasCopy, cause });
  };
  const tryOnce = <Result>(month: Month, mustWrite: boolean, use: (file: Database) => Result): Try<Result> =>
    tryUse(() => {
      const file = find(month, mustWrite);
      return file === undefined ? undefined : { result: use(file) };
    });
  /** Twice, as one failed read makes a file look damaged. */
  const tryTo = <Result>(month: Month, mustWrite: boolean, use: (file: Database) => Result): Result | undefined => {
    let tried = tryOnce(month, mustWrite, use);
    if (tried !== undefined && 'damage' in tried) {
      forget(month);
      tried = tryOnce(month, mustWrite, use);
    }
    if (tried === undefined || 'result' in tried) return tried?.result;
    if (tried.damage instanceof ForeignFileError) log.error(`${what} is left alone`, { month, cause: tried.damage });
    else setAside(month, tried.damage);
    // A copy from the backups may have taken its place.
    const again = tryOnce(month, mustWrite, use);
    return again !== undefined && 'result' in again ? again.result : undefined;
  };
  return {
    read: (month, use) => tryTo(month, false, use),
    write: (month, use) => {
      const done = tryTo(month, true, (file) => ({ result: use(file) }));
      if (done !== undefined) return done.result;
      if (existsSync(pathOf(month))) setAside(month, new Error('it is not for this hub'));
      else onLost(month);
      createMonth(deps, pathOf(month));
      const again = tryTo(month, true, (file) => ({ result: use(file) }));
      if (again === undefined) throw new CorruptDatabaseError(`a new file for ${month} cannot be used`);
      return again.result;
    },
    list: () => listMonths(paths.history, names),
    bytesOf: (month) => onDisk(() => statSync(pathOf(month), { throwIfNoEntry: false }))?.size ?? 0,
    replace: (month, by) => {
      close(month);
      // Left by a creation that failed half-way: months have a write-ahead log ever after.
      onDisk(() => rmSync(`${pathOf(month)}-journal`, { force: true }));
      onDisk(() => chmodSync(by, 0o400));
      replaceDatabase(by, pathOf(month));
    },
    remove: (month) => {
      close(month);
      for (const suffix of ALL_FILES) onDisk(() => rmSync(pathOf(month) + suffix, { force: true }));
      onDisk(() => rmSync(copyOf(month), { force: true }));
      syncToDisk(paths.history);
    },
    keepCopy: (month) => {
      // What is in the log must be in the file.
      close(month);
      ensureOwnFolder(dirname(copyOf(month)));
      ensureOwnFolder(paths.temporary);
      const copy = join(paths.temporary, 'month-copy.db');
      copyToDisk(pathOf(month), copy);
      renameOnDisk(copy, copyOf(month));
    },
    dropCopy: (month) => {
      if (!existsSync(copyOf(month))) return;
      onDisk(() => rmSync(copyOf(month), { force: true }));
      syncToDisk(dirname(copyOf(month)));
    },
    closeAll,
  };
}

function listMonths(folder: string, pattern: RegExp): Month[] {
  if (!existsSync(folder)) return [];
  const names = onDisk(() => readdirSync(folder));
  return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).toSorted();
}

/** The files that are open, at most two. */
function createOpenMonths(deps: ShelfDeps, pathOf: (month: Month) => string) {
  const open = new Map<Month, OpenMonth>();
  const close = (month: Month): void => {
    const opened = open.get(month);
    open.delete(month);
    opened?.file.close();
  };
  /** The open file; `undefined` if there is none. Damage and strangeness are thrown. */
  const find = (month: Month, mustWrite: boolean): Database | undefined => {
    if (mustWrite && open.get(month)?.isClosed === true) close(month);
    let opened = open.get(month);
    open.delete(month);
    if (opened === undefined) {
      const path = pathOf(month);
      if (onDisk(() => lstatSync(path, { throwIfNoEntry: false })) === undefined) return undefined;
      const [oldest] = open.keys();
      if (open.size >= deps.kind.maxOpen && oldest !== undefined) close(oldest);
      opened = openMonth(deps, path, mustWrite);
    }
    // The last one of the map was used last.
    open.set(month, opened);
    return opened.file;
  };
  /** Stops using the file without writing to it. */
  const forget = (month: Month): void => {
    open.get(month)?.file.abandon();
    open.delete(month);
  };
  const closeAll = (): void => {
    for (const month of open.keys()) close(month);
  };
  return { find, close, forget, closeAll };
}

/** `undefined` if there is no file. */
type Try<Result> = { readonly result: Result } | { readonly damage: Error } | undefined;

function tryUse<Result>(use: () => { readonly result: Result } | undefined): Try<Result> {
  try {
    return use();
  } catch (cause) {
    if (!(cause instanceof CorruptDatabaseError) && !(cause instanceof ForeignFileError)) throw cause;
    return { damage: cause };
  }
}

type OpenMonth = { readonly file: Database; readonly isClosed: boolean };

/** A month that is still written has a log beside it; a closed one is only read, unless late samples come for it. */
function openMonth({ sqlite, historyId, kind }: ShelfDeps, path: string, mustWrite: boolean): OpenMonth {
  releaseFileLock(path);
  const isClosed = hasNoLog(path);
  if (isClosed && mustWrite) onDisk(() => chmodSync(path, 0o600));
  const isRead = isClosed && !mustWrite;
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
  if (schema > migrations.length) throw new ForeignFileError('it was written by a newer hearthd');
  const id = file.get("SELECT value FROM about WHERE key = 'history'")?.['value'];
  if (id !== historyId) throw new ForeignFileError('it comes from another hub');
}

/** Byte 18 of a database says whether writing it takes a log. */
function hasNoLog(path: string): boolean {
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

function createMonth({ sqlite, paths, historyId, kind }: ShelfDeps, path: string): void {
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
