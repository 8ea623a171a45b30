import type { DeviceId, DeviceRecord, StoredValue } from './device.ts';
import type { DeviceLimits } from './device-limits.ts';

/** Keeps the device registry's data. A resolved promise means: on disk, safe from a power cut (except values). */
export type DeviceStore = {
  /**
   * Forgets devices beyond the limits, which an earlier version or a restored backup may have left, and returns how
   * many. Of the hidden ones it keeps those that `forgetDevices` keeps; of the visible ones it forgets the newest.
   */
  readonly limitDevices: (limits: DeviceLimits) => Promise<number>;
  /** All known devices, also the hidden ones, which come without features. */
  readonly loadDevices: () => Promise<readonly DeviceRecord[]>;
  /** Inserts or replaces by id, all in one transaction. */
  readonly saveDevices: (devices: readonly DeviceRecord[]) => Promise<void>;
  /**
   * Forgets all but this many hidden devices for ever and returns the forgotten ones. It begins with devices that were
   * visible for less than a day and ends with those that a person named or put into a room. Of equals, it forgets the
   * one that was hidden first.
   */
  readonly forgetDevices: (keep: number) => Promise<readonly DeviceId[]>;
  /** Forgets the hidden devices of an integration for ever and returns them. */
  readonly forgetDevicesOf: (integration: string) => Promise<readonly DeviceId[]>;
  readonly loadValues: () => Promise<readonly StoredValue[]>;
  /** The last value wins. The store collects values and writes them within 30 s. `null` deletes the value. */
  readonly saveValue: (value: StoredValue) => void;
};
