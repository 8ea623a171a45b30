import { instantOf, localTime } from '#web/strings/hub-zone.ts';

export const ENDS = ['none', 'sunday', 'week', 'other'] as const;
/** How long a guest stays; `other` is the moment that a person entered, RFC 3339. */
export type Stay = { readonly end: (typeof ENDS)[number]; readonly other: string | null };
export const NO_END: Stay = { end: 'none', other: null };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVENING_MS = 20 * HOUR_MS;

/** The moment as the hub takes it; `null` for no end. */
export function endOf({ end, other }: Stay, nowMs: number): string | null {
  if (end === 'none') return null;
  return end === 'other' ? other : stayEnds(nowMs)[end];
}

/** The next Sunday evening and the evening a week from now, at 20:00 of the hub's zone; never within the next hour. */
export function stayEnds(nowMs: number): { readonly sunday: string; readonly week: string } {
  const localMs = Date.parse(`${localTime(nowMs)}Z`);
  const todayMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  const untilSunday = (7 - new Date(todayMs).getUTCDay()) % 7;
  const sundayMs = todayMs + untilSunday * DAY_MS + EVENING_MS;
  const momentOf = (ms: number): string => new Date(instantOf(ms)).toISOString();
  return {
    sunday: momentOf(sundayMs - localMs < HOUR_MS ? sundayMs + 7 * DAY_MS : sundayMs),
    week: momentOf(todayMs + 7 * DAY_MS + EVENING_MS),
  };
}
