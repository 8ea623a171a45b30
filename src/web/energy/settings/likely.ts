import { choicesOf, type Role } from '#web/energy/series-choices.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { type Battery, type SettingsDraft, usedSeries } from './settings-draft.ts';

/** A device that could stand at the grid, on the roof or beside the battery, with the series of each. */
export type Meter = {
  readonly selector: string;
  readonly name: string;
  readonly room: string | undefined;
  readonly energy: string | null;
  readonly returned: string | null;
  readonly power: string | null;
  readonly level: string | null;
};

/** Every device that counts energy or tells a power. */
export function metersOf(entries: readonly DeviceEntry[]): readonly Meter[] {
  return entries.flatMap((entry) => {
    const { selector, name, room } = entry.device.value;
    const seriesOf = (role: Role, capability?: string): string | null =>
      choicesOf([entry], role).find((one) => one.capability === (capability ?? one.capability))?.series ?? null;
    const meter = {
      energy: seriesOf('energy', 'energy'),
      returned: seriesOf('energy', 'energy_returned'),
      power: seriesOf('power', 'power'),
    };
    const measures = Object.values(meter).some((series) => series !== null);
    return measures ? [{ selector, name, room: room?.name, ...meter, level: seriesOf('level') }] : [];
  });
}

/** People and makers call such devices so, in the languages of the page. */
const CALLED = {
  grid: /grid|mains|smart ?meter|netz|stromz|hauptz|réseau|linky|compteur|contador|\bred\b/i,
  solar: /solar|inverter|\bpv\b|photovolt|wechselrichter|balkonkraft|onduleur|panneau|inversor|placas/i,
  battery: /batter|akku|speicher|powerwall|batería/i,
};

/** Takes the counters of the meter, and its power for the live view. */
export function gridOf({ energy, returned, power }: Meter): SettingsDraft['grid'] {
  return {
    import: energy === null ? [] : [energy],
    export: returned === null ? [] : [returned],
    power: power === null ? null : { series: power, positive: 'import' },
  };
}

export function batteryOf({ energy, returned, power, level }: Meter): Battery {
  return {
    charge: energy,
    discharge: returned,
    power: power === null ? null : { series: power, positive: 'charge' },
    level,
  };
}

/** Its counter, or its power, which the hub adds up. */
export function solarOf({ energy, power }: Meter): readonly string[] {
  return [energy ?? power].flatMap((series) => series ?? []);
}

/** Whether it tells a level or is called one. A plug with a battery behind it is none. */
export function isBattery({ name, level }: Meter): boolean {
  return level !== null || CALLED.battery.test(name);
}

/** The settings with the answers that people most likely give: the home is asked for each of them. */
export function likelyDraft(draft: SettingsDraft, entries: readonly DeviceEntry[]): SettingsDraft {
  const meters = metersOf(entries);
  const isSolar = (one: Meter): boolean => !isBattery(one) && CALLED.solar.test(one.name);
  const others = meters.filter((one) => !isBattery(one) && !isSolar(one));
  const grid = others.find(({ returned }) => returned !== null) ?? others.find(({ name }) => CALLED.grid.test(name));
  const likely = {
    ...draft,
    ...(grid && { grid: gridOf(grid) }),
    solar: meters.filter(isSolar).flatMap(solarOf),
    battery: meters.filter(isBattery).map(batteryOf),
    gas: choicesOf(entries, 'gas').map(({ series }) => series),
    water: choicesOf(entries, 'water').map(({ series }) => series),
  };
  const used = usedSeries(likely);
  const counters = choicesOf(entries, 'energy').filter(({ capability }) => capability === 'energy');
  const consumers = counters.filter(({ series }) => !used.has(series));
  return { ...likely, consumers: consumers.map(({ series }) => ({ series, name: null, within: null })) };
}
