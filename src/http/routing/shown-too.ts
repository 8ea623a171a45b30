import { faultWords } from '#words/faults.ts';
import * as z from 'zod/mini';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import { isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { described, limited } from '#http/note/described.ts';

const readOnly = (words: string) =>
  limited({ readOnly: true, description: words }, described(words, z.optional(z.unknown())));
const IGNORED = readOnly('As `GET` shows it. It is not looked at: use `If-Match`.');
const SAME = readOnly('As `GET` shows it. This call does not change it.');

/**
 * Lets a body have the members that GET shows as well, so that a client may send back what it has read. `requireSame`
 * refuses another value for those in `same`, and nobody looks at the others.
 */
export function takingShown<Settable extends z.ZodMiniObject>(
  settable: Settable,
  shown: z.ZodMiniObject,
  same: readonly string[] = [],
): Settable {
  const names = Object.keys(shown.shape).filter((name) => !(name in settable.shape));
  const added = Object.fromEntries(names.map((name) => [name, same.includes(name) ? SAME : IGNORED]));
  return z.extend(settable, added) as unknown as Settable;
}

/** Throws VALIDATION_FAILED where the body has another value for a member that the call does not change. */
export function requireSame(schema: z.ZodMiniType, body: unknown, shown: JsonObject): void {
  if (!(schema instanceof z.ZodMiniObject)) return;
  const given = body as Readonly<Record<string, JsonValue>>;
  const errors = Object.entries(schema.shape).flatMap(([name, member]): readonly FieldError[] => {
    const value = given[name];
    if (member !== SAME || value === undefined || isSameJson(value, shown[name] ?? null)) return [];
    return [fieldError(`/${name}`, 'INVALID_VALUE', ...faultWords('not_changed_here'))];
  });
  if (errors.length > 0) throw validationFailed(errors);
}
