import * as z from 'zod/mini';

/** A tag of BCP 47, of language, script and region. */
export const languageTagSchema = z
  .string()
  .check(z.maxLength(35), z.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/));
