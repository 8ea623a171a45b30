import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { Chromaticity, Hue } from './chromaticity.ts';

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Black and grey are white with less light. */
export function hueFromRgb([red, green, blue]: Rgb): Hue {
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  if (span === 0) return { hue: 0, saturation: 0 };
  const sector =
    most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  const round = (value: number): number => Number(value.toFixed(1));
  return { hue: round((sector * 60 + 360) % 360) % 360, saturation: round((100 * span) / most) };
}

/** At full light: how bright it is, its brightness says. */
export function rgbFromColor(color: JsonValue): Rgb {
  const { x, y, hue, saturation } = isJsonObject(color) ? color : {};
  if (typeof x === 'number' && typeof y === 'number') return rgbFromPoint({ x, y });
  return rgbFromHue({ hue: Number(hue), saturation: Number(saturation) });
}

function rgbFromHue({ hue, saturation }: Hue): Rgb {
  const channel = (sector: number): number => {
    const at = (sector + hue / 60) % 6;
    return Math.round(255 * (1 - (saturation / 100) * Math.max(0, Math.min(at, 4 - at, 1))));
  };
  return [channel(5), channel(3), channel(1)];
}

/** The sRGB color that is nearest in this simple sense: what cannot be shown of it is left out. */
function rgbFromPoint({ x, y }: Chromaticity): Rgb {
  // A point without luminance is no color of light.
  const bigY = Math.max(y, 1e-4);
  const z = 1 - x - y;
  const linear = [
    3.2406 * x - 1.5372 * bigY - 0.4986 * z,
    -0.9689 * x + 1.8758 * bigY + 0.0415 * z,
    0.0557 * x - 0.204 * bigY + 1.057 * z,
  ].map((part) => Math.max(0, part));
  const most = Math.max(...linear, 1e-6);
  const [red = 0, green = 0, blue = 0] = linear.map((part) => {
    const share = part / most;
    const shown = share <= 0.003_130_8 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(255 * shown);
  });
  return [red, green, blue];
}
