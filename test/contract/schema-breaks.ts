export type Schema = { readonly [keyword: string]: unknown };

/** `sent` by clients: what was taken must go on to be taken. `given` to clients: what was there must go on to be there. */
export type Direction = 'sent' | 'given';

export type SchemaPair = {
  readonly before: Schema;
  readonly after: Schema;
  readonly at: string;
};

type Rules = {
  readonly direction: Direction;
  readonly resolve: (schema: Schema, side: 'before' | 'after') => Schema;
  /** References on the way down, so that schemas within themselves come to an end. */
  readonly seen: ReadonlySet<string>;
};

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'propertyNames'];

/** What of one schema breaks clients of the other, in words. */
export function findSchemaBreaks({ before, after, at }: SchemaPair, rules: Rules): string[] {
  const step = `${String(before['$ref'])} ${String(after['$ref'])}`;
  if (before['$ref'] !== undefined && rules.seen.has(step)) return [];
  const inner = { ...rules, seen: new Set([...rules.seen, step]) };
  const pair = { before: rules.resolve(before, 'before'), after: rules.resolve(after, 'after'), at };
  if (branchesOf(pair.before).length > 1 || branchesOf(pair.after).length > 1) return findBranchBreaks(pair, inner);
  return [
    ...findTypeBreaks(pair, inner),
    ...findEnumBreaks(pair, inner),
    ...findLimitBreaks(pair, inner),
    ...findFieldBreaks(pair, inner),
    ...['items', 'additionalProperties'].flatMap((keyword) => {
      const [left, right] = [pair.before[keyword], pair.after[keyword]];
      if (!isSchema(left) || !isSchema(right)) return [];
      return findSchemaBreaks({ before: left, after: right, at: `${at}/${keyword}` }, inner);
    }),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function branchesOf(schema: Schema): readonly Schema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as readonly Schema[];
}

function findBranchBreaks({ before, after, at }: SchemaPair, rules: Rules): string[] {
  const closest = (others: readonly Schema[], breaksOf: (other: Schema) => string[]): string[] =>
    others.map(breaksOf).toSorted((left, right) => left.length - right.length)[0] ?? [`${at}: has no variant any more`];
  const kept = branchesOf(before).flatMap((one) =>
    closest(branchesOf(after), (other) => findSchemaBreaks({ before: one, after: other, at }, rules)),
  );
  if (rules.direction === 'sent') return kept;
  // A new kind of object may come, as a new type of event; another plain type is not to be expected by anyone.
  const come = branchesOf(after)
    .filter((one) => rules.resolve(one, 'after')['type'] !== 'object')
    .flatMap((one) =>
      closest(branchesOf(before), (other) => findSchemaBreaks({ before: other, after: one, at }, rules)),
    );
  return [...new Set([...kept, ...come])];
}

function typesOf({ type }: Schema): readonly string[] | undefined {
  if (type === undefined) return undefined;
  return Array.isArray(type) ? (type as string[]) : [type as string];
}

function findTypeBreaks({ before, after, at }: SchemaPair, { direction }: Rules): string[] {
  const was = typesOf(before);
  const is = typesOf(after);
  if (direction === 'sent' && was === undefined && is !== undefined) return [`${at}: takes only ${is.join(', ')} now`];
  if (direction === 'given' && was !== undefined && is === undefined) return [`${at}: may be of any type now`];
  if (was === undefined || is === undefined) return [];
  const gone = was.filter((type) => !is.includes(type) && !(type === 'integer' && is.includes('number')));
  const come = direction === 'given' ? is.filter((type) => !was.includes(type)) : [];
  return [...gone.map((type) => `${at}: is no ${type} any more`), ...come.map((type) => `${at}: may be ${type} now`)];
}

function membersOf(schema: Schema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined);
}

function findEnumBreaks({ before, after, at }: SchemaPair, { direction }: Rules): string[] {
  const was = membersOf(before);
  const is = membersOf(after);
  if (was === undefined) return is !== undefined && direction === 'sent' ? [`${at}: takes only some values now`] : [];
  if (is === undefined) return direction === 'given' ? [`${at}: may have any value now`] : [];
  return was.filter((one) => !is.includes(one)).map((one) => `${at}: has no ${JSON.stringify(one)} any more`);
}

function findLimitBreaks({ before, after, at }: SchemaPair, { direction }: Rules): string[] {
  const narrowed = (keyword: string, tighter: (was: number, is: number) => boolean): string[] => {
    const [was, is] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
    return is !== undefined && (was === undefined || tighter(was, is)) ? [`${at}: has a narrower ${keyword}`] : [];
  };
  const changed = EXACT.filter((keyword) => {
    const [was, is] = [before[keyword], after[keyword]].map((value) => JSON.stringify(value));
    return was !== is && (direction === 'sent' ? is !== undefined : keyword === 'format' && was !== undefined);
  }).map((keyword) => `${at}: has another ${keyword}`);
  if (direction === 'given') return changed;
  return [
    ...LOWER.flatMap((keyword) => narrowed(keyword, (was, is) => is > was)),
    ...UPPER.flatMap((keyword) => narrowed(keyword, (was, is) => is < was)),
    ...changed,
  ];
}

function findFieldBreaks({ before, after, at }: SchemaPair, rules: Rules): string[] {
  const fieldsOf = (schema: Schema): Record<string, Schema> => (schema['properties'] ?? {}) as Record<string, Schema>;
  const requiredOf = (schema: Schema): readonly string[] => (schema['required'] ?? []) as string[];
  const [was, is] = rules.direction === 'sent' ? [after, before] : [before, after];
  const word = rules.direction === 'sent' ? 'is required now' : 'may be missing now';
  const refuses = rules.direction === 'sent' && after['additionalProperties'] === false;
  return [
    ...(refuses && before['additionalProperties'] !== false ? [`${at}: refuses unknown fields now`] : []),
    ...requiredOf(was)
      .filter((name) => !requiredOf(is).includes(name) && (rules.direction === 'sent' || name in fieldsOf(is)))
      .map((name) => `${at}/${name}: ${word}`),
    ...Object.entries(fieldsOf(before)).flatMap(([name, field]) => {
      const other = fieldsOf(after)[name];
      if (other === undefined) return [`${at}/${name}: is gone`];
      return findSchemaBreaks({ before: field, after: other, at: `${at}/${name}` }, rules);
    }),
  ];
}
