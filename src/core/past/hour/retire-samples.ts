import type { TimeZone } from '#base/time/time-zone.ts';
import type { Device } from '#core/device/device.ts';
import { createBucketEdges } from '#core/past/history/bucket-edges.ts';
import type { DeletionRange, HistoryStore } from '#core/past/history/history-store.ts';
import type { OpenHistorySettings } from '#core/past/history/history-settings.ts';

type RetirementDeps = {
  readonly history: Pick<HistoryStore, 'listSeries' | 'deleteSamples'>;
  readonly settings: Pick<OpenHistorySettings, 'present' | 'rawDaysOf'>;
  readonly findDevice: (id: string) => Device | undefined;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  readonly timeZone: () => TimeZone;
};

const DAY_MS = 86_400_000;
/** Overwriting a part of a month writes all of it, so that it waits for a month of samples. */
const BATCH_MS = 30 * DAY_MS;

/** Removes the samples that a rule keeps for fewer days than the others. Their hours stay. */
export async function retireSamples(deps: RetirementDeps): Promise<void> {
  const { history, settings, hubClock } = deps;
  // Most homes have no such rule.
  if (!hubClock.isSynced() || settings.present().per.every(({ rawDays }) => rawDays === null)) return;
  const edges = createBucketEdges('1d', deps.timeZone());
  const nowMs = hubClock.nowMs();
  for (let after: string | null = null; ;) {
    const page = await history.listSeries(after);
    const ranges = page.series.flatMap(({ name: series, firstMs }): DeletionRange[] => {
      const slash = series.indexOf('/');
      const device = deps.findDevice(series.slice(0, slash));
      const feature = device?.features.find(({ key }) => key === series.slice(slash + 1));
      if (device === undefined || feature === undefined || device.id !== series.slice(0, slash)) return [];
      const rawDays = settings.rawDaysOf(device, feature);
      if (rawDays === null || firstMs >= nowMs - rawDays * DAY_MS - BATCH_MS) return [];
      // Whole days: the hours of a day are made of all of it.
      return [{ series, fromMs: -Infinity, toMs: edges.startOf(nowMs - rawDays * DAY_MS), retires: 'samples' }];
    });
    if (ranges.length > 0) await history.deleteSamples(ranges);
    if (page.next === null) return;
    after = page.next;
  }
}
