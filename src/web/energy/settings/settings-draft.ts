import type { EnergySettings, EnergySettingsUpdate, EnergyTariff } from '#web/client/api.ts';
import { PRICED_FLOWS, type WEEKDAYS } from '#web/client/vocabulary.ts';
import { lastOf } from '#web/since-2021.ts';
import { currencyOf } from './currencies.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** A price as it is typed: empty fields are those that hold for every day, or the whole day. */
export type PriceDraft = {
  readonly price: string;
  readonly days: readonly (typeof WEEKDAYS)[number][];
  readonly from: string;
  readonly to: string;
};
export type TariffDraft = Omit<EnergyTariff, 'prices'> & { readonly prices: readonly PriceDraft[] };
export type Battery = EnergySettings['battery'][number];
export type Consumer = EnergySettings['consumers'][number];

/** The settings while a person changes them. */
export type SettingsDraft = Omit<EnergySettings, 'tariffs'> & { readonly tariffs: readonly TariffDraft[] };

export const NO_BATTERY: Battery = { charge: null, discharge: null, power: null, level: null };
export const NO_PRICE: PriceDraft = { price: '', days: [], from: '', to: '' };

export function draftOf(settings: EnergySettings): SettingsDraft {
  return {
    ...settings,
    tariffs: settings.tariffs.map(({ prices, ...tariff }) => ({
      ...tariff,
      prices: prices.map(({ price, days, from, to }) => ({
        price: String(price),
        days: days ?? [],
        ...(from === '00:00' && to === '24:00' ? { from: '', to: '' } : { from: from ?? '', to: midnight(to ?? '') }),
      })),
    })),
  };
}

/** The fields for times know no `24:00`. A time that ends at 00:00 ends there too. */
function midnight(time: string): string {
  return time === '24:00' ? '00:00' : time;
}

/** Makes the body with the same rows in the same order, so that the hub's pointers are those of the fields. */
export function bodyOf({ tariffs, ...sources }: SettingsDraft): EnergySettingsUpdate {
  return {
    ...sources,
    tariffs: tariffs.map((tariff) => ({
      ...tariff,
      prices: shownPrices(tariff).map(({ price, days, from, to }) => ({
        price: numberFrom(price) ?? 0,
        ...(tariff.kind === 'times' && {
          days: days.length === 0 ? null : days,
          from: from === '' ? null : from,
          to: to === '' ? null : to,
        }),
      })),
    })),
  };
}

/** The prices that a tariff of this kind has: one if it is fixed, and at most one where a script sends them. */
function shownPrices({ kind, prices }: Pick<TariffDraft, 'kind' | 'prices'>): readonly PriceDraft[] {
  if (kind === 'times') return prices;
  if (kind === 'pushed') return prices.slice(0, 1).filter(({ price }) => price.trim() !== '');
  return [prices[0] ?? NO_PRICE];
}

/** With a point or a comma; `undefined` for what is no number. */
export function numberFrom(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}

/** Finds the faults before anything is sent, by the pointer of their field. */
export function draftFaults({ tariffs }: SettingsDraft): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const [index, tariff] of tariffs.entries()) {
    const pointer = `/tariffs/${index}`;
    if (!/^[A-Z]{3}$/.test(tariff.currency)) faults[`${pointer}/currency`] = energyWords.set.currencyFault;
    if (tariff.valid_from === '') faults[`${pointer}/valid_from`] = pageWords.field.required;
    for (const [at, { price }] of shownPrices(tariff).entries()) {
      if (numberFrom(price) !== undefined) continue;
      faults[`${pointer}/prices/${at}/price`] =
        price.trim() === '' ? pageWords.field.required : energyWords.set.priceFault;
    }
  }
  return faults;
}

