import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { KeyedRecord } from '#core/records/keyed-records.ts';
import { isTemplateRecord } from '#core/automation-template/template.ts';
import type { OwnTemplate } from '#core/automation-template/template-registry.ts';
import type { Calendar } from '#core/calendar/calendar.ts';
import { type Mode } from '#core/mode/mode.ts';
import { type Variable, VARIABLE_TYPES } from '#core/variable/variable.ts';
import { type Presence, PRESENCE_STATES } from '#core/presence/presence.ts';
import { plain, recordColumnsOf } from './columns.ts';
import { isIssuerOrNull } from '#storage/tables/automation/signer-record.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

export const modeTable = {
  open: (deps: NounDeps) => openKeyedTable<Mode>(deps, 'mode_set'),
  checks: [{ since: 14, table: 'mode_set', json: { record: isModeRecord } }],
} satisfies StoredNoun;

export const variableTable = {
  open: (deps: NounDeps) => openKeyedTable<Variable>(deps, 'variable'),
  checks: [{ since: 14, table: 'variable', json: { record: isVariableRecord } }],
} satisfies StoredNoun;

export const calendarTable = {
  open: (deps: NounDeps) => openKeyedTable<Calendar>(deps, 'calendar'),
  checks: [{ since: 21, table: 'calendar', json: { record: isCalendarRecord } }],
} satisfies StoredNoun;

export const templateTable = {
  open: (deps: NounDeps) => openKeyedTable<OwnTemplate>(deps, 'automation_template'),
  checks: [{ since: 24, table: 'automation_template', json: { record: isTemplateRecord } }],
} satisfies StoredNoun;

export const presenceTable = {
  open: (deps: NounDeps) => openKeyedTable<Presence>(deps, 'presence'),
  checks: [{ since: 16, table: 'presence', json: { record: isPresenceRecord } }],
} satisfies StoredNoun;

/** A table of records by key. */
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

function isModeRecord(record: JsonValue): boolean {
  if (!isKeyedRecord(record)) return false;
  const { values, value, changedBy, until } = record;
  if (!isTexts(values) || typeof value !== 'string' || !values.includes(value)) return false;
  if (changedBy !== 'until' && !isIssuerOrNull(changedBy)) return false;
  if (until === null) return true;
  if (until === undefined || !isJsonObject(until)) return false;
  return (
    typeof until['epoch'] === 'string' &&
    typeof until['atMs'] === 'number' &&
    isCallers(until['callers']) &&
    values.some((one) => one === until['next'])
  );
}

function isVariableRecord(record: JsonValue): boolean {
  if (!isKeyedRecord(record)) return false;
  const { type, value, min, max, options, changedBy } = record;
  return (
    VARIABLE_TYPES.some((one) => one === type) &&
    ['boolean', 'number', 'string'].includes(typeof value) &&
    [min, max].every((limit) => limit === null || typeof limit === 'number') &&
    isTexts(options) &&
    isIssuerOrNull(changedBy)
  );
}

function isCalendarRecord(record: JsonValue): boolean {
  return isKeyedRecord(record) && isTexts(record['dates']) && typeof record['isFree'] === 'boolean';
}

function isPresenceRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { state, evidence, sinceMs, word, awayAfterS, sources, revision } = record;
  return (
    PRESENCE_STATES.some((one) => one === state) &&
    [null, 'told', 'device'].some((one) => one === evidence) &&
    typeof sinceMs === 'number' &&
    typeof awayAfterS === 'number' &&
    Number.isSafeInteger(revision) &&
    (word === null ||
      (word !== undefined && isJsonObject(word) && typeof word['atMs'] === 'number' && isCallers(word['callers']))) &&
    Array.isArray(sources) &&
    sources.every((one) => isJsonObject(one) && typeof one['deviceId'] === 'string' && typeof one['key'] === 'string')
  );
}

function isKeyedRecord(record: JsonValue): record is { readonly [key: string]: JsonValue } {
  if (!isJsonObject(record)) return false;
  const { name, changedAtMs, revision } = record;
  return typeof name === 'string' && typeof changedAtMs === 'number' && Number.isSafeInteger(revision);
}

/** Of a cause; most have none. */
function isCallers(callers: JsonValue | undefined): boolean {
  if (callers === undefined) return true;
  const isOne = (one: JsonValue): boolean =>
    isJsonObject(one) && (one['type'] === 'api_token' || one['type'] === 'user') && typeof one['id'] === 'string';
  return Array.isArray(callers) && callers.every(isOne);
}

function isTexts(value: JsonValue | undefined): value is readonly string[] & JsonValue {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
