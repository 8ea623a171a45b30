import type { Clock } from '#base/time/clock.ts';

/** Defends a name that the hub has (RFC 6762 section 9). */
export type NameDefence = {
  /** Another host claims the name. */
  readonly hear: (holder: string) => void;
};

type NameDefenceDeps = {
  /** Announces the name once more: a host that took it by accident gives it up. */
  readonly announce: (holder: string) => void;
  /** One host keeps claiming the name: then the hub has to ask the network again. */
  readonly onStable: (holder: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

const ANNOUNCE_EVERY_MS = 1_000;
const STABLE_AFTER = 3;
const FORGOTTEN_AFTER_MS = 60_000;
/** While the hub asks the network it does not answer to the name: no host may force it to ask all the time. */
const ASK_EVERY_MS = 60_000;
const MAX_HOLDERS = 64;

export function createNameDefence({ announce, onStable, clock }: NameDefenceDeps): NameDefence {
  const holders = new Map<string, { readonly times: number; readonly lastMs: number }>();
  let announcedMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    hear: (holder) => {
      const nowMs = clock.monotonicMs();
      // A claim counts only if it came after an announcement had time to reach its sender.
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
