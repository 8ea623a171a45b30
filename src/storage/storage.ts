import type { AuditStore } from '#auth/audit/audit-entry.ts';
import type { ApiTokenStore } from '#auth/token/api-token.ts';
import type { SessionStore } from '#auth/session/session.ts';
import type { UserStore } from '#auth/account/accounts.ts';
import type { Random } from '#base/random.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceRecord } from '#core/device/device.ts';
import type { DeviceStore, RoomStore } from '#core/device/device-store.ts';
import type { WebhookStore } from '#core/webhook/webhook.ts';
import type { Backup } from '#storage/engine/backups.ts';
import type { BackupContent } from '#storage/engine/candidate.ts';
import type { Page } from '#storage/tables/device-table.ts';
import { ensureFolder } from '#storage/engine/durable-file.ts';
import { replaceDatabaseUnopened, type RestoreKeep } from '#storage/engine/restore.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { acquireStateLock } from '#storage/engine/state-lock.ts';
import { prepareStateFolder } from '#storage/engine/state-paths.ts';
import { openEngine, type EngineDeps } from '#storage/thread/storage-engine.ts';
import type { StorageHealth } from '#storage/engine/storage-health.ts';
import type { StorageOperations } from '#storage/thread/storage-operations.ts';

export type MetaStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  /** All in one transaction, on disk when it resolves. */
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
  /** Rides with the next write of last values, and is lost where none comes. */
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
};

export type BackupStore = {
  /** Newest first. */
  readonly list: () => Promise<readonly Backup[]>;
  /** A verified backup of now. */
  readonly make: () => Promise<Backup>;
  /** The daily one if it is due; to be called hourly, with hub time. */
  readonly makeDailyIfDue: (nowMs: number) => Promise<Backup | undefined>;
  /** Absolute path of one; `undefined` where there is none of this id. */
  readonly findPath: (id: string) => Promise<string | undefined>;
  /** A new path for a file that is being received; whatever lies there is gone after the next start. */
  readonly newUploadPath: () => Promise<string>;
  /** Checks a file of any origin whole; HubError INVALID_BACKUP with the reason. */
  readonly check: (path: string) => Promise<BackupContent>;
  /**
   * Puts a checked copy of the file in the database's place. When it resolves the storage has closed itself: `close`
   * it and open it again. When it rejects everything is as it was, but for what `onFailure` tells.
   */
  readonly restore: (path: string, keep: RestoreKeep) => Promise<void>;
};

/** Everything the hub keeps, as the ports of its owners ask for it. */
export type Storage = {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly devices: DeviceStore;
  readonly rooms: RoomStore;
  readonly webhooks: WebhookStore;
  readonly audit: AuditStore;
  readonly meta: MetaStore;
  readonly backups: BackupStore;
  readonly health: () => Promise<StorageHealth>;
  /** Resolves when nothing is open any more and the state folder is free for another. */
  readonly close: () => Promise<void>;
};

/** The way to an engine, wherever it runs. */
export type StorageLink = {
  /** Calls take effect in the order in which they are made. */
  readonly call: <Name extends keyof StorageOperations>(
    name: Name,
    ...args: Parameters<StorageOperations[Name]>
  ) => Promise<ReturnType<StorageOperations[Name]>>;
  /** The same without an answer. */
  readonly send: <Name extends 'saveValue' | 'addMeta'>(
    name: Name,
    ...args: Parameters<StorageOperations[Name]>
  ) => void;
  readonly close: () => Promise<void>;
};

export type StorageDeps = Omit<EngineDeps, 'sqlite'> & { readonly random: Random };

/** An engine that owns the state folder. */
export type OwnedEngine = {
  readonly operations: StorageOperations;
  /** When it resolves, the folder is free for another. */
  readonly close: () => Promise<void>;
};

