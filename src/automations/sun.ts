import type { SunEvent } from '#core/automation/document/condition.ts';
import { getPosition, getTimes } from 'suncalc';

/** Where the hub stands, in degrees. */
export type Place = { readonly latitude: number; readonly longitude: number };

const HALF_DAY_MS = 43_200_000;
const NAMES = { sunrise: 'sunrise', sunset: 'sunset', dawn: 'dawn', dusk: 'dusk', noon: 'solarNoon' } as const;

/** The height of the sun as it is seen, refraction included. */
export function elevationAt(atMs: number, { latitude, longitude }: Place): number {
  return getPosition(new Date(atMs), latitude, longitude).altitude;
}

/** The times of the solar day whose noon is nearest to `noonMs`. */
function timesAround(noonMs: number, { latitude, longitude }: Place): ReturnType<typeof getTimes> {
  const times = getTimes(new Date(noonMs), latitude, longitude);
  const offMs = times.solarNoon.getTime() - noonMs;
  if (Math.abs(offMs) <= HALF_DAY_MS) return times;
  return getTimes(new Date(noonMs - Math.sign(offMs) * 2 * HALF_DAY_MS), latitude, longitude);
}

/** When it is on the day of this local noon, in ms since 1970; `undefined` on a day without it. */
export function sunEventAt(event: SunEvent, noonMs: number, place: Place): number | undefined {
  return timesAround(noonMs, place)[NAMES[event]]?.getTime();
}

/** When the sun passes a height, on its way up before the noon or down after it; `undefined` on a day without it. */
export function crossingAt(
  { elevationDeg, rising }: { readonly elevationDeg: number; readonly rising: boolean },
  noonMs: number,
  place: Place,
): number | undefined {
  const highestMs = timesAround(noonMs, place).solarNoon.getTime();
  let lowMs = rising ? highestMs - HALF_DAY_MS : highestMs + HALF_DAY_MS;
  let highMs = highestMs;
  if (elevationAt(lowMs, place) >= elevationDeg || elevationAt(highMs, place) < elevationDeg) return undefined;
  while (Math.abs(highMs - lowMs) > 1000) {
    const middleMs = (lowMs + highMs) / 2;
    if (elevationAt(middleMs, place) < elevationDeg) lowMs = middleMs;
    else highMs = middleMs;
  }
  return Math.round((lowMs + highMs) / 2);
}
