import type { Device, DeviceType } from './device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Capability } from '#core/feature/vocabulary.ts';

export const SENSITIVE = {
  types: ['door_lock', 'water_valve', 'siren'],
  /** A device of any type that has one of these can open the home. */
  entrances: ['locked', 'arm_mode'],
  /** The vocabulary has no word for garage doors; the upstream name of their property has `garage` in it. */
  garage: /^x\..*garage/,
  requests: /^(valve_open|siren|x\.(.+_)?(alarm|siren|valve)(_.+)?)$/,
} as const satisfies {
  readonly types: readonly DeviceType[];
  readonly entrances: readonly Capability[];
  readonly garage: RegExp;
  readonly requests: RegExp;
};
const TYPES: ReadonlySet<string> = new Set(SENSITIVE.types);
const ENTRANCES: ReadonlySet<string> = new Set(SENSITIVE.entrances);

type Usable = Pick<Device, 'type' | 'features' | 'markedSensitive' | 'holdsSensitive'>;

/** Whether a request about these features can let someone in, flood the home or raise or silence an alarm. */
export function isSensitiveRequest(device: Usable, keys: readonly string[]): boolean {
  if (device.markedSensitive === true || TYPES.has(device.type)) return true;
  if (device.features.some(isEntrance)) return true;
  return device.features.some(({ key, capability }) => keys.includes(key) && SENSITIVE.requests.test(capability));
}

/** Whether anything of this device, or of a member of this group, is sensitive. */
export function isSensitive(device: Usable): boolean {
  if (device.holdsSensitive === true) return true;
  return isSensitiveRequest(
    device,
    device.features.map(({ key }) => key),
  );
}

function isEntrance({ capability }: Feature): boolean {
  return ENTRANCES.has(capability) || SENSITIVE.garage.test(capability);
}
