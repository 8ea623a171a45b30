import type { Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { ensureFolder, SIDE_FILES } from '#storage/engine/durable-file.ts';
import { findNewerFiles, refuseNewerFiles } from '#storage/engine/newer-files.ts';
import { setFilesAside } from '#storage/engine/bad-files.ts';
import { replaceDatabaseUnopened } from '#storage/restore/restore.ts';
import { acquireStateLock } from '#storage/engine/state-lock.ts';
import { prepareStateFolder } from '#storage/engine/state-paths.ts';
import { isOfDisk, StorageRefusal } from '#storage/engine/storage-failure.ts';
import { openEngine, type EngineDeps, type StorageEngine } from './storage-engine.ts';
import { KNOWN_SCHEMAS } from '#storage/known-schemas.ts';

export type StorageDeps = Omit<EngineDeps, 'sqlite' | 'guard'> & {
  readonly random: Random;
  /** Called once the lock of the state folder is held. */
  readonly openSafeMode?: () => Promise<Pick<SafeMode, 'holds' | 'note' | 'release' | 'stop'>>;
};

/** An engine that owns the state folder. */
export type OwnedEngine = Omit<StorageEngine, 'close'> & {
  /** When it resolves, another process may take the folder. */
  readonly close: () => Promise<void>;
};

/**
 * Opens the engine in this thread. Throws StorageRefusal if another process holds the state folder, or a migration has
 * ended the hub again and again: only a person, a boot or another version starts it once more, so it is then tried again.
 */
export async function openStorage(deps: StorageDeps): Promise<OwnedEngine> {
  const { sqlite, lock } = await takeState(deps);
  let safeMode: Awaited<ReturnType<NonNullable<StorageDeps['openSafeMode']>>> | undefined;
  let migration: string | undefined;
  try {
    // Before anything is opened: an older program must change nothing of what a newer one wrote.
    refuseNewerFiles(deps.folders.state, KNOWN_SCHEMAS);
    safeMode = await deps.openSafeMode?.();
    const engine = openEngine({
      ...deps,
      sqlite,
      guard: (due) => {
        migration = due;
        if (safeMode?.holds(due) === true) throw new StorageRefusal('put_off', endedBy(due));
        safeMode?.note(due);
      },
    });
    safeMode?.stop();
    return {
      ...engine,
      close: async () => {
        try {
          engine.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (cause) {
    const isForeseen = cause instanceof StorageRefusal || isOfDisk(cause);
    safeMode?.stop(isForeseen ? undefined : migration);
    try {
      if (isForeseen && migration !== undefined) await safeMode?.release(migration);
    } catch (failure) {
      deps.log.warn('the migration is still put off at the next start', { cause: failure });
    } finally {
      await lock.release();
    }
    throw cause;
  }
}

function endedBy(migration: string): string {
  return `bringing the database to this version (${migration}) ended the hub three times within an hour: nothing was changed; start it again to try once more, or install the version before`;
}

/**
 * Replaces a database that this version cannot use (StorageRefusal `too_new` or `no_owner`) by a checked copy of the file. The old
 * database is kept, as is the history that this version cannot read, and every login ends.
 */
export async function restoreUnopened(
  deps: Omit<StorageDeps, 'onFailure' | 'startTimer'>,
  from: string,
): Promise<void> {
  const { sqlite, lock } = await takeState(deps);
  try {
    const open = { ...deps, sqlite, paths: prepareStateFolder(deps.folders, deps.log) };
    replaceDatabaseUnopened(open, from);
    // All in one folder: only the newest few of these are kept.
    const newer = findNewerFiles(deps.folders.state, KNOWN_SCHEMAS).map(({ path }) => path);
    setFilesAside(
      open,
      '',
      newer.flatMap((path) => ['', ...SIDE_FILES].map((suffix) => path + suffix)),
    );
  } finally {
    await lock.release();
  }
}

async function takeState({ folders, random }: Pick<StorageDeps, 'folders' | 'random'>) {
  const sqlite = await loadSqlite();
  ensureFolder(folders.state);
  return { sqlite, lock: await acquireStateLock(folders.state, random) };
}
