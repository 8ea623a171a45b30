import { eachInSlices } from '#base/work-slices.ts';
import type { Device, DeviceDescription } from './device.ts';
import type { Feature } from '#core/feature/feature.ts';

/** How many devices the hub takes, and how much memory for them. The same limits hold for every integration. */
export type DeviceLimits = {
  /** Visible devices of one integration. */
  readonly shownOfIntegration: number;
  readonly shown: number;
  /** Hidden devices whose id, selector, name and room are kept for their return. */
  readonly remembered: number;
  /** Features of one device. */
  readonly features: number;
  /** Size of one description as JSON. */
  readonly size: number;
  /** Size of all descriptions of one integration, and of all in the home. */
  readonly sizeOfIntegration: number;
  readonly sizeInAll: number;
  /** Size of all last values of one device, and of all devices. Numbers and short words do not count. */
  readonly valuesOfDevice: number;
  readonly valuesInAll: number;
};

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Zigbee2MQTT knows 4,478 devices. The largest has 278 features and a description of 91,947 characters; all
 * descriptions together have 14.3 MiB. A description takes up to five times its size in the hub's memory.
 */
export const DEVICE_LIMITS: DeviceLimits = {
  shownOfIntegration: 5_000,
  shown: 10_000,
  remembered: 10_000,
  features: 2_000,
  size: 128 * KIB,
  sizeOfIntegration: 16 * MIB,
  sizeInAll: 32 * MIB,
  valuesOfDevice: 128 * KIB,
  valuesInAll: 16 * MIB,
};

/** Longest sum of the texts in a description apart from its features. */
const MAX_WORDS = 4 * KIB;
/** About the length of a description as JSON without its features and texts. */
const EMPTY_SIZE = 150;

export type IntakeFault = {
  readonly code: 'TOO_MANY_DEVICES' | 'DEVICES_TOO_LARGE' | 'DEVICE_TOO_LARGE';
  /** For people, without a period at the end. */
  readonly message: string;
};

/** Counts the devices of one list, one per call. Returns a fault once the list is too large. */
export type ListGauge = (device: DeviceDescription) => IntakeFault | null;

export type DeviceQuota = ReturnType<typeof createDeviceQuota>;

type DeviceQuotaDeps = {
  readonly limits: DeviceLimits;
  readonly devices: () => Iterable<Device>;
  readonly monotonicMs: () => number;
};

export function createDeviceQuota({ limits, devices, monotonicMs }: DeviceQuotaDeps) {
  // A device shares its array of features with its description, so each array is measured once.
  const measured = new WeakMap<readonly Feature[], number>();
  const sizeOfFeatures = (features: readonly Feature[]): number => {
    const size = measured.get(features) ?? JSON.stringify(features).length;
    measured.set(features, size);
    return size;
  };
  const sizeOf = (device: DeviceDescription): number => EMPTY_SIZE + wordsOf(device) + sizeOfFeatures(device.features);
  /** Takes a while after a start with thousands of devices; later all sizes are known. */
  const measureAll = (): Promise<void> => eachInSlices(devices(), monotonicMs, sizeOf);
  const usage = (isCounted: (device: Device) => boolean): { count: number; size: number } => {
    const used = { count: 0, size: 0 };
    for (const device of devices()) {
      if (!isCounted(device)) continue;
      used.count += 1;
      used.size += sizeOf(device);
    }
    return used;
  };
  const refuse = (own: Usage, others: Usage): IntakeFault | null => {
    const { shownOfIntegration, shown, sizeOfIntegration, sizeInAll } = limits;
    if (own.count > shownOfIntegration)
      return tooMany(`The integration would have more than ${words(shownOfIntegration)} devices`);
    if (own.count + others.count > shown) return tooMany(`The home would have more than ${words(shown)} devices`);
    if (own.size > sizeOfIntegration)
      return tooLarge(`The descriptions of its devices would be larger than ${sizeWords(sizeOfIntegration)}`);
    if (own.size + others.size > sizeInAll)
      return tooLarge(`The descriptions of all devices would be larger than ${sizeWords(sizeInAll)}`);
    return null;
  };
  return {
    openGauge: async (integration: string): Promise<ListGauge> => {
      await measureAll();
      const others = usage((device) => device.integration !== integration);
      const own = { count: 0, size: 0 };
      return (device) => {
        own.count += 1;
        own.size += sizeOf(device);
        return refuse(own, others);
      };
    },
    /** Why the integration may not add this device, or replace `shown` by it; `null` if it may. */
    refusalOfOne: async (
      integration: string,
      device: DeviceDescription,
      shown: Device | undefined,
    ): Promise<IntakeFault | null> => {
      if (shown !== undefined && sizeOf(device) <= sizeOf(shown)) return null;
      await measureAll();
      const own = usage((one) => one.integration === integration && one.externalId !== device.externalId);
      const others = usage((one) => one.integration !== integration);
      return refuse({ count: own.count + 1, size: own.size + sizeOf(device) }, others);
    },
    /** The description, with these `features` if its own are too large. `undefined` if its texts are too long. */
    fit: (device: DeviceDescription, features: readonly Feature[]): DeviceDescription | undefined => {
      if (wordsOf(device) > MAX_WORDS) return undefined;
      const fits = device.features.length <= limits.features && sizeOf(device) <= limits.size;
      return fits ? device : { ...device, features };
    },
  };
}

type Usage = { readonly count: number; readonly size: number };

function wordsOf({ externalId, name, manufacturer, model, firmware, parentExternalId }: DeviceDescription): number {
  return [externalId, name, manufacturer, model, firmware, parentExternalId].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    0,
  );
}

function tooMany(what: string): IntakeFault {
  return { code: 'TOO_MANY_DEVICES', message: `${what}. ${REMEDY}` };
}

function tooLarge(what: string): IntakeFault {
  return { code: 'DEVICES_TOO_LARGE', message: `${what}. ${REMEDY}` };
}

const REMEDY =
  'The hub refused the whole list and keeps the devices that it had. Find out what sends the list, and remove from it everything that is not a device of this home';

function words(count: number): string {
  return count.toLocaleString('en');
}

function sizeWords(size: number): string {
  return `${Math.round(size / MIB)} MiB`;
}
