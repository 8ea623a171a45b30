import type { Runtime } from '#base/time/runtime.ts';
import { repeat } from '#base/time/repeat.ts';

type WatchdogDeps = Pick<Runtime, 'startTimer' | 'monotonicMs' | 'log'> & {
  /** systemd ends the service after this long without a message. */
  readonly withinMs: number;
  readonly feed: () => void;
  /** Resolves if the service works; rejects with the fault, or never settles if a part hangs. */
  readonly checkAlive: () => Promise<void>;
};

/** Messages per interval, so that one missed message does not end the service. */
const TRIES = 3;
/** A check may take twice the interval: it may wait for a slow card, and a restart makes no card faster. */
const PATIENCE = 2;

/** The interval within which systemd expects messages of this process; `undefined` without a watchdog. */
export function readWatchdogMs(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  const { WATCHDOG_USEC: usec, WATCHDOG_PID: watched } = environment;
  if (usec === undefined || (watched !== undefined && watched !== String(pid))) return undefined;
  return /^[1-9]\d{0,14}$/.test(usec) ? Number(usec) / 1000 : undefined;
}

/** Feeds the watchdog while the event loop turns and the service works; the returned function stops it. */
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
