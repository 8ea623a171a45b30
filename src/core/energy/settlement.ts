import type { BucketEdges } from '#core/past/history/bucket-edges.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import { withDeleted } from './deleted-hours.ts';
import type { EnergyStore, SettledRange } from './energy-store.ts';
import type { HourAccount } from './hour-account.ts';
import type { MeterHour } from './meter.ts';
import { KEEP_PRICES_MS } from './price-slots.ts';
import { type Flow, hasSources, type PricedFlow, seriesName, type StoredEnergySettings } from './settings.ts';
import type { PriceSlot } from './tariff.ts';
import { isJsonObject, parseJson } from '#base/json.ts';

export type SettlementDeps = {
  readonly store: Pick<EnergyStore, 'loadEnergyHours' | 'saveEnergyHours' | 'forgetEnergyHours' | 'readSettledRange'>;
  readonly hubClock: SettlingClock;
  readonly meta: ToldHoursStore;
  /** Resolves with whether the history has all samples at the times that the clock knows by now. */
  readonly settleSamples: () => Promise<boolean>;
  readonly read: (fromMs: number, toMs: number) => Promise<readonly HourAccount[]>;
  readonly edges: () => BucketEdges;
  readonly settings: () => StoredEnergySettings;
};

type SettlingClock = Pick<OpenHubClock, 'nowMs' | 'isSynced' | 'toldForMs' | 'epoch' | 'learnedShiftMs'>;

