import type { DeviceRecord, Room, RoomId, StoredValue } from './device.ts';

/** What the device registry needs kept. A resolved promise means: on disk, safe from a power cut (values excepted). */
export type DeviceStore = {
  /** Every device there ever was, removed ones included. */
  readonly loadDevices: () => Promise<readonly DeviceRecord[]>;
  /** Inserts or replaces by id, all in one transaction. */
  readonly saveDevices: (devices: readonly DeviceRecord[]) => Promise<void>;
  readonly loadValues: () => Promise<readonly StoredValue[]>;
  /** Last value wins; coalesced by the store, on disk within 30 s. `null` stands for a value that was forgotten. */
  readonly saveValue: (value: StoredValue) => void;
};

export type RoomStore = {
  readonly loadRooms: () => Promise<readonly Room[]>;
  readonly saveRoom: (room: Room) => Promise<void>;
  /** Deletes the room and saves the devices that were in it, in one transaction. */
  readonly deleteRoom: (id: RoomId, devices: readonly DeviceRecord[]) => Promise<void>;
};
