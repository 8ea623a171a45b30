import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UnusableFile } from '#core/past/history/history-store.ts';
import type { Database } from '#storage/engine/database.ts';
import {
  copyToDisk,
  ensureOwnFolder,
  renameOnDisk,
  replaceDatabase,
  SIDE_FILES,
  syncToDisk,
} from '#storage/engine/durable-file.ts';
import { isDenied, mayOpen } from '#storage/engine/file-rights.ts';
import { setFilesAside } from '#storage/engine/bad-files.ts';
import { brokenDisk, CorruptDatabaseError, isOfDisk, onDisk } from '#storage/engine/storage-failure.ts';
import type { Month } from '#storage/samples/segment.ts';
import { createMonth, hasNoLog, type MonthOpeningDeps, openMonth, type OpenMonth } from './month-opening.ts';
import { createUnusableFiles, FOLDER, notPermitted, UnusableFileError } from './unusable-files.ts';

/** The files of months, of which few are open. */
export type MonthShelf = {
  /** What `use` returns of the month's file; `undefined` if the file is missing, damaged or left alone. */
  readonly read: <Result>(month: Month, use: (file: Database) => Result) => Result | undefined;
  /**
   * The same, but creates a missing file, and replaces one that is damaged or comes from another hub. Throws if the rights
   * of the file do not let it, or a newer version wrote it.
   */
  readonly write: <Result>(month: Month, use: (file: Database) => Result) => Result;
  /** Changes before the file does, in this run of the hub. */
  readonly versionOf: (month: Month) => number;
  readonly list: () => readonly Month[];
  /** The files that are left alone. Looks at the rights of all files, and opens one only if they changed. */
  readonly unusable: () => readonly UnusableFile[];
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

type ShelfDeps = MonthOpeningDeps & {
  /** Called when what a month had is gone. */
  readonly onLost: (month: Month) => void;
  /** Called when a month can be used again that was left alone for a while. */
  readonly onBack: (month: Month) => void;
};

const ALL_FILES = ['', ...SIDE_FILES];

export function createMonthShelf(deps: ShelfDeps): MonthShelf {
  const { paths, onLost } = deps;
  const pathOf = (month: Month): string => join(paths.history, `${month}.db`);
  const copyOf = (month: Month): string => join(paths.backups, 'history', `${month}.db`);

  const { tryTo, setAside, close, closeAll, leftAlone, versions } = createTries(deps, pathOf, copyOf);
  const { list, unusable } = createLook(deps, pathOf, { tryTo, leftAlone });
  return {
    read: (month, use) => tryTo(month, false, use),
    write: (month, use) => {
      const done = tryTo(month, true, (file) => ({ result: use(file) }));
      if (done !== undefined) return done.result;
      const cause = leftAlone.find(month);
      if (cause !== undefined && cause.reason !== 'other_hub') throw brokenDisk(cause);
      if (existsSync(pathOf(month))) setAside(month, new Error('it is not for this hub'));
      else onLost(month);
      createMonth(deps, pathOf(month));
      const again = tryTo(month, true, (file) => ({ result: use(file) }));
      if (again === undefined) throw new CorruptDatabaseError(`a new file for ${month} cannot be used`);
      return again.result;
    },
    versionOf: versions.of,
    list,
    unusable,
    bytesOf: (month) => {
      try {
        return onDisk(() => statSync(pathOf(month), { throwIfNoEntry: false }))?.size ?? 0;
      } catch (cause) {
        throw isDenied(cause) ? brokenDisk(cause) : cause;
      }
    },
    replace: (month, by) => {
      versions.raise(month);
      close(month);
      // Left by a creation that failed half-way: months have a write-ahead log ever after.
      onDisk(() => rmSync(`${pathOf(month)}-journal`, { force: true }));
      onDisk(() => chmodSync(by, 0o400));
      replaceDatabase(by, pathOf(month));
    },
    remove: (month) => {
      versions.raise(month);
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

type PathOf = (month: Month) => string;

/** Uses the files of months as far as that is possible, and deals with those that are damaged or must be left alone. */
function createTries(deps: ShelfDeps, pathOf: PathOf, copyOf: PathOf) {
  const { log, onLost } = deps;
  const { what } = deps.kind;
  const { find, close, forget, closeAll } = createOpenMonths(deps, pathOf);
  const leftAlone = createUnusableFiles(deps);
  const versions = createVersions();
  const setAside = (month: Month, cause: unknown): void => {
    versions.raise(month);
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
    if (mustWrite) versions.raise(month);
    let tried = tryOnce(month, mustWrite, use);
    if (tried !== undefined && 'damage' in tried && tried.damage instanceof CorruptDatabaseError) {
      forget(month);
      tried = tryOnce(month, mustWrite, use);
    }
    if (tried === undefined || 'result' in tried) {
      leftAlone.remove(month);
      return tried?.result;
    }
    if (tried.damage instanceof UnusableFileError) {
      leftAlone.add(month, tried.damage);
      return undefined;
    }
    setAside(month, tried.damage);
    // A copy from the backups may have taken its place.
    const again = tryOnce(month, mustWrite, use);
    return again !== undefined && 'result' in again ? again.result : undefined;
  };
  return { tryTo, setAside, close, closeAll, leftAlone, versions };
}

function createVersions() {
  const versions = new Map<Month, number>();
  const of = (month: Month): number => versions.get(month) ?? 0;
  return { of, raise: (month: Month): void => void versions.set(month, of(month) + 1) };
}

type Tries = ReturnType<typeof createTries>;

/** Finds out which files there are, and which of them cannot be used. */
function createLook(deps: ShelfDeps, pathOf: PathOf, { tryTo, leftAlone }: Pick<Tries, 'tryTo' | 'leftAlone'>) {
  const { paths, log } = deps;
  const { what, names } = deps.kind;
  const lookAt = (month: Month): void => {
    try {
      tryTo(month, false, () => undefined);
    } catch (cause) {
      if (!isOfDisk(cause)) throw cause;
      // Told as the state of the storage.
      log.debug(`${what} cannot be looked at now`, { month, cause });
    }
  };
  const list = (): readonly Month[] => {
    try {
      const months = listMonths(paths.history, names);
      leftAlone.remove(FOLDER);
      return months;
    } catch (cause) {
      if (!isDenied(cause)) throw cause;
      leftAlone.add(FOLDER, notPermitted(cause));
      return [];
    }
  };
  const unusable = (): readonly UnusableFile[] => {
    const months = list();
    leftAlone.keepOnly([FOLDER, ...months]);
    for (const month of months) {
      const isPermitted = mayUse(pathOf(month));
      const known = leftAlone.find(month);
      const isNews = known === undefined ? !isPermitted : isPermitted && known.reason === 'not_permitted';
      if (isNews) lookAt(month);
    }
    return leftAlone.list();
  };
  return { list, unusable };
}

/** Nobody writes a closed month. */
function mayUse(path: string): boolean {
  return mayOpen(path, 'r') && (mayOpen(path, 'r+') || hasNoLog(path));
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
    if (cause instanceof CorruptDatabaseError || cause instanceof UnusableFileError) return { damage: cause };
    if (isDenied(cause)) return { damage: notPermitted(cause) };
    throw cause;
  }
}
