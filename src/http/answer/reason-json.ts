import * as z from 'zod/mini';
import type { Wording } from '#words/texts.ts';
import { described, named } from '#http/note/described.ts';

type Worded = { readonly code: string; readonly reason?: Wording | undefined };

/** A failure with the reason that it has. A message that has no other is named by its code. */
export function withReason<Failure extends Worded>(failure: Failure): Failure & { readonly reason: Wording } {
  return { ...failure, reason: failure.reason ?? { id: failure.code, with: {} } };
}

/** A text of the hub by its id, for clients that have words of their own. */
export const reasonSchema = named(
  'Reason',
  z.object({
    id: described('Never renamed; more may come.', z.string()),
    with: described('What stands in the text, by name.', z.record(z.string(), z.union([z.string(), z.number()]))),
  }),
);

/** Beside a code and a message in English. */
export const messageReasonSchema = described(
  'What the message says, for readers of any language. A message that has no other id is named by the code.',
  reasonSchema,
);
