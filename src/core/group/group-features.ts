import type { Device } from '#core/device/device.ts';
import { findOtherColorWay } from '#core/feature/color-way.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import type { ValueType } from '#core/feature/value-type.ts';

/** How the value of a group comes from those of its members. */
type Summing =
  /** True if one is, or if all are. */
  | 'any'
  | 'all'
  | 'mean'
  /** Only lamps that are on count; for a white, only those that show white. */
  | 'mean_of_lit'
  | 'least'
  | 'greatest'
  /** Unknown where one is unknown, or only of those that are known. */
  | 'sum'
  | 'known_sum'
  /** What all of them have, or unknown; of a color, all that show color. */
  | 'common';

/** A feature of a group, and how its value is made. */
export type GroupFeature = {
  readonly feature: Feature;
  readonly summing: Summing;
  /** The feature of the members. */
  readonly of: string;
  /** The features of the members whose changes change it. */
  readonly from: ReadonlySet<string>;
  /** What a person can set says what is reachable; of a sensor that is lost, the last word counts. */
  readonly isSettable: boolean;
};

const SETTABLE_TYPES: ReadonlySet<ValueType> = new Set<ValueType>(['boolean', 'number', 'enum', 'color']);
const ANY = new Set([
  'on',
  'valve_open',
  'siren',
  'open',
  'motion',
  'presence',
  'smoke',
  'co_alarm',
  'gas_leak',
  'water_leak',
]);
/** Not locked is what people must know. */
const ALL = new Set(['locked']);
const OF_THE_LIT = new Set(['brightness', 'color_temperature']);
const MEANS = new Set(['temperature', 'humidity']);

/** Makes the features of a group: all that its members can be set to, and some of what they measure. */
export function groupFeatures(members: readonly Pick<Device, 'features'>[]): readonly GroupFeature[] {
  const byKey = new Map<string, Feature>();
  for (const { features } of members) {
    for (const feature of features) {
      if (!isTaken(feature)) continue;
      const known = byKey.get(feature.key);
      const merged = known === undefined ? feature : merge(known, feature);
      if (merged !== undefined) byKey.set(feature.key, merged);
    }
  }
  const merged = [...byKey.values()];
  return merged.flatMap((feature) => withSummaries(feature, findOtherColorWay(merged, feature)?.key));
}

function isTaken(feature: Feature): boolean {
  const { kind, category, capability, valueType, readable } = feature;
  if (kind !== 'state' || category !== 'primary') return false;
  if (isSettable(feature)) return SETTABLE_TYPES.has(valueType);
  if (!readable) return false;
  if (valueType === 'boolean') return ANY.has(capability);
  return valueType === 'number' && (MEANS.has(capability) || capability === 'power');
}

/** Keeps what both can take; `undefined` if they have nothing in common: then the group has what the first can. */
function merge(one: Feature, other: Feature): Feature | undefined {
  if (one.valueType !== other.valueType || one.unit !== other.unit || one.capability !== other.capability)
    return undefined;
  const min = greater(one.min, other.min);
  const max = less(one.max, other.max);
  if (min !== null && max !== null && min > max) return undefined;
  const { options } = one;
  const shared =
    options === null || other.options === null ? options : options.filter((word) => other.options?.includes(word));
  if (shared !== null && shared.length === 0) return undefined;
  return {
    ...one,
    min,
    max,
    step: greater(one.step, other.step),
    options: shared,
    readable: one.readable || other.readable,
    writable: one.writable || other.writable,
  };
}

function greater(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other);
}

function less(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other);
}

function withSummaries(merged: Feature, otherWay: string | undefined): readonly GroupFeature[] {
  const feature = { ...merged, description: null };
  const { key, capability, component, unit } = feature;
  const canBeSet = isSettable(feature);
  const switchKey = component === 'main' ? 'on' : `${component}.on`;
  const make = (one: Feature, summing: Summing): GroupFeature => ({
    feature: one,
    summing,
    of: key,
    from: new Set([
      key,
      ...(summing === 'mean_of_lit' ? [switchKey] : []),
      ...(otherWay === undefined ? [] : [otherWay]),
    ]),
    isSettable: canBeSet,
  });
  const more = (name: string, summing: Summing): GroupFeature =>
    make(ownFeature(name, component, { valueType: feature.valueType, category: 'primary', unit }), summing);
  const own = make(feature, summingOf(feature));
  if (!feature.readable) return [own];
  if (capability === 'on') return [own, more('all_on', 'all')];
  if (capability === 'power' && !canBeSet) return [own, more('known_power', 'known_sum')];
  if (MEANS.has(capability)) return [own, more(`min_${capability}`, 'least'), more(`max_${capability}`, 'greatest')];
  return [own];
}

function summingOf({ capability, valueType }: Feature): Summing {
  if (valueType === 'boolean') return ANY.has(capability) ? 'any' : ALL.has(capability) ? 'all' : 'common';
  if (valueType !== 'number') return 'common';
  if (capability === 'power') return 'sum';
  return OF_THE_LIT.has(capability) ? 'mean_of_lit' : 'mean';
}
