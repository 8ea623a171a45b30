import type { Cause } from '#core/cause/cause.ts';
import type { Feature, FeatureState, Occurrence } from '#core/feature/feature.ts';
import type { Measure } from '#core/feature/measures.ts';
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

/** An integration knows this of a device, apart from its values. */
export type DeviceDescription = {
  /** The device's address in its protocol. Together with the integration's id it identifies the device for ever. */
  readonly externalId: string;
  /**
   * The name upstream, or a suggested one if that is only the address. A name given at the hub takes
   * precedence.
   */
  readonly name: string;
  readonly type: DeviceType;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly features: readonly Feature[];
  /** Without a report for this long, the values become `stale`; `null` for devices that report only changes. */
  readonly staleAfterMs: number | null;
  /** The device of the same integration that reaches this one, or that this one is a part of. It may be unknown yet. */
  readonly parentExternalId?: string | null;
  /** Only of a group: the devices that it consists of. One that was removed stays named, for its return. */
  readonly members?: readonly GroupMember[];
  /** Only of a group: one of its members is sensitive. */
  readonly holdsSensitive?: boolean;
};

/** `selector`: to show the device also while it is absent. */
export type GroupMember = { readonly id: DeviceId; readonly selector: string };

/** A device of the home. Only the device registry writes it. */
export type Device = DeviceDescription & {
  readonly id: DeviceId;
  readonly selector: string;
  readonly integration: string;
  /** The name given at the hub; `null` while the upstream name is in use. */
  readonly ownName: string | null;
  readonly roomId: RoomId | null;
  /** A person marked it as sensitive, as for a plain relay that opens a garage. Some types are sensitive without it. */
  readonly markedSensitive?: boolean;
  /** A person said that "All off" leaves it on (the plug of a fridge) or turns it off; without a word, its type decides. */
  readonly isLeftOn?: boolean | undefined;
  /** What a person said that numbers of it measure. It survives that the device is described anew or returns. */
  readonly measures?: readonly Measure[];
  /** Chosen by a person; without one, clients show that of the type. */
  readonly icon?: string | null;
  /** The id of the parent, while the parent is visible. */
  readonly parentId?: DeviceId | null;
  readonly availability: Availability;
  /** By feature key. A feature that was never reported has no entry. */
  readonly states: ReadonlyMap<string, FeatureState>;
  /** Counts changes of name, room, identity and feature set, not of values. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** The part of a device that must survive a power cut: all but its values, availability and parent. */
export type DeviceRecord = Omit<Device, 'availability' | 'states' | 'parentId'> & {
  /** When it was removed. It is hidden then, but keeps its id, selector, own name and room for its return. */
  readonly removedAtMs: number | null;
};

/** A last value on disk, which may be up to 30 s old. */
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

/** Whether its values may be true now. A lamp that never says anything about itself may well be there. */
export function isReachable({ state, reason }: Pick<Availability, 'state' | 'reason'>): boolean {
  return state !== 'offline' && !(state === 'unknown' && reason !== 'no_report');
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'device.added': { readonly device: Device };
    /** `oldRoomId`: the room before the change, for clients that follow only that room. */
    'device.changed': { readonly device: Device; readonly oldRoomId: RoomId | null };
    'device.removed': { readonly device: Device };
    'availability.changed': { readonly device: Device; readonly availability: Availability };
    'feature.changed': {
      readonly device: Device;
      readonly key: string;
      readonly state: FeatureState;
      /** `null`: nobody commanded it. A new value that is confirmed was then set by hand, or by the device itself. */
      readonly cause: Cause | null;
    };
    'feature.occurred': { readonly device: Device; readonly key: string; readonly occurrence: Occurrence };
  }
}
