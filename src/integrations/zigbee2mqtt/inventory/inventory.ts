import { createHash } from 'node:crypto';
import { setImmediate as turnOfOthers, setImmediate as yieldToOthers } from 'node:timers/promises';
import { isSameJson, parseJson } from '#base/json.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import { readDeviceEntry } from '#integrations/zigbee2mqtt/bridge-message.ts';
import { MAX_DEFINITION_DEPTH } from '#integrations/zigbee2mqtt/device-message.ts';
import { knownDeviceFromEntry, type KnownDevice } from './known-device.ts';

const MAX_LIST_BYTES = 32 * 1024 * 1024;
/** More than the largest known entry (62,833 bytes), because entries grow with endpoints and bindings. */
const MAX_DESCRIBED_BYTES = 80 * 1024;
/** A larger entry is not parsed at all, not even for its address. */
const MAX_ENTRY_BYTES = 192 * 1024;

export type InventoryChange = {
  /** New devices, and those that differ in more than their place in the list. */
  readonly changed: readonly KnownDevice[];
  readonly removed: readonly string[];
  /** Hashes of entries that could not be read: the same fault has the same hash. */
  readonly faults: readonly string[];
  /** Devices that have no features because their descriptions are too large. */
  readonly tooLarge: readonly string[];
};

/** `too_much`: too large for the home, which has shown that as a fault already. */
type InventoryUpdate = InventoryChange | { readonly refusal: string } | 'too_much';

/** Returns false once the list is too large for the home. */
type FitsHome = (device: DeviceDescription) => boolean;

export type Inventory = ReturnType<typeof createInventory>;

/** `noteServed` is called before each entry is read: a list takes many turns of the event loop. */
export function createInventory(noteServed: () => void) {
  const devices = new Map<string, KnownDevice>();
  /** Device ids by the hash of their entry's bytes. `null` for the coordinator. */
  let known = new Map<string, string | null>();

  const readAll = async (list: Buffer, fitsHome: FitsHome): Promise<Listing | undefined> => {
    const listing: Listing = { devices: new Map(), hashes: new Map(), faults: [], tooLarge: [] };
    for await (const bytes of elementsOfJsonArray(list, MAX_DEFINITION_DEPTH)) {
      noteServed();
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
    /** Forgets all devices, so that the next list is all new. */
    forget: (): void => {
      devices.clear();
      known.clear();
    },
    /**
     * Takes a whole list. Entries whose bytes were in the previous list are not parsed again. Changes nothing if the list
     * is refused, and removes nothing if one of its entries cannot be read. Calls must not overlap.
     */
    update: async (list: Buffer, fitsHome: FitsHome): Promise<InventoryUpdate> => {
      if (list.length > MAX_LIST_BYTES) return { refusal: `${list.length} bytes are too many` };
      let listing: Listing | undefined;
      try {
        listing = await readAll(list, fitsHome);
      } catch (cause) {
        if (cause instanceof JsonSliceError) return { refusal: cause.message };
        throw cause;
      }
      if (listing === undefined) return 'too_much';
      // Without even a coordinator the list was cleared: this is not a home without devices.
      if (listing.hashes.size === 0) return { refusal: 'no device in it' };
      known = listing.hashes;
      // Reading ended in the middle of a turn, and applying cannot be interrupted.
      await turnOfOthers();
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

/** The device of an entry. `null` for the coordinator, `undefined` if the entry cannot be read. */
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
  // Until its interview is over a device has no features. A known device keeps those it had.
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
  // An entry that cannot be read may be any of the missing devices.
  const removed = listing.faults.length > 0 ? [] : [...devices.keys()].filter((id) => !listing.devices.has(id));
  for (const id of removed) devices.delete(id);
  return { changed, removed, faults: listing.faults, tooLarge: listing.tooLarge };
}

/**
 * Ignores the changes for which upstream republishes a device and that do not concern the hub, such as a new binding.
 */
function isSameDevice(left: KnownDevice, right: KnownDevice): boolean {
  return (
    left.topicName === right.topicName &&
    left.isDisabled === right.isDisabled &&
    isSameJson(left.description, right.description)
  );
}

/** Bytes read per turn of the event loop: a few milliseconds of work, including the caller's parsing. */
const SLICE_BYTES = 16 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The text is not an array of objects, or nests too deep. */
export class JsonSliceError extends Error {}

/**
 * Yields the elements of a JSON array as bytes, without parsing them: JSON.parse would block for a fifth of a second on
 * a text of 17 MB. Gives other work its turn every SLICE_BYTES. Checks of an element only its nesting; the caller
 * checks its size.
 */
export async function* elementsOfJsonArray(bytes: Buffer, maxDepth: number): AsyncGenerator<Buffer, void, undefined> {
  let depth = 0;
  let start = -1;
  let isInText = false;
  let sliceEnd = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= sliceEnd) {
      sliceEnd = index + SLICE_BYTES;
      await yieldToOthers();
    }
    const byte = bytes[index];
    if (isInText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      if (depth < 2) throw new JsonSliceError('not an array of objects');
      isInText = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) throw new JsonSliceError(`nests deeper than ${maxDepth}`);
      if (depth === 1 && (byte === OPEN_OBJECT || start !== -1)) throw new JsonSliceError('not one array');
      if (depth === 1) start = -2;
      if (depth === 2) start = index;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth < 0) throw new JsonSliceError('not one array');
      if (depth === 1) yield bytes.subarray(start, index + 1);
    } else if (depth < 2 && byte !== COMMA && !isSpace(byte)) {
      throw new JsonSliceError('not an array of objects');
    }
  }
  if (depth !== 0 || isInText || start === -1) throw new JsonSliceError('ends too early');
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
