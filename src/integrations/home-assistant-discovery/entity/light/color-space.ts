import type { Rgb } from '#core/feature/rgb.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';

/*
 * Home Assistant's ways between the color spaces of lights, digit for digit: a light that knows one of them gets the same
 * numbers as from Home Assistant. They differ from the hub's own, which follow sRGB.
 */

/** Hue from 0 to 360, saturation from 0 to 100. */
export type Hs = readonly [hue: number, saturation: number];
export type Xy = readonly [x: number, y: number];
export type Kelvins = { readonly min: number; readonly max: number };

const whole = (value: number): number => roundFloat(value, 0);

export function hsFromRgb([red, green, blue]: Rgb): Hs {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most === least) return [0, 0];
  const span = most - least;
  const [rc, gc, bc] = [(most - r) / span, (most - g) / span, (most - b) / span];
  const sector = r === most ? bc - gc : g === most ? 2 + rc - bc : 4 + gc - rc;
  const turn = (((sector / 6) % 1) + 1) % 1;
  return [roundFloat(turn * 360, 3), roundFloat((span / most) * 100, 3)];
}

export function rgbFromHs([hue, saturation]: Hs, value = 1): Rgb {
  const s = saturation / 100;
  const at = (hue / 360) * 6;
  const sector = Math.trunc(at);
  const f = at - sector;
  const [p, q, t] = [value * (1 - s), value * (1 - s * f), value * (1 - s * (1 - f))];
  const scaled = (r: number, g: number, b: number): Rgb => [whole(r * 255), whole(g * 255), whole(b * 255)];
  if (s === 0) return scaled(value, value, value);
  switch (sector % 6) {
    case 0:
      return scaled(value, t, p);
    case 1:
      return scaled(q, value, p);
    case 2:
      return scaled(p, value, t);
    case 3:
      return scaled(p, q, value);
    case 4:
      return scaled(t, p, value);
    default:
      return scaled(value, p, q);
  }
}

export function xyFromRgb(rgb: Rgb): Xy {
  if (rgb.every((channel) => channel === 0)) return [0, 0];
  const linear = rgb.map((channel) => {
    const share = channel / 255;
    return share > 0.04045 ? ((share + 0.055) / 1.055) ** 2.4 : share / 12.92;
  });
  const [r = 0, g = 0, b = 0] = linear;
  const bigX = r * 0.664511 + g * 0.154324 + b * 0.162028;
  const bigY = r * 0.283881 + g * 0.668433 + b * 0.047685;
  const bigZ = r * 0.000088 + g * 0.07231 + b * 0.986039;
  const sum = bigX + bigY + bigZ;
  return [roundFloat(bigX / sum, 3), roundFloat(bigY / sum, 3)];
}

export function rgbFromXy([x, givenY]: Xy): Rgb {
  const y = givenY === 0 ? 1e-11 : givenY;
  const bigX = (1 / y) * x;
  const bigZ = (1 / y) * (1 - x - y);
  const channels = [
    bigX * 1.656492 - 0.354851 - bigZ * 0.255038,
    -bigX * 0.707196 + 1.655397 + bigZ * 0.036152,
    bigX * 0.051713 - 0.121364 + bigZ * 1.01153,
  ].map((part) => Math.max(0, part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));
  const most = Math.max(...channels, 1);
  const [red = 0, green = 0, blue = 0] = channels.map((part) => Math.trunc((part / most) * 255));
  return [red, green, blue];
}

/** The brightest channel stays as bright as that of the input. */
function matched(input: readonly number[], output: readonly number[]): readonly number[] {
  const most = Math.max(...output);
  const factor = most === 0 ? 0 : Math.max(...input) / most;
  return output.map((channel) => whole(channel * factor));
}

const asRgb = ([red = 0, green = 0, blue = 0]: readonly number[]): Rgb => [red, green, blue];

export function rgbwFromRgb(rgb: Rgb): readonly number[] {
  const white = Math.min(...rgb);
  return matched(rgb, [...rgb.map((channel) => channel - white), white]);
}

export function rgbFromRgbw([red = 0, green = 0, blue = 0, white = 0]: readonly number[]): Rgb {
  return asRgb(matched([red, green, blue, white], [red + white, green + white, blue + white]));
}

export function rgbwwFromRgb(rgb: Rgb, kelvins: Kelvins): readonly number[] {
  const [warmest, coldest] = [miredsOf(kelvins.min), miredsOf(kelvins.max)];
  const white = whiteAt(kelvinOf(coldest + (warmest - coldest) / 2));
  const level = Math.min(...rgb.map((channel, at) => ((white[at] ?? 0) === 0 ? 0 : channel / (white[at] ?? 1))));
  const lamps = whole(level * 255);
  return matched(rgb, [...rgb.map((channel, at) => channel - (white[at] ?? 0) * level), lamps, lamps]);
}

export function rgbFromRgbww(
  [red = 0, green = 0, blue = 0, cold = 0, warm = 0]: readonly number[],
  kelvins: Kelvins,
): Rgb {
  const [warmest, coldest] = [miredsOf(kelvins.min), miredsOf(kelvins.max)];
  const share = cold + warm === 0 ? 0.5 : warm / (cold + warm);
  const mireds = coldest + share * (warmest - coldest);
  const white = whiteAt(mireds === 0 ? 0 : kelvinOf(mireds));
  const level = Math.max(cold, warm) / 255;
  const sum = [red, green, blue].map((channel, at) => channel + (white[at] ?? 0) * level);
  return asRgb(matched([red, green, blue, cold, warm], sum));
}

export function miredsOf(kelvin: number): number {
  return Math.floor(1_000_000 / kelvin);
}

export function kelvinOf(mireds: number): number {
  return Math.floor(1_000_000 / mireds);
}

/** The color of white light, roughly (T. Helland's approximation). */
function whiteAt(kelvin: number): readonly number[] {
  const at = Math.min(40_000, Math.max(1_000, kelvin)) / 100;
  const clamped = (value: number): number => Math.min(255, Math.max(0, value));
  const red = at <= 66 ? 255 : clamped(329.698727446 * (at - 60) ** -0.1332047592);
  const green = clamped(
    at <= 66 ? 99.4708025861 * Math.log(at) - 161.1195681661 : 288.1221695283 * (at - 60) ** -0.0755148492,
  );
  const blue = at >= 66 ? 255 : at <= 19 ? 0 : clamped(138.5177312231 * Math.log(at - 10) - 305.0447927307);
  return [red, green, blue];
}
