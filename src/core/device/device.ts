import type { Feature, FeatureState } from '#core/feature/feature.ts';
import type { RoomId } from '#core/room/room.ts';

declare const deviceId: unique symbol;
export type DeviceId = string & { readonly [deviceId]: never };

/** Matter's device type names in snake_case. */
export const DEVICE_TYPES = [
  'on_off_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
  'on_off_plug_in_unit',
  'window_covering',
  'door_lock',
  'thermostat',
  'fan',
  'contact_sensor',
  'occupancy_sensor',
  'temperature_sensor',
  'humidity_sensor',
  'light_sensor',
  'water_leak_detector',
  'smoke_co_alarm',
  'air_quality_sensor',
  'generic_switch',
  'water_valve',
  'electrical_sensor',
  'siren',
  'other',
] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

export const AVAILABILITY_STATES = ['online', 'offline', 'asleep', 'unknown'] as const;
export type AvailabilityState = (typeof AVAILABILITY_STATES)[number];

export type Availability = {
  readonly state: AvailabilityState;
  readonly sinceMs: number;
  readonly lastSeenAtMs: number | null;
  /** Why it is not online, as a short snake_case word (`integration_down`, `no_report`, …). */
  readonly reason: string | null;
};

/** What an integration knows of a device apart from its values. */
export type DeviceDescription = {
  /** The device's own address in its protocol; with the integration's id it is the identity, for ever. */
  readonly externalId: string;
  /**
   * The name upstream, or a suggested one where that is only the address; a name given at the hub takes
   * precedence.
   */
  readonly name: string;
  readonly type: DeviceType;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly features: readonly Feature[];
  /** After this long without any report the values are `stale`; `null` for devices that report only changes. */
  readonly staleAfterMs: number | null;
};

/** A device of the home. Owned and written by the device registry alone. */
export type Device = DeviceDescription & {
  readonly id: DeviceId;
  readonly selector: string;
  readonly integration: string;
  /** The name given at the hub; `null` while the upstream name is in use. */
  readonly ownName: string | null;
  readonly roomId: RoomId | null;
  /** A person says that not everybody may use it: a plain relay that opens a garage. Adds to what its type says. */
  readonly markedSensitive?: boolean;
  readonly availability: Availability;
  /** By feature key; a feature without an entry was never reported. */
  readonly states: ReadonlyMap<string, FeatureState>;
  /** Counts changes of name, room, identity and feature set, not of values. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** What must survive a power cut: all of a device but its values and availability. */
export type DeviceRecord = Omit<Device, 'availability' | 'states'> & {
  /** Set once removed: hidden, but its id, selector, own name and room are kept for its return. */
  readonly removedAtMs: number | null;
};

/** A last value as kept on disk; may be up to 30 s behind. */
export type StoredValue = {
  readonly deviceId: DeviceId;
  readonly key: string;
  readonly value: FeatureState['value'];
  readonly observedAtMs: number | null;
  readonly changedAtMs: number | null;
};

/** The name that people see. */
export function deviceName(device: Pick<Device, 'ownName' | 'name'>): string {
  return device.ownName ?? device.name;
}
