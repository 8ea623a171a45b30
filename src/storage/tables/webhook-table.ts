import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { Webhook, WebhookId } from '#core/webhook/webhook.ts';
import type { Database } from '#storage/engine/database.ts';

/** The webhooks: what `WebhookStore` asks, synchronously. Their ids sort in the order of making. */
export function createWebhookTable(database: Database) {
  return {
    loadWebhooks: (): Webhook[] =>
      database
        .all('SELECT id, secret, record FROM webhook ORDER BY id')
        .map((row) => webhookFromRow(row as WebhookRow)),
    saveWebhook: ({ id, secret, ...rest }: Webhook): void => {
      database.run(
        `INSERT INTO webhook (id, secret, record) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, record = excluded.record`,
        [id, secret, JSON.stringify(rest)],
      );
    },
    deleteWebhook: (id: WebhookId): void => {
      database.run('DELETE FROM webhook WHERE id = ?', [id]);
    },
  };
}

/** Whether a record from a file of unknown origin is one that the hub can live with. */
export function isWebhookRecord(record: JsonValue): boolean {
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
    isNullOrTexts(filter['types'], () => true) &&
    ['deviceIds', 'roomIds'].every((part) => isNullOrTexts(filter[part], isUuid))
  );
}

function isNullOrTexts(value: JsonValue | undefined, isGood: (text: string) => boolean): boolean {
  return value === null || (Array.isArray(value) && value.every((item) => typeof item === 'string' && isGood(item)));
}

type WebhookRow = { readonly id: WebhookId; readonly secret: string; readonly record: string };

function webhookFromRow({ id, secret, record }: WebhookRow): Webhook {
  const rest = JSON.parse(record) as Omit<Webhook, 'id' | 'secret' | 'mayReachHub'> & Partial<Webhook>;
  // Who set the URL of one from before was not noted: it may have been an admin.
  return { ...rest, mayReachHub: rest.mayReachHub ?? false, id, secret };
}
