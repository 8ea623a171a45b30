/** Conversions between the colors of the hub and those of the browser. */
export type Rgb = readonly [red: number, green: number, blue: number];
export type HueSaturation = { readonly hue: number; readonly saturation: number };

export function rgbFromHue({ hue, saturation }: HueSaturation): Rgb {
  const s = saturation / 100;
  const channel = (offset: number): number => {
    const k = (offset + hue / 60) % 6;
    return Math.round(255 * (1 - s * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return [channel(5), channel(3), channel(1)];
}

/** CIE 1931 xy at full brightness, by the sRGB primaries. */
function rgbFromXy(x: number, y: number): Rgb {
  if (y <= 0) return [255, 255, 255];
  const [bigX, bigZ] = [x / y, (1 - x - y) / y];
  const linear = [
    3.2406 * bigX - 1.5372 - 0.4986 * bigZ,
    -0.9689 * bigX + 1.8758 + 0.0415 * bigZ,
    0.0557 * bigX - 0.204 + 1.057 * bigZ,
  ].map((value) => Math.max(0, value));
  const most = Math.max(...linear, 0.0001);
  const [red = 0, green = 0, blue = 0] = linear.map((value) => {
    const v = value / most;
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  });
  return [red, green, blue];
}

function hueFromRgb([red, green, blue]: Rgb): HueSaturation {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread === 0) return { hue: 0, saturation: 0 };
  const sixth =
    most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return { hue: Math.round(sixth * 60) % 360, saturation: Math.round((spread / most) * 100) };
}

function xyFromRgb(rgb: Rgb): { readonly x: number; readonly y: number } {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const v = channel / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const bigX = 0.4124 * red + 0.3576 * green + 0.1805 * blue;
  const bigY = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const bigZ = 0.0193 * red + 0.1192 * green + 0.9505 * blue;
  const sum = bigX + bigY + bigZ;
  if (sum === 0) return { x: 0.3127, y: 0.329 };
  return { x: Number((bigX / sum).toFixed(4)), y: Number((bigY / sum).toFixed(4)) };
}

/** The color of white light of a temperature in kelvin, close enough for a dot on a screen (Tanner Helland's fit). */
export function rgbFromKelvin(kelvin: number): Rgb {
  const k = kelvin / 100;
  const clamp = (value: number): number => Math.round(Math.min(255, Math.max(0, value)));
  const red = k <= 66 ? 255 : 329.7 * (k - 60) ** -0.1332;
  const green = k <= 66 ? 99.47 * Math.log(k) - 161.12 : 288.12 * (k - 60) ** -0.0755;
  const blue = k >= 66 ? 255 : k <= 19 ? 0 : 138.52 * Math.log(k - 10) - 305.04;
  return [clamp(red), clamp(green), clamp(blue)];
}

export function cssFrom([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Reads a color as the hub gives it, by hue or by xy; `undefined` for anything else. */
export function hueOf(value: unknown): HueSaturation | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { x, y, hue, saturation } = value as Partial<Record<string, unknown>>;
  if (typeof hue === 'number' && typeof saturation === 'number') return { hue, saturation };
  return typeof x === 'number' && typeof y === 'number' ? hueFromRgb(rgbFromXy(x, y)) : undefined;
}

/** The whites that people know, in kelvin. */
export const WHITES_K = { warm: 2700, neutral: 4000, cool: 6000 } as const;

/** The colors that people ask for by name. */
export const COLOR_PRESETS: readonly (readonly [name: string, color: HueSaturation])[] = [
  ['red', { hue: 0, saturation: 100 }],
  ['orange', { hue: 30, saturation: 100 }],
  ['yellow', { hue: 55, saturation: 100 }],
  ['green', { hue: 120, saturation: 100 }],
  ['turquoise', { hue: 175, saturation: 100 }],
  ['blue', { hue: 230, saturation: 100 }],
  ['violet', { hue: 275, saturation: 100 }],
  ['pink', { hue: 325, saturation: 100 }],
];

/** A warm one, where a lamp has never had a color. */
export const FIRST_COLOR: HueSaturation = { hue: 30, saturation: 100 };

/** Written as the device writes its own color. */
export function colorValue(wanted: HueSaturation, like: unknown): unknown {
  const isHue = typeof like === 'object' && like !== null && 'hue' in like;
  return isHue ? wanted : xyFromRgb(rgbFromHue(wanted));
}

type ColorFeature = { readonly value: unknown; readonly quality?: string; readonly changed_at: string | null };

/** The color of a lamp's light: its color or its white, the one that is not stale, or else changed last. */
export function shineOf(color: ColorFeature | undefined, white: ColorFeature | undefined): Rgb | undefined {
  const hue = hueOf(color?.value);
  const kelvin = typeof white?.value === 'number' ? white.value : undefined;
  const isLater = (color?.changed_at ?? '') > (white?.changed_at ?? '');
  const areAlike = (color?.quality === 'stale') === (white?.quality === 'stale');
  const isShown = areAlike ? isLater : white?.quality === 'stale';
  const isColor = hue !== undefined && (kelvin === undefined || isShown);
  if (isColor) return rgbFromHue(hue);
  return kelvin === undefined ? undefined : rgbFromKelvin(kelvin);
}
