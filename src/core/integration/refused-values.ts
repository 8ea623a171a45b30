import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { DeviceEntry } from '#core/device/device-table.ts';

/** What devices said of their features that is no value of them. */
export type RefusedValues = {
  readonly note: (entry: DeviceEntry, key: string, value: JsonValue) => void;
  /** The feature has a good value. */
  readonly end: (entry: DeviceEntry, key: string) => void;
};

const MAX_SHOWN = 40;

/** Logs once for each feature until it has a good value again, because a broken device repeats its wrong values. */
export function createRefusedValues(log: Log): RefusedValues {
  const noted = new WeakMap<DeviceEntry, Set<string>>();
  return {
    note: (entry: DeviceEntry, key: string, value: JsonValue): void => {
      if (!entry.featuresByKey.has(key)) return;
      const keys = noted.get(entry) ?? new Set();
      if (keys.has(key)) return;
      noted.set(entry, keys.add(key));
      const { integration, externalId } = entry;
      // An object may be as large as a message.
      const shown = typeof value === 'object' ? typeof value : String(value).slice(0, MAX_SHOWN);
      const details = { integration, device: externalId, feature: key, value: shown };
      log.warn('ignored a value of a device: it does not fit its feature', details);
    },
    end: (entry: DeviceEntry, key: string): void => void noted.get(entry)?.delete(key),
  };
}
