import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isSameJson } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import {
  ENERGY,
  ENERGY_LIMITS,
  type EnergySettings,
  type EnergySources,
  mapSeries,
  seriesIn,
  seriesName,
  type SeriesRef,
  type SeriesRole,
  type StoredEnergySettings,
  type Tariff,
} from './settings.ts';
import { type PlainFault, faultWords } from '#words/faults.ts';

/** Settings as a client sends them: each series as `<id or selector of a device>/<key>`. */
export type SettingsInput = EnergySettings<string>;

type FindDevice = (idOrSelector: string) => Device | undefined;

const UNITS_OF_ROLE: Readonly<Record<SeriesRole, { readonly units: readonly string[]; readonly id: PlainFault }>> = {
  energy: { units: ['kWh', 'W'], id: 'not_energy' },
  power: { units: ['W'], id: 'not_power' },
  gas: { units: ['m3'], id: 'not_volume' },
  water: { units: ['m3'], id: 'not_volume' },
  level: { units: ['percent'], id: 'not_level' },
};

/**
 * The settings to keep. Throws VALIDATION_FAILED with every fault. A series of the settings before may be of a device
 * that is absent now.
 */
export function checkSettings(
  settings: SettingsInput,
  old: StoredEnergySettings,
  find: FindDevice,
): StoredEnergySettings {
  const errors: FieldError[] = [];
  const known = new Map([...seriesIn(old)].map(({ series }) => [seriesName(series), series]));
  const powers: string[] = [];
  const places = new Map<string, string>();
  for (const { series: name, role, pointer } of seriesIn(settings)) {
    const found = findSeries(name, find, known);
    const fault = found === undefined ? 'no_feature_of_device' : faultOf(found, role);
    if (fault !== undefined || found === undefined) {
      errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords(fault ?? 'not_valid')));
      continue;
    }
    const id = seriesName(found.series);
    const place = places.get(id);
    if (place !== undefined)
      errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('same_as', { other: place })));
    places.set(id, pointer);
    if (found.feature === undefined ? old.powers.includes(id) : found.feature.unit === 'W') powers.push(id);
  }
  for (const [index, { charge, discharge, power }] of settings.battery.entries()) {
    if (charge !== null || discharge !== null || power !== null) continue;
    errors.push(fieldError(`/battery/${index}`, 'REQUIRED', ...faultWords('battery_members')));
  }
  const refOf = (name: string): SeriesRef | undefined => findSeries(name, find, known)?.series;
  errors.push(...consumerFaults(settings, refOf), ...tariffFaults(settings.tariffs));
  if (errors.length > 0) throw validationFailed(errors);
  const sources = mapSeries(settings, (name) => {
    const series = refOf(name);
    if (series === undefined) throw new Error(`the series ${name} was checked before`);
    return series;
  });
  const { tariffs } = settings;
  const checked = { ...sources, tariffs, powers, consumerNumbers: numbersOf(sources, old) };
  return isSameJson({ ...checked, revision: old.revision }, old) ? old : { ...checked, revision: old.revision + 1 };
}

type Found = { readonly series: SeriesRef; readonly feature: Feature | undefined; readonly isOwn: boolean };

function findSeries(name: string, find: FindDevice, known: ReadonlyMap<string, SeriesRef>): Found | undefined {
  const slash = name.indexOf('/');
  const device = slash < 0 ? undefined : find(name.slice(0, slash));
  const key = name.slice(slash + 1);
  const feature = device?.features.find((one) => one.key === key);
  if (device !== undefined && feature !== undefined) {
    return { series: { device: device.id, key }, feature, isOwn: device.integration === ENERGY };
  }
  const before = known.get(device === undefined ? name : seriesName({ device: device.id, key }));
  return before === undefined ? undefined : { series: before, feature: undefined, isOwn: false };
}

function faultOf({ feature, isOwn }: Found, role: SeriesRole): PlainFault | undefined {
  if (isOwn) return 'power_of_hub';
  if (feature === undefined) return undefined;
  const { units, id } = UNITS_OF_ROLE[role];
  const isNumber = feature.kind === 'state' && feature.valueType === 'number';
  if (!isNumber || feature.unit === null || !units.includes(feature.unit)) return id;
  const isAmount = feature.unit === 'kWh' || feature.unit === 'm3';
  // Only what counts for ever can be counted: `x.daily_energy` falls each night and is no series of a counter.
  return isAmount && !COUNTERS.has(feature.capability) ? id : undefined;
}

const COUNTERS: ReadonlySet<string> = new Set(['energy', 'energy_returned', 'gas_volume', 'water_volume']);

function consumerFaults(
  { consumers }: EnergySources<string>,
  refOf: (name: string) => SeriesRef | undefined,
): readonly FieldError[] {
  const idOf = (name: string): string => {
    const series = refOf(name);
    return series === undefined ? name : seriesName(series);
  };
  const parents = new Map(consumers.map(({ series, within }) => [idOf(series), within === null ? null : idOf(within)]));
  return consumers.flatMap(({ series, within }, index) => {
    if (within === null) return [];
    const pointer = `/consumers/${index}/within`;
    if (!parents.has(idOf(within))) return [fieldError(pointer, 'INVALID_VALUE', ...faultWords('unknown_consumer'))];
    const start = idOf(series);
    const seen = new Set([start]);
    for (let at = parents.get(start) ?? null; at !== null; at = parents.get(at) ?? null) {
      if (at === start) return [fieldError(pointer, 'INVALID_VALUE', ...faultWords('circle'))];
      // A circle further up, which has errors of its own.
      if (seen.has(at)) return [];
      seen.add(at);
    }
    return [];
  });
}

function tariffFaults(tariffs: readonly Tariff[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  const starts = new Set<string>();
  for (const [index, { id, for: flow, validFrom, kind, rules }] of tariffs.entries()) {
    const pointer = `/tariffs/${index}`;
    if (ids.has(id))
      errors.push(fieldError(`${pointer}/id`, 'INVALID_VALUE', ...faultWords('id_taken', { noun: 'tariff' })));
    ids.add(id);
    const start = `${flow} ${validFrom}`;
    if (starts.has(start)) {
      errors.push(fieldError(`${pointer}/valid_from`, 'INVALID_VALUE', ...faultWords('tariff_begins_then', { flow })));
    }
    starts.add(start);
    const isPlain = rules.every(({ days, time }) => days === null && time === null);
    if (kind === 'fixed' && (rules.length !== 1 || !isPlain)) {
      errors.push(fieldError(`${pointer}/prices`, 'INVALID_VALUE', ...faultWords('fixed_tariff')));
    }
    if (kind === 'times' && rules.length === 0) {
      errors.push(fieldError(`${pointer}/prices`, 'TOO_SHORT', ...faultWords('no_price')));
    }
  }
  return errors;
}

/** Throws LIMIT_REACHED if there were too many different consumers over the years. */
function numbersOf({ consumers }: EnergySources, { consumerNumbers }: StoredEnergySettings): Record<string, number> {
  const numbers = { ...consumerNumbers };
  let last = Math.max(0, ...Object.values(numbers));
  for (const { series } of consumers) {
    const name = seriesName(series);
    if (numbers[name] !== undefined) continue;
    last += 1;
    numbers[name] = last;
  }
  if (last <= ENERGY_LIMITS.consumersEver) return numbers;
  throw new HubError(
    'LIMIT_REACHED',
    `The hub keeps at most ${ENERGY_LIMITS.consumersEver} consumers of all times apart.`,
  );
}
