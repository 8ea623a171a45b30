import * as z from 'zod/mini';
import type { Amount, Balance } from '#core/energy/balance.ts';
import { type EnergyReport, type Period, PERIODS } from '#core/energy/period.ts';
import {
  FLOWS,
  type PricedFlow,
  seriesName,
  type SeriesRef,
  type StoredEnergySettings,
} from '#core/energy/settings.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const share = z.number().check(z.gte(0), z.lte(1));

const energyAmountSchema = named(
  'EnergyAmount',
  z.object({
    amount: described(
      'In kWh, of gas and water in m³, without what was counted in gaps. Negative in an hour that takes back what a meter showed too much before.',
      z.number(),
    ),
    in_gap: described(
      'Counted while the hub did not hear the meter, or in the first day of a new meter: when is unknown.',
      z.number(),
    ),
    known: described('The part of the time in which it was known.', share),
    estimated: described('Added up from a power, because there is no counter.', z.boolean()),
    unpriced: described('What no tariff had a price for.', z.optional(z.number())),
  }),
);
const amount = described('`null` where nothing is known.', z.nullable(energyAmountSchema));

const energyCostSchema = named(
  'EnergyCost',
  z.object({
    currency: described('ISO 4217, as `EUR`.', z.string()),
    import: described('What energy from the grid cost.', z.number()),
    export: described('What it earned.', z.number()),
    gas: described('What gas cost.', z.number()),
    water: described('What water cost.', z.number()),
    total: described('What is to pay, less what export earned.', z.number()),
    in_gap: described('The part of the total that has mean prices, because its time is unknown.', z.number()),
  }),
);

const balanceShape = {
  import: amount,
  export: amount,
  solar: amount,
  charge: amount,
  discharge: amount,
  gas: amount,
  water: amount,
  home: described('What the home used, in kWh.', z.nullable(z.number())),
  untracked: described('What no consumer shows; never below 0.', z.nullable(z.number())),
  mismatch: described('By how much the meters contradict each other.', z.nullable(z.number())),
  self_use: described('The part of the solar energy that stayed in the home.', z.nullable(share)),
  autarky: described('The part of what the home used that did not come from the grid.', z.nullable(share)),
  consumers: described('In the order of `consumers`.', z.array(amount)),
  cost: described('One for each currency; empty where nothing has a price.', z.array(energyCostSchema)),
  known: described('The least of all flows of energy.', share),
};
const energyBalanceSchema = named('EnergyBalance', z.object(balanceShape));
const energyBucketSchema = named(
  'EnergyBucket',
  z.object({ at: timeSchema, to: described('The end of the bucket.', timeSchema), ...balanceShape }),
);

export const energyAnswerSchema = named(
  'EnergyAnswer',
  z.object({
    period: described('How long a time it shows.', wordOf('EnergyPeriod', PERIODS)),
    date: described('Its first day.', z.iso.date()),
    from: described('The first moment of it.', timeSchema),
    to: described('The end of it.', timeSchema),
    time_zone: z.string(),
    resolution: described('How long a bucket is.', z.enum(['1h', '1d', '1mo'])),
    settled_until: described(
      'Costs of hours before this stay as they are, whatever becomes of the tariffs; `null` if there are none.',
      z.nullable(timeSchema),
    ),
    flows: described('Those of which anything is known in this time.', z.array(z.enum(FLOWS))),
    consumers: described(
      'The machines that have meters of their own, in the order of all amounts.',
      z.array(
        z.object({
          series: described('Device and feature of its meter.', z.string()),
          name: described('`null` for the name of its device.', z.nullable(z.string())),
          within: described('The consumer through whose meter it runs; `null`: none.', z.nullable(z.string())),
        }),
      ),
    ),
    buckets: described('Those that have begun.', z.array(energyBucketSchema)),
    total: described('All buckets together.', energyBalanceSchema),
  }),
);

type EnergyAnswerDeps = {
  readonly settings: StoredEnergySettings;
  readonly timeZone: string;
  readonly date: string;
  readonly settledUntilMs: number | null;
  readonly showSeries: (series: SeriesRef) => string;
};

export function energyAnswerJson(
  { name, fromMs, toMs, bucket }: Period,
  { flows, buckets, total }: EnergyReport,
  deps: EnergyAnswerDeps,
): z.infer<typeof energyAnswerSchema> {
  const { settings, showSeries } = deps;
  const numbers = settings.consumers.map(({ series }) => settings.consumerNumbers[seriesName(series)] ?? 0);
  return {
    period: name,
    date: deps.date,
    from: timeJson(fromMs),
    to: timeJson(toMs),
    time_zone: deps.timeZone,
    resolution: bucket,
    settled_until: timeJson(deps.settledUntilMs),
    flows: FLOWS.filter((flow) => flows.has(flow)),
    consumers: settings.consumers.map(({ series, name: given, within }) => ({
      series: showSeries(series),
      name: given,
      within: within && showSeries(within),
    })),
    buckets: buckets.map(({ atMs, toMs: untilMs, balance }) => ({
      at: timeJson(atMs),
      to: timeJson(untilMs),
      ...balanceJson(balance, numbers),
    })),
    total: balanceJson(total, numbers),
  };
}

function balanceJson(balance: Balance, numbers: readonly number[]): z.infer<typeof energyBalanceSchema> {
  const flowJson = (flow: (typeof FLOWS)[number]) =>
    amountJson(balance.flows[flow], balance.unpriced[flow as PricedFlow]);
  return {
    import: flowJson('import'),
    export: flowJson('export'),
    solar: flowJson('solar'),
    charge: flowJson('charge'),
    discharge: flowJson('discharge'),
    gas: flowJson('gas'),
    water: flowJson('water'),
    home: roundedOrNull(balance.home),
    untracked: roundedOrNull(balance.untracked),
    mismatch: roundedOrNull(balance.mismatch),
    self_use: roundedOrNull(balance.selfUse),
    autarky: roundedOrNull(balance.autarky),
    consumers: numbers.map((number) => amountJson(balance.consumers.get(number), undefined)),
    cost: [...balance.costs].map(([currency, { flows, total, inGap }]) => ({
      currency,
      import: rounded(flows.import ?? 0),
      export: rounded(flows.export ?? 0),
      gas: rounded(flows.gas ?? 0),
      water: rounded(flows.water ?? 0),
      total: rounded(total),
      in_gap: rounded(inGap),
    })),
    known: rounded(balance.knownShare),
  };
}

function amountJson(one: Amount | undefined, unpriced: number | undefined): z.infer<typeof amount> {
  if (one === undefined) return null;
  return {
    amount: rounded(one.amount),
    in_gap: rounded(one.inGap),
    known: rounded(one.knownShare),
    estimated: one.isEstimated,
    ...(unpriced !== undefined && { unpriced: rounded(unpriced) }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

/** In W; `null` for what is unknown, or not possible with the settings. */
const energyPowersSchema = named(
  'EnergyPowers',
  z.object({
    grid_power: described('Watts from the grid; below 0 they go there.', z.nullable(z.number())),
    solar_power: described('Watts that the sun gives.', z.nullable(z.number())),
    battery_power: described('Watts that the batteries give; below 0 they charge.', z.nullable(z.number())),
    home_power: described('Watts that the home uses.', z.nullable(z.number())),
  }),
);

declareEvents(80, 'history:read', {
  'energy.changed': {
    about:
      'What `GET /api/v1/energy` answers has changed, at most once in ten seconds. Only for callers with the right `history:read`.',
    shape: { energy: energyPowersSchema },
    json: ({ powers }) => ({ energy: powers }),
  },
});
