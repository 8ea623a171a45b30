import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { DeviceEntry } from '#core/device/device-table.ts';

/** Notes what a device said of a feature that is no value of it. */
export type NoteRefused = (entry: DeviceEntry, key: string, value: JsonValue) => void;

const MAX_SHOWN = 40;

/** Logs once for each feature of a device: one that takes turns between good and wrong values would fill the log. */
export function createRefusedValues(log: Log): NoteRefused {
  const noted = new WeakMap<DeviceEntry, Set<string>>();
  return (entry, key, value) => {
    if (!entry.featuresByKey.has(key)) return;
    const keys = noted.get(entry) ?? new Set();
    if (keys.has(key)) return;
    noted.set(entry, keys.add(key));
    const { integration, externalId } = entry;
    // An object may be as large as a message.
    const shown = typeof value === 'object' ? typeof value : String(value).slice(0, MAX_SHOWN);
    const details = { integration, device: externalId, feature: key, value: shown };
    log.warn('ignored a value of a device: it does not fit its feature', details);
  };
}