/** Settles hours once they are over: from then on their amounts and costs stay as they are. */
export type Settlement = {
  readonly range: () => SettledRange | null;
  /** Settles a day of the hours that are over, and resolves with how many. To call one at a time, as the next two. */
  readonly settleDay: () => Promise<number>;
  readonly recalculate: (fromMs: number, toMs: number, authorize?: () => void) => Promise<number>;
  /** Gives settled hours in these slots a cost where they have amounts of this flow without a price. */
  readonly priceLate: (flow: PricedFlow, slots: readonly PriceSlot[]) => Promise<void>;
  /** What is under way ends before its next day. */
  readonly stop: () => void;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Reports that come so late are still counted. */
const SETTLE_AFTER_MS = 5 * MINUTE_MS;
/** How far the first settlement goes back, and one after a long time without any. */
const CATCH_UP_MS = 31 * DAY_MS;
/**
 * A clock that a person set counts once it has gone uncorrected for so long, and only for hours that are as old: who sets
 * it by a day or less wrong, and corrects it, has changed nothing that is settled.
 */
const TOLD_MS = DAY_MS;
/** When the clocks of a zone go back by half an hour. */
const LONGEST_HOUR_MS = 90 * MINUTE_MS;
/** Settled amounts are rounded. */
const SAME_AMOUNT = 0.001;

export async function createSettlement(deps: SettlementDeps): Promise<Settlement> {
  const { store, hubClock, read, edges, settings } = deps;
  const told = await openToldHours(deps.meta);
  const book = await openBook(deps);
  const { eachDay, save } = book;
  const settleAgain = createSecondSettling(deps, book, told);

  return {
    range: book.range,
    stop: book.stop,
    settleDay: async () => {
      if (!hasSources(settings())) return 0;
      const isSynced = hubClock.isSynced();
      const before = told.present();
      if (isSynced && before !== null) return settleAgain(before);
      // A clock that may be wrong would settle the wrong hours, for good.
      if (!isSynced && (hubClock.toldForMs() ?? 0) < TOLD_MS) return 0;
      const nowMs = hubClock.nowMs();
      // A person had set it too far ahead.
      if (before !== null && (book.range()?.toMs ?? 0) > nowMs) await book.forgetFrom(edges().startOf(nowMs));
      const fromMs = Math.max(book.range()?.toMs ?? 0, edges().startOf(nowMs - CATCH_UP_MS));
      const untilMs = edges().startOf(nowMs - (isSynced ? SETTLE_AFTER_MS : TOLD_MS));
      const toMs = Math.min(untilMs, edges().startOf(fromMs + DAY_MS));
      if (!isSynced && before === null && fromMs < toMs) {
        await told.keep({ fromMs, epoch: hubClock.epoch(), isBeingSettledAgain: false });
      }
      return eachDay(fromMs, toMs, async (dayMs, endMs) => {
        const hours = await read(dayMs, endMs);
        await save(hours);
        return hours.length;
      });
    },
    recalculate: async (fromMs, toMs, authorize) => {
      const beginMs = edges().startOf(fromMs);
      return eachDay(beginMs, Math.min(toMs, book.range()?.toMs ?? 0), async (dayMs, endMs) => {
        // The hour at the end is recalculated as a whole.
        const untilMs = Math.max(endMs, edges().endOf(edges().startOf(endMs - 1)));
        const settled = await store.loadEnergyHours(dayMs - LONGEST_HOUR_MS, untilMs);
        const old = new Map(settled.map((hour) => [hour.atMs, hour]));
        // Where the home moved by half an hour, its old hours stay as they are: beside them, new ones would count twice.
        const hours = (await read(dayMs, untilMs)).filter((hour) => !settled.some((one) => isCutBy(hour, one)));
        authorize?.();
        await save(
          hours.map((hour) => {
            const before = old.get(hour.atMs);
            return withDeleted(withOldWhereLost(hour, before, settings()), before);
          }),
        );
        return hours.length;
      });
    },
    priceLate: async (flow, slots) => {
      const { fromMs, toMs } = book.range() ?? { fromMs: 0, toMs: 0 };
      const beginMs = Math.max(
        fromMs,
        hubClock.nowMs() - KEEP_PRICES_MS,
        Math.min(...slots.map((slot) => slot.fromMs)),
      );
      const endMs = Math.min(toMs, Math.max(...slots.map((slot) => slot.toMs)));
      await eachDay(edges().startOf(beginMs), endMs, async (dayMs, dayEndMs) => {
        const lacking = (await store.loadEnergyHours(dayMs, dayEndMs)).filter(
          (hour) => (hour.flows[flow]?.cost?.unpriced ?? 0) > 0,
        );
        const [first, last] = [lacking[0], lacking.at(-1)];
        if (first === undefined || last === undefined) return 0;
        const now = new Map((await read(first.atMs, last.endMs)).map((hour) => [hour.atMs, hour]));
        const priced = lacking.flatMap((hour) => withCost(hour, flow, now.get(hour.atMs)) ?? []);
        await save(priced);
        return priced.length;
      });
    },
  };
}

type Book = Pick<Settlement, 'range' | 'stop'> & {
  /** One day after the other, so that little is lost when the hub ends, and others have their turns. */
  readonly eachDay: (
    fromMs: number,
    toMs: number,
    take: (dayMs: number, endMs: number) => Promise<number>,
  ) => Promise<number>;
  readonly save: (hours: readonly HourAccount[]) => Promise<void>;
  readonly forgetFrom: (fromMs: number) => Promise<void>;
};

/** The settled hours on the disk. */
async function openBook({ store, edges }: Pick<SettlementDeps, 'store' | 'edges'>): Promise<Book> {
  let range = await store.readSettledRange();
  const ended = new AbortController();
  return {
    range: () => range,
    stop: () => ended.abort(),
    eachDay: async (fromMs, toMs, take) => {
      let count = 0;
      for (let atMs = fromMs; atMs < toMs && !ended.signal.aborted;) {
        const endMs = Math.min(toMs, edges().startOf(atMs + DAY_MS));
        count += await take(atMs, endMs);
        atMs = endMs;
      }
      return count;
    },
    save: async (hours) => {
      const [first, last] = [hours[0], hours.at(-1)];
      if (first === undefined || last === undefined) return;
      await store.saveEnergyHours(hours);
      range = {
        fromMs: Math.min(range?.fromMs ?? first.atMs, first.atMs),
        toMs: Math.max(range?.toMs ?? last.endMs, last.endMs),
      };
    },
    forgetFrom: async (fromMs) => {
      await store.forgetEnergyHours(fromMs);
      range = await store.readSettledRange();
    },
  };
}

/** Settles a day of what a person's clock had settled, now that the true time is known. What was deleted stays deleted. */
function createSecondSettling(deps: SettlementDeps, book: Book, told: ToldHours) {
  const { store, hubClock, read, edges } = deps;
  /** Where these hours begin, as they are counted now. */
  const begin = async ({ fromMs, epoch }: ToldRange): Promise<number> => {
    const shiftMs = hubClock.learnedShiftMs(epoch) ?? 0;
    if (shiftMs < CATCH_UP_MS) return edges().startOf(fromMs + Math.min(0, shiftMs));
    // The years between have nothing.
    await book.forgetFrom(fromMs);
    return edges().startOf(fromMs + shiftMs);
  };
  return async (range: ToldRange): Promise<number> => {
    if (!(await deps.settleSamples())) return 0;
    const fromMs = range.isBeingSettledAgain ? range.fromMs : await begin(range);
    const untilMs = edges().startOf(hubClock.nowMs() - SETTLE_AFTER_MS);
    const toMs = Math.min(untilMs, edges().startOf(fromMs + DAY_MS));
    const count = await book.eachDay(fromMs, toMs, async (dayMs, endMs) => {
      const old = new Map((await store.loadEnergyHours(dayMs, endMs)).map((hour) => [hour.atMs, hour]));
      const hours = (await read(dayMs, endMs)).map((hour) => withDeleted(hour, old.get(hour.atMs)));
      await book.save(hours);
      return hours.length;
    });
    // The hub ends.
    if (count === 0 && fromMs < toMs) return 0;
    if (toMs < untilMs) await told.keep({ ...range, fromMs: Math.max(fromMs, toMs), isBeingSettledAgain: true });
    else {
      await book.forgetFrom(untilMs);
      await told.keep(null);
    }
    return count;
  };
}

function isCutBy(hour: HourAccount, other: HourAccount): boolean {
  return hour.atMs !== other.atMs && other.atMs < hour.endMs && hour.atMs < other.endMs;
}

/** An hour with its new cost of a flow, if what was measured is still what was settled. */
function withCost(hour: HourAccount, flow: PricedFlow, now: HourAccount | undefined): HourAccount | undefined {
  const settled = hour.flows[flow];
  const cost = now?.flows[flow]?.cost;
  if (settled === undefined || now === undefined || cost === undefined || cost === null) return undefined;
  const { amount = 0, inGap = 0 } = now.flows[flow] ?? {};
  if (Math.abs(amount + inGap - settled.amount - settled.inGap) > SAME_AMOUNT) return undefined;
  return { ...hour, flows: { ...hour.flows, [flow]: { ...settled, cost } } };
}

/** Samples are deleted after a year or so; what was settled from them stays, if it is still asked for. */
function withOldWhereLost(
  hour: HourAccount,
  old: HourAccount | undefined,
  { consumers, consumerNumbers, ...settings }: StoredEnergySettings,
): HourAccount {
  if (old === undefined) return hour;
  const measured: Readonly<Record<Flow, boolean>> = {
    import: settings.grid.import.length > 0 || settings.grid.power !== null,
    export: settings.grid.export.length > 0 || settings.grid.power !== null,
    solar: settings.solar.length > 0,
    charge: settings.battery.length > 0,
    discharge: settings.battery.length > 0,
    gas: settings.gas.length > 0,
    water: settings.water.length > 0,
  };
  const kept = Object.entries(old.flows).filter(([flow]) => measured[flow as Flow]);
  const numbers = new Set(consumers.map(({ series }) => consumerNumbers[seriesName(series)]));
  const keptConsumers: (readonly [number, MeterHour])[] = [...old.consumers].filter(([number]) => numbers.has(number));
  return {
    ...hour,
    flows: { ...Object.fromEntries(kept), ...hour.flows },
    consumers: new Map([...keptConsumers, ...hour.consumers]),
  };
}

/**
 * The hours that were settled by a clock that only a person had set. Once the true time is known, the history moves their
 * samples, and they are settled again.
 */
type ToldHours = {
  readonly present: () => ToldRange | null;
  /** On disk when it resolves. */
  readonly keep: (range: ToldRange | null) => Promise<void>;
};

type ToldRange = {
  /** Where the first of them begins, or the first that is still to be settled again. */
  readonly fromMs: number;
  /** The epoch of the clock when the first was settled. */
  readonly epoch: string;
  readonly isBeingSettledAgain: boolean;
};

type ToldHoursStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

const META = 'energy_told';

async function openToldHours({ loadMeta, putMeta }: ToldHoursStore): Promise<ToldHours> {
  let present = rangeFrom((await loadMeta()).get(META));
  return {
    present: () => present,
    keep: async (range) => {
      await putMeta(new Map([[META, range === null ? '' : JSON.stringify(range)]]));
      present = range;
    },
  };
}

/** The database is checked at each start, and only `keep` writes this. */
function rangeFrom(text = ''): ToldRange | null {
  const range = text === '' ? null : parseJson(text);
  if (range === null || range === undefined || !isJsonObject(range)) return null;
  const { fromMs, epoch, isBeingSettledAgain } = range;
  if (typeof fromMs !== 'number' || typeof epoch !== 'string') return null;
  return { fromMs, epoch, isBeingSettledAgain: isBeingSettledAgain === true };
}