/** Opens the engine in this thread. Throws StorageRefusal where another process has the state folder. */
export async function openStorage(deps: StorageDeps): Promise<OwnedEngine> {
  const { sqlite, lock } = await takeState(deps);
  try {
    const engine = openEngine({ ...deps, sqlite });
    return {
      operations: engine.operations,
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
 * Puts a checked copy of the file in the place of a database that cannot be opened (StorageRefusal `too_new`), which is
 * kept. Every login ends.
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

/** The ports over an engine in this thread: for the command line while no daemon runs, and for tests. */
export function storageInProcess({ operations, close }: OwnedEngine): Storage {
  const find = (name: keyof StorageOperations) => operations[name] as (...args: unknown[]) => unknown;
  return createStorage({
    // An async function, so that a failure is a rejection here as it is across threads.
    call: async (name, ...args) => find(name)(...args) as ReturnType<StorageOperations[typeof name]>,
    send: (name, ...args) => void find(name)(...args),
    close,
  });
}

/** Cloning a device of ten features for another thread takes 0.1 ms: as many as the event loop never feels. */
const PART_WEIGHT = 500;

/** The ports over any link. */
export function createStorage({ call, send, close }: StorageLink): Storage {
  // What names devices and rooms stays in order although a long list of them is sent in parts.
  const inTurn = createTurnQueue();
  let lastBatch = 0;
  const saveDevices = async (devices: readonly DeviceRecord[]): Promise<void> => {
    const parts = partsOf(devices);
    const [first = []] = parts;
    if (parts.length <= 1) return call('saveDevices', first);
    lastBatch += 1;
    const batch = lastBatch;
    for (const part of parts) await call('stageDevices', batch, part);
    return call('saveStagedDevices', batch);
  };
  return {
    users: {
      loadUsers: () => call('loadUsers'),
      insertUser: (user) => call('insertUser', user),
      updateUser: (user, endSessions) => call('updateUser', user, endSessions),
      deleteUser: (id) => call('deleteUser', id),
    },
    sessions: {
      loadSessions: () => call('loadSessions'),
      loadReusedSessions: () => call('loadReusedSessions'),
      insertReusedSession: (id) => call('insertReusedSession', id),
      insertSession: (session) => call('insertSession', session),
      updateSession: (session) => call('updateSession', session),
      deleteSessions: (ids) => call('deleteSessions', ids),
      touchSessions: (touched) => call('touchSessions', touched),
    },
    apiTokens: {
      loadApiTokens: () => call('loadApiTokens'),
      insertApiToken: (token) => call('insertApiToken', token),
      deleteApiTokens: (ids) => call('deleteApiTokens', ids),
      touchApiTokens: (uses) => call('touchApiTokens', uses),
    },
    devices: {
      limitDevices: (limits) => call('limitDevices', limits),
      forgetDevices: (keep) => inTurn(() => call('forgetDevices', keep)),
      loadDevices: () => loadPages((after) => call('loadDevicePage', after)),
      saveDevices: (devices) => inTurn(() => saveDevices(devices)),
      loadValues: () => loadPages((after) => call('loadValuePage', after)),
      saveValue: (value) => send('saveValue', value),
    },
    rooms: {
      loadRooms: () => call('loadRooms'),
      saveRoom: (room) => inTurn(() => call('saveRoom', room)),
      deleteRoom: (id, devices) => inTurn(() => call('deleteRoom', id, devices)),
    },
    webhooks: {
      loadWebhooks: () => call('loadWebhooks'),
      saveWebhook: (webhook) => call('saveWebhook', webhook),
      deleteWebhook: (id) => call('deleteWebhook', id),
    },
    audit: {
      insertAudit: (records) => call('insertAudit', records),
      loadAudit: (query) => call('loadAudit', query),
      countAudit: (types) => call('countAudit', types),
    },
    meta: {
      loadMeta: () => call('loadMeta'),
      putMeta: (entries) => call('putMeta', entries),
      addMeta: (entries) => send('addMeta', entries),
    },
    backups: {
      list: () => call('listBackups'),
      make: () => call('makeBackup'),
      makeDailyIfDue: (nowMs) => call('makeDailyBackupIfDue', nowMs),
      findPath: (id) => call('findBackupPath', id),
      newUploadPath: () => call('newUploadPath'),
      check: (path) => call('checkBackup', path),
      restore: (path, keep) => call('restoreBackup', path, keep),
    },
    health: () => call('health'),
    close,
  };
}

function partsOf(devices: readonly DeviceRecord[]): readonly (readonly DeviceRecord[])[] {
  const parts: DeviceRecord[][] = [];
  let weight = PART_WEIGHT;
  for (const device of devices) {
    if (weight >= PART_WEIGHT) {
      parts.push([]);
      weight = 0;
    }
    parts.at(-1)?.push(device);
    weight += device.features.reduce((sum, { options }) => sum + 1 + (options?.length ?? 0) / 4, 1);
  }
  return parts;
}

async function loadPages<Item>(loadPage: (after: number) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Page<Item> = await loadPage(after);
    for (const item of page.items) items.push(item);
    after = page.next;
  }
  return items;
}
