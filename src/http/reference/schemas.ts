import * as z from 'zod/mini';
import { described, type JsonSchema, limitsOf, named, SCHEMAS, type SchemaOf } from '#http/note/described.ts';
import { nameInnerSchemas } from './inner-names.ts';
import { openAnswers } from './open-words.ts';
import { withUsualWords } from './usual-words.ts';

/** The schemas of the calls, by direction. */
export type CallSchemas = {
  readonly bodies: readonly z.core.$ZodType[];
  readonly answers: readonly z.core.$ZodType[];
};

type Schemas = Readonly<Record<string, JsonSchema>>;
type SchemaTable = {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** One of the schemas of the call: a reference if it has a name. */
  readonly schemaOf: SchemaOf;
};

const UNNAMED = 'unnamed ';
const isComponent = (id: string): boolean => !id.startsWith(UNNAMED);

const PLAIN: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number', 'string']);
named('Value', described('A boolean, a number or a string, unless its place says more.', z.unknown()));

/**
 * Converts all schemas of the API at once, so that every use of a named schema is a reference. `language`: that of
 * automations, which `core` describes itself.
 */
export function convertSchemas(
  components: Readonly<Record<string, z.core.$ZodType>>,
  calls: CallSchemas,
  language: Schemas,
): SchemaTable {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  let count = 0;
  const idsOf = (schemas: readonly z.core.$ZodType[]): string[] =>
    schemas.map((schema) => {
      if (!registry.has(schema)) registry.add(schema, { id: `${UNNAMED}${(count += 1)}` });
      return registry.get(schema)?.id ?? '';
    });
  const directions = { bodies: idsOf(calls.bodies), answers: idsOf(calls.answers) };
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
  const twice = Object.keys(language).filter((name) => Object.hasOwn(raw, name));
  if (twice.length > 0) throw new Error(`two schemas have the name ${twice.join(', ')}`);
  const all = openAnswers(nameInnerSchemas(rewrite({ ...raw, ...language }), isComponent), directions);
  const sorted = Object.entries(all).sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    components: Object.fromEntries(sorted.filter(([id]) => isComponent(id))),
    schemaOf: (schema) => {
      const id = registry.get(schema)?.id ?? '';
      if (isComponent(id)) return { $ref: `${SCHEMAS}${id}` };
      const found = all[id];
      if (found === undefined) throw new Error('a schema was not handed in for conversion');
      return found;
    },
  };
}

function withoutIdentity(schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

/**
 * Rewrites the schemas in keywords that generators of clients understand. An unnamed schema inside another is written
 * out there, because nothing could refer to it.
 */
function rewrite(schemas: Schemas): Record<string, JsonSchema> {
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const id = typeof $ref === 'string' ? $ref.slice(SCHEMAS.length) : '';
    const unnamed = isComponent(id) ? undefined : schemas[id];
    if (unnamed !== undefined) return rewritten({ ...unnamed, ...rest });
    const shown = Object.entries(value).filter(([, item]) => (item as JsonSchema | null)?.['x-hidden'] !== true);
    const inner = Object.fromEntries(shown.map(([key, item]) => [key, rewritten(item)]));
    return withUsualWords(withMapping(withAnyValue(withNullType(withFormat(inner))), schemas));
  };
  return rewritten(schemas) as Record<string, JsonSchema>;
}

/** Some generated clients give a number without a format half the digits that it can have. */
function withFormat(schema: JsonSchema): JsonSchema {
  return [schema['type']].flat().includes('number') ? { ...schema, format: 'double' } : schema;
}

/**
 * `anyOf: [{type: string}, {type: null}]` → `type: [string, null]`, which is one type to a client, not a choice of two. An
 * object stays a choice: a generated client in Python or Go would take one of two types for an object that is always there.
 */
function withNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly JsonSchema[] };
  const [one, none, ...more] = anyOf ?? [];
  if (one === undefined || none?.['type'] !== 'null' || more.length > 0) return schema;
  if (typeof one['type'] !== 'string' || 'enum' in one || 'const' in one) return schema;
  if ('properties' in one) return 'description' in one ? { description: one['description'], ...schema } : schema;
  return { ...one, ...rest, type: [one['type'], 'null'] };
}

/** A choice with several plain types is a `Value`, as many generators know no field of two types. `x-types` has them. */
function withAnyValue(schema: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  const choices = [{ type }, ...((anyOf ?? []) as readonly JsonSchema[])];
  const types = choices.flatMap((choice) => choice['x-types'] ?? choice['type'] ?? []);
  const plain = types.filter((one) => PLAIN.has(one));
  return plain.length > 1 ? { ...rest, 'x-types': types, $ref: `${SCHEMAS}Value` } : schema;
}

/**
 * Maps each word in the field `type` to one of several named objects. The choice itself has that field too: without it, a
 * generated client in Rust would look for the field once more inside the chosen object.
 */
function withMapping(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { oneOf } = schema as { readonly oneOf?: readonly { readonly $ref?: string }[] };
  if (oneOf === undefined || 'discriminator' in schema) return schema;
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
    properties: { type: { type: 'string', description: 'Says which of them it is.' } },
    required: ['type'],
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

/** Removes what adds nothing for a reader: patterns of known formats, and the bounds of every whole number. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (['uuid', 'date', 'date-time'].includes(schema.format ?? '')) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Not `{}`: a generated client in Go would make a pointer of it.
  if (JSON.stringify(schema.additionalProperties) === '{}') schema.additionalProperties = true;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}
