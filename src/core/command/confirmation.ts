import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { type Chromaticity, chromaticityFromHue, type Hue } from '#core/feature/chromaticity.ts';
import type { Feature } from '#core/feature/feature.ts';

/**
 * Whether a reported value shows that the device took the requested one. Devices round to a grid (brightness to 254
 * steps, colors to 16 bits, color temperatures to whole mired), so numbers may differ by a rounding error.
 */
export function isConfirmedBy(feature: Feature, requested: JsonValue, reported: JsonValue): boolean {
  if (typeof requested === 'number') {
    return typeof reported === 'number' && Math.abs(reported - requested) <= toleranceOf(feature, requested);
  }
  if (!isJsonObject(requested)) return isSameJson(requested, reported);
  if (!isJsonObject(reported)) return false;
  if (feature.valueType === 'color') return isSameColor(requested, reported);
  // A caller may set some members of a composite, but the device reports all.
  return Object.entries(requested).every(([name, value]) => isSameJson(value, reported[name] ?? null));
}

function toleranceOf({ unit, step }: Feature, requested: number): number {
  // Less than a whole step, because the next value on the grid is a different value.
  const grid = step === null ? 0 : step * 0.99;
  if (unit === 'percent') return Math.max(1, grid);
  if (unit === 'K') return Math.max(requested * 0.02, grid);
  return step === null ? Math.max(0.01, Math.abs(requested) * 0.005) : grid;
}

const COLOR_TOLERANCE = 0.02;

function isSameColor(requested: JsonObject, reported: JsonObject): boolean {
  const [left, right] = [hueOf(requested), hueOf(reported)];
  if (left !== undefined && right !== undefined) {
    if (Math.abs(left.saturation - right.saturation) > 100 * COLOR_TOLERANCE) return false;
    const apart = Math.abs(left.hue - right.hue) % 360;
    // White has no hue, so any hue fits.
    return Math.min(apart, 360 - apart) <= 360 * COLOR_TOLERANCE || left.saturation <= 100 * COLOR_TOLERANCE;
  }
  const [from, to] = [chromaticityOf(requested), chromaticityOf(reported)];
  if (from === undefined || to === undefined) return false;
  // Floating point: 0.32 − 0.3 is slightly more than 0.02.
  const limit = COLOR_TOLERANCE + 1e-9;
  return Math.abs(from.x - to.x) <= limit && Math.abs(from.y - to.y) <= limit;
}

function hueOf({ hue, saturation }: JsonObject): Hue | undefined {
  return typeof hue === 'number' && typeof saturation === 'number' ? { hue, saturation } : undefined;
}

function chromaticityOf(color: JsonObject): Chromaticity | undefined {
  const { x, y } = color;
  if (typeof x === 'number' && typeof y === 'number') return { x, y };
  const hue = hueOf(color);
  return hue === undefined ? undefined : chromaticityFromHue(hue);
}
