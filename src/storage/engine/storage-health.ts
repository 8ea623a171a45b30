import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Backup } from './backups.ts';
import type { Recovery } from './recover.ts';
import type { StatePaths } from './state-paths.ts';
import { CorruptDatabaseError, onDisk, probeDisk } from './storage-failure.ts';

export type StorageHealth = {
  /** `damaged`: found while running; a new opening puts a backup in its place. */
  readonly database: 'ok' | 'full' | 'unavailable' | 'damaged';
  /** The state folder takes no writes: everything is done on a copy and lost with the next boot. */
  readonly readOnly: boolean;
  /** What was done about a damaged database when it was opened. */
  readonly recovered: Recovery | null;
  readonly lastBackup: Backup | null;
  /** The last try to make a backup, if it failed. */
  readonly backupFailure: { readonly atMs: number; readonly message: string } | null;
  /** Bytes given to write(2) by the storage's thread since it opened; `null` where the kernel does not count. */
  readonly bytesWritten: number | null;
  /** Bytes that the hub may still use on the file system of the state folder. */
  readonly freeBytes: number;
};

export type HealthMonitor = {
  /** Takes the outcome of a write; `undefined` is success. */
  readonly noteWrite: (failure: unknown) => void;
  readonly noteBackup: (failure: unknown) => void;
  readonly readHealth: (lastBackup: Backup | null) => StorageHealth;
};

export type MonitorDeps = {
  readonly paths: StatePaths;
  readonly recovered: Recovery | null;
  readonly wallMs: () => number;
  readonly onFailure: (cause: unknown) => void;
};

/** Remembers how the last writes went. */
export function createHealthMonitor({ paths, recovered, wallMs, onFailure }: MonitorDeps): HealthMonitor {
  let database: StorageHealth['database'] = 'ok';
  let backupFailure: StorageHealth['backupFailure'] = null;
  const writtenBefore = readWrittenBytes();
  const folder = dirname(paths.database);
  return {
    noteWrite: (failure) => {
      if (database === 'damaged') return;
      if (failure === undefined) database = 'ok';
      if (failure instanceof HubError && failure.code === 'STORAGE_FULL') database = 'full';
      if (failure instanceof HubError && failure.code === 'STORAGE_UNAVAILABLE') database = 'unavailable';
      if (failure instanceof CorruptDatabaseError) {
        database = 'damaged';
        onFailure(failure);
      }
    },
    noteBackup: (failure) => {
      const message = failure instanceof Error ? failure.message : String(failure);
      backupFailure = failure === undefined ? null : { atMs: wallMs(), message };
    },
    readHealth: (lastBackup) => {
      // With nothing to write, only a try can tell that there is room again.
      if (database === 'full' || database === 'unavailable') database = probeDisk(folder);
      const { bavail, bsize } = onDisk(() => statfsSync(folder));
      const written = readWrittenBytes();
      return {
        database,
        readOnly: paths.isCopy,
        recovered,
        lastBackup,
        backupFailure,
        bytesWritten: written === null || writtenBefore === null ? null : written - writtenBefore,
        freeBytes: bavail * bsize,
      };
    },
  };
}

/** Of this thread alone, as the kernel counts: every byte passed to write(2), the few of its messages included. */
function readWrittenBytes(): number | null {
  try {
    const line = /^wchar: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'));
    return line === null ? null : Number(line[1]);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return null;
  }
}
