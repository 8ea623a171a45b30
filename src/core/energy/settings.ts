import type { DeviceId } from '#core/device/device.ts';

/** The integration and the external id of the device that shows the powers of the home. */
export const ENERGY = 'energy';

/** A feature of a device, by the id that outlives every rename. */
export type SeriesRef = { readonly device: DeviceId; readonly key: string };

/** Energy, gas or water comes into the home or leaves it in these flows. */
export const FLOWS = ['import', 'export', 'solar', 'charge', 'discharge', 'gas', 'water'] as const;
export type Flow = (typeof FLOWS)[number];

export const PRICED_FLOWS = ['import', 'export', 'gas', 'water'] as const;
export type PricedFlow = (typeof PRICED_FLOWS)[number];

/** A power of both signs, and which of them is the direction that its name says. */
export type SignedPower<Direction extends string, Series = SeriesRef> = {
  readonly series: Series;
  readonly positive: Direction;
};

type Battery<Series = SeriesRef> = {
  readonly charge: Series | null;
  readonly discharge: Series | null;
  readonly power: SignedPower<'charge' | 'discharge', Series> | null;
  readonly level: Series | null;
};

type Consumer<Series = SeriesRef> = {
  readonly series: Series;
  /** `null` for the name of its device. */
  readonly name: string | null;
  /** The consumer through whose meter it runs. */
  readonly within: Series | null;
};

/** Where what is measured in the home is found. Amounts are counters, or powers that the hub adds up. */
export type EnergySources<Series = SeriesRef> = {
  readonly grid: {
    readonly import: readonly Series[];
    readonly export: readonly Series[];
    readonly power: SignedPower<'import' | 'export', Series> | null;
  };
  readonly solar: readonly Series[];
  readonly battery: readonly Battery<Series>[];
  readonly gas: readonly Series[];
  readonly water: readonly Series[];
  readonly consumers: readonly Consumer<Series>[];
};

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** A price, and the civil times at which it holds: one that ends before it begins ends on the next day. */
export type PriceRule = {
  readonly price: number;
  /** The days on which its time begins; `null` for all. */
  readonly days: readonly Weekday[] | null;
  /** Minutes of the day; `null` for the whole day. */
  readonly time: { readonly fromMinute: number; readonly toMinute: number } | null;
};

export const TARIFF_KINDS = ['fixed', 'times', 'pushed'] as const;

/**
 * The first rule that applies gives the price. A pushed tariff has the prices that a script sends, and its rules where it
 * sent none.
 */
export type Tariff = {
  readonly id: string;
  readonly for: PricedFlow;
  readonly currency: string;
  /** From the beginning of this civil date on, until a later tariff for the same begins. */
  readonly validFrom: string;
  readonly kind: (typeof TARIFF_KINDS)[number];
  readonly rules: readonly PriceRule[];
};

export type EnergySettings<Series = SeriesRef> = EnergySources<Series> & { readonly tariffs: readonly Tariff[] };

export type StoredEnergySettings = EnergySettings & {
  /** Grows with each change. */
  readonly revision: number;
  /** The number under which hours have a consumer, by its series. A number is never used for another one. */
  readonly consumerNumbers: Readonly<Record<string, number>>;
  /** The names of the series that are powers. The others are counters. Kept for the time in which a device is absent. */
  readonly powers: readonly string[];
};

export const NO_ENERGY: StoredEnergySettings = {
  revision: 1,
  grid: { import: [], export: [], power: null },
  solar: [],
  battery: [],
  gas: [],
  water: [],
  consumers: [],
  tariffs: [],
  consumerNumbers: {},
  powers: [],
};

export const ENERGY_LIMITS = {
  meters: 20,
  batteries: 10,
  consumers: 100,
  consumersEver: 1_000,
  tariffs: 200,
  rules: 100,
};

export function seriesName({ device, key }: SeriesRef): string {
  return `${device}/${key}`;
}

/** Whether anything is measured at all. */
export function hasSources({ grid, solar, battery, gas, water, consumers }: EnergySources): boolean {
  const lists = [grid.import, grid.export, solar, battery, gas, water, consumers];
  return grid.power !== null || lists.some((list) => list.length > 0);
}

/** A series must be of this role in its place. */
export type SeriesRole = 'energy' | 'power' | 'gas' | 'water' | 'level';

type Named<Series> = { readonly series: Series; readonly role: SeriesRole; readonly pointer: string };

/** All series that the settings name, each with the pointer to its place. */
export function* seriesIn<Series>(sources: EnergySources<Series>): Generator<Named<Series>> {
  const { grid, solar, battery, gas, water, consumers } = sources;
  const lists: readonly (readonly [string, SeriesRole, readonly Series[]])[] = [
    ['/grid/import', 'energy', grid.import],
    ['/grid/export', 'energy', grid.export],
    ['/solar', 'energy', solar],
    ['/gas', 'gas', gas],
    ['/water', 'water', water],
  ];
  for (const [pointer, role, list] of lists) {
    for (const [index, series] of list.entries()) yield { series, role, pointer: `${pointer}/${index}` };
  }
  if (grid.power !== null) yield { series: grid.power.series, role: 'power', pointer: '/grid/power/series' };
  for (const [index, { charge, discharge, power, level }] of battery.entries()) {
    const pointer = `/battery/${index}`;
    if (charge !== null) yield { series: charge, role: 'energy', pointer: `${pointer}/charge` };
    if (discharge !== null) yield { series: discharge, role: 'energy', pointer: `${pointer}/discharge` };
    if (power !== null) yield { series: power.series, role: 'power', pointer: `${pointer}/power/series` };
    if (level !== null) yield { series: level, role: 'level', pointer: `${pointer}/level` };
  }
  for (const [index, { series }] of consumers.entries()) {
    yield { series, role: 'energy', pointer: `/consumers/${index}/series` };
  }
}

/** The same sources, each series as another way to name it. */
export function mapSeries<From, To>(sources: EnergySources<From>, change: (series: From) => To): EnergySources<To> {
  const orNull = (series: From | null): To | null => (series === null ? null : change(series));
  const signed = <Direction extends string>(power: SignedPower<Direction, From> | null) =>
    power === null ? null : { ...power, series: change(power.series) };
  const { grid, battery, consumers } = sources;
  return {
    grid: { import: grid.import.map(change), export: grid.export.map(change), power: signed(grid.power) },
    solar: sources.solar.map(change),
    battery: battery.map(({ charge, discharge, power, level }) => ({
      charge: orNull(charge),
      discharge: orNull(discharge),
      power: signed(power),
      level: orNull(level),
    })),
    gas: sources.gas.map(change),
    water: sources.water.map(change),
    consumers: consumers.map(({ series, name, within }) => ({
      series: change(series),
      name,
      within: orNull(within),
    })),
  };
}
