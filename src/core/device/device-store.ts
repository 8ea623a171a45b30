import type { DeviceId, DeviceRecord, StoredValue } from './device.ts';
import type { DeviceLimits } from './device-limits.ts';

/** What the device registry needs kept. A resolved promise means: on disk, safe from a power cut (values excepted). */
export type DeviceStore = {
  /**
   * Forgets what is beyond the limits, as an earlier version or a restored backup may have left it. How many devices were
   * forgotten. What comes last in the order of `forgetDevices` goes, and of the shown ones the newest.
   */
  readonly limitDevices: (limits: DeviceLimits) => Promise<number>;
  /** Every device that is known, hidden ones included, those without their features. */
  readonly loadDevices: () => Promise<readonly DeviceRecord[]>;
  /** Inserts or replaces by id, all in one transaction. */
  readonly saveDevices: (devices: readonly DeviceRecord[]) => Promise<void>;
  /**
   * Forgets all but so many of the hidden devices, for ever; the answer is which. First those go that were shown for less
   * than a day, last those that a person named or put into a room; among equals those that were hidden longest.
   */
  readonly forgetDevices: (keep: number) => Promise<readonly DeviceId[]>;
  readonly loadValues: () => Promise<readonly StoredValue[]>;
  /** Last value wins; coalesced by the store, on disk within 30 s. `null` stands for a value that was forgotten. */
  readonly saveValue: (value: StoredValue) => void;
};
