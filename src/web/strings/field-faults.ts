import { HubProblem } from '#web/client/hub-problem.ts';
import { problemWords } from './problem-words.ts';
import { t } from './strings.ts';

/** By field; `all` for what belongs to none of them. */
export type FieldFaults = Readonly<Record<string, string | undefined>>;

/** Each fault at its field, where the form has that. `fieldOfCode` says where those belong that name no field. */
export function fieldFaults(
  cause: HubProblem | TypeError,
  fields: readonly string[],
  fieldOfCode: Readonly<Record<string, string>> = {},
): FieldFaults {
  if (!(cause instanceof HubProblem)) return { all: problemWords(cause) };
  const own = fieldOfCode[cause.code];
  if (own !== undefined) return { [own]: cause.message };
  const found = cause.errors.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', sentence(message)] as const);
  const known = found.filter(([name]) => fields.includes(name));
  return known.length > 0 ? Object.fromEntries(known) : { all: problemWords(cause) };
}

/** What has to be filled in and is not; nothing where all is. */
export function missingFaults(needed: Readonly<Record<string, string>>): FieldFaults | undefined {
  const missing = Object.keys(needed).filter((name) => needed[name]?.trim() === '');
  return missing.length === 0 ? undefined : Object.fromEntries(missing.map((name) => [name, t.field.required]));
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
