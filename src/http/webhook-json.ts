import { isIP } from 'node:net';
import { z } from 'zod/mini';
import type { FieldError } from '#base/hub-error.ts';
import { HubError } from '#base/hub-error.ts';
import { isUuid } from '#base/uuid.ts';
import type { DeviceId, RoomId } from '#core/device.ts';
import type { HomeEvent } from '#core/event.ts';
import {
  type Delivery,
  type KnownWebhook,
  readWebhookUrl,
  socketHostOf,
  type WebhookFilter,
  type WebhookSettings,
} from '#core/webhook.ts';
import type { EventFilterDeps } from './event-filter.ts';
import { EVENT_SCHEMAS } from './event-json.ts';
import { nameSchema } from './name-schema.ts';
import { timeJson, timeSchema } from './time-json.ts';

/** What a webhook can be told of: all but what concerns one login or API token alone. `hub.gap` and `hub.test` come in any case. */
const TYPES = (Object.keys(EVENT_SCHEMAS) as HomeEvent['type'][]).filter((type) => !type.endsWith('.revoked'));

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(100));

const settings = {
  name: z.optional(z.nullable(nameSchema)),
  /** Types of events; `null` for all. */
  types: z.optional(z.nullable(z.array(z.enum(TYPES)).check(z.minLength(1), z.maxLength(TYPES.length)))),
  /** Ids or selectors; `null` for all. */
  device: z.optional(z.nullable(names)),
  /** Ids or selectors; `null` for all. */
  room: z.optional(z.nullable(names)),
  enabled: z.optional(z.boolean()),
};
export const newWebhookSchema = z.strictObject({ url: z.string(), ...settings });
export const webhookChangeSchema = z.strictObject({ url: z.optional(z.string()), ...settings });
type Change = z.infer<typeof webhookChangeSchema>;

export const deliverySchema = z.object({
  /** The same for each try of one delivery: `Hearthd-Delivery`. */
  id: z.string(),
  attempt: z.int(),
  at: timeSchema,
  ms: z.int(),
  events: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
});

export const webhookSchema = z.object({
  id: z.uuid(),
  name: z.nullable(z.string()),
  url: z.string(),
  types: z.nullable(z.array(z.string())),
  device: z.nullable(z.array(z.uuid())),
  room: z.nullable(z.array(z.uuid())),
  enabled: z.boolean(),
  /** A webhook that fails is never given up: it is tried again, at last every five minutes. */
  status: z.enum(['ok', 'failing', 'off']),
  failing_since: z.nullable(timeSchema),
  /** Everything up to here was delivered. */
  cursor: z.string(),
  last_delivery: z.nullable(deliverySchema),
  created_at: timeSchema,
  updated_at: timeSchema,
});
/** The secret is shown this once. */
export const addedWebhookSchema = z.object({ ...webhookSchema.shape, secret: z.string() });

export function webhookJson({ webhook, state }: KnownWebhook): z.infer<typeof webhookSchema> {
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
    last_delivery: last === undefined ? null : deliveryJson(last),
    created_at: timeJson(webhook.createdAtMs),
    updated_at: timeJson(webhook.updatedAtMs),
  };
}

export function deliveryJson({
  id,
  attempt,
  atMs,
  ms,
  events,
  status,
  error,
}: Delivery): z.infer<typeof deliverySchema> {
  return { id, attempt, at: timeJson(atMs), ms, events, status, error };
}

export type WebhookReadDeps = EventFilterDeps & {
  /** Of an address; of a host name, each delivery asks anew. */
  readonly isLanAddress: (address: string) => boolean;
};

/** The settings that a body changes. Throws VALIDATION_FAILED for a URL or selector that cannot be meant. */
export function readWebhookChange(change: Change, old: WebhookSettings, deps: WebhookReadDeps): WebhookSettings {
  const errors: FieldError[] = [];
  const idsOf = (field: 'device' | 'room', find: (name: string) => { readonly id: string } | undefined) =>
    change[field]?.map((name, index) => {
      const id = isUuid(name) ? name : find(name)?.id;
      if (id === undefined) errors.push(invalid(`/${field}/${index}`, `is not the id or selector of a ${field}`));
      return id ?? '';
    }) ?? null;
  const { filter } = old;
  const parts: WebhookFilter = {
    types: change.types === undefined ? filter.types : change.types,
    deviceIds: change.device === undefined ? filter.deviceIds : (idsOf('device', deps.findDevice) as DeviceId[] | null),
    roomIds: change.room === undefined ? filter.roomIds : (idsOf('room', deps.findRoom) as RoomId[] | null),
  };
  const url = change.url === undefined ? old.url : readUrl(change.url, errors, deps);
  if (errors.length > 0) throw new HubError('VALIDATION_FAILED', 'The body has fields that are not valid.', { errors });
  return {
    name: change.name === undefined ? old.name : change.name,
    url,
    filter: parts,
    enabled: change.enabled ?? old.enabled,
  };
}

function readUrl(text: string, errors: FieldError[], { isLanAddress }: WebhookReadDeps): string {
  const url = readWebhookUrl(text);
  if (url === undefined) {
    errors.push(invalid('/url', 'must be an http or https URL without credentials and fragment'));
    return '';
  }
  const host = socketHostOf(url);
  if (isIP(host) !== 0 && !isLanAddress(host)) errors.push(invalid('/url', 'must be on the local network'));
  return url.href;
}

function invalid(pointer: string, message: string): FieldError {
  return { pointer, code: 'INVALID_VALUE', message };
}
