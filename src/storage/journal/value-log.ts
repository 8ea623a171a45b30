import type { JsonValue } from '#base/json.ts';
import type { DeviceId, StoredValue } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';

/**
 * Last values are appended as one row per batch of changes, and from time to time merged into one row per device. A batch
 * touches one or two pages, however many devices it names. Measured at 100 changes a second, with 100 to 10,000 devices:
 * 140 to 340 bytes written per change, against 210 to 6,900 with rows updated in place.
 */
const MERGE_AT_CHANGES = 40_000;
const ROWS_AT_ONCE = 50;

type LogEntry = readonly [deviceNumber: number, ...ValueEntry];

/** One value as stored in a `states` array or, after the device's number, in the log. The second time is a difference. */
type ValueEntry = readonly [key: string, value: JsonValue, observedAtMs: number | null, changedBeforeMs: number | null];

function entryFromValue({ key, value, observedAtMs, changedAtMs }: StoredValue): ValueEntry {
  return [key, value, observedAtMs, changedAtMs === null ? null : (observedAtMs ?? 0) - changedAtMs];
}

/** Appends inside the caller's transaction. Values of unknown devices are left out. */
export function appendValues(database: Database, values: Iterable<StoredValue>): void {
  const numbers = new Map<string, number | undefined>();
  const entries: LogEntry[] = [];
  for (const value of values) {
    if (!numbers.has(value.deviceId)) numbers.set(value.deviceId, findDeviceNumber(database, value.deviceId));
    const number = numbers.get(value.deviceId);
    if (number !== undefined) entries.push([number, ...entryFromValue(value)]);
  }
  if (entries.length === 0) return;
  database.run('INSERT INTO value_log (change_count, changes) VALUES (?, ?)', [
    entries.length,
    JSON.stringify(entries),
  ]);
}

/** Merges the log once it is long enough for that to pay off. */
export function mergeLongValueLog(database: Database): void {
  const counted = database.get('SELECT total(change_count) AS changes FROM value_log');
  if (Number(counted?.['changes']) >= MERGE_AT_CHANGES) mergeValueLog(database);
}

/** Moves the whole log into the devices' rows. Writes nothing if the log is empty. */
export function mergeValueLog(database: Database): void {
  database.transaction(() => {
    const latest = readLog(database);
    if (latest.size === 0) return;
    for (const [number, changed] of latest) {
      const known = database.get('SELECT states FROM device_value WHERE device = ?', [number]);
      const entries = new Map(parseEntries(known?.['states'] ?? '[]').map((entry) => [entry[0], entry]));
      for (const [key, entry] of changed) entries.set(key, entry);
      // The log of a restored file may name devices that the file does not have.
      database.run(
        'INSERT OR REPLACE INTO device_value (device, states) SELECT number, ? FROM device WHERE number = ?',
        [JSON.stringify([...entries.values()]), number],
      );
    }
    database.run('DELETE FROM value_log');
  });
}

/** The last entry of each key of each device, sorted by the devices' numbers. */
function readLog(database: Database): Map<number, Map<string, ValueEntry>> {
  const latest = new Map<number, Map<string, ValueEntry>>();
  for (let after = 0; ;) {
    const rows = database.all('SELECT number, changes FROM value_log WHERE number > ? ORDER BY number LIMIT ?', [
      after,
      ROWS_AT_ONCE,
    ]);
    for (const [number, ...entry] of rows.flatMap((row) => JSON.parse(String(row['changes'])) as LogEntry[])) {
      const changed = latest.get(number) ?? new Map<string, ValueEntry>();
      latest.set(number, changed.set(entry[0], entry));
    }
    after = Number(rows.at(-1)?.['number']);
    if (rows.length < ROWS_AT_ONCE) return new Map([...latest].sort(([left], [right]) => left - right));
  }
}

function findDeviceNumber(database: Database, id: string): number | undefined {
  const row = database.get('SELECT number FROM device WHERE id = ?', [id]);
  return row === undefined ? undefined : Number(row['number']);
}

/** The values of a device, from the `states` of its row. */
export function valuesFromStates(deviceId: DeviceId, states: string): StoredValue[] {
  return parseEntries(states).map(([key, value, observedAtMs, changedBeforeMs]) => ({
    deviceId,
    key,
    value,
    observedAtMs,
    changedAtMs: changedBeforeMs === null ? null : (observedAtMs ?? 0) - changedBeforeMs,
  }));
}

/** Whether a `states` array of unknown origin can be read. */
export function isStatesJson(states: JsonValue): boolean {
  return Array.isArray(states) && states.every(isValueEntry);
}

/** The same for the `changes` of the log. */
export function isChangesJson(changes: JsonValue): boolean {
  return Array.isArray(changes) && changes.every(isLogEntry);
}

function isLogEntry(entry: JsonValue): boolean {
  return Array.isArray(entry) && typeof entry[0] === 'number' && isValueEntry(entry.slice(1) as JsonValue);
}

function isValueEntry(entry: JsonValue): boolean {
  if (!Array.isArray(entry) || entry.length !== 4) return false;
  const [key, , observedAtMs, changedBeforeMs] = entry as readonly JsonValue[];
  return typeof key === 'string' && isNullOrNumber(observedAtMs) && isNullOrNumber(changedBeforeMs);
}

function isNullOrNumber(value: JsonValue | undefined): boolean {
  return value === null || typeof value === 'number';
}

function parseEntries(states: unknown): ValueEntry[] {
  return JSON.parse(String(states)) as ValueEntry[];
}
