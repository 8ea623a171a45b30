import type { JsonValue } from '#base/json.ts';
import type { Config } from '#integrations/home-assistant-discovery/message/config.ts';
import type { EntityDeps, Part, Publication, Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import {
  hsFromRgb,
  rgbFromHs,
  rgbFromXy,
  rgbwFromRgb,
  rgbwwFromRgb,
  xyFromRgb,
  type Hs,
  type Kelvins,
  type Xy,
} from './color-space.ts';

/** A person asks this of a light that is to be on. */
export type LightCall = {
  /** From 1 to 255, as everywhere in Home Assistant. */
  readonly brightness: number | null;
  readonly white: number | null;
  readonly color: { readonly hs: Hs } | { readonly xy: Xy } | null;
  readonly kelvin: number | null;
  readonly effect: string | null;
  readonly transitionS: number | null;
};

/** How one schema of lights is heard and commanded. What a light does not have is `null`. */
export type LightWay = {
  readonly on: Part['listens'];
  readonly brightness: Part['listens'] | null;
  readonly kelvin: Part['listens'] | null;
  readonly color: Part['listens'] | null;
  readonly effect: Part['listens'] | null;
  readonly hasWhite: boolean;
  readonly turnOn: (call: LightCall) => readonly Publication[];
  readonly turnOff: (transitionS: number | null) => readonly Publication[];
};

export type LightParts = { readonly config: Config; readonly deps: EntityDeps; readonly kelvins: Kelvins };

export type ColorSpace = 'hs' | 'xy' | 'rgb' | 'rgbw' | 'rgbww';

export type NativeColor = { readonly space: ColorSpace; readonly channels: readonly number[] };

/** The color in a space that the light knows: the one that Home Assistant would choose. */
export function nativeColor(
  color: NonNullable<LightCall['color']>,
  spaces: ReadonlySet<ColorSpace>,
  kelvins: Kelvins,
): NativeColor | undefined {
  if ('hs' in color && spaces.has('hs')) return { space: 'hs', channels: color.hs };
  if ('xy' in color && spaces.has('xy')) return { space: 'xy', channels: color.xy };
  const rgb = 'hs' in color ? rgbFromHs(color.hs) : rgbFromXy(color.xy);
  if (spaces.has('hs')) return { space: 'hs', channels: hsFromRgb(rgb) };
  if (spaces.has('rgb')) return { space: 'rgb', channels: rgb };
  if (spaces.has('rgbw')) return { space: 'rgbw', channels: rgbwFromRgb(rgb) };
  if (spaces.has('rgbww')) return { space: 'rgbww', channels: rgbwwFromRgb(rgb, kelvins) };
  return spaces.has('xy') ? { space: 'xy', channels: xyFromRgb(rgb) } : undefined;
}

/** A brightness from 1 to 255 in the hub's percent. */
export function percentReport(brightness: number): Report {
  return { value: Math.max(1, Math.round((brightness * 100) / 255)) };
}

/** `undefined` for what is no color. */
export function hueReport([hue, saturation]: Hs): Report {
  const isColor = hue >= 0 && hue <= 360 && saturation >= 0 && saturation <= 100;
  return isColor ? { value: { hue, saturation } satisfies JsonValue } : undefined;
}

export function pointReport([x, y]: Xy): Report {
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { value: { x, y } } : undefined;
}
