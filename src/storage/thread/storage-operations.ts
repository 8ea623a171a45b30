import { HubError } from '#base/hub-error.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Session } from '#auth/session/session.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { Log } from '#base/log.ts';
import { createAuditTable } from '#storage/tables/audit-table.ts';
import type { Backup, BackupFolder } from '#storage/engine/backups.ts';
import { checkCandidate, type BackupContent } from '#storage/engine/candidate.ts';
import type { Database, Sqlite } from '#storage/engine/database.ts';
import { createApiTokenTable } from '#storage/tables/api-token-table.ts';
import { createDeviceTable } from '#storage/tables/device-table.ts';
import { ensureOwnFolder } from '#storage/engine/durable-file.ts';
import { createMetaTable } from '#storage/tables/meta-table.ts';
import { restoreDatabase, type RestoreKeep } from '#storage/engine/restore.ts';
import { createRoomTable } from '#storage/tables/room-table.ts';
import { createSessionTable, type SessionTouch } from '#storage/tables/session-table.ts';
import type { StatePaths } from '#storage/engine/state-paths.ts';
import type { HealthMonitor, StorageHealth } from '#storage/engine/storage-health.ts';
import { createUserTable } from '#storage/tables/user-table.ts';
import type { ValueWriter } from '#storage/journal/value-writer.ts';
import { createWebhookTable } from '#storage/tables/webhook-table.ts';

/** All that storage can do, each a synchronous call that is on disk when it returns (`saveValue` and touches excepted). */
export type StorageOperations = ReturnType<typeof createOperations>;

export type OperationDeps = {
  readonly sqlite: Sqlite;
  readonly paths: StatePaths;
  readonly database: Database;
  readonly backups: BackupFolder;
  readonly writer: ValueWriter;
  readonly monitor: HealthMonitor;
  readonly log: Log;
  readonly wallMs: () => number;
  readonly closeDatabase: () => void;
};

export function createOperations(deps: OperationDeps) {
  const { database, writer, monitor } = deps;
  const sessions = createSessionTable(database);
  const meta = createMetaTable(database);
  return {
    ...createUserTable(database),
    ...sessions,
    ...createDeviceTable(database, deps.log),
    ...createRoomTable(database),
    ...meta,
    ...createWebhookTable(database),
    ...createApiTokenTable(database),
    ...createAuditTable(database),
    // A write is the newer word: what waits of the same key or session must not come after it.
    putMeta: (entries: ReadonlyMap<string, string>): void => {
      meta.putMeta(entries);
      writer.forgetMeta(entries.keys());
    },
    addMeta: (entries: ReadonlyMap<string, string>): void => writer.addMeta(entries),
    updateSession: (session: Session): void => {
      sessions.updateSession(session);
      writer.forgetTouches([session.id]);
    },
    touchSessions: (touches: readonly SessionTouch[]): void => writer.addTouches(touches),
    saveValue: (value: StoredValue): void => writer.addValue(value),
    ...createBackupOperations(deps),
    health: (): StorageHealth => monitor.readHealth(newestBackup(deps)),
  };
}

/** A folder that cannot be read is a failure of the backups, and health tells of it: it must not fail itself. */
function newestBackup({ backups, monitor }: OperationDeps): Backup | null {
  try {
    return backups.listBackups()[0] ?? null;
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    monitor.noteBackup(cause);
    return null;
  }
}

function createBackupOperations(deps: OperationDeps) {
  const { sqlite, paths, database, backups, writer, monitor, log, wallMs } = deps;
  const noting = <Result>(make: () => Result): Result => {
    try {
      writer.flush();
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
      backups.makeBackup('pre-restore', wallMs());
    } catch (cause) {
      log.warn('the present could not be kept as a backup before the restore', { cause });
    }
  };
  return {
    listBackups: backups.listBackups,
    findBackupPath: backups.findBackupPath,
    makeBackup: (): Backup => noting(() => backups.makeBackup('manual', wallMs())),
    makeDailyBackupIfDue: (nowMs: number) => noting(() => backups.makeDailyBackupIfDue(nowMs)),
    /** A new name in a folder that is emptied at every start, for a file that is being received. */
    newUploadPath: (): string => {
      ensureOwnFolder(paths.temporary);
      return join(paths.temporary, `upload-${randomUUID()}.db`);
    },
    checkBackup: (path: string): BackupContent => checkCandidate({ sqlite, temporary: paths.temporary }, path),
    /** Ends with the storage closed: it must be opened again. A refusal leaves everything as it was. */
    restoreBackup: (path: string, keep: RestoreKeep): void => {
      writer.flush();
      restoreDatabase({ sqlite, paths, live: database, keepPresent, closeLive: deps.closeDatabase }, path, keep);
    },
  };
}
