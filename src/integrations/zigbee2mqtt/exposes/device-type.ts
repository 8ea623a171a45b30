import type { DeviceType } from '#core/device/device.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { Definition } from './definition.ts';
import type { Binding } from './exposes.ts';

/** What a device mostly is, by the first of these that it has; sensors by what an alarm is worth. */
const BY_CAPABILITY: readonly (readonly [DeviceType, readonly Capability[]])[] = [
  ['smoke_co_alarm', ['smoke', 'co_alarm', 'gas_leak']],
  ['water_leak_detector', ['water_leak']],
  ['contact_sensor', ['open']],
  ['occupancy_sensor', ['motion', 'presence']],
  ['generic_switch', ['button']],
  ['air_quality_sensor', ['co2', 'pm25', 'pm10', 'tvoc', 'voc_index', 'formaldehyde', 'air_quality', 'co', 'radon']],
  ['siren', ['siren']],
  ['temperature_sensor', ['temperature']],
  ['humidity_sensor', ['humidity', 'soil_moisture']],
  ['light_sensor', ['illuminance']],
  ['electrical_sensor', ['power', 'energy', 'current']],
];

/** Matter's name for what the device is. */
export function deviceTypeOf(definition: Definition, bindings: readonly Binding[]): DeviceType {
  const parents = new Set(definition.exposes.map((expose) => expose.type));
  const has = new Set<Capability>(bindings.map((binding) => binding.feature.capability));
  if (parents.has('light')) return lightTypeOf(bindings);
  if (parents.has('cover')) return 'window_covering';
  if (parents.has('lock')) return 'door_lock';
  if (parents.has('climate')) return 'thermostat';
  if (parents.has('fan')) return 'fan';
  const isValve = /\b(valve|irrigation|watering)\b/i.test(definition.description ?? '');
  if (parents.has('switch')) return isValve ? 'water_valve' : has.has('siren') ? 'siren' : 'on_off_plug_in_unit';
  return (
    BY_CAPABILITY.find(([, capabilities]) => capabilities.some((capability) => has.has(capability)))?.[0] ?? 'other'
  );
}

function lightTypeOf(bindings: readonly Binding[]): DeviceType {
  const has = new Set<Capability>(
    bindings.filter((binding) => binding.parent === 'light').map((binding) => binding.feature.capability),
  );
  if (has.has('color')) return 'extended_color_light';
  if (has.has('color_temperature')) return 'color_temperature_light';
  return has.has('brightness') ? 'dimmable_light' : 'on_off_light';
}
