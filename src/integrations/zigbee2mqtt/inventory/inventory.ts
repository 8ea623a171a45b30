import { createHash } from 'node:crypto';
import { isSameJson, parseJson } from '#base/json.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import { readDeviceEntry } from '#integrations/zigbee2mqtt/bridge-message.ts';
import { MAX_DEFINITION_DEPTH } from '#integrations/zigbee2mqtt/device-message.ts';
import { elementsOfJsonArray, JsonSliceError } from './json-slices.ts';
import { knownDeviceFromEntry, type KnownDevice } from './known-device.ts';

const MAX_LIST_BYTES = 32 * 1024 * 1024;
/** More than the largest real one (62,833 bytes), for that of a device with many endpoints and bindings grows. */
const MAX_DESCRIBED_BYTES = 80 * 1024;
/** One that is larger is not even read for whose it is. */
const MAX_ENTRY_BYTES = 192 * 1024;

export type InventoryChange = {
  /** New ones and those of which anything but their place in the list is different. */
  readonly changed: readonly KnownDevice[];
  readonly removed: readonly string[];
  /** Entries that could not be read, by their bytes: the same fault has the same id. */
  readonly faults: readonly string[];
  /** Devices that have no features since their descriptions are too large. */
  readonly tooLarge: readonly string[];
};

/** `too_much`: for the home, which has been told so. */
export type InventoryUpdate = InventoryChange | { readonly refusal: string } | 'too_much';

/** False from the device on with which the list is too much. */
export type FitsHome = (device: DeviceDescription) => boolean;

/** The devices of the last `bridge/devices`. */
export type Inventory = {
  readonly devices: ReadonlyMap<string, KnownDevice>;
  /**
   * Takes a whole list. An entry whose bytes were in the list before costs no parsing. Changes nothing if the list is
   * refused, and removes nothing if an entry of it cannot be read. Calls must not overlap.
   */
  readonly update: (list: Buffer, fitsHome: FitsHome) => Promise<InventoryUpdate>;
  /** Begins anew: the next list is wholly new. */
  readonly forget: () => void;
};

export function createInventory(): Inventory {
  const devices = new Map<string, KnownDevice>();
  /** By hash of an entry's bytes, the device that it is; `null` for the coordinator. */
  let known = new Map<string, string | null>();

  const readAll = async (list: Buffer, fitsHome: FitsHome): Promise<Listing | undefined> => {
    const listing: Listing = { devices: new Map(), hashes: new Map(), faults: [], tooLarge: [] };
    for await (const bytes of elementsOfJsonArray(list, MAX_DEFINITION_DEPTH)) {
      const hash = createHash('sha256').update(bytes.subarray(0, MAX_ENTRY_BYTES)).digest('base64');
      const id = known.get(hash);
      const same = typeof id === 'string' ? devices.get(id) : undefined;
      const device = id === null ? null : (same ?? readDevice(bytes, devices, listing));
      if (device === 'interviewing') continue;
      if (device === undefined || (device !== null && listing.devices.has(device.description.externalId))) {
        listing.faults.push(hash);
        continue;
      }
      listing.hashes.set(hash, device?.description.externalId ?? null);
      if (device === null) continue;
      if (!fitsHome(device.description)) return undefined;
      listing.devices.set(device.description.externalId, device);
    }
    return listing;
  };

  return {
    devices,
    forget: () => {
      devices.clear();
      known.clear();
    },
    update: async (list, fitsHome) => {
      if (list.length > MAX_LIST_BYTES) return { refusal: `${list.length} bytes are too many` };
      let listing: Listing | undefined;
      try {
        listing = await readAll(list, fitsHome);
      } catch (cause) {
        if (cause instanceof JsonSliceError) return { refusal: cause.message };
        throw cause;
      }
      if (listing === undefined) return 'too_much';
      // Not even the coordinator: that is a list that was cleared, not a home without devices.
      if (listing.hashes.size === 0) return { refusal: 'no device in it' };
      known = listing.hashes;
      return applyListing(devices, listing);
    },
  };
}

type Listing = {
  readonly devices: Map<string, KnownDevice>;
  readonly hashes: Map<string, string | null>;
  readonly faults: string[];
  readonly tooLarge: string[];
};

/** The device of an entry; `null` for the coordinator, `undefined` for what cannot be read. */
function readDevice(
  bytes: Buffer,
  devices: ReadonlyMap<string, KnownDevice>,
  { tooLarge }: Pick<Listing, 'tooLarge'>,
): KnownDevice | 'interviewing' | null | undefined {
  if (bytes.length > MAX_ENTRY_BYTES) return undefined;
  const json = parseJson(bytes.toString());
  if (json === undefined) return undefined;
  const entry = readDeviceEntry(json, bytes.length > MAX_DESCRIBED_BYTES);
  if (entry === null || entry === undefined) return entry;
  if (entry.definition?.isTooLarge === true) tooLarge.push(entry.ieeeAddress);
  // Until its interview is over a device has no features; one that is known keeps what it had.
  if (entry.isInterviewing) return devices.get(entry.ieeeAddress) ?? 'interviewing';
  return knownDeviceFromEntry(entry);
}

function applyListing(devices: Map<string, KnownDevice>, listing: Listing): InventoryChange {
  const changed: KnownDevice[] = [];
  for (const [id, device] of listing.devices) {
    const before = devices.get(id);
    if (before === device) continue;
    devices.set(id, device);
    if (before === undefined || !isSameDevice(before, device)) changed.push(device);
  }
  // The entry that cannot be read may be any of those that are missing.
  const removed = listing.faults.length > 0 ? [] : [...devices.keys()].filter((id) => !listing.devices.has(id));
  for (const id of removed) devices.delete(id);
  return { changed, removed, faults: listing.faults, tooLarge: listing.tooLarge };
}

/** Upstream republishes a device for much that is nothing to the hub, as a new binding. */
function isSameDevice(left: KnownDevice, right: KnownDevice): boolean {
  return (
    left.topicName === right.topicName &&
    left.isDisabled === right.isDisabled &&
    isSameJson(left.description, right.description)
  );
}
