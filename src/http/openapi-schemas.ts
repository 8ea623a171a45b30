import { z } from 'zod/mini';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaTable = {
  /** Schemas that have a name, by it. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** A schema that was handed in: a reference where it has a name. */
  readonly schemaOf: (schema: z.core.$ZodType) => JsonSchema;
};

const SCHEMAS = '#/components/schemas/';

/** Converts all schemas of the API at once, so that a named one is referred to wherever it stands. */
export function convertSchemas(
  named: Readonly<Record<string, z.core.$ZodType>>,
  unnamed: Iterable<z.core.$ZodType>,
): SchemaTable {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  let count = 0;
  for (const schema of unnamed) if (!registry.has(schema)) registry.add(schema, { id: `unnamed ${(count += 1)}` });
  const { schemas } = z.toJSONSchema(registry, {
    // What may be sent, also of answers: a later version may add fields to them.
    io: 'input',
    uri: (id) => `${SCHEMAS}${id}`,
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  const raw = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
  const converted = withUnnamedInlined(raw, named);
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

/** An unnamed schema that stands in another as well is written out there: nothing could refer to it. */
function withUnnamedInlined(
  schemas: Readonly<Record<string, JsonSchema>>,
  named: Readonly<Record<string, unknown>>,
): Record<string, JsonSchema> {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const id = typeof $ref === 'string' ? $ref.slice(SCHEMAS.length) : '';
    const unnamed = Object.hasOwn(named, id) ? undefined : schemas[id];
    if (unnamed !== undefined) return inline({ ...unnamed, ...rest });
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inline(item)]));
  };
  return inline(schemas) as Record<string, JsonSchema>;
}

/** Takes out what says nothing to a reader: patterns of known formats, the bounds of every whole number. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}
