import { type FaultWords, faultWords } from '#words/faults.ts';
import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { type FieldError, validationFailed } from '#base/hub-error.ts';
import { isForKeepers } from '#core/event/event.ts';
import {
  type Delivery,
  type KnownWebhook,
  MAX_URL_LENGTH,
  readWebhookUrl,
  socketHostOf,
  type WebhookFilter,
  type WebhookSettings,
} from '#core/webhook/webhook.ts';
import type { EventFilterDeps } from '#http/event/filter.ts';
import { messageReasonSchema, withReason } from '#http/answer/reason-json.ts';
import { errorForAll } from '#http/rights/attempt-error.ts';
import { ownsHub } from '#http/rights/access.ts';
import { type AddressRules, readReceiverUrl, type ReceiverUrl } from '#http/routing/receiver-url.ts';
import { readIds, unknownIn } from '#http/routing/named-ids.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { described, limited, madeOnce, named, wordOf } from '#http/note/described.ts';
import { eventSchemas } from '#http/answer/home-events.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(100));

export const webhookUrlSchema = limited({ pattern: '^https?://[^#]+$', maxLength: MAX_URL_LENGTH }, z.string());
const settings = <Types extends z.ZodMiniType>(types: Types) => ({
  name: z.optional(z.nullable(nameSchema)),
  types,
  device: described('Only events of these devices, by id or selector; `null` for all.', z.optional(z.nullable(names))),
  room: described(
    'Only events of the devices in these rooms, by id or selector; `null` for all.',
    z.optional(z.nullable(names)),
  ),
  enabled: z.optional(z.boolean()),
});

/** The bodies with the settings of a webhook, made once all types of events are known. */
export const webhookBodySchemas = madeOnce(() => {
  // All but those about a single login or API token and those for people who manage the hub. `hub.gap` and `hub.test` always come.
  const choice = [...eventSchemas().keys()].filter((type) => !type.endsWith('.revoked') && !isForKeepers(type));
  const types = described(
    'Only events of these types; `null` for all.',
    z.optional(
      z.nullable(z.array(wordOf('WebhookEventType', choice)).check(z.minLength(1), z.maxLength(choice.length))),
    ),
  );
  return {
    create: named(
      'WebhookCreate',
      z.strictObject({
        url: described('Where the events go: an address in the local network, without `#`.', webhookUrlSchema),
        ...settings(types),
      }),
    ),
    update: named(
      'WebhookUpdate',
      z.strictObject({
        url: described(
          'Where the events go: an address in the local network, without `#`.',
          z.optional(webhookUrlSchema),
        ),
        ...settings(types),
      }),
    ),
  };
});
export type WebhookChange = z.infer<ReturnType<typeof webhookBodySchemas>['update']>;

const deliveryErrorSchema = named(
  'DeliveryError',
  z.object({ code: z.string(), message: z.string(), reason: messageReasonSchema }),
);
export const deliverySchema = named(
  'Delivery',
  z.object({
    id: described('The same for each attempt at one delivery: `Hearthd-Delivery`.', z.string()),
    attempt: described('Number of the try, from 1 on.', z.int()),
    at: timeSchema,
    ms: described('Milliseconds until the receiver answered, or the hub gave up.', z.int()),
    events: described('How many events it had.', z.int()),
    status: described('HTTP status of the receiver; `null`: it did not answer.', z.nullable(z.int())),
    error: z.nullable(deliveryErrorSchema),
  }),
);

export const webhookSchema = named(
  'Webhook',
  z.object({
    id: z.uuid(),
    name: z.nullable(z.string()),
    url: described('Where the events go.', z.string()),
    types: described('Only events of these types; `null`: of all.', z.nullable(z.array(z.string()))),
    device: described('Only events of these devices; `null`: of all.', z.nullable(z.array(z.uuid()))),
    room: described('Only events of what is in these rooms; `null`: of all.', z.nullable(z.array(z.uuid()))),
    enabled: z.boolean(),
    status: described(
      'The hub never gives up a webhook that is `failing`: it tries again, at last every five minutes.',
      wordOf('ReceiverStatus', ['ok', 'failing', 'off']),
    ),
    failing_since: z.nullable(timeSchema),
    cursor: described('The hub has delivered everything up to here.', z.string()),
    last_delivery: described('How the last try fared; `null`: there was none.', z.nullable(deliverySchema)),
    revision: described('Counts the changes of what can be set; for `If-Match`.', z.int()),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);
export const createdWebhookSchema = named(
  'CreatedWebhook',
  z.object({
    ...webhookSchema.shape,
    secret: described('Only this answer shows it.', z.string()),
  }),
);

export function webhookJson({ webhook, state }: KnownWebhook, caller: Caller): z.infer<typeof webhookSchema> {
  const { filter } = webhook;
  const [last] = state.deliveries;
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    types: filter.types && [...filter.types],
    device: filter.deviceIds && [...filter.deviceIds],
    room: filter.roomIds && [...filter.roomIds],
    enabled: webhook.enabled,
    status: state.status,
    failing_since: timeJson(state.failingSinceMs),
    cursor: state.cursor,
    last_delivery: last === undefined ? null : deliveryJson(last, caller),
    revision: webhook.revision ?? 1,
    created_at: timeJson(webhook.createdAtMs),
    updated_at: timeJson(webhook.updatedAtMs),
  };
}

export function deliveryJson(
  { id, attempt, atMs, ms, events, status, error }: Delivery,
  caller: Caller,
): z.infer<typeof deliverySchema> {
  const shown = error === null || ownsHub(caller) ? error : errorForAll(error);
  return { id, attempt, at: timeJson(atMs), ms, events, status, error: shown && withReason(shown) };
}

export type WebhookReadDeps = EventFilterDeps & AddressRules;

/**
 * The settings with the changes of a body. Throws VALIDATION_FAILED for an invalid URL or an unknown selector, and for a
 * URL of this machine itself unless the caller is an owner.
 */
export function readWebhookChange(
  change: WebhookChange,
  old: WebhookSettings,
  deps: WebhookReadDeps & { readonly caller: Caller },
): WebhookSettings {
  const errors: FieldError[] = [];
  const { filter } = old;
  const deviceIds = change.device
    ? readIds(change.device, deps.findDevice, unknownIn('/device', 'device', errors))
    : null;
  const roomIds = change.room ? readIds(change.room, deps.findRoom, unknownIn('/room', 'room', errors)) : null;
  const parts: WebhookFilter = {
    types: change.types === undefined ? filter.types : change.types,
    deviceIds: change.device === undefined ? filter.deviceIds : deviceIds,
    roomIds: change.room === undefined ? filter.roomIds : roomIds,
  };
  const { url, mayReachHub } =
    change.url === undefined ? old : readReceiverUrl(change.url, old, { ...deps, readUrl, errors });
  if (errors.length > 0) throw validationFailed(errors);
  return {
    name: change.name === undefined ? old.name : change.name,
    url,
    mayReachHub,
    filter: parts,
    enabled: change.enabled ?? old.enabled,
  };
}

function readUrl(text: string): ReceiverUrl | FaultWords {
  const url = readWebhookUrl(text);
  return url === undefined ? faultWords('webhook_url') : { href: url.href, host: socketHostOf(url) };
}
