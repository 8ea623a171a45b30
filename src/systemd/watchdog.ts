import { repeat } from '#base/time/repeat.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';

export type WatchdogDeps = {
  /** Without a word for so long systemd ends the service. */
  readonly withinMs: number;
  readonly feed: () => void;
  /** Resolves where the service works; rejects with what does not, or never settles where that hangs. */
  readonly checkAlive: () => Promise<void>;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
  readonly log: Log;
};

/** A third, so that one miss is not the end. */
const TRIES = 3;
/** What waits for a slow card is given twice the time of what hangs by itself: a restart makes no card faster. */
const PATIENCE = 2;

/** How often systemd wants to hear of this process; `undefined` where it does not. */
export function readWatchdogMs(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  const { WATCHDOG_USEC: usec, WATCHDOG_PID: watched } = environment;
  if (usec === undefined || (watched !== undefined && watched !== String(pid))) return undefined;
  return /^[1-9]\d{0,14}$/.test(usec) ? Number(usec) / 1000 : undefined;
}

/** Feeds as long as the event loop turns and the service is alive; the result ends it. */
export function startWatchdog(deps: WatchdogDeps): () => void {
  const { withinMs, feed, checkAlive, startTimer, monotonicMs, log } = deps;
  let sinceMs: number | undefined;
  let isEnded = false;
  let isStarving = false;

  const alive = (): void => {
    if (isEnded) return;
    if (isStarving) log.info('the watchdog is fed again');
    isStarving = false;
    feed();
  };
  const starve = (cause: unknown): void => {
    if (isEnded) return;
    if (!isStarving) log.error('the hub hangs: the watchdog is no longer fed', { cause });
    isStarving = true;
  };
  const look = async (): Promise<void> => {
    sinceMs = monotonicMs();
    try {
      await checkAlive();
      alive();
    } catch (cause) {
      starve(cause);
    }
    sinceMs = undefined;
  };
  const tick = (): void => {
    if (sinceMs === undefined) void look();
    else if (monotonicMs() - sinceMs < withinMs * PATIENCE) alive();
    else starve(new Error(`no answer for ${Math.round((monotonicMs() - sinceMs) / 1000)} s`));
  };
  tick();
  const stopTicking = repeat(startTimer, withinMs / TRIES, tick);
  return () => {
    isEnded = true;
    stopTicking();
  };
}
