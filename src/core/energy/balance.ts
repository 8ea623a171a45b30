import type { HourAccount } from './hour-account.ts';
import type { MeterHour, Money } from './meter.ts';
import { type Flow, PRICED_FLOWS, type PricedFlow, type StoredEnergySettings, seriesName } from './settings.ts';

/** The amount of one flow or consumer was measured, at least in part of the time. */
export type Amount = {
  /** In kWh or m³, apart from what was counted in gaps. */
  readonly amount: number;
  readonly inGap: number;
  /** From 0 to 1: the part of the time in which it was known. */
  readonly knownShare: number;
  readonly isEstimated: boolean;
};

type CostOf = {
  /** What export earned is apart, and counts against the others in the total. */
  readonly flows: Partial<Readonly<Record<PricedFlow, number>>>;
  readonly total: number;
  /** The part of the total that is priced with means, because its time is unknown. */
  readonly inGap: number;
};

/** An account of a time. What is not known is `null`, never 0. */
export type Balance = {
  readonly flows: Partial<Readonly<Record<Flow, Amount>>>;
  readonly consumers: ReadonlyMap<number, Amount>;
  /** What the home used. */
  readonly home: number | null;
  /** What no consumer shows. */
  readonly untracked: number | null;
  /** By how much the meters contradict each other: then nothing is untracked. */
  readonly mismatch: number | null;
  /** The part of the solar energy that was not exported. */
  readonly selfUse: number | null;
  /** The part of what the home used that did not come from the grid. */
  readonly autarky: number | null;
  readonly costs: ReadonlyMap<string, CostOf>;
  /** Amounts that no tariff had a price for. */
  readonly unpriced: Partial<Readonly<Record<PricedFlow, number>>>;
  /** The least of all flows of energy. */
  readonly knownShare: number;
};

type BalanceRange = {
  /** How long it lasted up to now. */
  readonly lengthMs: number;
  /** The flows of the whole period: one of them that is absent here is unknown. */
  readonly flows: ReadonlySet<Flow>;
  readonly settings: Pick<StoredEnergySettings, 'consumers' | 'consumerNumbers'>;
};

const ENERGY_FLOWS: ReadonlySet<Flow> = new Set(['import', 'export', 'solar', 'charge', 'discharge']);

/** The flows that any of these has. */
export function flowsOf(accounts: readonly HourAccount[]): ReadonlySet<Flow> {
  return new Set(accounts.flatMap(({ flows }) => Object.keys(flows) as Flow[]));
}

/** `account` is that of the whole range; `null` if nothing is known of it. */
export function balanceOf(account: HourAccount | null, range: BalanceRange): Balance {
  const { lengthMs, settings } = range;
  const sums = account?.flows ?? {};
  const amountOf = ({ amount, inGap, knownMs, isEstimated }: MeterHour): Amount => ({
    amount,
    inGap,
    knownShare: lengthMs === 0 ? 0 : Math.min(1, knownMs / lengthMs),
    isEstimated,
  });
  const flows = Object.fromEntries(Object.entries(sums).map(([flow, sum]) => [flow, amountOf(sum)]));
  const consumers = new Map<number, Amount>();
  for (const { series } of settings.consumers) {
    const number = settings.consumerNumbers[seriesName(series)] ?? 0;
    const sum = account?.consumers.get(number);
    if (sum !== undefined) consumers.set(number, amountOf(sum));
  }
  const shares = [...range.flows].filter((flow) => ENERGY_FLOWS.has(flow)).map((flow) => flows[flow]?.knownShare ?? 0);
  return {
    flows,
    consumers,
    ...homeOf(flows, consumers, range),
    ...costsOf(sums),
    knownShare: shares.length === 0 ? 0 : Math.min(...shares),
  };
}

type Amounts = Balance['flows'];

function totalOf({ amount, inGap }: Amount): number {
  return amount + inGap;
}

function homeOf(
  flows: Amounts,
  consumers: ReadonlyMap<number, Amount>,
  { flows: wanted, settings }: BalanceRange,
): Pick<Balance, 'home' | 'untracked' | 'mismatch' | 'selfUse' | 'autarky'> {
  const totals = new Map<Flow, number>();
  for (const flow of wanted) {
    const amount = flows[flow];
    if (amount !== undefined) totals.set(flow, totalOf(amount));
  }
  const of = (flow: Flow): number => totals.get(flow) ?? 0;
  const solar = totals.get('solar') ?? 0;
  const exported = totals.get('export');
  const selfUse = solar === 0 || exported === undefined ? null : clamp((solar - exported) / solar);
  const isWhole = [...wanted].every((flow) => !ENERGY_FLOWS.has(flow) || totals.has(flow));
  if (!isWhole || !totals.has('import')) return { home: null, untracked: null, mismatch: null, selfUse, autarky: null };
  const home = of('import') + solar + of('discharge') - of('export') - of('charge');
  let tracked = 0;
  for (const { series, within } of settings.consumers) {
    const amount = consumers.get(settings.consumerNumbers[seriesName(series)] ?? 0);
    if (within === null && amount !== undefined) tracked += totalOf(amount);
  }
  return {
    home: Math.max(0, home),
    untracked: Math.max(0, home - tracked),
    mismatch: Math.max(0, tracked - home),
    selfUse,
    autarky: home <= 0 ? null : clamp(1 - of('import') / home),
  };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function costsOf(sums: Partial<Readonly<Record<Flow, MeterHour>>>): Pick<Balance, 'costs' | 'unpriced'> {
  const unpriced: Partial<Record<PricedFlow, number>> = {};
  const costs = new Map<string, CostOf>();
  const add = (flow: PricedFlow, money: Money, isInGap: boolean): void => {
    for (const [currency, amount] of Object.entries(money)) {
      const { flows, total, inGap } = costs.get(currency) ?? { flows: {}, total: 0, inGap: 0 };
      const signed = flow === 'export' ? -amount : amount;
      costs.set(currency, {
        flows: { ...flows, [flow]: (flows[flow] ?? 0) + amount },
        total: total + signed,
        inGap: inGap + (isInGap ? signed : 0),
      });
    }
  };
  for (const flow of PRICED_FLOWS) {
    const cost = sums[flow]?.cost;
    if (cost === undefined || cost === null) continue;
    add(flow, cost.money, false);
    add(flow, cost.gapMoney, true);
    if (cost.unpriced > 0) unpriced[flow] = cost.unpriced;
  }
  return { costs, unpriced };
}
