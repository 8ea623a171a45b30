import { isIP } from 'node:net';
import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import {
  type Channel,
  CHANNEL_TYPES,
  type ChannelAttempt,
  type ChannelSettings,
  type KnownChannel,
  TOPIC,
} from '#core/notification/channel.ts';
import { SEVERITIES } from '#core/notification/notification.ts';
import { readWebhookUrl, socketHostOf } from '#core/webhook/webhook.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { failureSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { withReason } from '#http/answer/reason-json.ts';
import { errorForAll } from '#http/rights/attempt-error.ts';
import { ownsHub } from '#http/rights/access.ts';
import { webhookUrlSchema } from '#http/webhook/json.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

const settings = {
  name: described('What people call it.', z.optional(nameSchema)),
  enabled: z.optional(z.boolean()),
  min_severity: described(
    'Nothing less urgent goes out by it; `info` if absent.',
    z.optional(wordOf('Severity', SEVERITIES)),
  ),
  person: described(
    'Id of the user whose channel it is: it gets what is for this person, outside of the quiet hours. `null`: of the home.',
    z.optional(z.nullable(z.uuid())),
  ),
  url: described('Of the receiver, or of the ntfy server without a topic.', z.optional(webhookUrlSchema)),
  topic: described('Of ntfy.', z.optional(z.string().check(z.regex(TOPIC)))),
  token: described(
    'The access token of the ntfy server. No answer shows it, and a new `url` needs it again.',
    z.optional(z.nullable(z.string().check(z.regex(/^[\x21-\x7e]{1,256}$/)))),
  ),
  broker: described(
    'Id of an integration of the kind `mqtt`.',
    z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  ),
};
export const channelCreateSchema = named(
  'NotificationChannelCreate',
  z.strictObject({
    type: described(
      'How messages get there: a webhook of your own, a server of ntfy, or a broker.',
      z.enum(CHANNEL_TYPES),
    ),
    ...settings,
  }),
);
export const channelUpdateSchema = named('NotificationChannelUpdate', z.strictObject(settings));
export type ChannelChange = z.infer<typeof channelUpdateSchema>;

export const channelAttemptSchema = named(
  'NotificationAttempt',
  z.object({
    at: timeSchema,
    accepted: described(
      'Whether the other side took it. That a person saw it is more than the hub can know.',
      z.boolean(),
    ),
    status: described('HTTP status of the receiver; `null`: it has none.', z.nullable(z.int())),
    error: z.nullable(failureSchema),
  }),
);

export const channelSchema = named(
  'NotificationChannel',
  z.object({
    id: described('`page` for the page, which is always there; else a UUID.', z.string()),
    type: described('How messages get there.', wordOf('ChannelType', ['page', ...CHANNEL_TYPES])),
    name: z.string(),
    enabled: z.boolean(),
    min_severity: described('Nothing less urgent goes out by it.', wordOf('Severity', SEVERITIES)),
    person: described('Id of the person whose channel it is; `null`: of the home.', z.nullable(z.uuid())),
    url: described(
      'Address of the receiver; `null`: it has none, or the caller may not see it.',
      z.nullable(z.string()),
    ),
    topic: described('The topic of ntfy; `null`: none.', z.nullable(z.string())),
    has_token: described('It logs in there; no answer shows with what.', z.boolean()),
    broker: described('Id of the integration whose broker it uses; `null`: none.', z.nullable(z.string())),
    status: described(
      '`failing`: the last message was not taken. `off`: it is switched off.',
      wordOf('ReceiverStatus', ['ok', 'failing', 'off']),
    ),
    failing_since: z.nullable(timeSchema),
    last_attempt: described('How the last message fared; `null`: there was none.', z.nullable(channelAttemptSchema)),
    revision: described('Counts the changes of what can be set; for `If-Match`.', z.int()),
    created_at: z.nullable(timeSchema),
    updated_at: z.nullable(timeSchema),
  }),
);
export const createdChannelSchema = named(
  'CreatedNotificationChannel',
  z.object({
    ...channelSchema.shape,
    secret: described('The key of the signatures of a webhook. Only this answer shows it.', z.nullable(z.string())),
  }),
);

/** The page is a channel too, but has nothing to set. */
export const PAGE_CHANNEL: z.infer<typeof channelSchema> = {
  id: 'page',
  type: 'page',
  name: 'Page',
  enabled: true,
  min_severity: 'info',
  person: null,
  url: null,
  topic: null,
  has_token: false,
  broker: null,
  status: 'ok',
  failing_since: null,
  last_attempt: null,
  revision: 1,
  created_at: null,
  updated_at: null,
};

