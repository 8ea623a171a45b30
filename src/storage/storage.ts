import type { Backup } from '#storage/engine/backups.ts';
import type { BackupContent } from '#storage/engine/candidate.ts';
import type { StorageHealth } from '#storage/engine/storage-health.ts';
import type { StorageOperations } from '#storage/thread/storage-operations.ts';
import type { DeviceStore } from '#core/device/device-store.ts';
import type { RoomStore } from '#core/room/room-registry.ts';
import { mapEach, type OperationKinds, type OperationName, type PortOf } from '#storage/tables/operation.ts';
import type { RestoreKeep } from '#storage/tables/stored-noun.ts';
import type { TableOperations } from '#storage/tables/table-list.ts';
import { createDeviceStores } from './device-stores.ts';
import type { OwnedEngine } from './open-storage.ts';

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
   * it and open it again. When it rejects, everything is as it was, unless `onFailure` was called.
   */
  readonly restore: (path: string, keep: RestoreKeep) => Promise<void>;
};

/**
 * Everything the hub keeps: for each stored noun the port that its owner declares. Devices and rooms are more than calls
 * of their tables: long lists go in parts, and changes of both take turns.
 */
export type Storage = Omit<
  { readonly [Noun in keyof TableOperations]: PortOf<TableOperations[Noun]> },
  'devices' | 'rooms'
> & {
  readonly devices: DeviceStore;
  readonly rooms: RoomStore;
  readonly backups: BackupStore;
  readonly health: () => Promise<StorageHealth>;
  /** Resolves when nothing is open any more and the state folder is free for another. */
  readonly close: () => Promise<void>;
};

/** The way to an engine, wherever it runs. */
export type StorageLink = {
  readonly kinds: OperationKinds;
  /** Calls take effect in the order in which they are made. */
  readonly call: (operation: OperationName, args: readonly unknown[]) => Promise<unknown>;
  /** The same without an answer. */
  readonly send: (operation: OperationName, args: readonly unknown[]) => void;
  readonly close: () => Promise<void>;
};

/** The ports over an engine in this thread: for the command line while no daemon runs, and for tests. */
export function storageInProcess({ kinds, run, close }: OwnedEngine): Storage {
  return createStorage({
    kinds,
    // An async function, so that a failure is a rejection here as it is across threads.
    call: async (operation, args) => run(operation, args),
    send: (operation, args) => void run(operation, args),
    close,
  });
}

/** The ports over any link. */
export function createStorage(link: StorageLink): Storage {
  const { devices, rooms, backups, health, ...nouns } = portsOver(link);
  return { ...nouns, ...createDeviceStores(devices, rooms), backups, health: health.readHealth, close: link.close };
}

type Ports = { readonly [Group in keyof StorageOperations]: PortOf<StorageOperations[Group]> };

/** One function for each operation that the engine has; the engine's own type says what they take and give. */
function portsOver({ kinds, call, send }: StorageLink): Ports {
  const ports = mapEach(kinds, (operations, group) =>
    mapEach(operations, (kind, name) => {
      const operation: OperationName = { group, name };
      return kind === 'post'
        ? (...args: readonly unknown[]) => send(operation, args)
        : (...args: readonly unknown[]) => call(operation, args);
    }),
  );
  return ports as Ports;
}
