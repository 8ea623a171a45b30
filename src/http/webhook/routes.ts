import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { hostOfUrl, type KnownWebhook, type Webhooks, type WebhookSettings } from '#core/webhook/webhook.ts';
import { callerOf } from '#http/rights/access.ts';
import { receiverRoutes } from '#http/routing/receiver-routes.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
import {
  createdWebhookSchema,
  deliveryJson,
  deliverySchema,
  readWebhookChange,
  webhookBodySchemas,
  type WebhookChange,
  webhookJson,
  type WebhookReadDeps,
  webhookSchema,
} from './json.ts';
import * as notes from './notes.ts';

type WebhookRoutesDeps = Omit<WebhookReadDeps, 'findDevice'> & {
  readonly registry: Pick<WebhookReadDeps, 'findDevice'>;
  readonly webhooks: Webhooks;
};

const PATH = '/api/v1/webhook';

const NOTHING_SET: WebhookSettings = {
  name: null,
  url: '',
  mayReachHub: false,
  filter: { types: null, deviceIds: null, roomIds: null },
  enabled: true,
};

/**
 * Receivers on the local network to which the hub sends events: `POST` with the body of the long poll, signed with the
 * secret of the webhook (`Hearthd-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`). Any 2xx takes a
 * delivery; after anything else the hub sends it again with growing waits, in order, under the same `Hearthd-Delivery`.
 * One `hub.gap` stands for events that are lost, and comes after each start of the hub.
 */
export function webhookRoutes({ webhooks, registry, ...deps }: WebhookRoutesDeps): readonly Route[] {
  const bodies = webhookBodySchemas();
  const readFor = (caller: Caller, body: WebhookChange, old: WebhookSettings): WebhookSettings =>
    readWebhookChange(body, old, { ...deps, findDevice: registry.findDevice, caller });
  const webhook = receiverRoutes<KnownWebhook>({
    noun: 'webhook',
    audit: 'webhook',
    tag: 'Webhook',
    access: 'hub:manage',
    path: PATH,
    schema: webhookSchema,
    find: webhooks.findWebhook,
    idOf: (known) => known.webhook.id,
    json: webhookJson,
    placeOf: (known) => hostOfUrl(known.webhook.url),
  });
  return [
    webhook.list({ id: 'listWebhooks', summary: 'List the webhooks' }, (caller) =>
      webhooks.webhooks().map((known) => webhookJson(known, caller)),
    ),
    webhook.show({ id: 'getWebhook', summary: 'Show one webhook', note: notes.getWebhook }),
    defineRoute({
      id: 'listDeliveries',
      method: 'GET',
      path: `${PATH}/:id/delivery`,
      summary: 'List the last 50 attempts to deliver, newest first',
      tag: 'Webhook',
      access: 'hub:manage',
      answers: { 200: z.array(deliverySchema) },
      handle: (request) => {
        const caller = callerOf(request);
        const { deliveries } = webhook.itemOf(request).state;
        return { status: 200, json: deliveries.map((delivery) => deliveryJson(delivery, caller)) };
      },
    }),
    webhook.create(
      {
        id: 'createWebhook',
        summary: 'Add a webhook; only this answer shows its secret',
        note: notes.createWebhook,
        body: jsonBody(bodies.create),
        schema: createdWebhookSchema,
      },
      (body, caller) => {
        const settings = readFor(caller, body, NOTHING_SET);
        return { ...settings, add: (given) => webhooks.addWebhook(settings, given) };
      },
      (known) => ({ secret: known.webhook.secret }),
    ),
    webhook.update(
      {
        id: 'updateWebhook',
        summary: 'Change a webhook',
        note: notes.updateWebhook,
        body: mergePatchBody(bodies.update),
      },
      ({ webhook: { id } }, body, authorize) =>
        webhooks.updateWebhook(id, (old) => readFor(authorize(), body, old), { authorize }),
    ),
    webhook.remove(
      { id: 'removeWebhook', summary: 'Remove a webhook', note: notes.removeWebhook },
      ({ webhook: { id } }, given) => webhooks.removeWebhook(id, given),
    ),
    webhook.test(
      { id: 'testWebhook', summary: 'Send a hub.test now and show the outcome', schema: deliverySchema },
      async ({ webhook: { id } }, request) =>
        deliveryJson(await webhooks.testWebhook(id, { authorize: request.authorize }), callerOf(request)),
    ),
  ];
}
