import type { JsonValue } from '#base/json.ts';
import { isTemplateRecord } from '#core/automation-template/template.ts';
import type { OwnTemplate } from '#core/automation-template/template-registry.ts';
import { type Calendar, isCalendarRecord } from '#core/calendar/calendar.ts';
import { isModeRecord, type Mode } from '#core/mode/mode.ts';
import { isPresenceRecord, type Presence } from '#core/presence/presence.ts';
import type { KeyedRecord } from '#core/records/keyed-records.ts';
import { isVariableRecord, type Variable } from '#core/variable/variable.ts';
import { apiTokenTable } from '#storage/tables/people/api-token-table.ts';
import { automationHookTable } from '#storage/tables/automation/automation-hook-table.ts';
import { automationTable } from '#storage/tables/automation/automation-table.ts';
import { auditTable } from '#storage/tables/people/audit-table.ts';
import { deviceTable } from '#storage/tables/devices/device-table.ts';
import { plain, recordColumnsOf } from './columns.ts';
import { energyTable } from './energy-table.ts';
import { exporterTable } from './exporter-table.ts';
import { homeViewTable } from '#storage/tables/people/home-view-table.ts';
import { integrationTable } from './integration-table.ts';
import { metaTable } from './meta-table.ts';
import { recordingTable } from './recording-table.ts';
import { notificationTable } from './notification-table.ts';
import { requestKeyTable } from '#storage/tables/people/request-key-table.ts';
import { roomTable } from './room-table.ts';
import { sessionTable } from '#storage/tables/people/session-table.ts';
import { sceneTable } from './scene-table.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';
import { userTable } from '#storage/tables/people/user-table.ts';
import { webhookTable } from './webhook-table.ts';

/** Every stored noun. A new one is its migration, and one line in this list, with a file here unless it is records by key. */
export const TABLES = {
  meta: metaTable,
  users: userTable,
  sessions: sessionTable,
  apiTokens: apiTokenTable,
  audit: auditTable,
  rooms: roomTable,
  devices: deviceTable,
  webhooks: webhookTable,
  integrations: integrationTable,
  recordings: recordingTable,
  notifications: notificationTable,
  modes: keyedTable<Mode>('mode_set', 14, isModeRecord),
  variables: keyedTable<Variable>('variable', 14, isVariableRecord),
  presences: keyedTable<Presence>('presence', 16, isPresenceRecord),
  calendars: keyedTable<Calendar>('calendar', 21, isCalendarRecord),
  energy: energyTable,
  scenes: sceneTable,
  exporters: exporterTable,
  automations: automationTable,
  automationHooks: automationHookTable,
  homeViews: homeViewTable,
  requestKeys: requestKeyTable,
  templates: keyedTable<OwnTemplate>('automation_template', 24, isTemplateRecord),
};

export type TableOperations = {
  readonly [Noun in keyof typeof TABLES]: ReturnType<(typeof TABLES)[Noun]['open']>;
};

export function openTables(deps: NounDeps): TableOperations {
  const opened = Object.entries(TABLES).map(([noun, { open }]) => [noun, open(deps)]);
  return Object.fromEntries(opened) as TableOperations;
}

/** A table of records by key. `since`: the first schema that has it; `isRecord`: what the record of a row must be. */
function keyedTable<Item extends KeyedRecord>(table: string, since: number, isRecord: (record: JsonValue) => boolean) {
  return {
    open: (deps: NounDeps) => openKeyedTable<Item>(deps, table),
    checks: [{ since, table, json: { record: isRecord } }],
  } satisfies StoredNoun;
}

function openKeyedTable<Item extends KeyedRecord>({ database, sound }: NounDeps, table: string) {
  const columns = recordColumnsOf<Item>({ key: plain('key') } as Parameters<typeof recordColumnsOf<Item>>[0]);
  return {
    load: read((): Item[] => sound(table, database.all(`SELECT * FROM ${table} ORDER BY key`)).map(columns.fromRow)),
    save: write(
      (item: Item): void =>
        void database.run(`INSERT OR REPLACE INTO ${table} (key, record) VALUES (?, ?)`, columns.valuesOf(item)),
    ),
    remove: write((key: string): void => void database.run(`DELETE FROM ${table} WHERE key = ?`, [key])),
  };
}
