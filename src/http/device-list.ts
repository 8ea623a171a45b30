import type { Device } from '#core/device.ts';
import type { DeviceRegistry } from '#core/device-registry.ts';
import { compress, type ContentCoding } from './content-coding.ts';
import type { FindRoom } from './device-json.ts';
import { deviceJson } from './device-json.ts';

/** The times of the last report may lag behind by this much in the list: they alone do not make it new. */
const OBSERVED_LAG_MS = 60_000;

/** The devices as bytes that are ready to send. Only what changed is serialised again, and only when it is asked for. */
export type DeviceList = {
  /** The JSON array of all devices. */
  readonly allBytes: () => Buffer;
  /** The same, compressed once for each version of the list. */
  readonly allCompressed: (coding: ContentCoding) => Buffer | Promise<Buffer>;
  /** The JSON array of these devices. */
  readonly bytesOf: (devices: readonly Device[]) => Buffer;
  readonly deviceBytes: (device: Device) => Buffer;
  /** Moves with the devices, but for times of reports; different in each run of the hub. */
  readonly version: () => string;
  readonly deviceVersion: (device: Device) => string;
};

export type DeviceListDeps = {
  readonly registry: Pick<DeviceRegistry, 'devices' | 'version' | 'onChange'>;
  readonly findRoom: FindRoom;
  readonly monotonicMs: () => number;
  /** Names this run, as the event stream's cursors do: versions start again with each run. */
  readonly epoch: string;
};

type Cached = { bytes: Buffer; readonly version: number };

const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

export function createDeviceList({ registry, findRoom, monotonicMs, epoch }: DeviceListDeps): DeviceList {
  const cache = new Map<Device['id'], Cached>();
  const observed = new Set<Device>();
  let observedSinceMs = 0;
  let all: Buffer | undefined;
  const compressed = new Map<ContentCoding, Buffer | Promise<Buffer>>();
  const forget = (): void => {
    all = undefined;
    compressed.clear();
  };

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

  const serialise = (device: Device): Buffer => Buffer.from(JSON.stringify(deviceJson(device, findRoom)));
  const refreshObserved = (): void => {
    if (observed.size === 0 || monotonicMs() - observedSinceMs < OBSERVED_LAG_MS) return;
    for (const device of observed) {
      const cached = cache.get(device.id);
      if (cached !== undefined) cached.bytes = serialise(device);
    }
    observed.clear();
    forget();
  };
  const cachedOf = (device: Device): Cached => {
    const known = cache.get(device.id);
    if (known !== undefined) return known;
    const made = { bytes: serialise(device), version: registry.version() };
    cache.set(device.id, made);
    observed.delete(device);
    return made;
  };
  const join = (devices: readonly Device[]): Buffer => {
    const parts = devices.map((device) => cachedOf(device).bytes);
    const bytes = Buffer.allocUnsafeSlow(
      parts.reduce((sum, part) => sum + part.length + 1, parts.length === 0 ? 2 : 1),
    );
    let end = 0;
    bytes[end++] = OPEN;
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
      bytes[end++] = COMMA;
    }
    bytes[bytes.length - 1] = CLOSE;
    return bytes;
  };
  const allBytes = (): Buffer => {
    refreshObserved();
    all ??= join(registry.devices());
    return all;
  };
  return {
    allBytes,
    allCompressed: (coding) => {
      const plain = allBytes();
      const known = compressed.get(coding) ?? compress(plain, coding);
      compressed.set(coding, known);
      return known;
    },
    bytesOf: (devices) => {
      refreshObserved();
      return join(devices);
    },
    deviceBytes: (device) => {
      refreshObserved();
      return cachedOf(device).bytes;
    },
    version: () => `${epoch}-${registry.version()}`,
    deviceVersion: (device) => `${epoch}-${cachedOf(device).version}`,
  };
}
