import type { Device, DeviceType } from './device.ts';

/** From the one that can do least. */
export const LIGHTS: readonly DeviceType[] = [
  'on_off_light',
  'dimmable_light',
  'color_temperature_light',
  'extended_color_light',
];
/** A person gave a plug this picture: a lamp is behind it. */
const LIGHT_ICON = 'light';

/** Whether it gives light, as far as the hub knows. A plug may have a fridge behind it. */
export function isLight({ type, icon }: Pick<Device, 'type' | 'icon'>): boolean {
  return LIGHTS.includes(type) || (type === 'on_off_plug_in_unit' && icon === LIGHT_ICON);
}
