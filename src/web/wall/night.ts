import type { SunDay } from '#web/client/api.ts';
import { localTime } from '#web/strings/hub-zone.ts';
import type { Shelf } from '#web/state/account/token-store.ts';

export const NIGHT_WAYS = ['sun', 'times', 'never'] as const;
/** When a screen on the wall is dark. Times are of the hub's zone, as `22:00`. */
export type NightRule = {
  readonly way: (typeof NIGHT_WAYS)[number];
  readonly from: string;
  readonly to: string;
};

const KEY = 'hearthd.wall.night';
const AS_IT_COMES: NightRule = { way: 'sun', from: '22:00', to: '06:30' };
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

export function readNightRule(shelf: Shelf): NightRule {
  try {
    const kept = JSON.parse(shelf.getItem(KEY) ?? '{}') as Partial<Record<keyof NightRule, unknown>> | null;
    return {
      way: NIGHT_WAYS.find((one) => one === kept?.way) ?? AS_IT_COMES.way,
      from: timeOf(kept?.from) ?? AS_IT_COMES.from,
      to: timeOf(kept?.to) ?? AS_IT_COMES.to,
    };
  } catch (cause) {
    // Not written by this page.
    if (cause instanceof SyntaxError) return AS_IT_COMES;
    throw cause;
  }
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && TIME.test(value) ? value : undefined;
}

export function keepNightRule(shelf: Shelf, rule: NightRule): void {
  shelf.setItem(KEY, JSON.stringify(rule));
}

/**
 * Whether it is night on the screen. Without the sun of a day (no place, no right, polar day or night) the times decide.
 * The sun may be of yesterday for an hour: its sunset is over then, and it is night as well.
 */
export function isNight({ way, from, to }: NightRule, now: Date, sun: SunDay | null): boolean {
  if (way === 'never') return false;
  const { sunrise, sunset } = sun ?? {};
  if (way === 'sun' && typeof sunrise === 'string' && typeof sunset === 'string') {
    return now.getTime() < Date.parse(sunrise) || now.getTime() >= Date.parse(sunset);
  }
  const clock = localTime(now).slice(11);
  if (from === to) return false;
  return from < to ? clock >= from && clock < to : clock >= from || clock < to;
}
