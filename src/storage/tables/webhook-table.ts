import { isJsonObject, isTextList, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { Webhook, WebhookId } from '#core/webhook/webhook.ts';
import { plain, recordColumnsOf, saveSql, type SoundRow } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Webhook>({ id: plain('id'), secret: plain('secret') });
const SAVE = saveSql('webhook', COLUMNS.names);

/** The webhooks. Their ids sort in the order of creation. */
export const webhookTable = {
  open: openWebhookTable,
  checks: [{ since: 2, table: 'webhook', json: { record: isWebhookRecord } }],
} satisfies StoredNoun;

function openWebhookTable({ database, sound }: NounDeps) {
  return {
    loadWebhooks: read((): Webhook[] =>
      sound('webhook', database.all('SELECT * FROM webhook ORDER BY id')).map(webhookFromRow),
    ),
    saveWebhook: write((webhook: Webhook): void => void database.run(SAVE, COLUMNS.valuesOf(webhook))),
    deleteWebhook: write((id: WebhookId): void => void database.run('DELETE FROM webhook WHERE id = ?', [id])),
  };
}

/** Records from before `mayReachHub` do not say who set the URL: it may have been an admin. */
function webhookFromRow(row: SoundRow): Webhook {
  return { mayReachHub: false, ...(COLUMNS.fromRow(row) as Omit<Webhook, 'mayReachHub'>) };
}

function isWebhookRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { name, url, mayReachHub, filter, enabled, createdAtMs, updatedAtMs } = record;
  return (
    (name === null || typeof name === 'string') &&
    typeof url === 'string' &&
    (mayReachHub === undefined || typeof mayReachHub === 'boolean') &&
    typeof enabled === 'boolean' &&
    typeof createdAtMs === 'number' &&
    typeof updatedAtMs === 'number' &&
    filter !== undefined &&
    isJsonObject(filter) &&
    (filter['types'] === null || isTextList(filter['types'])) &&
    ['deviceIds', 'roomIds'].every((part) => filter[part] === null || isTextList(filter[part], isUuid))
  );
}
