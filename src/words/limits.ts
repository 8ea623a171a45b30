import type { limitTexts } from '#words/en/limits.ts';
import type { HolesOf, Values, Wording } from './texts.ts';

type Texts = typeof limitTexts;

/** A limit that somebody did not keep, for readers of any language. */
export function limit<Id extends keyof Texts>(id: Id, values: Values<HolesOf<Texts[Id]>>): Wording {
  return { id, with: values };
}
