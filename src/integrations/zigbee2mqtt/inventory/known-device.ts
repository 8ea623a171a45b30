import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { DeviceEntry } from '#integrations/zigbee2mqtt/bridge-message.ts';
import type { Definition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { bindingsFromDefinition, type Binding } from '#integrations/zigbee2mqtt/exposes/exposes.ts';

/** A device of the last list, with what its messages need. */
export type KnownDevice = {
  readonly description: DeviceDescription;
  readonly topicName: string | null;
  readonly isDisabled: boolean;
  readonly isBatteryPowered: boolean;
  readonly byProperty: ReadonlyMap<string, Binding>;
  readonly byKey: ReadonlyMap<string, Binding>;
};

/** Battery devices report at least once a day. Plugged-in devices report only changes. */
const BATTERY_STALE_MS = 25 * 3_600_000;

export function knownDeviceFromEntry(entry: DeviceEntry): KnownDevice {
  const { definition } = entry;
  const bindings = definition === null ? [] : bindingsFromDefinition(definition);
  const isSupported = entry.isSupported && definition !== null;
  return {
    description: {
      externalId: entry.ieeeAddress,
      name: entry.name,
      type: isSupported ? deviceTypeOf(definition, bindings) : 'other',
      manufacturer: definition?.vendor ?? entry.manufacturer,
      model: definition?.model ?? entry.model,
      firmware: entry.firmware,
      features: bindings.map((binding) => binding.feature),
      staleAfterMs: entry.isBatteryPowered ? BATTERY_STALE_MS : null,
    },
    topicName: entry.topicName,
    isDisabled: entry.isDisabled,
    isBatteryPowered: entry.isBatteryPowered,
    byProperty: new Map(bindings.map((binding) => [binding.property, binding])),
    byKey: new Map(bindings.map((binding) => [binding.feature.key, binding])),
  };
}

/** The type of a device is that of the first of these capabilities that it has. Alarms come first. */
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

/** The device type, by Matter's names. */
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
