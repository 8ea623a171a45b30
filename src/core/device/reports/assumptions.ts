import type { Clock } from '#base/time/clock.ts';
import { isJsonObject, isSameJson, type JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { DeviceEntry } from '#core/device/device-table.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type Feature, type FeatureState, UNREPORTED } from '#core/feature/feature.ts';

/** Values that the hub sent and the device has not reported yet, and the last report that each of them covers. */
export type Assumptions = ReturnType<typeof createAssumptions>;

type FeatureChange = Extract<HomeEvent, { readonly type: 'feature.changed' }>;

type Deps = {
  readonly clock: Clock;
  readonly setState: (entry: DeviceEntry, key: string, change: Pick<FeatureChange, 'state' | 'cause'>) => void;
};

export function createAssumptions({ clock, setState }: Deps) {
  const reportedOf = new WeakMap<DeviceEntry, Map<string, FeatureState>>();

  const assumeValue = (entry: DeviceEntry, feature: Feature, [wanted, cause]: readonly [JsonValue, Cause]): boolean => {
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
    const state: FeatureState = { value, quality: 'assumed', observedAtMs: shown.observedAtMs, changedAtMs };
    setState(entry, key, { state, cause });
    return true;
  };

  const findReported = (entry: DeviceEntry, key: string): FeatureState => {
    const shown = entry.states.get(key) ?? UNREPORTED;
    return shown.quality === 'assumed' ? (reportedOf.get(entry)?.get(key) ?? UNREPORTED) : shown;
  };
  const settle = (entry: DeviceEntry, key: string): FeatureState => {
    const reported = findReported(entry, key);
    reportedOf.get(entry)?.delete(key);
    return reported;
  };

  return {
    /** Shows these values as `assumed`; true if anything changed. */
    assume: (entry: DeviceEntry, values: ReadonlyMap<string, JsonValue>, cause: Cause): boolean => {
      let isChanged = false;
      for (const [key, value] of values) {
        const feature = entry.featuresByKey.get(key);
        // A feature that never reports would stay assumed for ever.
        if (feature?.kind !== 'state' || !feature.readable) continue;
        isChanged = assumeValue(entry, feature, [value, cause]) || isChanged;
      }
      return isChanged;
    },
    /** Shows the last reported values of these keys again; true if anything changed. */
    drop: (entry: DeviceEntry, keys: readonly string[], cause: Cause): boolean => {
      let isChanged = false;
      for (const key of keys) {
        if (entry.states.get(key)?.quality !== 'assumed') continue;
        setState(entry, key, { state: settle(entry, key), cause });
        isChanged = true;
      }
      return isChanged;
    },
    /** To call when a report came, which ends the assumption. Returns the state that was last reported before it. */
    settle,
    /** The state that was last reported, also while another value is assumed. */
    reported: findReported,
    /** Marks the reported values behind the assumptions as stale too, because `drop` would show them again. */
    age: (entry: DeviceEntry): void => {
      const reported = reportedOf.get(entry);
      for (const [key, state] of reported ?? []) {
        if (state.quality === 'confirmed') reported?.set(key, { ...state, quality: 'stale' });
      }
    },
  };
}
