import { type FieldError, fieldError } from '#base/hub-error.ts';
import { SetupFailure, type SetupStep } from '#core/integration/setup-step.ts';
import { filled, type HolesOf, type Values, type Wording } from '#words/texts.ts';

/*
 * What a kind says stands in `words/` of its folder, by ids, in a file for each language. The hub speaks English; the page
 * finds the other languages by the kind and the id, so that a sentence can be changed without them.
 */

type Texts<Id extends string> = Readonly<Record<Id, string>>;
type Choice = {
  readonly text: string;
  readonly options: Readonly<Record<string, { readonly title: string; readonly detail: string }>>;
};

/** The text of a step. */
export function said<Id extends string>(steps: Texts<Id>, id: Id): { readonly text: string; readonly reason: Wording } {
  return { text: steps[id], reason: { id, with: {} } };
}

/** A step that offers all options of its words, in their order. */
export function choice<Id extends string, Choices extends Readonly<Record<Id, Choice>>>(
  choices: Choices,
  id: Id,
  values: Values<HolesOf<Choices[Id]['text']>>,
): SetupStep {
  const { text, options }: Choice = choices[id];
  return {
    type: 'choose',
    text: filled(text, values),
    options: Object.entries(options).map(([option, words]) => ({ id: option, ...words })),
    reason: { id, with: values },
  };
}

/** Makes the error for a field of a form. */
export function fault<Id extends string>(faults: Texts<Id>, id: Id, pointer: string): FieldError {
  return { ...fieldError(pointer, 'INVALID_VALUE', faults[id]), reason: { id, with: {} } };
}

/** Ends a set-up; the code is the id. */
export function failure<Id extends string>(failures: Texts<Id>, id: Id): SetupFailure {
  return new SetupFailure(id, failures[id]);
}
