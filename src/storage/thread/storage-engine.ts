import { chmodSync, existsSync } from 'node:fs';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createBackupFolder, type BackupFolder } from '#storage/engine/backups.ts';
import type { Database, Sqlite } from '#storage/engine/database.ts';
import { schemaVersion } from '#storage/engine/schema.ts';
import { noteSchema, upgradeDatabase } from '#storage/engine/upgrade.ts';
import { openSoundDatabase, type Recovery } from '#storage/engine/recover.ts';
import { keepBlockForLock, prepareStateFolder, type StatePaths } from '#storage/engine/state-paths.ts';
import { CorruptDatabaseError, brokenDisk, onDisk } from '#storage/engine/storage-failure.ts';
import { createHealthMonitor, type HealthMonitor } from '#storage/engine/storage-health.ts';
import {
  kindsOf,
  mapEach,
  type Operation,
  type OperationKinds,
  type OperationName,
  type Operations,
} from '#storage/tables/operation.ts';
import { createOperations, type StorageCalls, type StorageOperations } from './storage-operations.ts';
import { mergeValueLog } from '#storage/journal/value-log.ts';
import { createValueWriter } from '#storage/journal/value-writer.ts';

export type EngineDeps = {
  readonly sqlite: Sqlite;
  readonly folders: {
    /** Where everything is kept. The caller holds its state lock. */
    readonly state: string;
    /** Where a copy is made while the state folder is read-only. */
    readonly runtime: string;
  };
  readonly log: Log;
  readonly wallMs: () => number;
  readonly startTimer: StartTimer;
  /** Hears of what only closing and opening again can mend. */
  readonly onFailure: (cause: unknown) => void;
};

export type StorageEngine = {
  readonly operations: StorageCalls;
  readonly kinds: OperationKinds;
  /** Any operation, by its name. */
  readonly run: (operation: OperationName, args: readonly unknown[]) => unknown;
  /** Writes what waits, moves everything into the one file and lets go of it. A second call does nothing. */
  readonly close: () => void;
};

/**
 * Opens what is there, or what can be made of it: puts a backup in the place of a damaged database, migrates an older
 * one, begins an empty one where nothing is. Throws StorageRefusal or HubError where that cannot be.
 */
export function openEngine(deps: EngineDeps): StorageEngine {
  const { folders, log, wallMs } = deps;
  const paths = prepareStateFolder(folders, log);
  if (paths.isCopy) log.error('the state folder is read-only: what happens from now on is not kept', folders);
  const { database, recovered } = openSoundDatabase({ ...deps, paths });
  try {
    const backups = createBackupFolder({ ...deps, paths }, database);
    upgradeDatabase({
      database,
      makeBackup: (kind) => backups.makeBackup(kind, wallMs()),
      listBackups: backups.listBackups,
    });
    noteSchema(paths, schemaVersion(database), log);
    makePrivate(paths);
    mergeLog(database, log);
    return createEngine({ ...deps, paths, database, recovered, backups });
  } catch (cause) {
    closeLive(database, log);
    throw cause;
  }
}

/** What could not be moved into the database stays in the log beside it, where the next start finds it. */
function closeLive(database: Database, log: Log): void {
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
  readonly recovered: Recovery | null;
  readonly backups: BackupFolder;
};

function createEngine(deps: OpenedDeps): StorageEngine {
  const { database, onFailure } = deps;
  let isOpen = true;
  const monitor = createHealthMonitor(deps);
  const writer = createValueWriter({ ...deps, onWrite: monitor.noteWrite });
  const close = (): void => {
    if (!isOpen) return;
    writer.stop();
    isOpen = false;
    closeLive(database, deps.log);
    keepBlockForLock(deps.paths, deps.log);
  };
  const operations = createOperations({
    ...deps,
    writer,
    monitor,
    closeDatabase: close,
    onRestoreFailure: (cause) => {
      if (!isOpen) onFailure(cause);
    },
  });
  const calls = guardOperations(operations, monitor, () => isOpen);
  return {
    operations: calls as StorageCalls,
    kinds: kindsOf(operations),
    run: ({ group, name }, args) => {
      const call = calls[group]?.[name];
      if (call === undefined) throw new Error(`storage has no operation ${group}.${name}`);
      return call(...args);
    },
    close,
  };
}

type Calls = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

/** Notes how writing goes, and reports damage and a closed storage as errors that a client may see. */
function guardOperations(operations: StorageOperations, monitor: HealthMonitor, isOpen: () => boolean): Calls {
  const guard = ({ kind, run }: Operation) => {
    return (...args: readonly unknown[]): unknown => {
      if (!isOpen()) throw new HubError('RESTARTING', 'The storage is being opened anew.', { retryAfterS: 1 });
      try {
        const result = run(...(args as never[]));
        if (kind === 'write') monitor.noteWrite(undefined);
        return result;
      } catch (cause) {
        monitor.noteWrite(cause);
        throw cause instanceof CorruptDatabaseError ? brokenDisk(cause) : cause;
      }
    };
  };
  const groups: Readonly<Record<string, Operations>> = operations;
  return mapEach(groups, (group) => mapEach(group, guard));
}

/** SQLite creates its log with the mode of the umask. */
function makePrivate({ database }: StatePaths): void {
  for (const path of [database, `${database}-wal`]) {
    if (existsSync(path)) onDisk(() => chmodSync(path, 0o600));
  }
}

/** A full disk is no reason not to start: the newest last values come once there is room. */
function mergeLog(database: Database, log: Log): void {
  try {
    mergeValueLog(database);
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    log.warn('the newest last values are not read yet', { cause });
  }
}
