import type { DeviceDescription } from '#core/device/device.ts';
import type { DeviceEntry } from './bridge-message.ts';
import { deviceTypeOf } from '#integrations/zigbee2mqtt/exposes/device-type.ts';
import { bindingsFromDefinition, type Binding } from '#integrations/zigbee2mqtt/exposes/exposes.ts';

/** A device of the last list, ready for its messages. */
export type KnownDevice = {
  readonly description: DeviceDescription;
  readonly topicName: string | null;
  readonly isDisabled: boolean;
  readonly isBatteryPowered: boolean;
  readonly byProperty: ReadonlyMap<string, Binding>;
  readonly byKey: ReadonlyMap<string, Binding>;
};

/** Battery devices report at least once a day; what is plugged in reports changes only. */
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