export function channelJson({ channel, state }: KnownChannel, caller: Caller): z.infer<typeof channelSchema> {
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    enabled: channel.enabled,
    min_severity: channel.minSeverity,
    person: channel.userId,
    url: channel.url,
    topic: channel.topic,
    has_token: channel.type === 'ntfy' && channel.secret !== null,
    broker: channel.broker,
    status: state.status,
    failing_since: timeJson(state.failingSinceMs),
    last_attempt: state.lastAttempt && attemptJson(state.lastAttempt, caller),
    revision: channel.revision ?? 1,
    created_at: timeJson(channel.createdAtMs),
    updated_at: timeJson(channel.updatedAtMs),
  };
}

export function attemptJson(
  { atMs, status, error }: ChannelAttempt,
  caller: Caller,
): z.infer<typeof channelAttemptSchema> {
  return {
    at: timeJson(atMs),
    accepted: error === null,
    status,
    error: error && withReason(ownsHub(caller) ? error : errorForAll(error)),
  };
}

export type ChannelReadDeps = {
  /** For an address; each attempt checks what a host name stands for. */
  readonly isLanAddress: (address: string) => boolean;
  /** Whether an address belongs to this machine itself. */
  readonly isOwnAddress: (address: string) => boolean;
  readonly findUser: (id: string) => unknown;
  /** Whether there is an integration of the kind `mqtt` with this id. */
  readonly isBroker: (id: string) => boolean;
  readonly caller: Caller;
};

type Settings = ChannelSettings & Pick<Channel, 'secret'>;

/** The settings with the changes of a body. Throws VALIDATION_FAILED, also for fields that the type does not have. */
export function readChannelChange(change: ChannelChange, old: Settings, deps: ChannelReadDeps): Settings {
  const errors: FieldError[] = [];
  const { type } = old;
  const fields = FIELDS[type];
  for (const name of ['url', 'topic', 'token', 'broker'] as const) {
    if (change[name] !== undefined && !fields.includes(name)) {
      errors.push(fieldError(`/${name}`, 'UNKNOWN', ...faultWords('field_of_other_type', { type })));
    }
  }
  for (const name of NEEDED[type]) {
    if (change[name] === undefined && old[name] === null)
      errors.push(fieldError(`/${name}`, 'REQUIRED', ...faultWords('needed')));
  }
  if (typeof change.person === 'string' && deps.findUser(change.person) === undefined) {
    errors.push(fieldError('/person', 'INVALID_VALUE', ...faultWords('unknown_user')));
  }
  if (change.broker !== undefined && !deps.isBroker(change.broker)) {
    errors.push(fieldError('/broker', 'INVALID_VALUE', ...faultWords('unknown_broker')));
  }
  const { url, mayReachHub } = change.url === undefined ? old : readUrl(change.url, old, { ...deps, errors });
  if (errors.length > 0) throw validationFailed(errors);
  // A token must not go to a place for which nobody gave it.
  const kept = type === 'ntfy' && url !== old.url ? null : old.secret;
  return {
    type,
    name: change.name ?? (old.name === '' ? NAMES[type] : old.name),
    enabled: change.enabled ?? old.enabled,
    minSeverity: change.min_severity ?? old.minSeverity,
    userId: change.person === undefined ? old.userId : change.person,
    url,
    mayReachHub,
    topic: change.topic ?? old.topic,
    broker: change.broker ?? old.broker,
    secret: change.token === undefined ? kept : change.token,
  };
}

const NAMES = { webhook: 'Webhook', ntfy: 'ntfy', mqtt: 'MQTT' } as const;
const NEEDED = { webhook: ['url'], ntfy: ['url', 'topic'], mqtt: ['broker'] } as const;
const FIELDS: Readonly<Record<Channel['type'], readonly string[]>> = {
  webhook: ['url'],
  ntfy: ['url', 'topic', 'token'],
  mqtt: ['broker'],
};

/** The settings of a new channel before anything is set. */
export function emptyChannel(type: Channel['type']): Settings {
  const nothing = { userId: null, url: null, mayReachHub: false, topic: null, broker: null, secret: null };
  return { type, name: '', enabled: true, minSeverity: 'info', ...nothing };
}

function readUrl(
  text: string,
  old: Settings,
  deps: Pick<ChannelReadDeps, 'isLanAddress' | 'isOwnAddress' | 'caller'> & { readonly errors: FieldError[] },
): Pick<ChannelSettings, 'url' | 'mayReachHub'> {
  const { isLanAddress, isOwnAddress, caller, errors } = deps;
  const refuse = (...words: FaultWords): void => void errors.push(fieldError('/url', 'INVALID_VALUE', ...words));
  const url = readWebhookUrl(text);
  if (url === undefined) {
    refuse(...faultWords('webhook_url'));
    return { url: null, mayReachHub: false };
  }
  const host = socketHostOf(url);
  const mayReachHub = ownsHub(caller) || (old.mayReachHub && url.href === old.url);
  if (isIP(host) !== 0 && !isLanAddress(host)) refuse(...faultWords('not_in_lan'));
  const isOwn = isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : isOwnAddress(host);
  if (isOwn && !mayReachHub) refuse(...faultWords('own_address'));
  return { url: url.href, mayReachHub };
}
