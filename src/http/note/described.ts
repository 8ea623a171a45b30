import * as z from 'zod/mini';

/** Where the named schemas stand in the OpenAPI document. */
export const SCHEMAS = '#/components/schemas/';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** One of the schemas of the API as the document has it: a reference if it has a name. */
export type SchemaOf = (schema: z.core.$ZodType) => JsonSchema;

const schemas = new Map<string, z.core.$ZodType>();
const originals = new WeakMap<z.core.$ZodType, z.core.$ZodType>();
const limits = new Map<z.core.$ZodType, JsonSchema>();

/** The schema with a description of this one field, for the OpenAPI document. Other fields of the same schema keep theirs. */
export function described<Schema extends z.core.$ZodType>(description: string, schema: Schema): Schema {
  // Only a copy of a named schema is a reference to it, not a copy of a copy.
  const first = (originals.get(schema) ?? schema) as Schema;
  const own = z.clone(first);
  originals.set(own, first);
  z.globalRegistry.add(own, { ...z.globalRegistry.get(schema), description });
  const keywords = limits.get(schema);
  return keywords === undefined ? own : limited(keywords, own);
}

/**
 * Gives this schema its name in the OpenAPI document. A name never changes: generated clients name their types by it.
 * A name that another schema has is an error of the program.
 */
export function named<Schema extends z.core.$ZodType>(name: string, schema: Schema): Schema {
  if (schemas.has(name)) throw new Error(`two schemas have the name ${name}`);
  schemas.set(name, schema);
  return schema;
}

/**
 * One of these words. The list has this name in the OpenAPI document, and is one schema wherever it is asked for. In answers
 * it is open: a later hub may have more words.
 */
export function wordOf<Word extends string>(name: string, words: readonly Word[]): WordSchema<Word> {
  const known = schemas.get(name);
  if (known === undefined) return named(name, z.enum(words) as WordSchema<Word>);
  if (!(known instanceof z.ZodMiniEnum && String(known.options) === String(words)))
    throw new Error(`two schemas have the name ${name}`);
  return known as unknown as WordSchema<Word>;
}

type WordSchema<Word extends string> = z.ZodMiniEnum<{ [One in Word]: One }>;

/**
 * Gives this schema keywords that its checks cannot express, or that replace theirs. Every language can read the patterns:
 * they have no `\p{…}`. The hub is a little stricter, with characters that people do not type.
 */
export function limited<Schema extends z.core.$ZodType>(keywords: JsonSchema, schema: Schema): Schema {
  limits.set(schema, keywords);
  return schema;
}

/** Keywords: a field that the hub takes from clients of old, and that the document does not have. */
export const HIDDEN: JsonSchema = { 'x-hidden': true };

/** Keywords: exactly one of the two fields. `oneOf` of JSON Schema would say the same, but generators make two types of it. */
export function oneOf(field: string, other: string): JsonSchema {
  return { not: { required: [field, other] }, if: { required: [field] }, else: { required: [other] } };
}

/** Schemas that need what other modules have named or declared: made when they are first asked for. */
export function madeOnce<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** The named schemas of all modules that are loaded, by their names in the order of the alphabet. */
export function namedSchemas(): Readonly<Record<string, z.core.$ZodType>> {
  return Object.fromEntries([...schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The keywords of a schema beside those of its checks. */
export function limitsOf(schema: z.core.$ZodType): JsonSchema | undefined {
  return limits.get(schema);
}
