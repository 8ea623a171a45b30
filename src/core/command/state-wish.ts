import type { JsonValue } from '#base/json.ts';
import { byShownColor, isColorWay } from '#core/feature/color-way.ts';
import type { Feature, FeatureState } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';

/** Features of a lamp that mean nothing while it is off. */
const OF_A_LIT_LAMP: ReadonlySet<string> = new Set(['brightness', 'color', 'color_temperature']);

/** The last reported state of a feature; `undefined` if there is none. */
type FindState = (key: string) => FeatureState | undefined;

/**
 * Finds the values that give a feature its present value again; none if that is not known or nothing can set it. A lamp
 * that is off gets only off; of its two ways to have a color, the one that it shows.
 */
export function stateWish(
  features: readonly Feature[],
  { key, findState }: { readonly key: string; readonly findState: FindState },
): ReadonlyMap<string, JsonValue> {
  const feature = features.find((one) => one.key === key);
  if (feature === undefined || !isKept(feature)) return new Map();
  const beside = (isMeant: (capability: string) => boolean): readonly Feature[] =>
    features.filter((one) => one.component === feature.component && isKept(one) && isMeant(one.capability));
  const [onFeature] = beside((capability) => capability === 'on');
  if (onFeature !== undefined && OF_A_LIT_LAMP.has(feature.capability) && findState(onFeature.key)?.value === false) {
    return new Map([[onFeature.key, false]]);
  }
  const ways = isColorWay(feature.capability) ? beside(isColorWay) : [feature];
  const [latest] = ways
    .flatMap(({ key: way }) => {
      const state = findState(way);
      return state === undefined || state.quality === 'none' ? [] : [{ way, state }];
    })
    .toSorted((left, right) => byShownColor(left.state, right.state));
  return latest === undefined ? new Map() : new Map([[latest.way, latest.state.value]]);
}

function isKept(feature: Feature): boolean {
  return feature.kind === 'state' && feature.readable && isSettable(feature);
}
