import type { StartTimer } from '#base/time/timer.ts';
import type { Delay } from '#integrations/home-assistant-discovery/entity/entity.ts';

type DelayedFeature = { readonly externalId: string; readonly key: string };

/** Node.js takes a longer time for none. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Runs the delays of features. They go on when a device is described anew, which happens with each message about it.
 */
export function createDelays(startTimer: StartTimer, onDue: (feature: DelayedFeature, what: Delay) => void) {
  const running = new Map<string, Map<string, () => void>>();
  const end = (externalId: string, name: string): void => {
    const own = running.get(externalId);
    own?.get(name)?.();
    own?.delete(name);
    if (own?.size === 0) running.delete(externalId);
  };
  return {
    /** In the place of the one before; `null` ends it. */
    set: (feature: DelayedFeature, what: Delay, afterMs: number | null): void => {
      const { externalId, key } = feature;
      const name = delayName(what, key);
      end(externalId, name);
      if (afterMs === null) return;
      const stopTimer = startTimer(Math.min(afterMs, MOST_MS), () => {
        end(externalId, name);
        onDue(feature, what);
      });
      running.set(externalId, (running.get(externalId) ?? new Map()).set(name, stopTimer));
    },
    /** Ends those of a device that are not among these. */
    keep: (externalId: string, delays: ReadonlySet<string>): void => {
      for (const name of running.get(externalId)?.keys() ?? []) if (!delays.has(name)) end(externalId, name);
    },
    stop: (): void => {
      for (const own of running.values()) for (const stopTimer of own.values()) stopTimer();
      running.clear();
    },
  };
}

export function delayName(what: Delay, key: string): string {
  return `${what} ${key}`;
}
