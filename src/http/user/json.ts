import * as z from 'zod/mini';
import { type Caller, isLimited } from '#auth/caller.ts';
import { SCOPES } from '#auth/scope.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#auth/sign-in/password-policy.ts';
import { type FieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { Room } from '#core/room/room.ts';
import { readIds, unknownIn } from '#http/routing/named-ids.ts';
import { EMAIL_FORM, MAX_EMAIL_LENGTH, ROLES, type User } from '#core/person/user.ts';
import { TIME_OF_DAY } from '#core/notification/quiet-hours.ts';
import { languageTagSchema } from '#http/answer/language-schema.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, limited, named, wordOf } from '#http/note/described.ts';

/** The longest body of an account call. */
export const ACCOUNT_BODY_BYTES = 16_384;

/** The person of a login, as the answers to it have been from the beginning. */
export const meSchema = named(
  'Me',
  z.object({
    id: z.uuid(),
    email: described(
      'E-mail address with which the person logs in; empty for a token that is limited to a part of the home.',
      z.string(),
    ),
    name: z.string(),
    role: wordOf('Role', ROLES),
  }),
);
const ownAccountSchema = z.object({
  ...meSchema.shape,
  rooms: described(
    'Ids of the rooms to which the person is limited; `null` for the whole home.',
    z.nullable(z.array(z.uuid())),
  ),
  valid_until: described('From then on, the account is closed; `null` for never.', z.nullable(timeSchema)),
});
export const emailSchema = limited(
  { pattern: String.raw`^[^\s@]+@[^\s@]+$` },
  z.string().check(z.maxLength(MAX_EMAIL_LENGTH), z.regex(EMAIL_FORM)),
);
const MAX_PASSWORD_TEXT = 1024;
const passwordSchema = z.string().check(z.maxLength(MAX_PASSWORD_TEXT));
/** `auth` has the rules for a new password; this only bounds the length of what they check. */
export const newPasswordSchema = limited(
  { minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH },
  z.string().check(z.maxLength(MAX_PASSWORD_TEXT)),
);

/** Local times of day, in which nothing but critical notifications goes out to the person's own channels. */
const quietHoursSchema = named(
  'QuietHours',
  z.strictObject({
    from: described(
      'Local time at which they begin, such as `22:00`; they may go over midnight.',
      z.string().check(z.regex(TIME_OF_DAY)),
    ),
    to: described('Local time at which they end, such as `07:00`.', z.string().check(z.regex(TIME_OF_DAY))),
  }),
);
const languageSchema = described(
  'In which you want to read: a tag of BCP 47 of language, script and region, such as `de` or `pt-BR`. The page speaks `en`, `de`, `fr` and `es`. `null`: each client goes by what it is set to.',
  z.nullable(languageTagSchema),
);
export const ownSchema = named(
  'OwnAccount',
  z.object({
    ...ownAccountSchema.shape,
    rights: described(
      'What this token may do: in the home, or in the part of it to which the person or the token is limited.',
      z.array(wordOf('Right', SCOPES)),
    ),
    quiet_hours: described(
      'In these hours only critical notifications go out to the channels of this person; `null`: there are none.',
      z.nullable(quietHoursSchema),
    ),
    language: languageSchema,
  }),
);

export const meUpdateSchema = named(
  'MeUpdate',
  z.strictObject({
    name: z.optional(nameSchema),
    email: described('The new address with which you log in; needs `current_password`.', z.optional(emailSchema)),
    quiet_hours: described(
      'Only critical notifications go out to your own channels between these local times; `null`: there are none.',
      z.optional(z.nullable(quietHoursSchema)),
    ),
    language: z.optional(languageSchema),
    current_password: described('Needed for another e-mail address.', z.optional(passwordSchema)),
  }),
);
export const passwordChangeSchema = named(
  'PasswordChange',
  z.strictObject({
    current_password: described('The password so far: another one is 422 `WRONG_PASSWORD`.', passwordSchema),
    new_password: described(
      'At least 10 characters, and not one that is guessed first; every other session ends.',
      newPasswordSchema,
    ),
  }),
);
export const passwordCheckSchema = named(
  'PasswordCheck',
  z.strictObject({
    password: described('The password that somebody has in mind.', passwordSchema),
    name: described('Name of the person: it must not be the password.', z.optional(z.string().check(z.maxLength(100)))),
    email: described(
      'E-mail address of the person: it must not be the password.',
      z.optional(z.string().check(z.maxLength(MAX_EMAIL_LENGTH))),
    ),
  }),
);
export const userSchema = named(
  'User',
  z.object({
    ...ownAccountSchema.shape,
    ended: described('The time of this person is over: nobody can log in with this account.', z.boolean()),
    revision: described('Counts changes of e-mail address, name, role and limits; for `If-Match`.', z.int()),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
);
const MAX_ROOMS = 100;
/** `readLimits` checks the items: zod would take too long for a list of a thousand wrong ones. */
const personRoomsSchema = limited(
  { items: { type: 'string', minLength: 1, maxLength: 200 } },
  z.array(z.unknown()).check(z.maxLength(MAX_ROOMS)),
);
const limitShape = {
  rooms: described(
    'Ids or selectors of the only rooms that this guest or resident sees; `null` for all, `[]` for none.',
    z.optional(z.nullable(personRoomsSchema)),
  ),
  valid_until: described(
    'When the account of this guest or resident closes; `null` for never.',
    z.optional(z.nullable(z.iso.datetime({ offset: true }))),
  ),
};
export const userCreateSchema = named(
  'UserCreate',
  z.strictObject({
    email: described('E-mail address with which the person will log in.', emailSchema),
    name: nameSchema,
    role: described(
      'An `owner` may do everything, an `admin` all but backups and keys, a `resident` use the home and automate it, a `guest` use devices and scenes.',
      wordOf('Role', ROLES),
    ),
    password: described('The first password, which the person should change.', newPasswordSchema),
    ...limitShape,
  }),
);
export const userUpdateSchema = named(
  'UserUpdate',
  z.strictObject({
    email: described('The new address with which the person logs in.', z.optional(emailSchema)),
    name: z.optional(nameSchema),
    role: described(
      'An `owner` may do everything, an `admin` all but backups and keys, a `resident` use the home and automate it, a `guest` use devices and scenes.',
      z.optional(wordOf('Role', ROLES)),
    ),
    password: described(
      'A new password for a person who forgot it; ends all their sessions.',
      z.optional(newPasswordSchema),
    ),
    ...limitShape,
  }),
);

export function meJson({ id, email, name, role }: User): z.infer<typeof meSchema> {
  return { id, email, name, role };
}

export function ownAccountJson(user: User): z.infer<typeof ownAccountSchema> {
  const { roomIds, validUntilMs } = user;
  return { ...meJson(user), rooms: roomIds && [...roomIds], valid_until: timeJson(validUntilMs) };
}

/** Hides the e-mail address, with which its person logs in, from a token that is limited to a part of the home. */
export function ownJson(caller: Caller): z.infer<typeof ownAccountSchema> {
  const shown = ownAccountJson(caller.user);
  return isLimited(caller) ? { ...shown, email: '' } : shown;
}

export function userJson(user: User, isOver: (user: User) => boolean): z.infer<typeof userSchema> {
  return {
    ...ownAccountJson(user),
    ended: isOver(user),
    revision: user.revision,
    created_at: timeJson(user.createdAtMs),
    updated_at: timeJson(user.updatedAtMs),
  };
}

type LimitBody = Pick<z.infer<typeof userUpdateSchema>, 'rooms' | 'valid_until'>;
export type LimitDeps = {
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly nowMs: () => number;
};
/** A clock before this is certainly wrong: the time of a person would last for years. */
const CLOCK_SET_MS = Date.UTC(2026, 0, 1);

/** The limits that a body asks for. Throws VALIDATION_FAILED for an unknown room, and CLOCK_NOT_SET. */
export function readLimits(
  { rooms, valid_until: until }: LimitBody,
  { findRoom, nowMs }: LimitDeps,
): Partial<Pick<User, 'roomIds' | 'validUntilMs'>> {
  const errors: FieldError[] = [];
  // What is no text, or an empty one, is the name of no room.
  const names = rooms?.map((room) => (typeof room === 'string' ? room : ''));
  const roomIds = names && new Set(readIds(names, findRoom, unknownIn('/rooms', 'room', errors)));
  if (errors.length > 0) throw validationFailed(errors);
  if (typeof until === 'string' && nowMs() < CLOCK_SET_MS) {
    throw new HubError('CLOCK_NOT_SET', 'The hub does not know the time, so it cannot end an account at one.');
  }
  return {
    ...(rooms === undefined ? {} : { roomIds: roomIds ?? null }),
    ...(until === undefined ? {} : { validUntilMs: until === null ? null : Date.parse(until) }),
  };
}
