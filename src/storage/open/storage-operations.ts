import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { StoredEntry } from '#core/automation-run/live.ts';
import type { RunChanges } from '#core/automation-run/trace/run-store.ts';
import type { Backup, BackupFolder } from '#storage/engine/backups.ts';
import { checkCandidate, type BackupContent } from '#storage/restore/candidate.ts';
import type { Database, Sqlite } from '#storage/engine/database.ts';
import { ensureOwnFolder } from '#storage/engine/durable-file.ts';
import { restoreDatabase } from '#storage/restore/restore.ts';
import type { SetAside } from '#storage/set-aside/set-aside.ts';
import type { StatePaths } from '#storage/engine/state-paths.ts';
import type { HealthMonitor, StorageHealth } from './storage-health.ts';
import { createHistoryOperations } from '#storage/history/history-operations.ts';
import type { History } from '#storage/history/history.ts';
import { createCheckOperations } from '#storage/history/history-check.ts';
import { createHoursOperations } from '#storage/history/hours-operations.ts';
import { createQuestionOperations } from '#storage/history/question-operations.ts';
import type { JournalWriter } from '#storage/history/journal-writer.ts';
import { type CallsOf, type Operations, post, read, write } from '#storage/tables/operation.ts';
import type { RestoreKeep } from '#storage/tables/stored-noun.ts';
import { openTables, type TableOperations } from '#storage/tables/table-list.ts';

/** All operations of the storage, grouped by stored noun, and those of backups, history and health. */
export type StorageOperations = TableOperations & {
  readonly backups: ReturnType<typeof createBackupOperations>;
  readonly history: ReturnType<typeof createHistoryOperations>;
  readonly hours: ReturnType<typeof createHoursOperations>;
  readonly questions: ReturnType<typeof createQuestionOperations>;
  readonly check: ReturnType<typeof createCheckOperations>;
  readonly entries: ReturnType<typeof createEntryOperations>;
  readonly runs: ReturnType<typeof createRunOperations>;
  readonly aside: ReturnType<typeof createAsideOperations>;
  readonly health: { readonly readHealth: ReturnType<typeof read<() => StorageHealth>> };
};

/** The same as plain functions, for callers in the engine's thread. */
export type StorageCalls = { readonly [Group in keyof StorageOperations]: CallsOf<StorageOperations[Group]> };

type OperationDeps = Pick<Runtime, 'log' | 'wallMs'> & {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly database: Database;
  readonly backups: BackupFolder;
  readonly aside: SetAside;
  readonly history: History;
  readonly writer: JournalWriter;
  readonly monitor: HealthMonitor;
  /** Throws while the storage is closed. */
  readonly refuseIfClosed: () => void;
  readonly closeDatabase: () => void;
  /** Called when a restore failed, after which the database may be closed. */
  readonly onRestoreFailure: (cause: unknown) => void;
};

export function createOperations(deps: OperationDeps): StorageOperations {
  const { database, writer, monitor, log, aside } = deps;
  const hours = createHoursOperations(deps);
  return {
    ...openTables({ database, later: writer, log, sound: aside.sound }),
    backups: createBackupOperations(deps),
    history: createHistoryOperations(deps),
    hours,
    questions: createQuestionOperations({ ...deps, hours }),
    check: createCheckOperations(deps),
    entries: createEntryOperations(deps),
    runs: createRunOperations(deps),
    aside: createAsideOperations(deps),
    health: {
      readHealth: read((): StorageHealth =>
        monitor.readHealth(newestBackup(deps), { setAside: aside.list(), asideTotals: aside.totals() }),
      ),
    },
  } satisfies Readonly<Record<string, Operations>>;
}

/** If the folder cannot be read, health reports that as a failure of the backups instead of failing itself. */
function newestBackup({ backups, monitor }: OperationDeps): Backup | null {
  try {
    return backups.listBackups()[0] ?? null;
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    monitor.noteBackup(cause);
    return null;
  }
}

/** Making a backup leaves the database as it is, so it counts as reading. */
function createBackupOperations(deps: OperationDeps) {
  const { sqlite, paths, database, backups, history, writer, monitor, log, wallMs } = deps;
  const { journal } = history;
  /** A copy of the database then has everything up to now. */
  const settle = (): void => {
    writer.flush();
    journal.mergeIntoDatabase();
  };
  const noting = <Result>(make: () => Result): Result => {
    try {
      settle();
      const result = make();
      if (result !== undefined) monitor.noteBackup(undefined);
      return result;
    } catch (cause) {
      monitor.noteBackup(cause);
      throw cause;
    }
  };
  const keepPresent = (): void => {
    try {
      settle();
      backups.makeBackup('pre-restore', wallMs());
    } catch (cause) {
      log.warn('no backup of the present state could be made before the restore', { cause });
    }
  };
  return {
    list: read(backups.listBackups),
    make: read((kind: 'manual' | 'script' = 'manual'): Backup => noting(() => backups.makeBackup(kind, wallMs()))),
    makeDailyIfDue: read((nowMs: number) => noting(() => backups.makeDailyBackupIfDue(nowMs))),
    findPath: read(backups.findBackupPath),
    /** A new path for an uploaded file, in a folder that is emptied at each start. */
    newUploadPath: read((): string => {
      ensureOwnFolder(paths.temporary);
      return join(paths.temporary, `upload-${randomUUID()}.db`);
    }),
    check: read((path: string): BackupContent => checkCandidate({ sqlite, temporary: paths.temporary }, path)),
    /** Closes the storage, which must be opened again. A refusal changes nothing. */
    restore: write((path: string, keep: RestoreKeep): void => {
      try {
        settle();
        const { closeDatabase: closeLive } = deps;
        restoreDatabase(
          { sqlite, paths, live: database, settle: journal.settleRestored, keepPresent, closeLive },
          path,
          keep,
        );
      } catch (cause) {
        deps.onRestoreFailure(cause);
        throw cause;
      }
    }),
  };
}

/** Makes the operations on records that the hub could not read, and keeps for a while. */
function createAsideOperations({ aside }: Pick<OperationDeps, 'aside'>) {
  return {
    /** Usually removes nothing: its success does not show that the disk accepts writes. */
    forget: read((nowMs: number): number => aside.forget(nowMs)),
  };
}

/** The operations of `EntryStore`. */
function createEntryOperations({ history, writer }: Pick<OperationDeps, 'history' | 'writer'>) {
  const { entries } = history.journal;
  return {
    loadEntries: read(entries.load),
    keepEntries: post((kept: readonly StoredEntry[], withinMs: number): void => {
      entries.add(kept);
      writer.noteAdded();
      writer.flushWithin(withinMs);
    }),
    writeEntries: write((kept: readonly StoredEntry[]): void => {
      entries.add(kept);
      writer.noteAdded();
      writer.flush();
    }),
  };
}

/** The operations of `RunStore`. */
function createRunOperations({ history, writer }: Pick<OperationDeps, 'history' | 'writer'>) {
  const { runs } = history.journal;
  return {
    keep: post((changes: RunChanges): void => {
      runs.add(changes);
      writer.noteAdded();
    }),
    write: write((changes: RunChanges): void => {
      runs.add(changes);
      runs.writeNow();
    }),
    loadRuns: read(runs.loadRuns),
    loadPasts: read(runs.loadPasts),
    loadCounts: read(runs.loadCounts),
  };
}
