import { runTexts } from '#words/en/runs.ts';
import { filled, type HolesOf, type Values, type Wording } from '#words/texts.ts';

/**
 * Why a run or a step came to what it did. A text has no id: a person, a device or another program wrote it, or a hub
 * before there were ids. `message` is the English of what a table of words does not have, such as a refusal by its code.
 */
export type RunReason = string | (Wording & { readonly message?: string });

type Texts = typeof runTexts;
/** A text without holes needs no values; some have more than their text says. */
type With<Hole extends string> = [Hole] extends [never] ? [values?: Values] : [values: Values<Hole> & Values];

export function because<Id extends keyof Texts>(id: Id, ...[values = {}]: With<HolesOf<Texts[Id]>>): Wording {
  return { id, with: values };
}

/** `null` for none, and for a text. */
export function idOf(reason: RunReason | null): string | null {
  return reason === null || typeof reason === 'string' ? null : reason.id;
}

/** In English. */
export function englishOf(reason: RunReason): string {
  if (typeof reason === 'string') return reason;
  const { id, message } = reason;
  const [, text] = Object.entries(runTexts).find(([known]) => known === id) ?? [];
  return message ?? (text === undefined ? id : filled(text, reason.with));
}
