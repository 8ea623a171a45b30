import {
  ifThere,
  isFlag,
  isId,
  isNumber,
  isText,
  isWhole,
  listOf,
  oneOf,
  orNull,
  recordOf,
} from '#core/records/record-check.ts';
import { asideKey, type Exporter, EXPORTER_TYPES, type ExporterId, markKey } from '#core/exporter/exporter.ts';
import { plain, recordColumnsOf, saveSql } from './columns.ts';
import { putMetaRow } from './meta-table.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Exporter>({ id: plain('id') });
const SAVE = saveSql('exporter', COLUMNS.names);

const isExporterRecord = recordOf<Exporter>({
  type: oneOf(EXPORTER_TYPES),
  name: orNull(isText),
  url: orNull(isText),
  broker: orNull(isText),
  secret: orNull(isText),
  mayReachHub: isFlag,
  enabled: isFlag,
  revision: ifThere(isWhole),
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  filter: recordOf<Exporter['filter']>({
    deviceIds: orNull(listOf(isId)),
    roomIds: orNull(listOf(isId)),
    keys: orNull(listOf(isText)),
  }),
  start: orNull(recordOf({ atMs: isNumber, below: isNumber })),
});

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
