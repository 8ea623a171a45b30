import * as z from 'zod/mini';
import { type Caller, callerId } from '#auth/caller.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import {
  HOUSEHOLD,
  isDanger,
  isOpen,
  MAX_RECIPIENTS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
  type Notification,
  type NotificationContent,
  type Recipient,
  REPEAT_S,
  SEVERITIES,
} from '#core/notification/notification.ts';
import { isVisibleName, ROLES } from '#core/person/user.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { reasonSchema, withReason } from '#http/answer/reason-json.ts';
import { errorForAll } from '#http/rights/attempt-error.ts';
import {
  type ActionReadDeps,
  actionsJson,
  askedActionsSchema,
  notificationActionSchema,
  readActions,
  requireOwnRights,
} from './actions.ts';
import { failureSchema } from '#http/answer/reference.ts';
import { described, limited, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';
import { worded } from '#core/notification/worded.ts';
import { faultWords } from '#words/faults.ts';

const notificationDeliverySchema = named(
  'NotificationDelivery',
  z.object({
    channel: described('Id of the channel.', z.string()),
    state: described(
      '`accepted`: the other side has taken it, which does not mean that a person saw it. `retrying`: the hub tries again.',
      z.enum(['accepted', 'retrying', 'failed']),
    ),
    attempts: described('How many times the hub tried.', z.int()),
    at: timeSchema,
    error: z.nullable(failureSchema),
  }),
);

const notificationSourceSchema = named(
  'NotificationSource',
  z.object({
    kind: described(
      'Who made it: the hub, a person, a script or an automation.',
      z.enum(['hub', 'user', 'api_token', 'automation']),
    ),
    id: z.string(),
  }),
);

export const notificationSchema = named(
  'Notification',
  z.object({
    id: z.uuid(),
    severity: described('`critical` is heard in quiet hours too.', wordOf('Severity', SEVERITIES)),
    title: described('What happened, in a few words.', z.string()),
    text: described('The rest of the message; empty if there is none.', z.string()),
    reason: described(
      'What the hub itself says in `title` and `text`, for a client that speaks another language.',
      z.optional(reasonSchema),
    ),
    to: described(
      '`user:<id>`, `role:<role>` or `channel:<id>`; empty for a danger in short, which the hub shows to everyone inside.',
      z.array(z.string()),
    ),
    key: described(
      'It takes the place of the one with the same key that is not resolved; `null`: it stands for itself.',
      z.nullable(z.string()),
    ),
    built_in: described('What the hub noticed by itself, as `water`; more words may come.', z.nullable(z.string())),
    device: described('The device that it is about.', z.nullable(z.uuid())),
    source: described('Who made it.', notificationSourceSchema),
    actions: described('Buttons below it.', z.array(notificationActionSchema)),
    count: described('How often it was shown under its key; for a digest the notifications in it.', z.int()),
    repeat_s: described(
      'Seconds after which it goes out again until somebody acknowledges it; `null`: once is enough.',
      z.nullable(z.int()),
    ),
    state: described(
      '`open`: it needs attention. `resolved`: its cause is over. `acknowledged`: a person has taken note.',
      z.enum(['open', 'acknowledged', 'resolved']),
    ),
    created_at: timeSchema,
    updated_at: timeSchema,
    acknowledged_at: described('When somebody saw to it; `null`: nobody did.', z.nullable(timeSchema)),
    acknowledged_by: described('Id of the user.', z.nullable(z.string())),
    resolved_at: described('When it was over; `null`: it is not.', z.nullable(timeSchema)),
    deliveries: described('How it fared on each channel.', z.array(notificationDeliverySchema)),
  }),
);

export const notificationsSchema = named(
  'Notifications',
  z.object({
    notifications: described('Those shown last first.', z.array(notificationSchema)),
    next: described('The `cursor` of the next page; `null` if there is none.', z.nullable(z.string())),
  }),
);

/** One line; what people see of it first. */
const notificationTitleSchema = limited(
  { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` },
  z.string().check(
    z.normalize('NFC'),
    z.trim(),
    z.minLength(1),
    z.maxLength(MAX_TITLE_LENGTH),
    z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u),
    z.refine((title) => title === '' || isVisibleName(title)),
  ),
);
const notificationTextSchema = limited(
  { pattern: String.raw`^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$` },
  z.string().check(z.maxLength(MAX_TEXT_LENGTH), z.regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u)),
);
const keySchema = z.string().check(z.regex(/^[-\w./]{1,100}$/));
const recipientSchema = z.string().check(z.regex(/^(?:user|role|channel):[-\w]{1,64}$/));

export const notificationCreateSchema = named(
  'NotificationCreate',
  z.strictObject({
    title: described('Needed unless there is only a `resolve_key`.', z.optional(notificationTitleSchema)),
    text: described(
      'The rest of the message, with line ends if you like; by default there is none.',
      z.optional(notificationTextSchema),
    ),
    severity: described('`info` if absent.', z.optional(wordOf('Severity', SEVERITIES))),
    to: described(
      '`user:<id>`, `role:<role>` or `channel:<id>`; everyone but guests if absent.',
      z.optional(z.array(recipientSchema).check(z.minLength(1), z.maxLength(MAX_RECIPIENTS))),
    ),
    key: described('It takes the place of the one with the same key that is not resolved.', z.optional(keySchema)),
    resolve_key: described('The notification with this key is over.', z.optional(keySchema)),
    device: described('Id or selector of the device that it is about.', z.optional(z.string().check(z.maxLength(200)))),
    actions: askedActionsSchema,
    repeat_s: described(
      `A critical one comes again after this long until somebody acknowledges it; ${REPEAT_S.usual} if absent.`,
      z.optional(z.int().check(z.minimum(REPEAT_S.min), z.maximum(REPEAT_S.max))),
    ),
  }),
);

export type NotificationJson = z.infer<typeof notificationSchema>;

export function notificationJson(one: Notification): NotificationJson {
  const state = isOpen(one) ? 'open' : one.resolvedAtMs === null ? 'acknowledged' : 'resolved';
  return {
    id: one.id,
    severity: one.severity,
    title: one.title,
    text: one.text,
    ...(one.wording && { reason: one.wording }),
    to: [...one.to],
    key: one.key,
    built_in: one.builtIn,
    device: one.deviceId,
    source: { kind: one.source.kind, id: one.source.id },
    actions: actionsJson(one),
    count: one.count,
    repeat_s: one.repeatS,
    state,
    created_at: timeJson(one.createdAtMs),
    updated_at: timeJson(one.updatedAtMs),
    acknowledged_at: timeJson(one.acknowledged?.atMs ?? null),
    acknowledged_by: one.acknowledged?.by ?? null,
    resolved_at: timeJson(one.resolvedAtMs),
    deliveries: one.deliveries.map(({ channel, state: reached, attempts, atMs, error }) => {
      return { channel, state: reached, attempts, at: timeJson(atMs), error: error && withReason(errorForAll(error)) };
    }),
  };
}

/** A danger in short: its kind and its room, for callers that see no more of it. */
export function inShort(one: NotificationJson): NotificationJson {
  const { built_in: kind, reason } = one;
  if (!isDanger(kind)) throw new Error(`${kind} is no danger`);
  const room = reason?.with['room'];
  const { title, text, wording } = room === undefined ? worded(`${kind}_inside`, {}) : worded(kind, { device: room });
  const nobody = { to: [], key: null, device: null, actions: [], deliveries: [] };
  // Only who acknowledged it knows that it is in good hands.
  const state = one.resolved_at === null ? 'open' : 'resolved';
  const seen = { state, acknowledged_at: null, acknowledged_by: null } as const;
  return { ...one, title, text, reason: wording, ...nobody, ...seen };
}

type NotificationReadDeps = Pick<ActionReadDeps, 'findScene' | 'findRoom'> & {
  readonly registry: Parameters<typeof requireOwnRights>[2]['registry'];
  readonly findUser: (id: string) => unknown;
  readonly findChannel: (id: string) => unknown;
};
type Body = z.infer<typeof notificationCreateSchema>;

/**
 * Reads what a caller wants to have shown; `undefined` if the body only resolves a key. Throws VALIDATION_FAILED, also
 * for recipients and devices that the caller does not have.
 */
export function readNotification(
  body: Body,
  caller: Caller,
  deps: NotificationReadDeps,
): NotificationContent | undefined {
  const { title, severity = 'info', to, device } = body;
  const errors: FieldError[] = [];
  if (title === undefined) {
    const rest = Object.keys(body).filter((name) => name !== 'resolve_key');
    if (body.resolve_key !== undefined && rest.length === 0) return undefined;
    throw validationFailed([fieldError('/title', 'REQUIRED', ...faultWords('needed_to_show'))]);
  }
  to?.forEach((recipient, index) => {
    if (!isKnown(recipient, deps)) errors.push(fieldError(`/to/${index}`, 'INVALID_VALUE', ...faultWords('not_there')));
  });
  const find = findDeviceIn(visibilityFor(caller, 'device:read'), deps.registry.findDevice);
  const found = device === undefined ? undefined : find(device);
  if (device !== undefined && found === undefined) {
    errors.push(fieldError('/device', 'INVALID_VALUE', ...faultWords('unknown_device')));
  }
  const actions = readActions(body.actions ?? [], { ...deps, findDevice: find }, errors);
  if (errors.length > 0) throw validationFailed(errors);
  requireOwnRights(actions, caller, deps);
  return {
    severity,
    title,
    text: body.text ?? '',
    to: to === undefined ? HOUSEHOLD : ([...new Set(to)] as Recipient[]),
    key: body.key ?? null,
    ...(actions.length === 0 ? {} : { actions }),
    deviceId: found?.id ?? null,
    source: { kind: caller.kind === 'session' ? 'user' : 'api_token', id: sourceOf(caller) },
    repeatS: severity === 'critical' ? (body.repeat_s ?? REPEAT_S.usual) : null,
  };
}

/** A person stays the same source over all logins, so that a new login is no new ration. */
function sourceOf(caller: Caller): string {
  return caller.kind === 'session' ? caller.user.id : callerId(caller);
}

function isKnown(recipient: string, { findUser, findChannel }: NotificationReadDeps): boolean {
  const [kind = '', id = ''] = recipient.split(':');
  if (kind === 'role') return ROLES.some((role) => role === id);
  return (kind === 'user' ? findUser(id) : findChannel(id)) !== undefined;
}

const event = {
  shape: { notification: notificationSchema },
  json: ({ notification }: { readonly notification: Notification }) => ({
    notification: notificationJson(notification),
  }),
};
declareEvents(160, null, {
  'notification.added': {
    ...event,
    about: 'Only for callers with the right `notification:read`; guests get what is for them.',
  },
  'notification.changed': {
    ...event,
    about: 'Its content or state has changed, or it comes again because nobody has acknowledged it.',
  },
});
