import { isJsonObject, isTextList, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import { asideKey, type Exporter, EXPORTER_TYPES, type ExporterId, markKey } from '#core/exporter/exporter.ts';
import { plain, recordColumnsOf, saveSql } from './columns.ts';
import { putMetaRow } from './meta-table.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Exporter>({ id: plain('id') });
const SAVE = saveSql('exporter', COLUMNS.names);

/** The exporters. Their ids sort in the order of creation. */
export const exporterTable = {
  open: openExporterTable,
  checks: [{ since: 19, table: 'exporter', json: { record: isExporterRecord } }],
} satisfies StoredNoun;

function openExporterTable({ database, later, sound }: NounDeps) {
  /** Entries of the journal are older than this change and must not follow it. */
  const changeWithMeta = (change: () => void): void => {
    database.transaction(() => {
      later.settleMeta();
      change();
    });
    later.forgetRidingMeta();
  };
  return {
    loadExporters: read((): Exporter[] =>
      sound('exporter', database.all('SELECT * FROM exporter ORDER BY id')).map(COLUMNS.fromRow),
    ),
    saveExporter: write((exporter: Exporter, mark: string | null): void =>
      changeWithMeta(() => {
        database.run(SAVE, COLUMNS.valuesOf(exporter));
        if (mark !== null) putMetaRow(database, markKey(exporter.id), mark);
      }),
    ),
    deleteExporter: write((id: ExporterId): void =>
      changeWithMeta(() => {
        database.run('DELETE FROM exporter WHERE id = ?', [id]);
        database.run('DELETE FROM meta WHERE key IN (?, ?)', [markKey(id), asideKey(id)]);
      }),
    ),
  };
}

function isExporterRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { type, name, url, broker, secret, mayReachHub, filter, start, enabled, createdAtMs, updatedAtMs } = record;
  return (
    EXPORTER_TYPES.some((known) => known === type) &&
    [name, url, broker, secret].every((text) => text === null || typeof text === 'string') &&
    [mayReachHub, enabled].every((flag) => typeof flag === 'boolean') &&
    [createdAtMs, updatedAtMs].every((time) => typeof time === 'number') &&
    isFilter(filter) &&
    isStart(start)
  );
}

function isFilter(filter: JsonValue | undefined): boolean {
  if (filter === undefined || !isJsonObject(filter)) return false;
  const { deviceIds, roomIds, keys } = filter;
  return (
    [deviceIds, roomIds].every((ids) => ids === null || isTextList(ids, isUuid)) && (keys === null || isTextList(keys))
  );
}

function isStart(start: JsonValue | undefined): boolean {
  if (start === null) return true;
  if (start === undefined || !isJsonObject(start)) return false;
  return typeof start['atMs'] === 'number' && typeof start['below'] === 'number';
}