/** The fields that this draft has, named by the pointers of the API. */
export function pointersOf({ grid, solar, battery, gas, water, consumers, tariffs }: SettingsDraft): readonly string[] {
  const rows = (pointer: string, list: readonly unknown[]): readonly string[] =>
    list.map((_, index) => `${pointer}/${index}`);
  return [
    ...rows('/grid/import', grid.import),
    ...rows('/grid/export', grid.export),
    '/grid/power/series',
    ...rows('/solar', solar),
    ...rows('/gas', gas),
    ...rows('/water', water),
    ...rows('/battery', battery).flatMap((at) => [
      `${at}/charge`,
      `${at}/discharge`,
      `${at}/power/series`,
      `${at}/level`,
      at,
    ]),
    ...rows('/consumers', consumers).flatMap((at) => [`${at}/series`, `${at}/name`, `${at}/within`]),
    ...tariffs.flatMap((tariff, index) => {
      const at = `/tariffs/${index}`;
      const prices = rows(`${at}/prices`, shownPrices(tariff));
      const times = prices.flatMap((price) => ['price', 'days', 'from', 'to'].map((field) => `${price}/${field}`));
      return [...times, ...['currency', 'valid_from', 'for', 'kind', 'prices', 'id'].map((field) => `${at}/${field}`)];
    }),
  ];
}

/** Every series that is chosen anywhere: none can be chosen twice. */
export function usedSeries({ grid, solar, battery, gas, water, consumers }: SettingsDraft): ReadonlySet<string> {
  const ofBatteries = battery.flatMap(({ charge, discharge, power, level }) => [
    charge,
    discharge,
    power?.series,
    level,
  ]);
  const all = [
    ...grid.import,
    ...grid.export,
    grid.power?.series,
    ...solar,
    ...gas,
    ...water,
    ...ofBatteries,
    ...consumers.map(({ series }) => series),
  ];
  return new Set(all.filter((one) => one !== null && one !== undefined));
}

/** The draft in which none of these measures anything. */
export function withoutSeries(draft: SettingsDraft, gone: readonly (string | null)[]): SettingsDraft {
  const stays = (one: string): boolean => !gone.includes(one);
  const { grid, solar, battery, gas, water, consumers } = draft;
  return {
    ...draft,
    grid: {
      import: grid.import.filter(stays),
      export: grid.export.filter(stays),
      power: grid.power !== null && stays(grid.power.series) ? grid.power : null,
    },
    solar: solar.filter(stays),
    battery: battery.filter(({ charge, discharge, power, level }) =>
      [charge, discharge, power?.series, level].every((one) => one === null || one === undefined || stays(one)),
    ),
    gas: gas.filter(stays),
    water: water.filter(stays),
    consumers: consumers.filter(({ series }) => stays(series)),
  };
}

/** Whether nobody has said anything about the energy of this home. */
export function isEmpty({ tariffs, ...sources }: SettingsDraft): boolean {
  return tariffs.length === 0 && usedSeries({ tariffs, ...sources }).size === 0 && sources.battery.length === 0;
}

/** A tariff to begin with: in the currency of the others or of the country, from the first day of this year on. */
export function newTariff(
  tariffs: readonly TariffDraft[],
  year: number,
  flow = PRICED_FLOWS.find((one) => tariffs.every((other) => other.for !== one)) ?? 'import',
): TariffDraft {
  return {
    id: freeId(flow, tariffs),
    for: flow,
    currency: lastOf(tariffs)?.currency ?? currencyOf(),
    valid_from: `${year}-01-01`,
    kind: 'fixed',
    prices: [NO_PRICE],
  };
}

function freeId(flow: string, tariffs: readonly TariffDraft[]): string {
  const taken = new Set(tariffs.map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? flow : `${flow}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** The list with another entry in this place; without the place, if the entry is `null`. */
export function withEntry<Entry>(list: readonly Entry[], index: number, entry: Entry | null): readonly Entry[] {
  const [before, after] = [list.slice(0, index), list.slice(index + 1)];
  return entry === null ? [...before, ...after] : [...before, entry, ...after];
}

/** Consumers within a consumer stay within it when another meter measures it. */
export function withChangedConsumer(
  consumers: readonly Consumer[],
  index: number,
  changed: Consumer,
): readonly Consumer[] {
  const before = consumers[index]?.series;
  return withEntry(consumers, index, changed).map((one) =>
    one.within === before ? { ...one, within: changed.series } : one,
  );
}

/** Consumers without this one: those within it are then within no one. */
export function withoutConsumer(consumers: readonly Consumer[], index: number): readonly Consumer[] {
  const gone = consumers[index]?.series;
  return withEntry(consumers, index, null).map((one) => (one.within === gone ? { ...one, within: null } : one));
}
