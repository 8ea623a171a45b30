import { z } from 'zod/mini';
import { type Caller, isLimited } from '#auth/caller.ts';
import { EMAIL_FORM, MAX_EMAIL_LENGTH, ROLES, type User } from '#core/person/user.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described } from '#http/reference/described.ts';

/** The longest body of an account call. */
export const ACCOUNT_BODY_BYTES = 16_384;

export const meSchema = z.object({ id: z.uuid(), email: z.string(), name: z.string(), role: z.enum(ROLES) });
export const emailSchema = z.string().check(z.maxLength(MAX_EMAIL_LENGTH), z.regex(EMAIL_FORM));
const MAX_PASSWORD_TEXT = 1024;
const passwordSchema = z.string().check(z.maxLength(MAX_PASSWORD_TEXT));
/** `auth` has the rules for a new password; this only bounds the length of what they check. */
export const newPasswordSchema = z.string().check(z.maxLength(MAX_PASSWORD_TEXT));

export const meUpdateSchema = z.strictObject({
  name: z.optional(nameSchema),
  email: z.optional(emailSchema),
  current_password: z.optional(passwordSchema),
});
export const passwordChangeSchema = z.strictObject({
  current_password: passwordSchema,
  new_password: newPasswordSchema,
});
export const passwordCheckSchema = z.strictObject({
  password: passwordSchema,
  name: z.optional(z.string().check(z.maxLength(100))),
  email: z.optional(z.string().check(z.maxLength(MAX_EMAIL_LENGTH))),
});
export const userSchema = z.object({
  ...meSchema.shape,
  revision: described('Counts changes of e-mail address, name and role; for `If-Match`.', z.int()),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const userCreateSchema = z.strictObject({
  email: emailSchema,
  name: nameSchema,
  role: z.enum(ROLES),
  password: newPasswordSchema,
});
export const userUpdateSchema = z.strictObject({
  email: z.optional(emailSchema),
  name: z.optional(nameSchema),
  role: z.optional(z.enum(ROLES)),
  password: z.optional(newPasswordSchema),
});

export function meJson({ id, email, name, role }: User): z.infer<typeof meSchema> {
  return { id, email, name, role };
}

/** Hides the e-mail address, with which its person logs in, from a token that is limited to a part of the home. */
export function ownJson(caller: Caller): z.infer<typeof meSchema> {
  const shown = meJson(caller.user);
  return isLimited(caller) ? { ...shown, email: '' } : shown;
}

export function userJson(user: User): z.infer<typeof userSchema> {
  return {
    ...meJson(user),
    revision: user.revision,
    created_at: timeJson(user.createdAtMs),
    updated_at: timeJson(user.updatedAtMs),
  };
}
