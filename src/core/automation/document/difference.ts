import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { pointerStep } from '#core/feature/value-schema.ts';

/** A change at one place of a document. `undefined`: nothing is there. */
type Change = {
  readonly pointer: string;
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
};

/**
 * Lists the changes that make one document of another, in the order in which they can be applied. Lists are compared
 * place by place, so that a pointer means the same in the old and in the new document.
 */
export function differencesOf(from: JsonValue, to: JsonValue, pointer = ''): readonly Change[] {
  if (isSameJson(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) {
    const both = Math.min(from.length, to.length);
    const kept = to.slice(0, both).flatMap((item, at) => inside(from[at], item, `${pointer}/${at}`));
    const added = to
      .slice(both)
      .map((item, at): Change => ({ pointer: `${pointer}/${both + at}`, from: undefined, to: item as JsonValue }));
    // From the end, so that the places of the others stay as they are.
    const removed = from
      .slice(both)
      .map((item, at): Change => ({ pointer: `${pointer}/${both + at}`, from: item as JsonValue, to: undefined }));
    return [...kept, ...added, ...removed.toReversed()];
  }
  if (!isJsonObject(from) || !isJsonObject(to)) return [{ pointer, from, to }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => inside(memberOf(from, name), memberOf(to, name), pointer + pointerStep(name)));
}

function inside(from: JsonValue | undefined, to: JsonValue | undefined, pointer: string): readonly Change[] {
  return from === undefined || to === undefined ? [{ pointer, from, to }] : differencesOf(from, to, pointer);
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
