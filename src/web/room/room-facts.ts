import type { Device, Feature } from '#web/client/api.ts';
import { featureOf, isUnavailable, natureOf } from '#web/state/device/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import type { Lamp } from './room-level.ts';

/** The temperature of these devices is that of their room; a plug tells its own. */
const OF_ROOM = new Set(['temperature_sensor', 'humidity_sensor', 'thermostat']);

/** Finds the feature that tells how warm a room is. */
export function roomTemperature(
  entries: readonly DeviceEntry[],
): { readonly entry: DeviceEntry; readonly feature: Feature } | undefined {
  for (const entry of entries) {
    const device = entry.device.value;
    const feature = OF_ROOM.has(device.type) ? temperatureOf(device) : undefined;
    if (feature !== undefined) return { entry, feature };
  }
  return undefined;
}

function temperatureOf({ features }: Device): Feature | undefined {
  return features.find(({ capability, kind, category }) => {
    return capability === 'temperature' && kind === 'state' && category === 'primary';
  });
}

/**
 * The lamps that one control for a whole room changes. Plugs and blinds are none of them, nor is what is out of reach,
 * and a group is left to its own lamps.
 */
export function lampsOf(devices: readonly Device[]): readonly Lamp[] {
  return devices.flatMap((device) => {
    const on = featureOf(device, 'on');
    const brightness = featureOf(device, 'brightness');
    const isLamp = natureOf(device).kind === 'light' && device.integration !== 'group' && !isUnavailable(device);
    if (!isLamp || on?.writable !== true) return [];
    return [{ id: device.id, on, brightness: brightness?.writable === true ? brightness : undefined }];
  });
}
