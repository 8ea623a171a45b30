import { z } from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/records/authorized-change.ts';
import {
  type Delivery,
  hostOfUrl,
  type KnownWebhook,
  type WebhookId,
  type Webhooks,
  type WebhookSettings,
} from '#core/webhook/webhook.ts';
import { callerOf, insufficientScope, ownsHub } from '#http/rights/access.ts';
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

type WebhookRoutesDeps = Pick<WebhookReadDeps, 'findRoom'> & {
  readonly registry: Pick<WebhookReadDeps, 'findDevice'>;
  readonly webhooks: AskedWebhooks;
  readonly isLanAddress: WebhookReadDeps['isLanAddress'];
  readonly isOwnAddress: WebhookReadDeps['isOwnAddress'];
};

type Given = AuthorizedChange;
type AskedWebhooks = Pick<Webhooks, 'webhooks' | 'findWebhook'> & {
  readonly addWebhook: (settings: WebhookSettings, given: Given) => Promise<KnownWebhook>;
  readonly updateWebhook: (
    id: WebhookId,
    change: (old: WebhookSettings) => WebhookSettings,
    given: Given,
  ) => Promise<KnownWebhook>;
  readonly removeWebhook: (id: WebhookId, given: Given) => Promise<void>;
  readonly testWebhook: (id: WebhookId, given: Given) => Promise<Delivery>;
};

const PATH = '/api/v1/webhook';
const ONE = '/api/v1/webhook/:id';

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
export function webhookRoutes(deps: WebhookRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps), testRoute(deps)];
}

function readingRoutes({ webhooks }: WebhookRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listWebhooks',
      method: 'GET',
      path: PATH,
      summary: 'List the webhooks',
      tag: 'Webhook',
      access: 'hub:manage',
      answers: { 200: z.array(webhookSchema) },
      handle: (request) => {
        const caller = callerOf(request);
        return { status: 200, json: webhooks.webhooks().map((known) => webhookJson(known, caller)) };
      },
    }),
    defineRoute({
      id: 'getWebhook',
      method: 'GET',
      path: ONE,
      summary: 'Show one webhook',
      tag: 'Webhook',
      access: 'hub:manage',
      answers: { 200: webhookSchema },
      handle: (request) => {
        const known = webhookOf(webhooks, request.params);
        return { status: 200, json: webhookJson(known, callerOf(request)) };
      },
    }),
    defineRoute({
      id: 'listDeliveries',
      method: 'GET',
      path: `${ONE}/delivery`,
      summary: 'List the last 50 attempts to deliver, newest first',
      tag: 'Webhook',
      access: 'hub:manage',
      answers: { 200: z.array(deliverySchema) },
      handle: (request) => {
        const caller = callerOf(request);
        const { deliveries } = webhookOf(webhooks, request.params).state;
        return { status: 200, json: deliveries.map((delivery) => deliveryJson(delivery, caller)) };
      },
    }),
  ];
}

function changingRoutes(deps: WebhookRoutesDeps): readonly Route[] {
  const { webhooks, findRoom, isLanAddress, isOwnAddress, registry } = deps;
  const readFor = (caller: Caller, body: WebhookChange, old: WebhookSettings): WebhookSettings =>
    readWebhookChange(body, old, { findDevice: registry.findDevice, findRoom, isLanAddress, isOwnAddress, caller });
  return [
    defineRoute({
      id: 'createWebhook',
      method: 'POST',
      path: PATH,
      summary: 'Add a webhook; only this answer shows its secret',
      tag: 'Webhook',
      note: notes.createWebhook,
      access: 'hub:manage',
      body: jsonBody(webhookBodySchemas().create),
      answers: { 201: createdWebhookSchema },
      audit: 'webhook.added',
      handle: async (request) => {
        const { body } = request;
        const caller = callerOf(request);
        const settings = readFor(caller, body, NOTHING_SET);
        const authorize = (): void => {
          if (settings.mayReachHub && !ownsHub(request.authorize())) throw insufficientScope('system:manage');
          request.authorize();
        };
        const added = await webhooks.addWebhook(settings, { authorize });
        const { id, secret } = added.webhook;
        const headers = { Location: `${PATH}/${id}` };
        return {
          status: 201,
          json: { ...webhookJson(added, caller), secret },
          headers,
          auditDetail: hostOfUrl(added.webhook.url),
        };
      },
    }),
    defineRoute({
      id: 'updateWebhook',
      method: 'PATCH',
      path: ONE,
      summary: 'Change a webhook',
      tag: 'Webhook',
      note: notes.updateWebhook,
      access: 'hub:manage',
      body: mergePatchBody(webhookBodySchemas().update),
      answers: { 200: webhookSchema },
      audit: 'webhook.changed',
      handle: async (request) => {
        const { params, body, authorize } = request;
        const { webhook } = webhookOf(webhooks, params);
        const change = (old: WebhookSettings): WebhookSettings => readFor(authorize(), body, old);
        const changed = await webhooks.updateWebhook(webhook.id, change, { authorize });
        return {
          status: 200,
          json: webhookJson(changed, callerOf(request)),
          auditDetail: hostOfUrl(changed.webhook.url),
        };
      },
    }),
    defineRoute({
      id: 'removeWebhook',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a webhook',
      tag: 'Webhook',
      access: 'hub:manage',
      answers: { 204: null },
      audit: 'webhook.removed',
      handle: async ({ params, authorize }) => {
        const { webhook } = webhookOf(webhooks, params);
        await webhooks.removeWebhook(webhook.id, { authorize });
        return { status: 204, auditDetail: hostOfUrl(webhook.url) };
      },
    }),
  ];
}

function testRoute({ webhooks }: WebhookRoutesDeps): Route {
  return defineRoute({
    id: 'testWebhook',
    method: 'POST',
    path: `${ONE}/test`,
    summary: 'Send a hub.test now and show the outcome',
    tag: 'Webhook',
    access: 'hub:manage',
    answers: { 200: deliverySchema },
    audit: { unaudited: 'it sends a test to a receiver whose address is in the log since it was set' },
    handle: async (request) => {
      const { authorize } = request;
      const { webhook } = webhookOf(webhooks, request.params);
      const delivery = await webhooks.testWebhook(webhook.id, { authorize });
      return { status: 200, json: deliveryJson(delivery, callerOf(request)) };
    },
  });
}

function webhookOf(webhooks: AskedWebhooks, params: Readonly<Record<string, string>>): KnownWebhook {
  const found = webhooks.findWebhook(params['id'] ?? '');
  if (found === undefined) throw new HubError('NOT_FOUND', 'There is no such webhook.');
  return found;
}
