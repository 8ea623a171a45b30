import type { TimeZone } from '#base/time/time-zone.ts';

/** Local times of day, as `22:00`; the end may be on the next day. */
export type QuietHours = { readonly from: string; readonly to: string };

export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * The end of the quiet hours that hold at this wall time; `null` if none do. Equal times mean the whole day. In the night
 * of a change of the clock they begin and end at their local times, as people read them.
 */
export function quietUntilMs({ from, to }: QuietHours, wallMs: number, zone: TimeZone): number | null {
  const localMs = wallMs + zone.offsetMs(wallMs);
  const midnightMs = Math.floor(localMs / DAY_MS) * DAY_MS;
  const [fromMs, toMs] = [msOf(from), msOf(to)];
  // First come the quiet hours that began yesterday, then the ones that begin today.
  for (const dayMs of [midnightMs - DAY_MS, midnightMs]) {
    const startMs = dayMs + fromMs;
    const endMs = dayMs + toMs + (toMs <= fromMs ? DAY_MS : 0);
    if (localMs < startMs || localMs >= endMs) continue;
    const instantMs = zone.instantOf(endMs);
    // In the hour that comes a second time, the first end is past, and the second one is meant.
    return instantMs > wallMs ? instantMs : wallMs + endMs - localMs;
  }
  return null;
}

function msOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** When each person wants to be left alone. On disk before it holds. */
export type QuietHoursBook = Awaited<ReturnType<typeof openQuietHours>>;

type QuietHoursStore = {
  readonly loadQuietHours: () => Promise<ReadonlyMap<string, QuietHours>>;
  /** For a user that is there; they go with the user. */
  readonly saveQuietHours: (userId: string, hours: QuietHours | null) => Promise<void>;
};

export async function openQuietHours(store: QuietHoursStore) {
  const byUser = new Map(await store.loadQuietHours());
  return {
    of: (userId: string): QuietHours | null => byUser.get(userId) ?? null,
    set: async (userId: string, hours: QuietHours | null): Promise<void> => {
      await store.saveQuietHours(userId, hours);
      if (hours === null) byUser.delete(userId);
      else byUser.set(userId, hours);
    },
  };
}
