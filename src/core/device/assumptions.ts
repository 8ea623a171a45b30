import type { Clock } from '#base/time/clock.ts';
import { isJsonObject, isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceEntry } from './device-table.ts';
import { type Feature, type FeatureState, UNREPORTED } from '#core/feature/feature.ts';

/** Values that the hub sent and the device has not reported yet, and the last report that each of them covers. */
export type Assumptions = {
  /** Shows these values as `assumed`; true if anything changed. */
  readonly assume: (entry: DeviceEntry, values: ReadonlyMap<string, JsonValue>) => boolean;
  /** Shows the last reported values of these keys again; true if anything changed. */
  readonly drop: (entry: DeviceEntry, keys: readonly string[]) => boolean;
  /** To call when a report came, which ends the assumption. Returns the state that was last reported before it. */
  readonly settle: (entry: DeviceEntry, key: string) => FeatureState;
  /** Marks the reported values behind the assumptions as stale too, because `drop` would show them again. */
  readonly age: (entry: DeviceEntry) => void;
};

type Deps = {
  readonly clock: Clock;
  readonly setState: (entry: DeviceEntry, key: string, state: FeatureState) => void;
};

export function createAssumptions({ clock, setState }: Deps): Assumptions {
  const reportedOf = new WeakMap<DeviceEntry, Map<string, FeatureState>>();

  const assumeValue = (entry: DeviceEntry, feature: Feature, wanted: JsonValue): boolean => {
    const { key } = feature;
    const shown = entry.states.get(key) ?? UNREPORTED;
    // A caller may set only some members of a composite.
    const isPart = feature.valueType === 'object' && isJsonObject(shown.value) && isJsonObject(wanted);
    const value = isPart ? Object.assign({}, shown.value, wanted) : wanted;
    const isSame = shown.quality !== 'none' && isSameJson(shown.value, value);
    // A value that the device itself has reported is better than an assumption.
    if (isSame && (shown.quality === 'confirmed' || shown.quality === 'assumed')) return false;
    const reported = reportedOf.get(entry) ?? new Map<string, FeatureState>();
    if (shown.quality !== 'assumed') reportedOf.set(entry, reported.set(key, shown));
    const changedAtMs = isSame ? shown.changedAtMs : clock.wallMs();
    setState(entry, key, { value, quality: 'assumed', observedAtMs: shown.observedAtMs, changedAtMs });
    return true;
  };

  const settle: Assumptions['settle'] = (entry, key) => {
    const shown = entry.states.get(key) ?? UNREPORTED;
    const reported = reportedOf.get(entry)?.get(key);
    reportedOf.get(entry)?.delete(key);
    return shown.quality === 'assumed' ? (reported ?? UNREPORTED) : shown;
  };

  return {
    assume: (entry, values) => {
      let isChanged = false;
      for (const [key, value] of values) {
        const feature = entry.featuresByKey.get(key);
        // A feature that never reports would stay assumed for ever.
        if (feature?.kind !== 'state' || !feature.readable) continue;
        isChanged = assumeValue(entry, feature, value) || isChanged;
      }
      return isChanged;
    },
    drop: (entry, keys) => {
      let isChanged = false;
      for (const key of keys) {
        if (entry.states.get(key)?.quality !== 'assumed') continue;
        setState(entry, key, settle(entry, key));
        isChanged = true;
      }
      return isChanged;
    },
    settle,
    age: (entry) => {
      const reported = reportedOf.get(entry);
      for (const [key, state] of reported ?? []) {
        if (state.quality === 'confirmed') reported?.set(key, { ...state, quality: 'stale' });
      }
    },
  };
}
