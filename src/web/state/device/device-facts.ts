import type { Device, Feature } from '#web/client/api.ts';
import type { IconName } from '#web/icon-lines.ts';

/** The kinds of devices that people look for. */
export const KINDS = ['light', 'plug', 'climate', 'cover', 'lock', 'sensor', 'remote', 'other'] as const;
export type Kind = (typeof KINDS)[number];
type Nature = { readonly kind: Kind; readonly icon: IconName };

/** By the hub's type of device. */
const NATURES: Readonly<Record<string, Nature>> = {
  on_off_light: { kind: 'light', icon: 'light' },
  dimmable_light: { kind: 'light', icon: 'light' },
  color_temperature_light: { kind: 'light', icon: 'light' },
  extended_color_light: { kind: 'light', icon: 'light' },
  on_off_plug_in_unit: { kind: 'plug', icon: 'plug' },
  window_covering: { kind: 'cover', icon: 'cover' },
  door_lock: { kind: 'lock', icon: 'lock' },
  thermostat: { kind: 'climate', icon: 'climate' },
  fan: { kind: 'climate', icon: 'fan' },
  contact_sensor: { kind: 'sensor', icon: 'contact' },
  occupancy_sensor: { kind: 'sensor', icon: 'motion' },
  temperature_sensor: { kind: 'sensor', icon: 'climate' },
  humidity_sensor: { kind: 'sensor', icon: 'humidity' },
  light_sensor: { kind: 'sensor', icon: 'sun' },
  water_leak_detector: { kind: 'sensor', icon: 'leak' },
  smoke_co_alarm: { kind: 'sensor', icon: 'smoke' },
  air_quality_sensor: { kind: 'sensor', icon: 'air' },
  generic_switch: { kind: 'remote', icon: 'remote' },
  water_valve: { kind: 'other', icon: 'valve' },
  electrical_sensor: { kind: 'sensor', icon: 'meter' },
  siren: { kind: 'other', icon: 'siren' },
};
const UNKNOWN: Nature = { kind: 'other', icon: 'device' };

export function natureOf({ type }: Pick<Device, 'type'>): Nature {
  return NATURES[type] ?? UNKNOWN;
}

/** Pictures that a person can give a device in place of that of its type. */
export const DEVICE_ICONS = [
  'light',
  'plug',
  'fan',
  'climate',
  'cover',
  'lock',
  'contact',
  'motion',
  'sun',
  'meter',
  'remote',
  'siren',
  'valve',
  'bell',
  'sofa',
  'bed',
  'kitchen',
  'bath',
  'desk',
  'garden',
  'garage',
] as const satisfies readonly IconName[];

/** The picture that a person chose, or else that of the type. */
export function iconOf(device: Pick<Device, 'type' | 'icon'>): IconName {
  return DEVICE_ICONS.find((one) => one === device.icon) ?? natureOf(device).icon;
}

/** The feature with this capability; of several, the one on the main component. */
export function featureOf({ features }: Pick<Device, 'features'>, capability: string): Feature | undefined {
  return (
    features.find((feature) => feature.capability === capability && feature.key === capability) ??
    features.find((feature) => feature.capability === capability)
  );
}

/** Capabilities whose `true` is an alarm. */
const ALARMS = new Set(['water_leak', 'smoke', 'co_alarm', 'gas_leak', 'tamper', 'problem']);
const LOW_BATTERY_PERCENT = 15;

export function isLowOnBattery(device: Pick<Device, 'features'>): boolean {
  const low = featureOf(device, 'battery_low')?.value;
  const percent = featureOf(device, 'battery')?.value;
  return low === true || (typeof percent === 'number' && percent <= LOW_BATTERY_PERCENT);
}

export function alarmOf(device: Pick<Device, 'features'>): Feature | undefined {
  return device.features.find(({ capability, value }) => ALARMS.has(capability) && value === true);
}

/** Its integration is not connected: nothing is wrong with the device itself. */
export function isCutOff({ availability }: Pick<Device, 'availability'>): boolean {
  return availability.reason === 'integration_down' || availability.reason === 'integration_off';
}

/** The broken integration that keeps the device out of reach; `null` if it was switched off on purpose. */
export function lostBy({ availability, integration }: Pick<Device, 'availability' | 'integration'>): string | null {
  return availability.reason === 'integration_down' ? integration : null;
}

/** A command would not reach it. */
export function isUnavailable(device: Pick<Device, 'availability'>): boolean {
  return device.availability.state === 'offline' || isCutOff(device);
}

export function needsAttention(device: Device): boolean {
  const isAway = device.availability.state === 'offline' || lostBy(device) !== null;
  return isAway || isLowOnBattery(device) || alarmOf(device) !== undefined;
}

/** A light that is on, as far as the hub knows. Not a group: its lamps count themselves. */
export function isLit(device: Device): boolean {
  const on = featureOf(device, 'on');
  if (device.integration === 'group') return false;
  return natureOf(device).kind === 'light' && !isUnavailable(device) && on?.writable === true && on.value === true;
}

/** The switches of a device that has several of them: two gangs in one frame, the sockets of a strip. */
export function gangsOf({ features }: Pick<Device, 'features'>): readonly Feature[] {
  const own = features.filter(({ capability, writable }) => capability === 'on' && writable);
  return own.length > 1 ? own : [];
}

/** Capabilities that a card shows in another place, or not at all. */
const NOT_READINGS = new Set([
  'on',
  'brightness',
  'color',
  'color_temperature',
  'effect',
  'position',
  'tilt',
  'cover_state',
  'locked',
  'lock_state',
  'target_temperature',
  'thermostat_mode',
  'thermostat_state',
  'heating_demand',
  'battery',
  'battery_low',
  'button',
  'identify',
  'update',
  'tamper',
]);
/** The first of these that a device has is its purpose. */
const FIRST = [
  'water_leak',
  'smoke',
  'co_alarm',
  'gas_leak',
  'open',
  'motion',
  'presence',
  'vibration',
  'temperature',
  'humidity',
  'power',
  'co2',
  'pm25',
  'illuminance',
];

/** Lists what a device measures, the most useful first. */
export function readingsOf({ features }: Pick<Device, 'features'>): readonly Feature[] {
  const rank = ({ capability }: Feature): number => {
    const place = FIRST.indexOf(capability);
    return place === -1 ? FIRST.length : place;
  };
  return features
    .filter(({ kind, category, readable, capability }) => {
      const isPlain = kind === 'state' && category === 'primary' && readable;
      return isPlain && !NOT_READINGS.has(capability);
    })
    .sort((one, other) => rank(one) - rank(other));
}
