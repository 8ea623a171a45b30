import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { InstanceRecord } from '#core/integration/instance.ts';
import { jsonOf, plain, recordColumnsOf, saveSql } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<InstanceRecord>({
  id: plain('id'),
  kind: plain('kind'),
  removedAtMs: plain('removed_at_ms'),
});
const SAVE = saveSql('integration', COLUMNS.names);

/** The configured integrations, and the little that each keeps for itself. */
export const integrationTable = {
  open: openIntegrations,
  checks: [
    { since: 10, table: 'integration', integers: ['number'], json: { record: isInstanceRecord } },
    { since: 10, table: 'integration_state', json: { state: isJsonObject }, isOfLoading: true },
  ],
} satisfies StoredNoun;

function openIntegrations({ database, sound }: NounDeps) {
  return {
    loadInstances: read((): InstanceRecord[] =>
      sound('integration', database.all('SELECT * FROM integration ORDER BY number')).map(COLUMNS.fromRow),
    ),
    saveInstance: write((record: InstanceRecord): void => void database.run(SAVE, COLUMNS.valuesOf(record))),
    deleteInstance: write((id: string): void =>
      database.transaction(() => {
        database.run('DELETE FROM integration WHERE id = ?', [id]);
        database.run('DELETE FROM integration_state WHERE id = ?', [id]);
      }),
    ),
    loadState: read((id: string): JsonObject => {
      const [row] = sound(
        'integration_state',
        database.all('SELECT id, state FROM integration_state WHERE id = ?', [id]),
      );
      return row === undefined ? {} : (jsonOf(row['state']) as JsonObject);
    }),
    saveState: write((id: string, state: JsonObject): void => {
      const sql =
        'INSERT INTO integration_state (id, state) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state';
      database.run(sql, [id, JSON.stringify(state)]);
    }),
  };
}

function isInstanceRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { name, uniqueId, settings, settingsVersion, secrets, revision } = record;
  return (
    typeof name === 'string' &&
    (uniqueId === null || typeof uniqueId === 'string') &&
    isJsonObject(settings) &&
    isJsonObject(secrets) &&
    Object.values(secrets).every(isFileName) &&
    [settingsVersion, revision].every((number) => Number.isSafeInteger(number)) &&
    ['enabled', 'mayReachHub', 'isChosen', 'isForgetting'].every((flag) => typeof record[flag] === 'boolean')
  );
}

/** The folder of secrets has the hub's keys too: no backup may name one of them as the secret of an integration. */
function isFileName(name: JsonValue): boolean {
  return typeof name === 'string' && /^(?:mqtt-password|integration\.[\w-]{1,100}\.\w{1,100})\.[ab]$/.test(name);
}
