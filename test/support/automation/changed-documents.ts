import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { DOCUMENTS, EVERYTHING } from './documents.ts';

/** The document with another value, or without one, at a pointer. */
export function at(document: JsonObject, pointer: string, value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(document) as Record<string, JsonValue>;
  const steps = pointer.split('/').slice(1);
  let parent: Record<string, JsonValue> = copy;
  for (const step of steps.slice(0, -1)) parent = parent[step] as Record<string, JsonValue>;
  const last = steps.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** Values that go wrong in documents, and every member name of the language. */
const words = [...new Set(JSON.stringify(EVERYTHING).match(/(?<=")[a-z_]+(?=":)/g))];
const junk = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    '',
    '*',
    -1,
    1e308,
    [],
    {},
    'id-x',
    { value: { add: [] } },
    { add: [1, { feature: {} }] },
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  fc.constantFrom(...words).map((word): JsonValue => ({ [word]: {} })),
);

/** Every place of a document. */
function pointersOf(value: JsonValue, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const inside = Object.entries(value as JsonObject).flatMap(([name, item]) => pointersOf(item, `${pointer}/${name}`));
  return pointer === '' ? inside : [pointer, ...inside];
}

/** A document with one to three places changed, gone, or filled with what does not belong there. */
export const changedDocument: fc.Arbitrary<JsonObject> = fc
  .constantFrom(...Object.values(DOCUMENTS))
  .chain((document) => {
    const pointers = pointersOf(document);
    return fc
      .array(
        fc.tuple(
          fc.constantFrom(...pointers),
          fc.option(junk, { nil: undefined }),
          fc.option(fc.constantFrom(...words), { nil: undefined }),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((changes) =>
        changes.reduce(
          (changed, [pointer, value, name]) =>
            tryAt(changed, name === undefined ? pointer : `${pointer}/${name}`, value),
          document,
        ),
      );
  });

function tryAt(document: JsonObject, pointer: string, value: JsonValue | undefined): JsonObject {
  const parent = pointer
    .split('/')
    .slice(1, -1)
    .reduce<JsonValue | undefined>(
      (inside, step) => (typeof inside === 'object' && inside !== null ? (inside as JsonObject)[step] : undefined),
      document,
    );
  const isPlace = isJsonObject(parent) || (Array.isArray(parent) && /\/\d+$/.test(pointer) && value !== undefined);
  return isPlace ? at(document, pointer, value) : document;
}
