import type { Runtime } from '#base/time/runtime.ts';
import { repeat } from '#base/time/repeat.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { type BucketEdges, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import type { HourSpan } from './hour.ts';

/** A follower deals with each hour once it is over. */
type HourFollower = {
  /** Its place is kept under this name. */
  readonly name: string;
  /**
   * Called with every hour in order, one at a time, five minutes after its end, also with the hours in which the hub was off.
   * Once it resolves, the place moves on. An hour may come twice after a power cut, and its samples may have changed by then.
   * If it rejects, the same hour comes again a minute later.
   */
  readonly takeHour: (hour: Pick<HourSpan, 'fromMs' | 'toMs'>) => Promise<void>;
};

type HourWatchDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly meta: {
    readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
    /** Writes the entries together with the next other write. */
    readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  };
  readonly timeZone: () => TimeZone;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
};

const LOOK_MS = 60_000;
/** Late reports of an hour come within this time. */
const SETTLE_MS = 300_000;
/** Nobody waits for older hours: their samples are gone. */
const MAX_BEHIND_MS = 400 * 86_400_000;
/** A place that is further ahead was noted while the clock was wrong. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * Tells each follower of every hour that is over, until the returned function is called. A new follower begins with the hour
 * that is under way. While the clock may be wrong, the hub does not know which hour it is, and nobody is called.
 */
export function startHourWatch(deps: HourWatchDeps, followers: readonly HourFollower[]): () => void {
  const { hubClock, startTimer } = deps;
  const ended = new AbortController();
  const places = createPlaces(deps);
  const busy = new Set<HourFollower>();
  const look = (): void => {
    if (!hubClock.isSynced()) return;
    for (const follower of followers) {
      if (busy.has(follower)) continue;
      busy.add(follower);
      void callWithHours(deps, { follower, places, signal: ended.signal }).finally(() => busy.delete(follower));
    }
  };
  const stop = repeat(startTimer, LOOK_MS, look);
  return () => {
    stop();
    ended.abort();
  };
}

type Places = ReturnType<typeof createPlaces>;

function createPlaces({ meta }: HourWatchDeps) {
  const keyOf = (name: string): string => `hours_${name}`;
  const known = new Map<string, number>();
  return {
    /** `undefined` for a follower that was never called. */
    find: async (name: string): Promise<number | undefined> => {
      const kept = known.get(name) ?? Number((await meta.loadMeta()).get(keyOf(name)) ?? Number.NaN);
      return Number.isFinite(kept) ? kept : undefined;
    },
    keep: (name: string, atMs: number): void => {
      known.set(name, atMs);
      meta.addMeta(new Map([[keyOf(name), String(atMs)]]));
    },
  };
}

type Call = { readonly follower: HourFollower; readonly places: Places; readonly signal: AbortSignal };

/** Never rejects. */
async function callWithHours(deps: HourWatchDeps, { follower, places, signal }: Call): Promise<void> {
  const { hubClock, timeZone, log } = deps;
  const { name } = follower;
  try {
    const kept = await places.find(name);
    for (let fromMs = beginOf(kept, hubClock.nowMs(), hourEdges(timeZone)); !signal.aborted;) {
      if (fromMs !== kept) places.keep(name, fromMs);
      const toMs = hourEdges(timeZone).endOf(fromMs);
      if (toMs + SETTLE_MS > hubClock.nowMs()) return;
      await follower.takeHour({ fromMs, toMs });
      fromMs = toMs;
    }
  } catch (cause) {
    log.error('an hour could not be taken and is tried again', { follower: name, cause });
  }
}

function hourEdges(timeZone: HourWatchDeps['timeZone']): BucketEdges {
  return createBucketEdges('1h', timeZone());
}

function beginOf(kept: number | undefined, nowMs: number, edges: BucketEdges): number {
  if (kept === undefined || kept > nowMs + MAX_AHEAD_MS) return edges.startOf(nowMs);
  return kept < nowMs - MAX_BEHIND_MS ? edges.startOf(nowMs - MAX_BEHIND_MS) : kept;
}
