import type { DeviceType } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';

/** Device types of Matter by their numbers, those that the mapping asks for. */
export const DEVICE = {
  aggregator: 0x0e,
  bridgedNode: 0x13,
  contactSensor: 0x15,
  speaker: 0x22,
  freezeDetector: 0x41,
  leakDetector: 0x43,
  rainSensor: 0x44,
  roomAirConditioner: 0x72,
  pump: 0x303,
} as const;

/**
 * The device types tell what a device is. Of several, the first that stands here counts: what opens the home, then what
 * acts.
 */
const TYPES: readonly (readonly [type: DeviceType, numbers: readonly number[]])[] = [
  ['door_lock', [0x0a]],
  // Water heaters, too: they have a thermostat.
  ['thermostat', [0x301, 0x72, 0x309, 0x50f]],
  ['window_covering', [0x202, 0x230, 0x231]],
  ['water_valve', [0x42]],
  ['fan', [0x2b, 0x2d, 0x7a]],
  ['extended_color_light', [0x10d]],
  ['color_temperature_light', [0x10c]],
  ['dimmable_light', [0x101, 0x110]],
  ['on_off_light', [0x100]],
  ['on_off_plug_in_unit', [0x10a, 0x10b, 0x10f]],
  ['smoke_co_alarm', [0x76]],
  ['water_leak_detector', [0x43]],
  ['contact_sensor', [0x15]],
  ['occupancy_sensor', [0x107]],
  ['air_quality_sensor', [0x2c]],
  ['temperature_sensor', [0x302]],
  ['humidity_sensor', [0x307]],
  ['light_sensor', [0x106]],
  ['generic_switch', [0x0f, 0x148, 0x143, 0x141]],
];
/** The words that decide where types say too little, or where a meter is an endpoint beside what it measures. */
const WORDS: readonly (readonly [type: DeviceType, words: readonly string[]])[] = [
  ['door_lock', ['locked']],
  ['thermostat', ['thermostat_mode']],
  ['window_covering', ['position', 'cover_state']],
  ['water_valve', ['valve_open']],
  ['fan', ['fan_speed', 'fan_mode']],
  ['extended_color_light', ['color']],
  ['color_temperature_light', ['color_temperature']],
  ['dimmable_light', ['brightness']],
  ['smoke_co_alarm', ['smoke', 'co_alarm']],
  ['water_leak_detector', ['water_leak']],
  ['electrical_sensor', ['energy', 'power']],
];
/** Devices of a home whose switch is not what they are for. */
const OTHER: ReadonlySet<number> = new Set([
  0x22, 0x23, 0x24, 0x28, 0x29, 0x40, 0x70, 0x71, 0x73, 0x74, 0x75, 0x77, 0x78, 0x79, 0x7b, 0x7c, 0x303, 0x50c,
]);

export function deviceTypeOf(numbers: ReadonlySet<number>, features: readonly Feature[]): DeviceType {
  for (const [type, list] of TYPES) if (list.some((one) => numbers.has(one))) return type;
  for (const number of numbers) if (OTHER.has(number)) return 'other';
  const words = new Set<string>(features.map(({ capability }) => capability));
  return WORDS.find(([, list]) => list.some((one) => words.has(one)))?.[0] ?? 'other';
}
