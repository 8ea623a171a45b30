import type { Log } from '#base/log.ts';
import { type Delivery, hostOfUrl, type Webhook, type WebhookState } from '#core/webhook/webhook.ts';

/** The results of the last deliveries to one webhook; logs the first failure and the first success after it. */
type DeliveryRecord = {
  readonly note: (delivery: Delivery, webhook: Webhook) => void;
  readonly state: (isEnabled: boolean) => Omit<WebhookState, 'cursor'>;
  /** Forgets earlier failures, because the settings have changed. */
  readonly forgive: () => void;
};

const KEPT = 50;

export function createDeliveryRecord(log: Log): DeliveryRecord {
  const kept: Delivery[] = [];
  let failingSinceMs: number | null = null;
  return {
    note: (delivery, webhook) => {
      kept.unshift(delivery);
      kept.length = Math.min(kept.length, KEPT);
      const { error, status, atMs } = delivery;
      const fields = { id: webhook.id, host: hostOfUrl(webhook.url), error: error?.code, status: status ?? undefined };
      if (error !== null && failingSinceMs === null) log.warn('a webhook fails; the hub tries again', fields);
      if (error === null && failingSinceMs !== null) log.info('a webhook works again', fields);
      failingSinceMs = error === null ? null : (failingSinceMs ?? atMs);
    },
    state: (isEnabled) => ({
      status: isEnabled ? (failingSinceMs === null ? 'ok' : 'failing') : 'off',
      failingSinceMs,
      deliveries: [...kept],
    }),
    forgive: () => {
      failingSinceMs = null;
    },
  };
}
