import type { FieldError } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldText, problemText, problemWords } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** By field; `all` for faults that belong to no field. */
export type FieldFaults = Readonly<Record<string, string | undefined>>;

/** Puts each fault at its field, if the form has it. `fieldOfCode` gives the field of problems that name none. */
export function fieldFaults(
  cause: HubProblem | TypeError,
  fields: readonly string[],
  fieldOfCode: Readonly<Record<string, string>> = {},
): FieldFaults {
  if (!(cause instanceof HubProblem)) return { all: problemWords(cause) };
  const own = fieldOfCode[cause.code];
  if (own !== undefined) return { [own]: problemText(cause) };
  const found = cause.errors.map((error) => [fieldOf(error, fields), fieldWords(error)] as const);
  const known = found.filter(([name]) => name !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : { all: problemWords(cause) };
}

/** A fault for each needed field that is empty; `undefined` if none is. */
export function missingFaults(needed: Readonly<Record<string, string>>): FieldFaults | undefined {
  const missing = Object.keys(needed).filter((name) => needed[name]?.trim() === '');
  return missing.length === 0 ? undefined : Object.fromEntries(missing.map((name) => [name, pageWords.field.required]));
}

/**
 * The field of the form that the pointer leads to: `/name`, or below `/settings`. A form of many rows names its fields by
 * whole pointers.
 */
function fieldOf({ pointer }: FieldError, fields: readonly string[]): string | undefined {
  for (let part = pointer; part.includes('/'); part = part.slice(0, part.lastIndexOf('/'))) {
    if (fields.includes(part)) return part;
  }
  const [, first = '', second = ''] = pointer.split('/');
  return [first === 'settings' ? second : first].find((name) => fields.includes(name));
}

/** Says in a sentence what is wrong with a field. */
export function fieldWords(error: Omit<FieldError, 'pointer'>): string {
  return error.reason.id === 'required' ? pageWords.field.required : sentence(fieldText(error));
}

/** A text of the hub, which begins small and has no full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** For `catch`: other words for a change that somebody else was quicker to make. The hub's own are about revisions. */
export function conflictAs(words: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof HubProblem) || cause.code !== 'PRECONDITION_FAILED') throw cause;
    throw new HubProblem(cause.status, { code: cause.code, words }, null);
  };
}
