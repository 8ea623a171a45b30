import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { AsideTotals } from '#storage/set-aside/aside-keeping.ts';
import type { AsideRecord } from '#storage/set-aside/aside-row.ts';
import type { Backup } from '#storage/engine/backups.ts';
import type { Recovery } from '#storage/engine/bad-files.ts';
import type { StatePaths } from '#storage/engine/state-paths.ts';
import { CorruptDatabaseError, onDisk, probeDisk } from '#storage/engine/storage-failure.ts';

export type StorageHealth = {
  /** `damaged`: found while running; opening the storage again replaces it by a backup. */
  readonly database: 'ok' | 'full' | 'unavailable' | 'damaged';
  /** The state folder is read-only: the hub works on a copy, which is lost at the next boot. */
  readonly readOnly: boolean;
  /** What was done about a damaged database when it was opened. */
  readonly recovered: Recovery | null;
  /** Records that the hub does without, found in this run or in the last days. */
  readonly setAside: readonly AsideRecord[];
  /** All such records that the database keeps. */
  readonly asideTotals: AsideTotals;
  readonly lastBackup: Backup | null;
  /** The last attempt at a backup, if it failed. */
  readonly backupFailure: { readonly atMs: number; readonly message: string } | null;
  /** Bytes that the storage's thread has passed to write(2) since it opened; `null` if the kernel does not count them. */
  readonly bytesWritten: number | null;
  /** Bytes that the hub may still use on the file system of the state folder. */
  readonly freeBytes: number;
  readonly totalBytes: number;
};

export type HealthMonitor = ReturnType<typeof createHealthMonitor>;

type MonitorDeps = {
  readonly paths: StatePaths;
  readonly recovered: Recovery | null;
  readonly wallMs: () => number;
  readonly onFailure: (cause: unknown) => void;
};

/** Remembers how the last writes went. */
export function createHealthMonitor({ paths, recovered, wallMs, onFailure }: MonitorDeps) {
  let database: StorageHealth['database'] = 'ok';
  let backupFailure: StorageHealth['backupFailure'] = null;
  const writtenBefore = readWrittenBytes();
  const folder = dirname(paths.database);
  return {
    /** Takes the outcome of a write; `undefined` is success. */
    noteWrite: (failure: unknown): void => {
      if (database === 'damaged') return;
      if (failure === undefined) database = 'ok';
      if (failure instanceof HubError && failure.code === 'STORAGE_FULL') database = 'full';
      if (failure instanceof HubError && failure.code === 'STORAGE_UNAVAILABLE') database = 'unavailable';
      if (failure instanceof CorruptDatabaseError) {
        database = 'damaged';
        onFailure(failure);
      }
    },
    noteBackup: (failure: unknown): void => {
      const message = failure instanceof Error ? failure.message : String(failure);
      backupFailure = failure === undefined ? null : { atMs: wallMs(), message };
    },
    readHealth: (lastBackup: Backup | null, aside: Pick<StorageHealth, 'setAside' | 'asideTotals'>): StorageHealth => {
      // While nothing is written, only a probe can show that there is room again.
      if (database === 'full' || database === 'unavailable') database = probeDisk(folder);
      const { bavail, blocks, bsize } = onDisk(() => statfsSync(folder));
      const written = readWrittenBytes();
      return {
        database,
        readOnly: paths.isCopy,
        recovered,
        ...aside,
        lastBackup,
        backupFailure,
        bytesWritten: written === null || writtenBefore === null ? null : written - writtenBefore,
        freeBytes: bavail * bsize,
        totalBytes: blocks * bsize,
      };
    },
  };
}

/** Bytes that this thread passed to write(2), as the kernel counts them; its messages add a few. */
function readWrittenBytes(): number | null {
  try {
    const line = /^wchar: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'));
    return line === null ? null : Number(line[1]);
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return null;
  }
}
