import { systemClock } from '#base/time/clock.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { openRunHistory } from '#core/automation-run/trace/run-history.ts';
import type { AutomationRunRoutesDeps } from '#http/automation-run/routes.ts';

/** What the calls about runs need, in a home whose automations never did anything. */
export async function openTestRuns(): Promise<Pick<AutomationRunRoutesDeps, 'runHistory' | 'replayWindow'>> {
  const nowMs = systemClock.wallMs;
  const runHistory = await openRunHistory({
    store: {
      keep: () => undefined,
      write: async () => undefined,
      loadRuns: async () => [],
      loadPasts: async () => [],
      loadCounts: async () => [],
    },
    hubClock: { nowMs, epoch: () => 'test', nowInEpochMs: nowMs },
    startTimer: () => () => undefined,
    timeZone: () => createTimeZone('UTC'),
    isKnown: () => true,
  });
  return { runHistory, replayWindow: undefined };
}
