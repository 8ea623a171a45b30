/** Hue in degrees, saturation in percent. */
export type Hue = { readonly hue: number; readonly saturation: number };
/** A point on the CIE 1931 plane. */
export type Chromaticity = { readonly x: number; readonly y: number };
/** The colors that a lamp can show: all within the triangle of its three light sources. */
export type Gamut = readonly [red: Chromaticity, green: Chromaticity, blue: Chromaticity];

/** Hue and saturation at full value, as sRGB, on the CIE 1931 plane. */
export function chromaticityFromHue({ hue, saturation }: Hue): Chromaticity {
  const linear = (sector: number): number => {
    const at = (sector + hue / 60) % 6;
    const channel = 1 - (saturation / 100) * Math.max(0, Math.min(at, 4 - at, 1));
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = [linear(5), linear(3), linear(1)];
  const bigX = 0.4124 * red + 0.3576 * green + 0.1805 * blue;
  const bigY = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const bigZ = 0.0193 * red + 0.1192 * green + 0.9505 * blue;
  const sum = bigX + bigY + bigZ;
  return { x: bigX / sum, y: bigY / sum };
}

/** The color itself if the lamp can show it, else the nearest one that it can. */
export function nearestInGamut(color: Chromaticity, [red, green, blue]: Gamut): Chromaticity {
  const edges = [
    [red, green],
    [green, blue],
    [blue, red],
  ] as const;
  const sides = edges.map(([from, to]) => (to.x - from.x) * (color.y - from.y) - (to.y - from.y) * (color.x - from.x));
  // Inside, the color is on the same side of all edges, whichever way round the corners are named.
  if (sides.every((side) => side >= 0) || sides.every((side) => side <= 0)) return color;
  const candidates = edges.map(([from, to]) => nearestOnEdge(color, from, to));
  const distance = (point: Chromaticity): number => Math.hypot(point.x - color.x, point.y - color.y);
  return candidates.reduce((best, next) => (distance(next) < distance(best) ? next : best));
}

function nearestOnEdge(color: Chromaticity, from: Chromaticity, to: Chromaticity): Chromaticity {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((color.x - from.x) * dx + (color.y - from.y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return { x: from.x + share * dx, y: from.y + share * dy };
}
