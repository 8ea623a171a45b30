import type { EntryStore } from '#core/automation-run/live.ts';
import type { RunStore } from '#core/automation-run/trace/run-store.ts';
import type { DeviceStore } from '#core/device/device-store.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { AnswerHistory } from '#core/past/answer/question.ts';
import type { HistoryCheckStore } from '#core/past/hour/history-check.ts';
import type { HourStore } from '#core/past/hour/hour-store.ts';
import type { DeviceRecord } from '#core/device/device.ts';
import type { RoomStore } from '#core/room/room-registry.ts';
import type { Backup } from '#storage/engine/backups.ts';
import type { BackupContent } from '#storage/restore/candidate.ts';
import type { StorageHealth } from '#storage/open/storage-health.ts';
import type { StorageOperations } from '#storage/open/storage-operations.ts';
import { mapEach, type OperationKinds, type OperationName, type PortOf } from '#storage/tables/operation.ts';
import type { RestoreKeep } from '#storage/tables/stored-noun.ts';
import type { TableOperations } from '#storage/tables/table-list.ts';
import { createAnswerHistory } from '#storage/history/question-operations.ts';
import type { StorageEngine } from '#storage/open/storage-engine.ts';
import type { OwnedEngine } from '#storage/open/open-storage.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Page } from '#storage/tables/devices/device-table.ts';

type BackupStore = {
  /** Newest first. */
  readonly list: () => Promise<readonly Backup[]>;
  readonly make: () => Promise<Backup>;
  /** Makes the daily backup if it is due. Call it hourly, with hub time. */
  readonly makeDailyIfDue: (nowMs: number) => Promise<Backup | undefined>;
  /** Absolute path of a backup; `undefined` if there is none with this id. */
  readonly findPath: (id: string) => Promise<string | undefined>;
  /** A new path for an uploaded file, which the next start deletes. */
  readonly newUploadPath: () => Promise<string>;
  /** Checks all of a file of any origin. Throws HubError INVALID_BACKUP with the reason. */
  readonly check: (path: string) => Promise<BackupContent>;
  /**
   * Replaces the database by a checked copy of the file. When it resolves, the storage has closed itself: `close` it and
   * open it again. When it rejects, nothing has changed, unless `onFailure` was called.
   */
  readonly restore: (path: string, keep: RestoreKeep) => Promise<void>;
};

/**
 * Everything the hub keeps: for each stored noun the port that its owner declares, and backups and health. Only devices
 * and rooms need more than the calls of their tables.
 */
export type Storage = Omit<
  { readonly [Noun in keyof TableOperations]: PortOf<TableOperations[Noun]> },
  'devices' | 'rooms'
> & {
  readonly devices: DeviceStore;
  readonly rooms: RoomStore<DeviceRecord>;
  readonly backups: BackupStore;
  readonly history: HistoryStore;
  readonly onMoved: StorageEngine['onMoved'];
  readonly hours: HourStore;
  readonly answerHistory: AnswerHistory;
  readonly check: HistoryCheckStore;
  /** What automations keep while they run. */
  readonly entries: EntryStore;
  readonly runs: RunStore;
  /** What the hub could not read. */
  readonly aside: {
    /** Removes what was kept for its time. Call it hourly, with hub time that can be trusted; resolves with how many records. */
    readonly forget: (nowMs: number) => Promise<number>;
  };
  readonly health: () => Promise<StorageHealth>;
  /** When it resolves, nothing is open any more and another process may take the state folder. */
  readonly close: () => Promise<void>;
};

/** How an engine is called, in this thread or another. */
type StorageLink = {
  readonly kinds: OperationKinds;
  /** Calls take effect in the order in which they are made. */
  readonly call: (operation: OperationName, args: readonly unknown[]) => Promise<unknown>;
  /** The same, without an answer. */
  readonly send: (operation: OperationName, args: readonly unknown[]) => void;
  readonly onMoved: StorageEngine['onMoved'];
  readonly close: () => Promise<void>;
};

/** The ports over an engine in this thread: for the command line while no daemon runs, and for tests. */
export function storageInProcess({ kinds, run, onMoved, close }: OwnedEngine): Storage {
  return createStorage({
    kinds,
    // An async function, so that a failure is a rejection here as it is across threads.
    call: async (operation, args) => run(operation, args),
    send: (operation, args) => void run(operation, args),
    onMoved,
    close,
  });
}

/** The ports over any link. */
export function createStorage(link: StorageLink): Storage {
  const { devices, rooms, backups, history, hours, questions, check, entries, runs, aside, health, ...nouns } =
    portsOver(link);
  return {
    ...nouns,
    ...createDeviceStores(devices, rooms),
    backups,
    history,
    onMoved: link.onMoved,
    hours,
    answerHistory: createAnswerHistory(questions),
    check,
    entries,
    runs,
    aside,
    health: health.readHealth,
    close: link.close,
  };
}

type Ports = { readonly [Group in keyof StorageOperations]: PortOf<StorageOperations[Group]> };

/** One function for each operation of the engine, whose type `StorageOperations` declares their arguments and results. */
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

/** Devices and features in one message: cloning a device of ten features for another thread takes 0.1 ms. */
const PART_WEIGHT = 500;

/**
 * The stores of devices and rooms over their tables. Long lists of devices are sent in parts and saved as one. Changes of
 * devices and rooms take turns, so that they keep their order while parts are sent.
 */
function createDeviceStores(
  devices: PortOf<TableOperations['devices']>,
  rooms: PortOf<TableOperations['rooms']>,
): { readonly devices: DeviceStore; readonly rooms: RoomStore<DeviceRecord> } {
  const inTurn = createTurnQueue();
  let lastBatch = 0;
  const saveDevices = async (list: readonly DeviceRecord[]): Promise<void> => {
    const parts = partsOf(list);
    const [first = []] = parts;
    if (parts.length <= 1) return devices.saveDevices(first);
    lastBatch += 1;
    const batch = lastBatch;
    for (const part of parts) await devices.stageDevices(batch, part);
    return devices.saveStagedDevices(batch);
  };
  return {
    devices: {
      limitDevices: devices.limitDevices,
      forgetDevices: (keep) => inTurn(() => devices.forgetDevices(keep)),
      forgetDevicesOf: (integration) => inTurn(() => devices.forgetDevicesOf(integration)),
      loadDevices: () => loadPages(devices.loadDevicePage),
      saveDevices: (list) => inTurn(() => saveDevices(list)),
      loadValues: () => loadPages(devices.loadValuePage),
      saveValue: devices.saveValue,
    },
    rooms: {
      loadRooms: rooms.loadRooms,
      saveRoom: (room) => inTurn(() => rooms.saveRoom(room)),
      deleteRoom: (id, placed) => inTurn(() => rooms.deleteRoom(id, placed)),
    },
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
