import { type JsonValue, parseJson } from '#base/json.ts';
import {
  ifThere,
  isFlag,
  isId,
  isNumber,
  isObject,
  isText,
  isWhole,
  listOf,
  orNull,
  recordOf,
  valuesOf,
} from '#core/records/record-check.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readStored, withUsual } from '#core/automation/document/read-definition.ts';
import {
  AUTOMATION_LIMITS,
  type AutomationRecord,
  type AutomationVersion,
  type VersionLine,
} from '#core/automation/registry/automation-record.ts';
import type { AutomationSave, Replaced } from '#core/automation/registry/automation-store.ts';
import { BadBytesError, deflated, inflated } from '#storage/engine/bytes.ts';
import type { Database } from '#storage/engine/database.ts';
import {
  insertSql,
  jsonOf,
  optional,
  plain,
  recordColumnsOf,
  saveSql,
  type SoundRow,
  type Stored,
} from '#storage/tables/columns.ts';
import { keepHooksOf } from './automation-hook-table.ts';
import { isPerson, isSigner, isTimedSigner } from './signer-record.ts';
import { saveDeviceRow } from '#storage/tables/devices/device-table.ts';
import { read, write } from '#storage/tables/operation.ts';
import { writeScene } from '#storage/tables/scene-table.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

const COLUMNS = recordColumnsOf<AutomationRecord>({
  id: plain('id'),
  selector: plain('selector'),
  deletedAtMs: optional('deleted_at_ms') as ReturnType<typeof plain<number | null>>,
});
const SAVE = saveSql('automation', COLUMNS.names);
const ADD_VERSION = insertSql('automation_version', ['automation', 'version', 'is_kept', 'record', 'definition']);
/** Beside the first. Without a limit, somebody who goes back and forth could fill the disk. */
const MAX_TAKEN_AGAIN = 200;
const PAGE = 50;

const isAutomationRecord = recordOf<AutomationRecord>({
  name: isText,
  description: isText,
  roomId: orNull(isId),
  labels: listOf(isText),
  enabled: isFlag,
  version: isWhole,
  revision: isWhole,
  enabledAtMs: isNumber,
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  template: orNull(recordOf({ id: isText, version: isWhole, inputs: isObject })),
  signer: isTimedSigner,
  createdBy: isPerson,
  suspended: orNull(recordOf({ code: isText, atMs: isNumber })),
  names: valuesOf(
    recordOf({
      selector: isText,
      name: isText,
      origin: ifThere(recordOf({ integration: isText, external_id: isText })),
    }),
  ),
  definition: (definition) => definition !== undefined && asDefinition(definition) !== undefined,
});
const isVersionRecord = recordOf<AutomationVersion>({
  atMs: isNumber,
  by: isSigner,
  note: orNull(isText),
  revertedTo: orNull(isWhole),
  pointers: listOf(isText),
  urlAuthors: ifThere(valuesOf(listOf(orNull(recordOf({ user: isText, token: orNull(isText) }))))),
});

/** The automations and their versions. Ids sort in the order of creation. */
export const automationTable = {
  open: openAutomationTable,
  checks: [
    { since: 20, table: 'automation', json: { record: isAutomationRecord } },
    {
      since: 20,
      table: 'automation_version',
      integers: ['version'],
      json: { record: isVersionRecord },
      findFault: findVersionFault,
    },
  ],
} satisfies StoredNoun;

/** After so many bytes of new versions, and with the first one of a process, all are summed up. */
const REVIEW_BYTES = 1024 * 1024;

function openAutomationTable({ database, sound }: NounDeps) {
  let writtenBytes = REVIEW_BYTES;
  const writeAll = (saves: readonly AutomationSave[]): void => {
    for (const save of saves) writtenBytes += writeAutomation(database, save);
    if (writtenBytes <= REVIEW_BYTES) return;
    makeRoomForVersions(database);
    writtenBytes = 0;
  };
  const loadAutomations = (afterId: string): AutomationRecord[] => {
    const rows = database.all('SELECT * FROM automation WHERE id > ? ORDER BY id LIMIT ?', [afterId, PAGE]);
    const good = sound('automation', rows);
    const last = rows.at(-1)?.['id'];
    // None is the end.
    return good.length === 0 && last !== undefined ? loadAutomations(String(last)) : good.map(fromRow);
  };
  return {
    loadAutomations: read(loadAutomations),
    saveAutomations: write((saves: readonly AutomationSave[]): void => database.transaction(() => writeAll(saves))),
    saveReplaced: write(({ automations, scenes, devices }: Replaced): void =>
      database.transaction(() => {
        writeAll(automations);
        for (const scene of scenes) writeScene(database, scene);
        for (const device of devices) saveDeviceRow(database, device);
      }),
    ),
    deleteAutomations: write((ids: readonly AutomationId[]): void =>
      database.transaction(() => {
        for (const id of ids) database.run('DELETE FROM automation WHERE id = ?', [id]);
      }),
    ),
    loadVersions: read((id: AutomationId): VersionLine[] =>
      sound(
        'automation_version',
        database.all(
          'SELECT automation, version, record FROM automation_version WHERE automation = ? ORDER BY version DESC',
          [id],
        ),
      ).map((row) => lineOf(Number(row['version']), row['record'])),
    ),
    loadVersion: read((id: AutomationId, version: number): AutomationVersion | undefined => {
      const [row] = sound(
        'automation_version',
        database.all(
          'SELECT automation, version, record, definition FROM automation_version WHERE automation = ? AND version = ?',
          [id, version],
        ),
      );
      if (row === undefined) return undefined;
      const definition = definitionFrom(row['definition']);
      return definition && { ...lineOf(version, row['record']), definition };
    }),
  };
}

