import { randomUUID } from 'node:crypto';
import { systemClock } from '#base/time/clock.ts';
import { systemRandom } from '#base/random.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { Webhook, WebhookStore } from '#core/webhook/webhook.ts';
import { createEventSource, createReceiverHttp } from '#hub/hub-webhooks.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { createPost } from '#webhooks/post.ts';
import { openWebhooks, type WebhooksDeps } from '#webhooks/webhooks.ts';
import { createRecordingLog } from './recording-log.ts';

/** A store that survives a restart of the webhooks. */
export function createWebhookStore(kept = new Map<string, Webhook>()): WebhookStore {
  return {
    loadWebhooks: async () => [...kept.values()],
    saveWebhook: async (webhook) => void kept.set(webhook.id, webhook),
    deleteWebhook: async (id) => void kept.delete(id),
  };
}

/** In these tests, loopback addresses count as the LAN, and this one as the hub itself. */
export const OWN_ADDRESS = '127.0.0.99';

type Given = Partial<Pick<WebhooksDeps, 'store' | 'post' | 'clock' | 'startTimer' | 'log'>> & {
  /** What the name server answers, by name. */
  readonly names?: (name: string) => string[];
};

/** The real webhooks over these events and real sockets; only loopback counts as the LAN. */
export function openTestWebhooks(events: EventLog, given: Given = {}) {
  const { store = createWebhookStore(), clock = systemClock, startTimer = startSystemTimer } = given;
  const { log = createRecordingLog().log, names = () => ['127.0.0.1'] } = given;
  const findAddresses = createAddressFinder({
    isLanAddress: (address) => address.startsWith('127.') || address === '::1',
    isOwnAddress: (address) => address === OWN_ADDRESS,
    lookup: async (name) => names(name).map((address) => ({ address })),
  });
  return openWebhooks({
    store,
    events: createEventSource(events, clock),
    post:
      given.post ?? createPost({ httpFor: createReceiverHttp({ findAddresses, startTimer, random: systemRandom }) }),
    clock,
    startTimer,
    random: systemRandom,
    newId: randomUUID,
    log,
  });
}
