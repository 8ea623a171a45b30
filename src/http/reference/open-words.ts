import { type JsonSchema, SCHEMAS } from '#http/note/described.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;
/** Which schemas are those of calls. */
type Directions = { readonly bodies: readonly string[]; readonly answers: readonly string[] };

/**
 * Opens every list of words in what the hub gives, because a later hub knows more of them: a generated client would refuse a
 * word that its list does not have, and with it the whole answer. What clients send keeps its lists. A list for both ways is
 * two schemas, that of what is sent with `Input` at the end of its name; other schemas for both ways are open.
 */
export function openAnswers(schemas: Schemas, { bodies, answers }: Directions): Schemas {
  const ofSent = reachFrom(bodies, schemas);
  const ofGiven = reachFrom(answers, schemas);
  const kinds = kindsOf(schemas);
  const both = new Set([...ofSent].filter((id) => ofGiven.has(id) && 'enum' in (schemas[id] ?? {})));
  const isGiven = (id: string): boolean => !ofSent.has(id) || ofGiven.has(id);
  const withInput = (one: JsonSchema): JsonSchema =>
    both.has(idOf(one) ?? '') ? { ...one, $ref: `${SCHEMAS}${idOf(one)}Input` } : one;
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([id, schema]) => {
      if (!isGiven(id)) return [[id, mapped(schema, withInput) as JsonSchema] as const];
      if (kinds.has(id)) return [[id, schema] as const];
      const open = [id, mapped(schema, opened) as JsonSchema] as const;
      return both.has(id) ? [open, [`${id}Input`, schema] as const] : [open];
    }),
  );
}

/** All schemas to which these refer, and they themselves. */
function reachFrom(ids: readonly string[], schemas: Schemas): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (id: string): void => {
    if (reached.has(id)) return;
    reached.add(id);
    walk(schemas[id]);
  };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const id = idOf(value as JsonSchema);
    if (id !== undefined) visit(id);
    Object.values(value).forEach(walk);
  };
  ids.forEach(visit);
  return reached;
}

/** The schemas of the words that tell the members of choices apart: a client needs them as they are. */
function kindsOf(schemas: Schemas): ReadonlySet<string> {
  const members = Object.values(schemas).flatMap(({ oneOf }) => (oneOf ?? []) as readonly JsonSchema[]);
  return new Set(
    members.map((member) => {
      const { properties } = schemas[idOf(member) ?? ''] as { readonly properties?: Schemas };
      return idOf(properties?.['type'] ?? {}) ?? '';
    }),
  );
}

/** The schema to which a reference leads. */
function idOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : undefined;
}

/** The schema with these changes to each schema in it. */
function mapped(value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change)])));
}

/** Without its list of words, and with room for fields that it does not name. */
function opened({ additionalProperties: more, ...schema }: JsonSchema): JsonSchema {
  const { const: word, enum: words = [word], ...rest } = schema;
  const open = more === undefined || more === false ? {} : { additionalProperties: more };
  // `true` says no more than that the field is there.
  if (word === true) return { ...rest, ...open };
  if (!Array.isArray(words) || typeof words[0] !== 'string') return { ...schema, ...open };
  return { ...rest, description: withWords(words as string[], rest['description']), 'x-extensible-enum': words };
}

function withWords(words: readonly string[], description: unknown): string {
  const told = words.map((word) => `\`${word}\``);
  const text = typeof description === 'string' ? description : '';
  if (told.every((word) => text.includes(word))) return `${text} More words may come.`;
  return `${text} So far ${told.join(', ')}.`.trim();
}
