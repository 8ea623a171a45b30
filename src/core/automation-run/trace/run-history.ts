import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import { repeat } from '#base/time/repeat.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { createNearMisses, type NearMisses } from './near-misses.ts';
import { DAYS_COUNTED } from './run-counts.ts';
import { createRunRegistry, type RunRegistry } from './run-registry.ts';
import type { RunChanges, RunStore, StoredPast, StoredRun } from './run-store.ts';

type RunHistoryDeps = {
  readonly store: RunStore;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly startTimer: StartTimer;
  /** The zone of the home, whose days are counted. */
  readonly timeZone: () => TimeZone;
  /** Whether there is such an automation, be it in the trash: of others nothing is kept. */
  readonly isKnown: (id: AutomationId) => boolean;
};

export type RunHistory = {
  readonly runs: RunRegistry;
  readonly nearMisses: NearMisses;
  /** Forgets what says who was at home in this time; once it resolves, it is gone from the disk too. */
  readonly forgetPresence: (range: { readonly fromMs: number; readonly toMs: number }) => Promise<void>;
  /** Gives the store all that changed. */
  readonly stop: () => void;
};

/** So long what changed waits for company: the store writes it hours later. */
const KEEP_MS = 60_000;
/** More traces than this are packed at once: a few hundred kilobytes. */
const MANY = 64;
const UPKEEP_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Remembers what automations did: the runs before this process as far as they are kept, and all from now on. */
export async function openRunHistory({
  store,
  hubClock,
  startTimer,
  timeZone,
  isKnown,
}: RunHistoryDeps): Promise<RunHistory> {
  const { nowMs } = hubClock;
  const dayOf = (atMs: number): number => Math.floor((atMs + timeZone().offsetMs(atMs)) / DAY_MS);
  const [saved, pasts, counts] = await Promise.all([
    loadRuns(store),
    store.loadPasts(),
    store.loadCounts(dayOf(nowMs()) - DAYS_COUNTED),
  ]);
  let stopTimer: (() => void) | undefined;
  const onChange = (): void => {
    if (runs.freshCount() >= MANY) keep();
    else stopTimer ??= startTimer(KEEP_MS, keep);
  };
  const shared = {
    epoch: hubClock.epoch,
    shiftMsOf: (epoch: string) => hubTimeShiftMs(hubClock, epoch),
    nowMs,
    dayOf,
    onChange,
  };
  const removed = new Set<AutomationId>();
  const lasts = new Map(pasts.flatMap(({ automation, last }) => (last === null ? [] : [[automation, last] as const])));
  const runs = createRunRegistry(shared, { runs: saved, counts, lasts });
  const nearMisses = createNearMisses(shared, new Map(pasts.map((past) => [past.automation, past.nearMisses])));
  const takeChanges = (): RunChanges | undefined => {
    stopTimer?.();
    stopTimer = undefined;
    const dirt = runs.takeDirt();
    const ofPasts = new Set([...dirt.lasts, ...nearMisses.takeDirt()]);
    const changed: StoredPast[] = [...ofPasts].map((automation) => ({
      automation,
      last: runs.lastStored(automation),
      nearMisses: nearMisses.saved(automation),
    }));
    const goneAutomations = [...removed];
    removed.clear();
    const changes = { runs: dirt.runs, goneRuns: dirt.goneRuns, counts: dirt.counts, pasts: changed, goneAutomations };
    return Object.values(changes).some(({ length }) => length > 0) ? changes : undefined;
  };
  function keep(): void {
    const changes = takeChanges();
    if (changes !== undefined) store.keep(changes);
  }
  const remove = (automation: AutomationId): void => {
    removed.add(automation);
    nearMisses.remove(automation);
    runs.remove(automation);
  };
  // What is too old goes, also while nothing runs.
  const stopUpkeep = repeat(startTimer, UPKEEP_MS, () => {
    runs.forgetOld();
    for (const id of runs.automations()) if (!isKnown(id)) remove(id);
    keep();
  });
  return {
    runs: { ...runs, remove },
    nearMisses,
    forgetPresence: (range) => {
      runs.forgetPresence(range);
      nearMisses.forgetPresence(range);
      const changes = takeChanges();
      return changes === undefined ? Promise.resolve() : store.write(changes);
    },
    stop: () => {
      stopUpkeep();
      keep();
      stopTimer?.();
    },
  };
}

async function loadRuns(store: RunStore): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = [];
  for (let page = await store.loadRuns(null); page.length > 0; page = await store.loadRuns(page.at(-1)?.id ?? null)) {
    for (const run of page) runs.push(run);
  }
  // Ids begin with the time.
  return runs;
}
