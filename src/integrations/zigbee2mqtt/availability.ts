import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';

/**
 * Decides whether devices can be reached: from Zigbee2MQTT's availability topic if there is one, otherwise from the
 * time of their last message. Reports only changes.
 */
export type Availability = ReturnType<typeof createAvailability>;

type AvailabilityDeps = {
  readonly sink: Pick<DeviceSink, 'reportAvailability'>;
  readonly devices: ReadonlyMap<string, KnownDevice>;
  readonly monotonicMs: () => number;
};

/** As long as Zigbee2MQTT waits for a battery device. */
const SILENCE_MS = 25 * 3_600_000;
const FRESH_MS = 60_000;

type Tracked = {
  said: boolean | null;
  heardAtMs: number | null;
  reported: AvailabilityState | null;
  reason: string | null;
};

export function createAvailability({ sink, devices, monotonicMs }: AvailabilityDeps) {
  const tracked = new Map<string, Tracked>();
  let isUp = false;

  const trackedOf = (id: string): Tracked => {
    const found = tracked.get(id);
    if (found !== undefined) return found;
    const fresh: Tracked = { said: null, heardAtMs: null, reported: null, reason: null };
    tracked.set(id, fresh);
    return fresh;
  };

  const stateOf = (device: KnownDevice, { said, heardAtMs }: Tracked): readonly [AvailabilityState, string | null] => {
    if (!isUp) return ['unknown', 'integration_down'];
    if (device.isDisabled) return ['offline', 'disabled'];
    if (said !== null) return said ? ['online', null] : ['offline', 'unreachable'];
    if (heardAtMs === null) return ['unknown', 'no_report'];
    if (monotonicMs() - heardAtMs < SILENCE_MS) return ['online', null];
    // A plugged-in device with nothing to report may well be there.
    return [device.isBatteryPowered ? 'offline' : 'unknown', 'no_report'];
  };

  const report = (device: KnownDevice): void => {
    const id = device.description.externalId;
    const entry = trackedOf(id);
    const [state, reason] = stateOf(device, entry);
    if (entry.reported === state && entry.reason === reason) return;
    entry.reported = state;
    entry.reason = reason;
    sink.reportAvailability(id, state, reason);
  };

  const review = (): void => {
    for (const device of devices.values()) report(device);
  };

  return {
    onAvailability: (device: KnownDevice, isOnline: boolean): void => {
      trackedOf(device.description.externalId).said = isOnline;
      report(device);
    },
    /** The device sent a message so long ago. `isSure` if the message itself says when. */
    onMessage: (device: KnownDevice, agoMs: number, isSure: boolean): void => {
      const entry = trackedOf(device.description.externalId);
      entry.heardAtMs = Math.max(entry.heardAtMs ?? Number.NEGATIVE_INFINITY, monotonicMs() - Math.max(0, agoMs));
      // The broker keeps the last "offline" even after availability was switched off upstream.
      if (entry.said === false && isSure && agoMs < FRESH_MS) entry.said = null;
      report(device);
    },
    /** Whether Zigbee2MQTT is connected. While it is not, all devices are unknown. */
    setLink: (up: boolean): void => {
      if (up === isUp) return;
      isUp = up;
      review();
    },
    /** Reports what the passing of time has changed. */
    review,
    /** The device is new to the sink, or has changed. */
    introduce: (device: KnownDevice): void => {
      trackedOf(device.description.externalId).reported = null;
      report(device);
    },
    forget: (externalId: string): void => void tracked.delete(externalId),
    isOffline: (externalId: string): boolean => tracked.get(externalId)?.reported === 'offline',
  };
}
