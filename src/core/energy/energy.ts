import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { type BucketEdges, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { TimeSpan } from '#core/past/hour/time-span.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { deleteHours, type EnergyDeletion } from './deleted-hours.ts';
import type { EnergyStore } from './energy-store.ts';
import { type HourAccount, readHours } from './hour-account.ts';
import {
  hasSources,
  NO_ENERGY,
  seriesName,
  type SeriesRef,
  type StoredEnergySettings,
  type Tariff,
} from './settings.ts';
import type { Period } from './period.ts';
import { createSettlement, type Settlement, type SettlementDeps } from './settlement.ts';
import { type MergedSlots, mergeSlots } from './price-slots.ts';
import { createPrices, type PriceSlot } from './tariff.ts';

/** Knows what the home used and what that cost. Changes are on disk before they take effect. */
export type Energy = {
  readonly settings: () => StoredEnergySettings;
  /** `change` makes the new settings from the present ones; what it throws is thrown. */
  readonly changeSettings: (
    change: (old: StoredEnergySettings) => StoredEnergySettings,
    terms?: Terms,
  ) => Promise<StoredEnergySettings>;
  /** `fail` is called, and throws, if there is no such tariff that takes prices. The same prices again change nothing. */
  readonly takePrices: (
    tariff: string,
    slots: readonly PriceSlot[],
    terms: Terms & { fail: () => never },
  ) => Promise<void>;
  /**
   * Settles the hours of this range once more, with the settings and prices of now, and resolves with how many. What the
   * history no longer knows stays as it was.
   */
  readonly recalculate: (fromMs: number, toMs: number, terms?: Terms) => Promise<number>;
  /**
   * Deletes amounts and costs of settled hours for ever, and resolves with how many hours had any. What is not settled yet is
   * read from the history, which is deleted there.
   */
  readonly deleteHours: (wanted: EnergyDeletion, terms?: Terms) => Promise<number>;
  /**
   * What was measured in a range: as it was settled or, where it is not settled yet, as it looks now. The accounts are in
   * order, and each lies in one bucket: of a year they are not hours, which would take the hub half a second to add up.
   */
  readonly accounts: (range: AccountRange) => Promise<readonly HourAccount[]>;
  /** Hours before this stay as they are; `null` if none is settled. */
  readonly settledUntilMs: () => number | null;
  /** Called after a change of what `settings` or `accounts` return. */
  readonly onChange: (listener: (what: 'settings' | 'hours') => void) => () => void;
  /** Settles the hours that are over; to call after each, and now and then: a person may have set the clock. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
};
type Terms = Pick<ChangeTerms, 'authorize'>;
type AccountRange = Pick<Period, 'fromMs' | 'toMs' | 'bucket'>;

type EnergyDeps = Pick<SettlementDeps, 'hubClock' | 'meta' | 'settleSamples'> & {
  readonly store: EnergyStore;
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice'>;
  readonly timeZone: () => TimeZone;
  readonly log: Log;
};

const DAY_MS = 86_400_000;
/** Hours that wait to be settled may be read anew this often. */
const FRESH_MS = 10_000;
const PAGE_MS = 31 * DAY_MS;
/** The storage adds up so many hours in a few milliseconds. */
const SUM_MS = 7 * DAY_MS;

export async function openEnergy(deps: EnergyDeps): Promise<Energy> {
  const { store, hubClock, log } = deps;
  let settings = (await store.loadEnergySettings()) ?? NO_ENERGY;
  const slots = new Map(await store.loadEnergyPrices());
  const turn = createTurnQueue();
  const subscribers = createSubscribers<[what: 'settings' | 'hours']>(log);
  const edges = (): BucketEdges => createBucketEdges('1h', deps.timeZone());
  const read: ReadRange = (fromMs, toMs) => readWith({ ...deps, settings, slots, edges: edges() }, fromMs, toMs);
  const settlement = await createSettlement({ ...deps, read, edges, settings: () => settings });
  const settleDay = async (): Promise<number> => {
    const count = await settlement.settleDay();
    if (count > 0) subscribers.tell('hours');
    return count;
  };
  /** Others have their turns between two days. */
  const settle = async (): Promise<void> => {
    while ((await turn(settleDay)) > 0);
  };
  const noteFailure = (cause: unknown): void => log.error('the hours of energy could not be settled', { cause });
  const settleSoon = (): void => void settle().catch(noteFailure);
  const findWaiting = createWaitingHours(read, hubClock.nowMs);
  const keepPrices = async (tariff: Tariff, merged: MergedSlots, sent: readonly PriceSlot[]): Promise<void> => {
    const { slots: next, ...change } = merged;
    await store.saveEnergyPrices(tariff.id, change);
    slots.set(tariff.id, next);
    findWaiting.forget();
    // Hours that were settled before their prices came get them now; hours with a cost keep it.
    await settlement.priceLate(tariff.for, sent);
    subscribers.tell('hours');
  };
  settleSoon();

  return {
    settings: () => settings,
    changeSettings: (change, { authorize } = {}) =>
      turn(async () => {
        // What is over was used under the settings of before.
        await settleDay().catch(noteFailure);
        authorize?.();
        const changed = change(settings);
        if (changed === settings) return settings;
        await store.saveEnergySettings(changed);
        settings = changed;
        findWaiting.forget();
        subscribers.tell('settings');
        settleSoon();
        return changed;
      }),
    takePrices: (id, sent, { authorize, fail }) =>
      turn(async () => {
        authorize?.();
        const tariff = settings.tariffs.find((one) => one.id === id && one.kind === 'pushed');
        if (tariff === undefined) return fail();
        const merged = mergeSlots(slots.get(id) ?? [], sent, hubClock.nowMs());
        if (merged !== undefined) await keepPrices(tariff, merged, sent);
        return undefined;
      }),
    recalculate: (fromMs, toMs, { authorize } = {}) =>
      turn(async () => {
        const count = await settlement.recalculate(fromMs, toMs, authorize);
        findWaiting.forget();
        subscribers.tell('hours');
        return count;
      }),
    deleteHours: (wanted, terms) =>
      turn(async () => {
        // What is over is settled first: else it would come back from the history.
        while ((await settleDay()) > 0);
        const settled = { range: settlement.range(), edges: edges(), settings };
        const count = await deleteHours({ store, ...terms }, wanted, settled);
        if (count > 0) subscribers.tell('hours');
        return count;
      }),
    accounts: createAccountFinder({ ...deps, settlement, findWaiting, read, settings: () => settings }),
    settledUntilMs: () => settlement.range()?.toMs ?? null,
    onChange: subscribers.add,
    settle,
    stop: async () => {
      settlement.stop();
      await turn(async () => undefined);
    },
  };
}

type ReadDeps = Pick<EnergyDeps, 'history' | 'timeZone'> & {
  readonly settings: StoredEnergySettings;
  readonly slots: ReadonlyMap<string, readonly PriceSlot[]>;
  readonly edges: BucketEdges;
};

function readWith({ history: store, timeZone, settings, slots, edges }: ReadDeps, ...range: Parameters<ReadRange>) {
  const powers = new Set(settings.powers);
  const prices = createPrices({
    tariffs: settings.tariffs,
    slotsOf: (tariff) => slots.get(tariff) ?? [],
    zone: timeZone(),
  });
  const kindOf = (series: SeriesRef) => (powers.has(seriesName(series)) ? 'power' : 'counter');
  return readHours({ store, settings, kindOf, prices, edges }, ...range);
}

type AccountFinderDeps = Pick<EnergyDeps, 'store' | 'hubClock' | 'timeZone'> & {
  readonly settlement: Pick<Settlement, 'range'>;
  readonly findWaiting: ReturnType<typeof createWaitingHours>;
  readonly read: ReadRange;
  readonly settings: () => StoredEnergySettings;
};
type ReadRange = (fromMs: number, toMs: number) => Promise<readonly HourAccount[]>;

function createAccountFinder({
  store,
  hubClock,
  timeZone,
  settlement,
  findWaiting,
  read,
  settings,
}: AccountFinderDeps): Energy['accounts'] {
  return async ({ fromMs, toMs, bucket }) => {
    const nowMs = hubClock.nowMs();
    const settled = settlement.range();
    const list: HourAccount[] = [];
    if (!hasSources(settings()) && settled === null) return list;
    // Before the first settled hour only a day is read from the history: more would take too long for an answer.
    if ((settled === null || fromMs < settled.fromMs) && toMs - fromMs < 2 * DAY_MS) {
      const endMs = Math.min(toMs, nowMs, settled?.fromMs ?? Infinity);
      if (endMs > fromMs) list.push(...(await read(fromMs, endMs)));
    }
    if (settled === null) return list;
    const range = { fromMs: Math.max(fromMs, settled.fromMs), toMs: Math.min(toMs, settled.toMs) };
    if (bucket === '1h') {
      for (let atMs = range.fromMs; atMs < range.toMs; atMs += PAGE_MS) {
        list.push(...(await store.loadEnergyHours(atMs, Math.min(range.toMs, atMs + PAGE_MS))));
      }
    } else list.push(...(await readSums(store, range, createBucketEdges(bucket, timeZone()))));
    if (toMs > settled.toMs && nowMs > settled.toMs) {
      list.push(...(await findWaiting.find(Math.max(fromMs, settled.toMs), Math.min(toMs, nowMs))));
    }
    return list;
  };
}

async function readSums(
  store: Pick<EnergyStore, 'sumEnergyHours'>,
  { fromMs, toMs }: TimeSpan,
  edges: BucketEdges,
): Promise<readonly HourAccount[]> {
  const sums: HourAccount[] = [];
  for (let atMs = fromMs; atMs < toMs;) {
    const endMs = Math.min(toMs, atMs + SUM_MS, edges.endOf(edges.startOf(atMs)));
    const sum = await store.sumEnergyHours(atMs, endMs);
    if (sum !== null) sums.push(sum);
    atMs = endMs;
  }
  return sums;
}

/** Hours since the last settled one. Callers that ask for the same within some seconds share one reading. */
function createWaitingHours(read: ReadRange, nowMs: () => number) {
  let last:
    | {
        readonly fromMs: number;
        readonly toMs: number;
        readonly atMs: number;
        readonly hours: Promise<readonly HourAccount[]>;
      }
    | undefined;
  return {
    forget: (): void => {
      last = undefined;
    },
    find: (givenMs: number, toMs: number): Promise<readonly HourAccount[]> => {
      const atMs = nowMs();
      // A hub that was off for months reads only the last month.
      const fromMs = Math.max(givenMs, toMs - PAGE_MS);
      const isFresh = (sinceMs: number, untilMs: number): boolean => untilMs >= sinceMs && untilMs - sinceMs < FRESH_MS;
      if (last?.fromMs === fromMs && isFresh(last.atMs, atMs) && isFresh(last.toMs, toMs)) return last.hours;
      const hours = read(fromMs, toMs);
      last = { fromMs, toMs, atMs, hours };
      hours.catch(() => {
        last = undefined;
      });
      return hours;
    },
  };
}
