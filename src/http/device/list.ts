import { eachInSlices } from '#base/work-slices.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { compress, type ContentCoding } from '#base/content/compress.ts';
import { type DeviceField, deviceJson, type FindRoom } from './json.ts';
import { deviceValuesJson } from './values-json.ts';

/** How far the times of the last report may lag behind in the list: a new time alone does not make a new list. */
const OBSERVED_LAG_MS = 60_000;

/** The devices as bytes ready to send. It serialises only what changed, and only when a request needs it. */
export type DeviceList = {
  /**
   * Await this before `allBytes`: it serialises new devices in slices if they are more than a few. `undefined` if all are
   * ready.
   */
  readonly prepare: () => Promise<void> | undefined;
  readonly allBytes: () => Buffer;
  /** The same, compressed once for each version of the list. */
  readonly allCompressed: (coding: ContentCoding) => Buffer | Promise<Buffer>;
  readonly bytesOf: (devices: readonly Device[]) => Buffer;
  readonly deviceBytes: (device: Device) => Buffer;
  /** The JSON array of these fields of the devices, made in slices for one answer. */
  readonly fieldBytes: (devices: readonly Device[], fields: readonly DeviceField[]) => Promise<Buffer>;
  /** The JSON array of these devices in short, made in slices for one answer. */
  readonly valueBytes: (devices: readonly Device[]) => Promise<Buffer>;
  /** Changes with the devices, but not with the times of their reports; different in each run of the hub. */
  readonly version: () => string;
  readonly deviceVersion: (device: Device) => string;
};

type DeviceListDeps = {
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice' | 'version' | 'onChange'>;
  readonly findRoom: FindRoom;
  readonly monotonicMs: () => number;
  /** Identifies this run, as in the cursors of the event stream: versions start again with each run. */
  readonly epoch: string;
};

/** Serialising this many devices takes a few milliseconds. */
const FEW = 100;

type Cached = { bytes: Buffer; readonly version: number };

const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

type DeviceBytes = Pick<DeviceList, 'prepare'> & {
  readonly of: (device: Device) => Cached;
  /** Updates the times of the last reports once they may lag behind no longer. */
  readonly refresh: () => void;
};

/** Each device as bytes, made at the first request for it; calls `forget` when the bytes of the whole list are outdated. */
function createDeviceBytes({ registry, findRoom, monotonicMs }: DeviceListDeps, forget: () => void): DeviceBytes {
  const cache = new Map<Device['id'], Cached>();
  const observed = new Set<Device>();
  let observedSinceMs = 0;
  let preparing: Promise<void> | undefined;

  registry.onChange((kind, device) => {
    if (kind === 'observed') {
      if (observed.size === 0) observedSinceMs = monotonicMs();
      observed.add(device);
      return;
    }
    cache.delete(device.id);
    observed.delete(device);
    forget();
  });

  const of = (device: Device): Cached => {
    const known = cache.get(device.id);
    if (known !== undefined) return known;
    const made = { bytes: bytesFrom(deviceJson(device, findRoom)), version: registry.version() };
    cache.set(device.id, made);
    observed.delete(device);
    return made;
  };
  const isLate = (): boolean => observed.size > 0 && monotonicMs() - observedSinceMs >= OBSERVED_LAG_MS;
  const takeLate = (): readonly Device[] => {
    const late = [...observed];
    observed.clear();
    return late;
  };
  const renew = (device: Device): void => {
    const cached = cache.get(device.id);
    if (cached !== undefined) cached.bytes = bytesFrom(deviceJson(device, findRoom));
  };
  const prepareAll = async (): Promise<void> => {
    if (isLate()) await eachInSlices(takeLate(), monotonicMs, renew).finally(forget);
    await eachInSlices(registry.devices(), monotonicMs, (device) => {
      // Keep nothing of a device that was removed in the meantime.
      if (registry.findDevice(device.id) !== undefined) of(device);
    });
  };
  return {
    of,
    refresh: () => {
      if (!isLate()) return;
      takeLate().forEach(renew);
      forget();
    },
    prepare: () => {
      const isMuch = registry.devices().length - cache.size > FEW || (observed.size > FEW && isLate());
      if (!isMuch) return preparing;
      preparing ??= prepareAll().finally(() => {
        preparing = undefined;
      });
      return preparing;
    },
  };
}

export function createDeviceList(deps: DeviceListDeps): DeviceList {
  const { registry, findRoom, monotonicMs, epoch } = deps;
  let all: Buffer | undefined;
  const compressed = new Map<ContentCoding, Buffer | Promise<Buffer>>();
  const forget = (): void => {
    all = undefined;
    compressed.clear();
  };
  const bytes = createDeviceBytes(deps, forget);
  const join = (devices: readonly Device[]): Buffer => arrayOf(devices.map((device) => bytes.of(device).bytes));
  const allBytes = (): Buffer => {
    bytes.refresh();
    all ??= join(registry.devices());
    return all;
  };
  return {
    prepare: bytes.prepare,
    allBytes,
    allCompressed: (coding) => {
      const plain = allBytes();
      const known = compressed.get(coding) ?? compress(plain, coding);
      compressed.set(coding, known);
      return known;
    },
    bytesOf: (devices) => {
      bytes.refresh();
      return join(devices);
    },
    fieldBytes: async (devices, asked) => {
      // One that is named two hundred times is made once.
      const fields = [...new Set(asked)];
      const parts: Buffer[] = [];
      await eachInSlices(devices, monotonicMs, (device) => {
        parts.push(bytesFrom(deviceJson(device, findRoom, fields)));
      });
      return arrayOf(parts);
    },
    valueBytes: async (devices) => {
      const parts: Buffer[] = [];
      await eachInSlices(devices, monotonicMs, (device) => {
        parts.push(bytesFrom(deviceValuesJson(device, findRoom)));
      });
      return arrayOf(parts);
    },
    deviceBytes: (device) => {
      bytes.refresh();
      return bytes.of(device).bytes;
    },
    version: () => `${epoch}-${registry.version()}`,
    deviceVersion: (device) => `${epoch}-${bytes.of(device).version}`,
  };
}

function bytesFrom(json: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify(json));
}

function arrayOf(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length + 1, parts.length === 0 ? 2 : 1));
  let end = 0;
  bytes[end++] = OPEN;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
    bytes[end++] = COMMA;
  }
  bytes[bytes.length - 1] = CLOSE;
  return bytes;
}
