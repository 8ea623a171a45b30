import { ifThere, isFlag, isNumber, isObject, isText, listOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { DeviceId, DeviceRecord, StoredValue } from '#core/device/device.ts';
import type { DeviceLimits } from '#core/device/device-limits.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isMeasureWord } from '#core/feature/measures.ts';
import type { Database, SqlRow } from '#storage/engine/database.ts';
import { createDeviceExcess } from './device-excess.ts';
import { isChangesJson, isStatesJson, valuesFromStates } from './value-merge.ts';
import { optional, plain, recordColumnsOf, saveSql, jsonOf } from '#storage/tables/columns.ts';
import { defer, post, read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

/** One page of a long list, and the start of the next one or `null` after the last. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: number | null };
/** The wasm heap never shrinks: lists that can be long pass through it in pages. */
const PAGE_ROWS = 200;

const COLUMNS = recordColumnsOf<DeviceRecord>({
  id: plain('id'),
  integration: plain('integration'),
  externalId: plain('external_id'),
  selector: plain('selector'),
  roomId: plain('room_id'),
  removedAtMs: plain('removed_at_ms'),
  parentExternalId: optional('parent_external_id'),
});
const CHANGEABLE = COLUMNS.names.filter((name) => name !== 'id');
/** Does not write a row that has not changed. */
const SAVE = `${saveSql('device', COLUMNS.names)}
  WHERE (${CHANGEABLE.join(', ')}) IS NOT (${CHANGEABLE.map((name) => `excluded.${name}`).join(', ')})`;

const isFeature = recordOf<Feature>({
  key: isText,
  capability: isText,
  component: isText,
  kind: isText,
  category: isText,
  name: isText,
  valueType: isText,
  readable: isFlag,
  writable: isFlag,
  // The first version kept none.
  schema: ifThere(orNull(isObject)),
  source: ifThere(isText),
  description: orNull(isText),
  unit: orNull(isText),
  min: orNull(isNumber),
  max: orNull(isNumber),
  step: orNull(isNumber),
  options: orNull(listOf(isText)),
});
const isDeviceRecord = recordOf<DeviceRecord>({
  name: isText,
  type: isText,
  manufacturer: orNull(isText),
  model: orNull(isText),
  firmware: orNull(isText),
  ownName: orNull(isText),
  markedSensitive: ifThere(isFlag),
  isLeftOn: ifThere(isFlag),
  holdsSensitive: ifThere(isFlag),
  icon: ifThere(orNull(isText)),
  staleAfterMs: orNull(isNumber),
  revision: isNumber,
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  measures: ifThere(
    listOf(
      recordOf({
        described: isFeature,
        capability: (word) => typeof word === 'string' && isMeasureWord(word),
        unit: orNull(isText),
      }),
    ),
  ),
  members: ifThere(listOf(recordOf({ id: isText, selector: isText }))),
  features: listOf(isFeature),
});

/** The devices and their last values, which the journal brings. */
export const deviceTable = {
  open: openDevices,
  checks: [
    { since: 1, table: 'device', integers: ['number'], json: { record: isDeviceRecord } },
    { since: 1, table: 'device_value', integers: ['device'], json: { states: isStatesJson } },
    { since: 1, until: 8, table: 'value_log', integers: ['number'], json: { changes: isChangesJson } },
  ],
} satisfies StoredNoun;

function openDevices({ database, later, log, sound }: NounDeps) {
  const staged = new Map<number, DeviceRecord[]>();
  const excess = createDeviceExcess(database, log);
  const saveDevices = (devices: readonly DeviceRecord[]): void => {
    excess.remove();
    database.transaction(() => {
      for (const device of devices) saveDeviceRow(database, device);
    });
  };
  return {
    /** Usually deletes nothing, and a failing delete is only logged: its success does not show that the disk accepts writes. */
    limitDevices: read((limits: DeviceLimits): number => excess.enforce(limits)),
    forgetDevices: write((keep: number): readonly DeviceId[] => excess.forgetHidden(keep)),
    forgetDevicesOf: write((integration: string): readonly DeviceId[] => excess.forgetHiddenOf(integration)),
    saveDevices: write(saveDevices),
    /** Takes one part of a long list that is saved as a whole afterwards. */
    stageDevices: defer((batch: number, devices: readonly DeviceRecord[]): void => {
      staged.set(batch, [...(staged.get(batch) ?? []), ...devices]);
    }),
    saveStagedDevices: write((batch: number): void => {
      const devices = staged.get(batch) ?? [];
      staged.delete(batch);
      saveDevices(devices);
    }),
    loadDevicePage: read((after: number): Page<DeviceRecord> => {
      const rows = excess.loadPage(after, PAGE_ROWS);
      return { items: sound('device', rows).map(COLUMNS.fromRow), next: nextPage(rows) };
    }),
    loadValuePage: read((after: number): Page<StoredValue> => {
      const rows = database.all(
        `SELECT device.number, device.id, device, states FROM device_value JOIN device ON number = device
         WHERE device > ? AND device <= ? AND removed_at_ms IS NULL ORDER BY device LIMIT ?`,
        [after, excess.lastWithValues(), PAGE_ROWS],
      );
      const items = sound('device_value', rows).flatMap(({ id, states }) =>
        valuesFromStates(id as DeviceId, jsonOf(states)),
      );
      return { items, next: nextPage(rows) };
    }),
    saveValue: post((value: StoredValue): void => later.addValue(value)),
  };
}

/** Inserts or replaces inside the caller's transaction. */
export function saveDeviceRow(database: Database, device: DeviceRecord): void {
  database.run(SAVE, COLUMNS.valuesOf(device));
}

function nextPage(rows: readonly SqlRow[]): number | null {
  return rows.length < PAGE_ROWS ? null : Number(rows.at(-1)?.['number']);
}
