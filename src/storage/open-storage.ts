import type { Random } from '#base/random.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { ensureFolder } from '#storage/engine/durable-file.ts';
import { replaceDatabaseUnopened } from '#storage/engine/restore.ts';
import { acquireStateLock } from '#storage/engine/state-lock.ts';
import { prepareStateFolder } from '#storage/engine/state-paths.ts';
import { openEngine, type EngineDeps, type StorageEngine } from '#storage/thread/storage-engine.ts';

export type StorageDeps = Omit<EngineDeps, 'sqlite'> & { readonly random: Random };

/** An engine that owns the state folder. */
export type OwnedEngine = Omit<StorageEngine, 'close'> & {
  /** When it resolves, another process may take the folder. */
  readonly close: () => Promise<void>;
};

/** Opens the engine in this thread. Throws StorageRefusal if another process holds the state folder. */
export async function openStorage(deps: StorageDeps): Promise<OwnedEngine> {
  const { sqlite, lock } = await takeState(deps);
  try {
    const engine = openEngine({ ...deps, sqlite });
    return {
      ...engine,
      close: async () => {
        engine.close();
        await lock.release();
      },
    };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

/**
 * Replaces a database that this version cannot open (StorageRefusal `too_new`) by a checked copy of the file. The old
 * database is kept, and every login ends.
 */
export async function restoreUnopened(
  deps: Omit<StorageDeps, 'onFailure' | 'startTimer'>,
  from: string,
): Promise<void> {
  const { sqlite, lock } = await takeState(deps);
  try {
    replaceDatabaseUnopened({ ...deps, sqlite, paths: prepareStateFolder(deps.folders, deps.log) }, from);
  } finally {
    await lock.release();
  }
}

async function takeState({ folders, random }: Pick<StorageDeps, 'folders' | 'random'>) {
  const sqlite = await loadSqlite();
  ensureFolder(folders.state);
  return { sqlite, lock: await acquireStateLock(folders.state, random) };
}
