import type { DerivedValue } from '#core/device/reports/device-reports.ts';
import type { Device } from '#core/device/device.ts';
import { QUALITIES, type Quality } from '#core/feature/feature.ts';
import { partOf } from './hour-account.ts';
import { type EnergySettings, seriesName, type SeriesRef, type SignedPower } from './settings.ts';

/** The features of the device `energy`. From the grid, produced, from the battery: positive is what the home gets. */
export const POWERS = ['grid_power', 'solar_power', 'battery_power', 'home_power'] as const;
export type PowerName = (typeof POWERS)[number];

type Term = { readonly series: SeriesRef; readonly sign: 1 | -1 };
/** Each power is the sum of these terms; powers that the settings do not make possible are absent. */
export type PowerPlan = ReadonlyMap<PowerName, readonly Term[]>;

type FindDevice = (id: string) => Device | undefined;

export function powerPlan(settings: EnergySettings, find: FindDevice): PowerPlan {
  const { grid, solar, battery } = settings;
  const plan = new Map<PowerName, readonly Term[]>();
  const signed = <Direction extends string>({ series, positive }: SignedPower<Direction>, toHome: Direction): Term => ({
    series,
    sign: positive === toHome ? 1 : -1,
  });
  if (grid.power !== null) plan.set('grid_power', [signed(grid.power, 'import')]);
  const solarTerms = solar.map((series) => solarPower(series, find));
  const solarKnown = distinct(solarTerms.filter((term) => term !== undefined));
  if (solar.length > 0 && solarTerms.every((term) => term !== undefined)) plan.set('solar_power', solarKnown);
  const batteryTerms = battery.flatMap(({ power }) => (power === null ? [] : signed(power, 'discharge')));
  if (battery.length > 0 && batteryTerms.length === battery.length) plan.set('battery_power', batteryTerms);
  const parts = [grid.power, ...(solar.length > 0 ? [plan.get('solar_power')] : [])];
  if (battery.length > 0) parts.push(plan.get('battery_power'));
  if (parts.every((part) => part !== undefined && part !== null)) {
    plan.set('home_power', [...plan.values()].flat());
  }
  return plan;
}

/** A power is itself; of a counter, the power of the same part of the device. */
function solarPower(series: SeriesRef, find: FindDevice): Term | undefined {
  const features = find(series.device)?.features ?? [];
  const own = features.find(({ key }) => key === series.key);
  if (own?.unit === 'W') return { series, sign: 1 };
  const beside = features.find(({ key, capability, unit }) => {
    return capability === 'power' && unit === 'W' && partOf({ key }) === partOf(series);
  });
  return beside === undefined ? undefined : { series: { device: series.device, key: beside.key }, sign: 1 };
}

function distinct(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map((term) => [seriesName(term.series), term])).values()];
}

/** The devices on which any of the powers depends. */
export function devicesOfPlan(plan: PowerPlan): ReadonlySet<string> {
  return new Set([...plan.values()].flat().map(({ series }) => series.device));
}

/** The powers of now: `null` where a part is unknown, and no surer than the least sure part. */
export function presentPowers(plan: PowerPlan, find: FindDevice): ReadonlyMap<PowerName, DerivedValue | null> {
  const sums = [...plan].map(([name, terms]): [PowerName, DerivedValue | null] => {
    const sum = sumOfTerms(terms, find);
    // The meters do not measure at the same moment, so a home may seem to give what it does not have.
    if (sum === null || name !== 'home_power') return [name, sum];
    return [name, { ...sum, value: Math.max(0, sum.value) }];
  });
  return new Map(sums);
}

function sumOfTerms(terms: readonly Term[], find: FindDevice): { value: number; quality: Quality } | null {
  let value = 0;
  let worst = 0;
  for (const { series, sign } of terms) {
    const device = find(series.device);
    const state = device?.states.get(series.key);
    if (device === undefined || device.availability.state === 'offline') return null;
    if (state === undefined || typeof state.value !== 'number') return null;
    value += sign * state.value;
    worst = Math.max(worst, QUALITIES.indexOf(state.quality));
  }
  // Without the noise of binary fractions.
  return { value: Number(value.toFixed(3)), quality: QUALITIES[worst] ?? 'none' };
}
