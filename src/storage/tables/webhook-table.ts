import {
  ifThere,
  isFlag,
  isId,
  isNumber,
  isText,
  isWhole,
  listOf,
  orNull,
  recordOf,
} from '#core/records/record-check.ts';
import type { Webhook, WebhookId } from '#core/webhook/webhook.ts';
import { plain, recordColumnsOf, saveSql, type SoundRow } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Webhook>({ id: plain('id'), secret: plain('secret') });
const SAVE = saveSql('webhook', COLUMNS.names);

const isWebhookRecord = recordOf<Webhook>({
  name: orNull(isText),
  url: isText,
  mayReachHub: ifThere(isFlag),
  enabled: isFlag,
  revision: ifThere(isWhole),
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  filter: recordOf<Webhook['filter']>({
    types: orNull(listOf(isText)),
    deviceIds: orNull(listOf(isId)),
    roomIds: orNull(listOf(isId)),
  }),
});

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
