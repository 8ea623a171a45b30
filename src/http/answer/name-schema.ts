import { z } from 'zod/mini';
import { isVisibleName } from '#core/person/user.ts';

/** A name given by a person: one line of text, without blanks around it. Two spellings of one name become one. */
export const nameSchema = z.string().check(
  z.normalize('NFC'),
  z.trim(),
  z.minLength(1),
  z.maxLength(100),
  z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u),
  // An empty one was told to be too short.
  z.refine((name) => name === '' || isVisibleName(name)),
);
