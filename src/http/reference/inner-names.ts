import { type JsonSchema, SCHEMAS } from '#http/note/described.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Gives a name to each object and each list of words inside a named schema, made of the name and the way to it: `active` of
 * `Scene` is `SceneActive`, one of the `steps` of `AutomationRun` an `AutomationRunStep`. Without one, each generator of
 * clients makes up its own, or takes an object that may be `null` for one that is always there. A list that has a name elsewhere has it
 * here too.
 */
export function nameInnerSchemas(schemas: Schemas, isNamed: (id: string) => boolean): Schemas {
  const found: Record<string, JsonSchema> = {};
  const lists = new Map(Object.entries(schemas).map(([id, one]) => [JSON.stringify(one['enum']), id]));
  /** The inner schema or a reference to it. `name` is `undefined` in queries and in answers without a name. */
  const give = (schema: JsonSchema, name: string | undefined): JsonSchema => {
    const { description, ...whole } = inside(schema, name);
    if (!needsName(whole)) return description === undefined ? whole : { description, ...whole };
    const known = 'enum' in whole ? lists.get(JSON.stringify(whole['enum'])) : undefined;
    if (known !== undefined) return withName(known, description);
    if (name === undefined)
      throw new Error(`a query or an answer has a schema that needs a name: ${JSON.stringify(whole)}`);
    if (Object.hasOwn(schemas, name) || Object.hasOwn(found, name))
      throw new Error(`two schemas have the name ${name}`);
    found[name] = whole;
    return withName(name, description);
  };
  const inside = (schema: JsonSchema, name: string | undefined): JsonSchema => {
    const { properties, items, additionalProperties, anyOf } = schema as Inner;
    const ofField = (field: string): string | undefined => name && name + pascalCase(field);
    const fields = Object.entries(properties ?? {}).map(([field, one]) => [field, give(one, ofField(field))] as const);
    return {
      ...schema,
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(isSchema(items) && { items: give(items, name && singular(name)) }),
      ...(isSchema(additionalProperties) && {
        additionalProperties: give(additionalProperties, name && singular(name)),
      }),
      ...(anyOf && { anyOf: anyOf.map((one) => give(one, name)) }),
    };
  };
  const outer = Object.entries(schemas).map(
    ([id, schema]) => [id, inside(schema, isNamed(id) ? id : undefined)] as const,
  );
  return { ...Object.fromEntries(outer), ...found };
}

function withName(name: string, description: unknown): JsonSchema {
  return { ...(description === undefined ? {} : { description }), $ref: `${SCHEMAS}${name}` };
}

type Inner = {
  readonly properties?: Schemas;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
};

function isSchema(value: JsonSchema | boolean | undefined): value is JsonSchema {
  return typeof value === 'object';
}

/** An object with fields, or a list of more than two words. */
function needsName(schema: JsonSchema): boolean {
  const { enum: words } = schema as { readonly enum?: readonly unknown[] };
  return 'properties' in schema || (words !== undefined && words.length > 2);
}

/** `last_run` → `LastRun`. */
function pascalCase(field: string): string {
  return field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `SceneEntries` → `SceneEntry`, `AutomationSteps` → `AutomationStep`. */
function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
