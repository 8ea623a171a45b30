import { type JsonValue, parseJson } from '#base/json.ts';
import { type Check, isNumber, isText, listOf, orNull, tupleOf } from '#core/records/record-check.ts';
import type { DeviceId, StoredValue } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';

/**
 * One value as stored in the `states` of a device's row. The second time is a difference. Last values reach these rows from
 * the journal: at each start, before each backup, and when the journal is sealed.
 */
type ValueEntry = readonly [key: string, value: JsonValue, observedAtMs: number | null, changedBeforeMs: number | null];

function entryFromValue({ key, value, observedAtMs, changedAtMs }: StoredValue): ValueEntry {
  return [key, value, observedAtMs, changedAtMs === null ? null : (observedAtMs ?? 0) - changedAtMs];
}

/** Moves values into the rows of their devices, inside the caller's transaction. Those of unknown devices are left out. */
export function mergeValues(database: Database, values: Iterable<StoredValue>): void {
  const ofDevice = new Map<DeviceId, StoredValue[]>();
  for (const value of values) {
    const others = ofDevice.get(value.deviceId);
    if (others === undefined) ofDevice.set(value.deviceId, [value]);
    else others.push(value);
  }
  const known: { readonly number: number; readonly states: unknown; readonly changed: readonly StoredValue[] }[] = [];
  for (const [id, changed] of ofDevice) {
    const row = database.get(
      'SELECT number, states FROM device LEFT JOIN device_value ON device = number WHERE id = ?',
      [id],
    );
    if (row !== undefined) known.push({ number: Number(row['number']), states: row['states'], changed });
  }
  // Neighbours share pages.
  for (const { number, states, changed } of known.toSorted((left, right) => left.number - right.number)) {
    const entries = new Map(parseEntries(states ?? '[]').map((entry) => [entry[0], entry]));
    for (const value of changed) entries.set(value.key, entryFromValue(value));
    database.run('INSERT OR REPLACE INTO device_value (device, states) VALUES (?, ?)', [
      number,
      JSON.stringify([...entries.values()]),
    ]);
  }
}

/** The values of a device, from the `states` of its row, which were checked. */
export function valuesFromStates(deviceId: DeviceId, states: JsonValue): StoredValue[] {
  return (states as unknown as readonly ValueEntry[]).map(([key, value, observedAtMs, changedBeforeMs]) => ({
    deviceId,
    key,
    value,
    observedAtMs,
    changedAtMs: changedBeforeMs === null ? null : (observedAtMs ?? 0) - changedBeforeMs,
  }));
}

const VALUE: readonly Check[] = [isText, () => true, orNull(isNumber), orNull(isNumber)];
/** Whether a `states` array of unknown origin can be read. */
export const isStatesJson = listOf(tupleOf(...VALUE));
/** The same for the `changes` of the log that older versions kept. */
export const isChangesJson = listOf(tupleOf(isNumber, ...VALUE));

/** None where they cannot be read: such a row waits to be set aside. */
function parseEntries(states: unknown): ValueEntry[] {
  const entries = parseJson(String(states));
  return entries !== undefined && isStatesJson(entries) ? (entries as unknown as ValueEntry[]) : [];
}
