import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';

/**
 * Whether devices can be reached: by Zigbee2MQTT's own word where it gives one, else by when they were last heard.
 * Only differences are reported.
 */
export type Availability = {
  /** The device's own availability topic. */
  readonly say: (device: KnownDevice, isOnline: boolean) => void;
  /** Something came from the device, so long ago; `isSure` if that is upstream's own word. */
  readonly hear: (device: KnownDevice, agoMs: number, isSure: boolean) => void;
  /** Whether Zigbee2MQTT itself is there; while it is not, nothing is known of any device. */
  readonly setLink: (isUp: boolean) => void;
  /** Reports what has changed by itself, with time. */
  readonly review: () => void;
  /** The device is new to the sink, or another than before. */
  readonly introduce: (device: KnownDevice) => void;
  readonly forget: (externalId: string) => void;
  readonly isOffline: (externalId: string) => boolean;
};

export type AvailabilityDeps = {
  readonly sink: Pick<DeviceSink, 'reportAvailability'>;
  readonly devices: ReadonlyMap<string, KnownDevice>;
  readonly monotonicMs: () => number;
};

/** As long as Zigbee2MQTT itself waits for a battery device. */
const SILENCE_MS = 25 * 3_600_000;
const FRESH_MS = 60_000;

type Tracked = {
  said: boolean | null;
  heardAtMs: number | null;
  reported: AvailabilityState | null;
  reason: string | null;
};

export function createAvailability({ sink, devices, monotonicMs }: AvailabilityDeps): Availability {
  const tracked = new Map<string, Tracked>();
  let isUp = false;

  const trackedOf = (id: string): Tracked => {
    const found = tracked.get(id);
    if (found !== undefined) return found;
    const fresh: Tracked = { said: null, heardAtMs: null, reported: null, reason: null };
    tracked.set(id, fresh);
    return fresh;
  };

  const judge = (device: KnownDevice, { said, heardAtMs }: Tracked): readonly [AvailabilityState, string | null] => {
    if (!isUp) return ['unknown', 'integration_down'];
    if (device.isDisabled) return ['offline', 'disabled'];
    if (said !== null) return said ? ['online', null] : ['offline', 'unreachable'];
    if (heardAtMs === null) return ['unknown', 'no_report'];
    if (monotonicMs() - heardAtMs < SILENCE_MS) return ['online', null];
    // What is plugged in and has nothing to report may well be there.
    return [device.isBatteryPowered ? 'offline' : 'unknown', 'no_report'];
  };

  const report = (device: KnownDevice): void => {
    const id = device.description.externalId;
    const entry = trackedOf(id);
    const [state, reason] = judge(device, entry);
    if (entry.reported === state && entry.reason === reason) return;
    entry.reported = state;
    entry.reason = reason;
    sink.reportAvailability(id, state, reason);
  };

  const review = (): void => {
    for (const device of devices.values()) report(device);
  };

  return {
    say: (device, isOnline) => {
      trackedOf(device.description.externalId).said = isOnline;
      report(device);
    },
    hear: (device, agoMs, isSure) => {
      const entry = trackedOf(device.description.externalId);
      entry.heardAtMs = Math.max(entry.heardAtMs ?? Number.NEGATIVE_INFINITY, monotonicMs() - Math.max(0, agoMs));
      // The broker keeps a last "offline" also after availability was switched off upstream.
      if (entry.said === false && isSure && agoMs < FRESH_MS) entry.said = null;
      report(device);
    },
    setLink: (up) => {
      if (up === isUp) return;
      isUp = up;
      review();
    },
    review,
    introduce: (device) => {
      trackedOf(device.description.externalId).reported = null;
      report(device);
    },
    forget: (externalId) => void tracked.delete(externalId),
    isOffline: (externalId) => tracked.get(externalId)?.reported === 'offline',
  };
}
