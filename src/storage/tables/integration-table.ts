import type { JsonObject } from '#base/json.ts';
import { ifThere, isFlag, isObject, isText, isWhole, orNull, recordOf, valuesOf } from '#core/records/record-check.ts';
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

/** The folder of secrets has the hub's keys too: no backup may name one of them as the secret of an integration. */
const SECRET_FILE = /^(?:mqtt-password|integration\.[\w-]{1,100}\.\w{1,100})\.[ab]$/;

const isInstanceRecord = recordOf<InstanceRecord>({
  name: isText,
  uniqueId: orNull(isText),
  settings: isObject,
  secrets: valuesOf((name) => typeof name === 'string' && SECRET_FILE.test(name)),
  settingsVersion: isWhole,
  revision: isWhole,
  enabled: isFlag,
  mayReachHub: isFlag,
  isChosen: isFlag,
  isForgetting: isFlag,
  madeToken: ifThere(orNull(isText)),
});

/** The configured integrations, and the little that each keeps for itself. */
export const integrationTable = {
  open: openIntegrations,
  checks: [
    { since: 10, table: 'integration', integers: ['number'], json: { record: isInstanceRecord } },
    { since: 10, table: 'integration_state', json: { state: isObject }, isOfLoading: true },
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
