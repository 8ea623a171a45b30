import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { DeviceId, DeviceRecord, RoomId, StoredValue } from '#core/device/device.ts';
import type { DeviceLimits } from '#core/device/device-limits.ts';
import type { Database } from '#storage/engine/database.ts';
import { createDeviceExcess } from '#storage/engine/device-excess.ts';
import type { ValueEntry } from '#storage/journal/value-log.ts';

/** One page of a long list and where the next one starts; `next` is `null` after the last. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: number | null };
/** The wasm heap never shrinks again: what can be long goes through it in pages. */
const PAGE_ROWS = 200;

/** The devices and their last values: what `DeviceStore` asks, synchronously; values are written by the value writer. */
export function createDeviceTable(database: Database, log: Log) {
  const staged = new Map<number, DeviceRecord[]>();
  const excess = createDeviceExcess(database, log);
  const saveDevices = (devices: readonly DeviceRecord[]): void => {
    excess.remove();
    database.transaction(() => {
      for (const device of devices) saveDeviceRow(database, device);
    });
  };
  return {
    limitDevices: (limits: DeviceLimits): number => excess.enforce(limits),
    forgetDevices: excess.forgetHidden,
    saveDevices,
    /** Takes a part of a long list that is to be saved as one. */
    stageDevices: (batch: number, devices: readonly DeviceRecord[]): void => {
      staged.set(batch, [...(staged.get(batch) ?? []), ...devices]);
    },
    saveStagedDevices: (batch: number): void => {
      const devices = staged.get(batch) ?? [];
      staged.delete(batch);
      saveDevices(devices);
    },
    loadDevicePage: (after: number): Page<DeviceRecord> => {
      const rows = excess.loadPage(after, PAGE_ROWS) as DeviceRow[];
      return { items: rows.map(recordFromRow), next: nextPage(rows) };
    },
    loadValuePage: (after: number): Page<StoredValue> => {
      const rows = database.all(
        `SELECT device.number, device.id, device_value.states FROM device_value JOIN device ON number = device
         WHERE device > ? AND device <= ? AND removed_at_ms IS NULL ORDER BY device LIMIT ?`,
        [after, excess.lastWithValues(), PAGE_ROWS],
      ) as ValueRow[];
      return { items: rows.flatMap((row) => valuesFromRow(row)), next: nextPage(rows) };
    },
  };
}

/** Inserts or replaces inside the caller's transaction. What did not change is not written. */
export function saveDeviceRow(database: Database, device: DeviceRecord): void {
  const { id, integration, externalId, selector, roomId, removedAtMs, ...rest } = device;
  database.run(
    `INSERT INTO device (id, integration, external_id, selector, room_id, removed_at_ms, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET integration = excluded.integration, external_id = excluded.external_id,
       selector = excluded.selector, room_id = excluded.room_id, removed_at_ms = excluded.removed_at_ms,
       record = excluded.record
     WHERE (integration, external_id, selector, room_id, removed_at_ms, record) IS NOT
       (excluded.integration, excluded.external_id, excluded.selector, excluded.room_id, excluded.removed_at_ms,
        excluded.record)`,
    // Names come from devices: as JSON they may hold any character.
    [id, integration, externalId, selector, roomId, removedAtMs, JSON.stringify(rest)],
  );
}

/** Whether a record from a file of unknown origin is one that the hub can live with. */
export function isDeviceRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { features } = record;
  return (
    ['name', 'type'].every((name) => typeof record[name] === 'string') &&
    ['manufacturer', 'model', 'firmware', 'ownName'].every((name) => isNullOr('string', record[name])) &&
    ['undefined', 'boolean'].includes(typeof record['markedSensitive']) &&
    isNullOr('number', record['staleAfterMs']) &&
    ['revision', 'createdAtMs', 'updatedAtMs'].every((name) => typeof record[name] === 'number') &&
    Array.isArray(features) &&
    features.every(isFeature)
  );
}

/** The same for one entry of a `states` array. */
export function isValueEntry(entry: JsonValue): boolean {
  if (!Array.isArray(entry) || entry.length !== 4) return false;
  const [key, , observedAtMs, changedBeforeMs] = entry as readonly JsonValue[];
  return typeof key === 'string' && isNullOr('number', observedAtMs) && isNullOr('number', changedBeforeMs);
}

function isFeature(feature: JsonValue): boolean {
  if (!isJsonObject(feature)) return false;
  const texts = ['key', 'capability', 'component', 'kind', 'category', 'name', 'valueType'];
  const { options } = feature;
  return (
    texts.every((name) => typeof feature[name] === 'string') &&
    ['description', 'unit'].every((name) => isNullOr('string', feature[name])) &&
    ['min', 'max', 'step'].every((name) => isNullOr('number', feature[name])) &&
    (options === null || (Array.isArray(options) && options.every((option) => typeof option === 'string')))
  );
}

function isNullOr(type: 'string' | 'number', value: JsonValue | undefined): boolean {
  return value === null || typeof value === type;
}

type DeviceRow = {
  readonly number: number;
  readonly id: DeviceId;
  readonly integration: string;
  readonly external_id: string;
  readonly selector: string;
  readonly room_id: RoomId | null;
  readonly removed_at_ms: number | null;
  readonly record: string;
};
type ValueRow = { readonly number: number; readonly id: DeviceId; readonly states: string };

function recordFromRow(row: DeviceRow): DeviceRecord {
  const rest = JSON.parse(row.record) as Omit<DeviceRecord, 'id' | 'integration' | 'externalId' | 'selector'>;
  return {
    ...rest,
    id: row.id,
    integration: row.integration,
    externalId: row.external_id,
    selector: row.selector,
    roomId: row.room_id,
    removedAtMs: row.removed_at_ms,
  };
}

function valuesFromRow(row: ValueRow): StoredValue[] {
  return (JSON.parse(row.states) as ValueEntry[]).map(([key, value, observedAtMs, changedBeforeMs]) => ({
    deviceId: row.id,
    key,
    value,
    observedAtMs,
    changedAtMs: changedBeforeMs === null ? null : (observedAtMs ?? 0) - changedBeforeMs,
  }));
}

function nextPage(rows: readonly { number: number }[]): number | null {
  return rows.length < PAGE_ROWS ? null : (rows.at(-1)?.number ?? null);
}