function fromRow(row: SoundRow): AutomationRecord {
  const record = COLUMNS.fromRow(row);
  return { ...record, definition: withUsual(record.definition) as unknown as Definition };
}

/** Writes one of them, inside the transaction of the caller; returns the bytes of its new version. */
function writeAutomation(database: Database, { record, version }: AutomationSave): number {
  database.run(SAVE, COLUMNS.valuesOf(record));
  if (version === null) return 0;
  keepHooksOf(database, record.id, record.definition);
  const { version: number, ...line } = version;
  const definition = deflated(Buffer.from(JSON.stringify(record.definition)));
  const isKept = number === 1 ? 1 : 0;
  database.run(ADD_VERSION, [record.id, number, isKept, JSON.stringify(line), definition]);
  if (version.revertedTo !== null) {
    database.run('UPDATE automation_version SET is_kept = 1 WHERE automation = ? AND version = ?', [
      record.id,
      version.revertedTo,
    ]);
    // One that is not kept any more for this reason is then as old as the others.
    forget(database, record.id, { isKept: 1, most: MAX_TAKEN_AGAIN });
  }
  forget(database, record.id, { isKept: 0, most: AUTOMATION_LIMITS.versions });
  return definition.length;
}

function forget(
  database: Database,
  id: AutomationId,
  { isKept, most }: { readonly isKept: 0 | 1; readonly most: number },
): void {
  database.run(
    `DELETE FROM automation_version WHERE automation = ?1 AND is_kept = ?2 AND version > 1 AND version <= (
      SELECT version FROM automation_version WHERE automation = ?1 AND is_kept = ?2 AND version > 1
      ORDER BY version DESC LIMIT 1 OFFSET ?3)`,
    [id, isKept, most],
  );
}

function lineOf(version: number, record: Stored): VersionLine {
  return { version, ...(jsonOf(record) as unknown as Omit<VersionLine, 'version'>) };
}

/** `undefined` where the bytes are damaged, or hold something else. */
function definitionFrom(blob: unknown): Definition | undefined {
  if (!(blob instanceof Uint8Array)) return undefined;
  let text: string;
  try {
    text = Buffer.from(inflated(blob)).toString();
  } catch (cause) {
    if (cause instanceof BadBytesError) return undefined;
    throw cause;
  }
  const value = parseJson(text);
  return value === undefined ? undefined : asDefinition(value);
}

function asDefinition(value: JsonValue): Definition | undefined {
  return readStored(value, (_kind, id) => id).definition;
}

function findVersionFault(database: Database): string | undefined {
  let after = 0;
  for (;;) {
    const rows = database.all(
      'SELECT rowid, definition FROM automation_version WHERE rowid > ? ORDER BY rowid LIMIT 100',
      [after],
    );
    if (rows.length === 0) return undefined;
    if (rows.some((row) => definitionFrom(row['definition']) === undefined)) {
      return 'a version of an automation cannot be read';
    }
    after = Number(rows.at(-1)?.['rowid']);
  }
}

/** Bytes of all kept versions, as packed: a hundred of each of five hundred automations could be gigabytes. */
const VERSION_BYTES = 32 * 1024 * 1024;

/** Deletes the oldest versions of the automations that have most, never the newest of one; inside a transaction. */
export function makeRoomForVersions(database: Database, mostBytes = VERSION_BYTES): void {
  const sizes = database
    .all('SELECT automation, sum(length(definition)) AS bytes FROM automation_version GROUP BY automation', [])
    .map((row) => ({ automation: String(row['automation']), bytes: Number(row['bytes']) }))
    .toSorted((left, right) => left.bytes - right.bytes);
  let room = mostBytes;
  for (const [at, { automation, bytes }] of sizes.entries()) {
    // What smaller ones leave is for the larger.
    const share = Math.floor(room / (sizes.length - at));
    if (bytes > share) keepNewest(database, automation, share);
    room -= Math.min(bytes, share);
  }
}

function keepNewest(database: Database, automation: string, mostBytes: number): void {
  database.run(
    `DELETE FROM automation_version WHERE automation = ?1 AND version IN (
      SELECT version FROM (
        SELECT version, sum(length(definition)) OVER (ORDER BY version DESC) AS bytes,
          row_number() OVER (ORDER BY version DESC) AS place
        FROM automation_version WHERE automation = ?1)
      WHERE bytes > ?2 AND place > 1)`,
    [automation, mostBytes],
  );
}
