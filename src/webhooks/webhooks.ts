import { HubError } from '#base/hub-error.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { KnownWebhook, Webhook, WebhookId, Webhooks, WebhookStore } from '#core/webhook/webhook.ts';
import { createWebhookRunner, type WebhookRunner, type WebhookRunnerDeps } from './webhook-runner.ts';

export type WebhooksDeps = Omit<WebhookRunnerDeps, 'random'> & {
  readonly store: WebhookStore;
  readonly random: Random;
};

/** A limit, because each webhook may hold a socket and takes a share of the sending. */
const MAX_WEBHOOKS = 16;
const SECRET_BYTES = 32;

type Entry = { webhook: Webhook; readonly runner: WebhookRunner };

/** Starts to deliver at once; `stop` breaks off deliveries under way. */
export async function openWebhooks(deps: WebhooksDeps): Promise<Webhooks & { readonly stop: () => Promise<void> }> {
  const { store, clock, random, newId } = deps;
  const inTurn = createTurnQueue();
  const runnerDeps = { ...deps, random: createRandomFractions(random) };
  const entries = new Map<string, Entry>();
  const add = (webhook: Webhook, isNew: boolean): Entry => {
    const entry = { webhook, runner: createWebhookRunner(runnerDeps, webhook, isNew) };
    entries.set(webhook.id, entry);
    return entry;
  };
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry === undefined) throw new HubError('NOT_FOUND', 'There is no such webhook.');
    return entry;
  };
  for (const webhook of await store.loadWebhooks()) add(webhook, false);

  return {
    webhooks: () => [...entries.values()].map(shown),
    findWebhook: (id) => {
      const entry = entries.get(id);
      return entry && shown(entry);
    },
    addWebhook: (settings, given) =>
      inTurn(async () => {
        given?.authorize?.();
        if (entries.size >= MAX_WEBHOOKS) {
          throw new HubError('LIMIT_REACHED', `There can be ${MAX_WEBHOOKS} webhooks.`);
        }
        const secret = `whsec_${random(SECRET_BYTES).toString('base64url')}`;
        const nowMs = clock.wallMs();
        const id = newId() as WebhookId;
        const webhook: Webhook = { ...settings, id, secret, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
        await store.saveWebhook(webhook);
        return shown(add(webhook, true));
      }),
    updateWebhook: (id, change, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        const revision = (entry.webhook.revision ?? 1) + 1;
        const webhook = { ...entry.webhook, ...change(entry.webhook), revision, updatedAtMs: clock.wallMs() };
        await store.saveWebhook(webhook);
        entry.webhook = webhook;
        entry.runner.change(webhook);
        return shown(entry);
      }),
    removeWebhook: (id, given) =>
      inTurn(async () => {
        const { runner } = entryOf(id);
        given?.authorize?.();
        await store.deleteWebhook(id);
        entries.delete(id);
        await runner.stop();
      }),
    testWebhook: async (id, given) => entryOf(id).runner.test(given?.authorize),
    stop: async () => {
      await Promise.all([...entries.values()].map(({ runner }) => runner.stop()));
    },
  };
}

function shown({ webhook, runner }: Entry): KnownWebhook {
  return { webhook, state: runner.state() };
}
