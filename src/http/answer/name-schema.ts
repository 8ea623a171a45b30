import * as z from 'zod/mini';
import { limited } from '#http/note/described.ts';
import { isVisibleName } from '#core/person/user.ts';

/** A name given by a person: one line of text, trimmed and normalised, so that one name has one spelling. */
export const nameSchema = limited(
  { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` },
  z.string().check(
    z.normalize('NFC'),
    z.trim(),
    z.minLength(1),
    z.maxLength(100),
    z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u),
    // `minLength` has refused an empty name already.
    z.refine((name) => name === '' || isVisibleName(name)),
  ),
);

/** The set of pictures that the client has decides what the name shows. */
export const iconSchema = z.nullable(z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)));
