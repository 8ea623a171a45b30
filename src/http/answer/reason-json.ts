import { z } from 'zod/mini';
import { described, named } from '#http/note/described.ts';

/** A text of the hub by its id, for clients that have words of their own. */
export const reasonSchema = named(
  'Reason',
  z.object({
    id: described('Never renamed; more may come.', z.string()),
    with: described('What stands in the text, by name.', z.record(z.string(), z.union([z.string(), z.number()]))),
  }),
);
