import { chmodSync, existsSync } from 'node:fs';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { MovedSample } from '#core/past/history/history-store.ts';
import { createBackupFolder, type BackupFolder } from '#storage/engine/backups.ts';
import type { Database, Sqlite } from '#storage/engine/database.ts';
import { noteSchemas } from '#storage/engine/schema-note.ts';
import { type MigrationGuard, upgradeDatabase } from '#storage/engine/upgrade.ts';
import { createSetAside, type SetAside, sweepAll } from '#storage/set-aside/set-aside.ts';
import type { Recovery } from '#storage/engine/bad-files.ts';
import { openSoundDatabase } from '#storage/restore/recover.ts';
import { keepBlocksForLocks, prepareStateFolder, type StatePaths } from '#storage/engine/state-paths.ts';
import { CorruptDatabaseError, brokenDisk, onDisk } from '#storage/engine/storage-failure.ts';
import { createHealthMonitor, type HealthMonitor } from './storage-health.ts';
import { kindsOf, mapEach, type Operation, type OperationName, type Operations } from '#storage/tables/operation.ts';
import { createOperations, type StorageCalls, type StorageOperations } from './storage-operations.ts';
import { KNOWN_SCHEMAS } from '#storage/known-schemas.ts';
import { openHistory } from '#storage/history/history.ts';
import { openJournalFile } from '#storage/journal/journal-file.ts';
import { createJournalWriter } from '#storage/history/journal-writer.ts';

export type EngineDeps = Pick<Runtime, 'log' | 'wallMs' | 'startTimer'> & {
  readonly sqlite: Sqlite;
  readonly folders: {
    /** Contains all state. The caller holds its lock. */
    readonly state: string;
    /** Holds a copy of the state while the state folder is read-only. */
    readonly runtime: string;
  };
  readonly guard?: MigrationGuard | undefined;
  /** The version of the program, for people who come with an older one. */
  readonly version?: string | undefined;
  /** Called with a failure that only closing and opening again can repair. */
  readonly onFailure: (cause: unknown) => void;
};

export type StorageEngine = ReturnType<typeof createEngine>;

type OnMoved = (moved: readonly MovedSample[]) => void;

/**
 * Opens the database: replaces a damaged one by a backup, migrates an older one, and creates an empty one if there is
 * none. Throws StorageRefusal or HubError if that is not possible.
 */
export function openEngine(deps: EngineDeps): StorageEngine {
  const { folders, log, wallMs } = deps;
  const paths = prepareStateFolder(folders, log);
  if (paths.isCopy) log.error('the state folder is read-only: changes from now on are not kept', folders);
  const { database, recovered } = openSoundDatabase({ ...deps, paths });
  try {
    const backups = createBackupFolder({ ...deps, paths }, database);
    upgradeDatabase({
      database,
      makeBackup: (kind) => backups.makeBackup(kind, wallMs()),
      backups: paths.backups,
      // What a migration reads as JSON must be that.
      prepare: (schema) => sweepAll({ database, log, wallMs }, schema),
      guard: deps.guard,
    });
    noteSchemas(paths, { schemas: KNOWN_SCHEMAS, version: deps.version }, log);
    makePrivate(paths.database);
    const aside = createSetAside({ database, log, wallMs });
    // The journal moves newer values into these rows, so it comes after.
    aside.sweep('device_value');
    return openWithJournal({ ...deps, paths, database, recovered, backups, aside });
  } catch (cause) {
    closeLive(database, log);
    throw cause;
  }
}

function openWithJournal(deps: Omit<OpenedDeps, 'journalFile'>): StorageEngine {
  const journalFile = openJournalFile(deps);
  try {
    makePrivate(deps.paths.journal);
    return createEngine({ ...deps, journalFile });
  } catch (cause) {
    closeLive(journalFile, deps.log);
    throw cause;
  }
}

/** A part that cannot be moved into the database stays in the log, which the next start reads. */
function closeLive(database: Pick<Database, 'close'>, log: Log): void {
  try {
    database.close();
  } catch (cause) {
    if (!(cause instanceof HubError) && !(cause instanceof CorruptDatabaseError)) throw cause;
    log.error('the log could not be moved into the database and is read at the next start', { cause });
  }
}

type OpenedDeps = EngineDeps & {
  readonly paths: StatePaths;
  readonly database: Database;
  readonly journalFile: Database;
  readonly recovered: Recovery | null;
  readonly backups: BackupFolder;
  readonly aside: SetAside;
};

function createEngine(deps: OpenedDeps) {
  const { database, onFailure } = deps;
  let isOpen = true;
  const monitor = createHealthMonitor(deps);
  const moved = createSubscribers<Parameters<OnMoved>>(deps.log);
  const history = openHistory({ ...deps, file: deps.journalFile, onMoved: moved.tell });
  const { journal } = history;
  const writer = createJournalWriter({ ...deps, journal, seal: history.startSeal, onWrite: monitor.noteWrite });
  const close = (): void => {
    if (!isOpen) return;
    writer.stop();
    isOpen = false;
    closeLive({ close: history.close }, deps.log);
    closeLive(database, deps.log);
    closeLive(deps.journalFile, deps.log);
    keepBlocksForLocks(deps.paths, deps.log);
  };
  const refuseIfClosed = (): void => {
    if (!isOpen) throw new HubError('RESTARTING', 'The storage is being opened anew.', { retryAfterS: 1 });
  };
  const operations = createOperations({
    ...deps,
    refuseIfClosed,
    writer,
    history,
    monitor,
    closeDatabase: close,
    onRestoreFailure: (cause) => {
      if (!isOpen) onFailure(cause);
    },
  });
  const calls = guardOperations(operations, { ...deps, monitor, refuseIfClosed });
  return {
    operations: calls as StorageCalls,
    kinds: kindsOf(operations),
    run: ({ group, name }: OperationName, args: readonly unknown[]): unknown => {
      const call = calls[group]?.[name];
      if (call === undefined) throw new Error(`storage has no operation ${group}.${name}`);
      return call(...args);
    },
    /** Calls the listener with samples that did not keep their times, right after they were added. */
    onMoved: moved.add,
    /** Writes what waits, moves the log into the database file and closes it. A second call does nothing. */
    close,
  };
}

type Calls = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

type Guarding = Pick<OpenedDeps, 'aside'> & { readonly monitor: HealthMonitor; readonly refuseIfClosed: () => void };

/** Notes how writing goes, and reports damage and a closed storage as errors that a client may see. */
function guardOperations(operations: StorageOperations, { aside, monitor, refuseIfClosed }: Guarding): Calls {
  const fail = (cause: unknown): never => {
    monitor.noteWrite(cause);
    throw cause instanceof CorruptDatabaseError ? brokenDisk(cause) : cause;
  };
  const guard = ({ kind, run }: Operation) => {
    return (...args: readonly unknown[]): unknown => {
      refuseIfClosed();
      try {
        // A row that is left out still has its name: what takes that is written after it is gone.
        if (kind === 'write') aside.moveWaiting();
        const result = run(...(args as never[]));
        if (kind === 'write') monitor.noteWrite(undefined);
        return result instanceof Promise ? result.catch(fail) : result;
      } catch (cause) {
        return fail(cause);
      }
    };
  };
  const groups: Readonly<Record<string, Operations>> = operations;
  return mapEach(groups, (group) => mapEach(group, guard));
}

/** SQLite creates its files with the mode that the umask gives. */
function makePrivate(database: string): void {
  for (const path of [database, `${database}-wal`]) {
    if (existsSync(path)) onDisk(() => chmodSync(path, 0o600));
  }
}
