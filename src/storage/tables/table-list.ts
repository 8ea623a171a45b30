import { apiTokenTable } from '#storage/tables/people/api-token-table.ts';
import { automationHookTable } from '#storage/tables/automation/automation-hook-table.ts';
import { automationTable } from '#storage/tables/automation/automation-table.ts';
import { auditTable } from '#storage/tables/people/audit-table.ts';
import { deviceTable } from '#storage/tables/devices/device-table.ts';
import { energyTable } from './energy-table.ts';
import { exporterTable } from './exporter-table.ts';
import { homeViewTable } from '#storage/tables/people/home-view-table.ts';
import { integrationTable } from './integration-table.ts';
import { calendarTable, modeTable, presenceTable, templateTable, variableTable } from './keyed-table.ts';
import { metaTable } from './meta-table.ts';
import { recordingTable } from './recording-table.ts';
import { notificationTable } from './notification-table.ts';
import { roomTable } from './room-table.ts';
import { sessionTable } from '#storage/tables/people/session-table.ts';
import { sceneTable } from './scene-table.ts';
import type { NounDeps } from './stored-noun.ts';
import { userTable } from '#storage/tables/people/user-table.ts';
import { webhookTable } from './webhook-table.ts';

/** Every stored noun. A new one is its migration, its file here, and one line in this list. */
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
  modes: modeTable,
  variables: variableTable,
  presences: presenceTable,
  calendars: calendarTable,
  energy: energyTable,
  scenes: sceneTable,
  exporters: exporterTable,
  automations: automationTable,
  automationHooks: automationHookTable,
  homeViews: homeViewTable,
  templates: templateTable,
};

/** The operations of all nouns, by noun. */
export type TableOperations = {
  readonly [Noun in keyof typeof TABLES]: ReturnType<(typeof TABLES)[Noun]['open']>;
};

export function openTables(deps: NounDeps): TableOperations {
  const opened = Object.entries(TABLES).map(([noun, { open }]) => [noun, open(deps)]);
  return Object.fromEntries(opened) as TableOperations;
}
