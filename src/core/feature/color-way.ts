import type { Feature, FeatureState } from './feature.ts';

/** A lamp shows one of them: in colored light the white is one from before, in white light the color. */
const COLOR_WAYS: ReadonlySet<string> = new Set(['color', 'color_temperature']);

/** Whether it is one of the two ways in which a lamp can have a color. */
export function isColorWay(capability: string): boolean {
  return COLOR_WAYS.has(capability);
}

/** The other way in which the same lamp of a device can have a color. */
export function findOtherColorWay(features: readonly Feature[], feature: Feature): Feature | undefined {
  const { capability, component } = feature;
  if (!isColorWay(capability)) return undefined;
  return features.find(
    (one) => one.component === component && one.capability !== capability && isColorWay(one.capability),
  );
}

/** Sorts first what a lamp shows: what is known and not stale, and of that what changed last. */
export function byShownColor(left: FeatureState | undefined, right: FeatureState | undefined): number {
  const isStale = (state: FeatureState | undefined): number =>
    Number(state?.quality === 'stale' || state?.quality === 'none');
  return isStale(left) - isStale(right) || (right?.changedAtMs ?? 0) - (left?.changedAtMs ?? 0);
}

/** Whether the lamp of the device shows this feature: true but for the way of a color that it has not at the moment. */
export function isShownWay(
  { features, states }: { readonly features: readonly Feature[]; readonly states: ReadonlyMap<string, FeatureState> },
  key: string,
): boolean {
  const feature = features.find((one) => one.key === key);
  const other = feature === undefined ? undefined : findOtherColorWay(features, feature);
  return other === undefined || byShownColor(states.get(key), states.get(other.key)) <= 0;
}
