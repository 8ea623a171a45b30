import type { Clock } from '#base/clock.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import { type Assumptions, createAssumptions } from './assumptions.ts';
import type { AvailabilityState, Device } from './device.ts';
import type { DeviceStore } from './device-store.ts';
import type { DeviceEntry, DeviceTable } from './device-table.ts';
import type { HomeEvent } from './event.ts';
import type { FeatureState, Occurrence } from './feature.ts';
import { createStaleWatch } from './stale-watch.ts';

/** What devices say by themselves. Each call costs in proportion to what it reports, never to the size of the home. */
export type DeviceReporting = {
  readonly reportValues: (entry: DeviceEntry, values: ReadonlyMap<string, JsonValue>) => void;
  readonly reportOccurrence: (entry: DeviceEntry, key: string, occurrence: Occurrence) => void;
  readonly reportAvailability: (entry: DeviceEntry, state: AvailabilityState, reason: string | null) => void;
  readonly reportSeen: (entry: DeviceEntry, seenAtMs: number) => void;
  /** Starts or renews the time after which the device's values are stale. */
  readonly watch: (entry: DeviceEntry) => void;
  readonly forget: (entry: DeviceEntry) => void;
  readonly markStale: () => void;
  readonly assumptions: Pick<Assumptions, 'assume' | 'drop'>;
  /** Called after each report of values, also of one that only repeats them. */
  readonly onValues: (listener: ValuesListener) => () => void;
};

export type ValuesListener = (device: Device, values: ReadonlyMap<string, JsonValue>) => void;

type Deps = {
  readonly table: DeviceTable;
  readonly store: Pick<DeviceStore, 'saveValue'>;
  readonly clock: Clock;
  readonly emit: (event: HomeEvent) => void;
};

export function createDeviceReporting({ table, store, clock, emit }: Deps): DeviceReporting {
  const staleWatch = createStaleWatch<DeviceEntry>();
  const watch = (entry: DeviceEntry): void => {
    if (entry.staleAfterMs !== null) staleWatch.touch(entry, entry.staleAfterMs, clock.monotonicMs());
  };
  const seen = (entry: DeviceEntry, seenAtMs: number): void => {
    entry.availability = { ...entry.availability, lastSeenAtMs: seenAtMs };
  };
  const setState = (entry: DeviceEntry, key: string, state: FeatureState): void => {
    entry.states.set(key, state);
    emit({ type: 'feature.changed', device: entry, key, state });
  };

  const assumptions = createAssumptions({ clock, setState });
  const listeners = new Set<ValuesListener>();

  const reportValue = (entry: DeviceEntry, key: string, value: JsonValue): boolean => {
    if (value === null || entry.featuresByKey.get(key)?.kind !== 'state') return false;
    const isAssumed = entry.states.get(key)?.quality === 'assumed';
    const old = assumptions.settle(entry, key);
    const nowMs = clock.wallMs();
    const isSame = old.quality !== 'none' && isSameJson(old.value, value);
    if (isSame && old.quality === 'confirmed' && !isAssumed) {
      entry.states.set(key, { ...old, observedAtMs: nowMs });
      return false;
    }
    const changedAtMs = isSame ? old.changedAtMs : nowMs;
    setState(entry, key, { value, quality: 'confirmed', observedAtMs: nowMs, changedAtMs });
    if (!isSame) store.saveValue({ deviceId: entry.id, key, value, observedAtMs: nowMs, changedAtMs });
    return true;
  };

  return {
    reportValues: (entry, values) => {
      let isChanged = false;
      for (const [key, value] of values) isChanged = reportValue(entry, key, value) || isChanged;
      seen(entry, clock.wallMs());
      watch(entry);
      table.changed(entry, isChanged ? 'changed' : 'observed');
      for (const listener of listeners) listener(entry, values);
    },
    reportOccurrence: (entry, key, occurrence) => {
      if (entry.featuresByKey.get(key)?.kind !== 'event') return;
      seen(entry, clock.wallMs());
      watch(entry);
      emit({ type: 'feature.occurred', device: entry, key, occurrence });
      table.changed(entry, 'observed');
    },
    reportAvailability: (entry, state, reason) => {
      const old = entry.availability;
      if (old.state === state && old.reason === reason) return;
      const sinceMs = old.state === state ? old.sinceMs : clock.wallMs();
      entry.availability = { ...old, state, reason, sinceMs };
      emit({ type: 'availability.changed', device: entry, availability: entry.availability });
      table.changed(entry, 'changed');
    },
    reportSeen: (entry, seenAtMs) => {
      if (seenAtMs === entry.availability.lastSeenAtMs) return;
      seen(entry, seenAtMs);
      table.changed(entry, 'observed');
    },
    watch,
    forget: staleWatch.forget,
    markStale: () => {
      for (const entry of staleWatch.takeOverdue(clock.monotonicMs())) {
        for (const [key, state] of entry.states) {
          if (state.quality === 'confirmed') setState(entry, key, { ...state, quality: 'stale' });
        }
        assumptions.age(entry);
        table.changed(entry, 'changed');
      }
    },
    assumptions,
    onValues: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
