import { neat } from '#core/feature/measure.ts';
import { type JsonValue, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { Unit } from '#core/feature/value-type.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import {
  addReading,
  booleanFrom,
  numberFrom,
  meaningOf,
  numberIn,
  type Part,
  type Place,
  reading,
  wordOf,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

/** Power, energy, and what a device lives on. */
export function meterSources(part: Part): void {
  powerSources(part);
  energySources(part);
  supplySources(part);
}

const POWER = 'electricalPowerMeasurement';
/** More than any home has; the standard's own limit is 2^62. */
const MOST: readonly [number, number] = [-1e12, 1e12];

type Measure = {
  readonly attribute: string;
  readonly name: VocabularyWord | `x.${string}`;
  readonly unit?: Unit;
  readonly divisor: number;
};
/** In thousandths. A share of power is in hundredths of a percent. */
const MEASURES: readonly Measure[] = [
  { attribute: 'activePower', name: 'power', divisor: 1_000 },
  { attribute: 'voltage', name: 'voltage', divisor: 1_000 },
  { attribute: 'activeCurrent', name: 'current', divisor: 1_000 },
  { attribute: 'rmsVoltage', name: 'voltage', divisor: 1_000 },
  { attribute: 'rmsCurrent', name: 'current', divisor: 1_000 },
  { attribute: 'rmsPower', name: 'power', divisor: 1_000 },
  { attribute: 'frequency', name: 'frequency', divisor: 1_000 },
  { attribute: 'powerFactor', name: 'power_factor', divisor: 10_000 },
  { attribute: 'apparentPower', name: 'apparent_power', divisor: 1_000 },
  { attribute: 'reactivePower', name: 'reactive_power', divisor: 1_000 },
  { attribute: 'apparentCurrent', name: 'x.apparent_current', unit: 'A', divisor: 1_000 },
  { attribute: 'reactiveCurrent', name: 'x.reactive_current', unit: 'A', divisor: 1_000 },
  { attribute: 'neutralCurrent', name: 'x.neutral_current', unit: 'A', divisor: 1_000 },
];
/** The second of two that say the same has a name of its own. */
const SECOND: Readonly<Record<string, string>> = {
  rmsVoltage: 'rms_voltage',
  rmsCurrent: 'rms_current',
  rmsPower: 'rms_power',
};
const SECOND_UNITS: Readonly<Record<string, Unit>> = { rmsVoltage: 'V', rmsCurrent: 'A', rmsPower: 'W' };

function powerSources(part: Part): void {
  const seen = new Set<string>();
  for (const { attribute, name, unit, divisor } of MEASURES) {
    const place: Place = `${POWER}.${attribute}`;
    if (!part.has(place)) continue;
    const own = seen.has(name) ? SECOND[attribute] : name.startsWith('x.') ? name.slice(2) : undefined;
    seen.add(name);
    const feature =
      own === undefined
        ? wordFeature(name as VocabularyWord, part.component)
        : ownFeature(own, part.component, { valueType: 'number', unit: unit ?? SECOND_UNITS[attribute] ?? null });
    part.add(
      reading(feature, place, (value) => {
        const raw = numberIn(value, MOST);
        return raw === undefined ? undefined : neat(raw / divisor);
      }),
      place,
    );
  }
}

const ENERGY = 'electricalEnergyMeasurement';
const MWH_IN_KWH = 1_000_000;

/** A count of a meter, in thousandths of a watt-hour, with the times between which it ran. */
function kilowattHoursFrom(value: JsonValue | undefined): number | undefined {
  const energy = numberFrom(objectOf(value)['energy']);
  return energy === undefined || energy < 0 || energy > 1e18 ? undefined : neat(energy / MWH_IN_KWH);
}

function energySources(part: Part): void {
  addReading(part, 'energy', { place: `${ENERGY}.cumulativeEnergyImported`, read: kilowattHoursFrom });
  addReading(part, 'energy_returned', { place: `${ENERGY}.cumulativeEnergyExported`, read: kilowattHoursFrom });
  for (const [attribute, name] of [
    ['periodicEnergyImported', 'energy_of_period'],
    ['periodicEnergyExported', 'energy_returned_of_period'],
  ] as const) {
    const place: Place = `${ENERGY}.${attribute}`;
    if (!part.has(place)) continue;
    const feature = ownFeature(name, part.component, { valueType: 'number', unit: 'kWh' });
    part.add(reading(feature, place, kilowattHoursFrom), place);
  }
}

const SUPPLY = 'powerSource';
const CHARGES = wordsFrom({ 0: 'ok', 1: 'warning', 2: 'critical' });
const STATUSES = wordsFrom({ 0: 'unspecified', 1: 'active', 2: 'standby', 3: 'unavailable' });
/** By the level of a battery: ok, warning, critical. */
const IS_LOW: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
  [2, true],
]);
/** Without 0, which is unknown. */
const IS_CHARGING: ReadonlyMap<number, boolean> = new Map([
  [1, true],
  [2, false],
  [3, false],
]);
/** Without 0, which is unspecified. */
const IS_ACTIVE: ReadonlyMap<number, boolean> = new Map([
  [1, true],
  [2, false],
  [3, false],
]);

function supplySources(part: Part): void {
  if (!part.hasCluster(SUPPLY)) return;
  const [percent, level, status] = [
    `${SUPPLY}.batPercentRemaining`,
    `${SUPPLY}.batChargeLevel`,
    `${SUPPLY}.status`,
  ] as const;
  const isWired = part.can(SUPPLY, 'wired') && !part.can(SUPPLY, 'battery');
  addReading(part, 'battery', {
    place: percent,
    read: (value) => {
      const halves = numberIn(value, [0, 200]);
      return halves === undefined ? undefined : halves / 2;
    },
  });
  if (part.has(level)) {
    part.add(reading(wordFeature('battery_low', part.component), level, (value) => meaningOf(IS_LOW, value)));
    const feature = wordFeature('battery_state', part.component, { options: [...CHARGES.values()] });
    part.add(
      reading(feature, level, (value) => wordOf(CHARGES, value)),
      level,
    );
  }
  addReading(part, 'charging', {
    place: `${SUPPLY}.batChargeState`,
    read: (value) => meaningOf(IS_CHARGING, value),
  });
  if (isWired) {
    addReading(part, 'mains_powered', {
      place: status,
      read: (value) => meaningOf(IS_ACTIVE, value),
    });
  } else if (part.has(status)) {
    const feature = ownFeature('battery_status', part.component, {
      valueType: 'enum',
      options: [...STATUSES.values()],
    });
    part.add(
      reading(feature, status, (value) => wordOf(STATUSES, value)),
      status,
    );
  }
  addDetails(part);
}

function addDetails(part: Part): void {
  const voltage = `${SUPPLY}.batVoltage` as const;
  if (part.has(voltage)) {
    part.add(
      reading(ownFeature('battery_voltage', part.component, { valueType: 'number', unit: 'V' }), voltage, (value) => {
        const millivolts = numberIn(value, [0, 1e6]);
        return millivolts === undefined ? undefined : neat(millivolts / 1_000);
      }),
      voltage,
    );
  }
  const needed = `${SUPPLY}.batReplacementNeeded` as const;
  if (part.has(needed)) {
    const feature = ownFeature('battery_replacement_needed', part.component, { valueType: 'boolean' });
    part.add(reading(feature, needed, booleanFrom), needed);
  }
}
