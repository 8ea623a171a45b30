import type { Device, DeviceType } from './device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Capability } from '#core/feature/vocabulary.ts';

const SENSITIVE_TYPES: ReadonlySet<DeviceType> = new Set(['door_lock', 'water_valve', 'siren']);
/** What makes a device a way into the home, whatever its type. */
const ENTRANCES: ReadonlySet<Capability> = new Set(['locked', 'arm_mode']);
const SENSITIVE_REQUEST = /^(valve_open|siren|x\.(.+_)?(alarm|siren|valve)(_.+)?)$/;

type Usable = Pick<Device, 'type' | 'features' | 'markedSensitive'>;

/** Whether a request about these features can let someone in, flood the home or raise or silence an alarm. */
export function isSensitiveRequest(device: Usable, keys: readonly string[]): boolean {
  if (device.markedSensitive === true || SENSITIVE_TYPES.has(device.type)) return true;
  if (device.features.some(isEntrance)) return true;
  return device.features.some(({ key, capability }) => keys.includes(key) && SENSITIVE_REQUEST.test(capability));
}

/** Whether anything of this device is sensitive. */
export function isSensitive(device: Usable): boolean {
  return isSensitiveRequest(
    device,
    device.features.map(({ key }) => key),
  );
}

/** Garage doors have no word of their own: they are known by a property that is named for it. */
function isEntrance({ capability }: Feature): boolean {
  return ENTRANCES.has(capability) || /^x\..*garage/.test(capability);
}
