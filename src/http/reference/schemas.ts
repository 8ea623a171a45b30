import { z } from 'zod/mini';
import { type JsonSchema, limitsOf, type SchemaOf } from '#http/note/described.ts';
import { withUsualWords } from './usual-words.ts';

export type SchemaTable = {
  /** Schemas that have a name, by it. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** One of the schemas of the call: a reference if it has a name. */
  readonly schemaOf: SchemaOf;
};

const SCHEMAS = '#/components/schemas/';

/** Converts all schemas of the API at once, so that every use of a named schema is a reference. */
export function convertSchemas(
  named: Readonly<Record<string, z.core.$ZodType>>,
  unnamed: Iterable<z.core.$ZodType>,
): SchemaTable {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  let count = 0;
  for (const schema of unnamed) if (!registry.has(schema)) registry.add(schema, { id: `unnamed ${(count += 1)}` });
  const { schemas } = z.toJSONSchema(registry, {
    // The input form, for answers too: a later version may add fields to them.
    io: 'input',
    uri: (id) => `${SCHEMAS}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      simplify(jsonSchema);
      Object.assign(jsonSchema, limitsOf(zodSchema));
    },
  });
  const raw = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
  const converted = rewrite(raw, named);
  return {
    components: Object.fromEntries(Object.keys(named).map((id) => [id, converted[id] ?? {}])),
    schemaOf: (schema) => {
      const id = registry.get(schema)?.id ?? '';
      if (Object.hasOwn(named, id)) return { $ref: `${SCHEMAS}${id}` };
      const found = converted[id];
      if (found === undefined) throw new Error('a schema was not handed in for conversion');
      return found;
    },
  };
}

function withoutIdentity(schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Rewrites the schemas in keywords that generators of clients understand. An unnamed schema inside another is written
 * out there, because nothing could refer to it.
 */
function rewrite(schemas: Schemas, named: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const id = typeof $ref === 'string' ? $ref.slice(SCHEMAS.length) : '';
    const unnamed = Object.hasOwn(named, id) ? undefined : schemas[id];
    if (unnamed !== undefined) return rewritten({ ...unnamed, ...rest });
    const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewritten(item)]));
    return withUsualWords(withMapping(withNullType(inner), schemas));
  };
  return rewritten(schemas) as Record<string, JsonSchema>;
}

/** `anyOf: [{type: string}, {type: null}]` → `type: [string, null]`, which is one type to a client, not a choice of two. */
function withNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly JsonSchema[] };
  const [one, none, ...more] = anyOf ?? [];
  if (one === undefined || none?.['type'] !== 'null' || more.length > 0) return schema;
  if (typeof one['type'] !== 'string' || 'enum' in one || 'const' in one) return schema;
  return { ...one, ...rest, type: [one['type'], 'null'] };
}

/**
 * Maps each word in the field `type` to one of several named objects. The choice itself has that field too: without it, a
 * generated client in Rust would look for the field once more inside the chosen object.
 */
function withMapping(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { oneOf } = schema as { readonly oneOf?: readonly { readonly $ref?: string }[] };
  if (oneOf === undefined) return schema;
  const find = ($ref = ''): JsonSchema => schemas[$ref.slice(SCHEMAS.length)] ?? {};
  const mapping = oneOf.map(({ $ref }) => {
    const { properties } = find($ref) as { readonly properties?: Readonly<Record<string, { readonly $ref?: string }>> };
    const [word] = (find(properties?.['type']?.$ref)['enum'] ?? []) as readonly string[];
    if (word === undefined) throw new Error(`${$ref} has no word for its type`);
    return [word, $ref] as const;
  });
  return {
    ...schema,
    type: 'object',
    properties: { type: { type: 'string' } },
    required: ['type'],
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

/** Removes what adds nothing for a reader: patterns of known formats, and the bounds of every whole number. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Not `{}`: a generated client in Go would make a pointer of it.
  if (JSON.stringify(schema.additionalProperties) === '{}') schema.additionalProperties = true;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}
