import type { Clock } from '#base/time/clock.ts';

/** Stands up for a name that the hub has (RFC 6762 section 9). */
export type NameDefence = {
  /** Another host says that the name is its own. */
  readonly hear: (holder: string) => void;
};

export type NameDefenceDeps = {
  /** Says once more whose the name is: a host that took it by accident gives it up. */
  readonly announce: (holder: string) => void;
  /** One host says so whatever it is told: then the network has to be asked. */
  readonly onStable: (holder: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const ANNOUNCE_EVERY_MS = 1_000;
const STABLE_AFTER = 3;
const FORGOTTEN_AFTER_MS = 60_000;
/** While the network is asked the hub does not answer to the name: nobody is to bring that about all the time. */
const ASK_EVERY_MS = 60_000;
const MAX_HOLDERS = 64;

export function createNameDefence({ announce, onStable, clock }: NameDefenceDeps): NameDefence {
  const holders = new Map<string, { readonly times: number; readonly lastMs: number }>();
  let announcedMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    hear: (holder) => {
      const nowMs = clock.monotonicMs();
      // What was on its way when the hub spoke counts as little as what the hub has not answered yet.
      if (nowMs - announcedMs < ANNOUNCE_EVERY_MS) return;
      announcedMs = nowMs;
      announce(holder);
      const known = holders.get(holder);
      const times = known !== undefined && nowMs - known.lastMs < FORGOTTEN_AFTER_MS ? known.times + 1 : 1;
      holders.delete(holder);
      holders.set(holder, { times, lastMs: nowMs });
      const [oldest] = holders.keys();
      if (holders.size > MAX_HOLDERS && oldest !== undefined) holders.delete(oldest);
      if (times < STABLE_AFTER || nowMs - askedMs < ASK_EVERY_MS) return;
      askedMs = nowMs;
      holders.clear();
      onStable(holder);
    },
  };
}
