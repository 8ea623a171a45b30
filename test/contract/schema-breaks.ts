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
/** The members of an open choice, as of now. */
const KNOWN = 'x-known';
/** The words of an open list, as of now. */
const OPEN = 'x-extensible-enum';
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'propertyNames'];

/** What of one schema breaks clients of the other, in words. */
export function findSchemaBreaks({ before, after, at }: SchemaPair, rules: Rules): string[] {
  const [was, is] = [asOne(before), asOne(after)];
  const step = `${String(was['$ref'])} ${String(is['$ref'])}`;
  if (was['$ref'] !== undefined && rules.seen.has(step)) return [];
  const inner = { ...rules, seen: new Set([...rules.seen, step]) };
  const [open, stillOpen] = [rules.resolve(was, 'before'), rules.resolve(is, 'after')];
  if (KNOWN in open && !(KNOWN in stillOpen)) return [`${at}: is closed now`];
  const pair = { before: resolveWhole(was, 'before', rules), after: resolveWhole(is, 'after', rules), at };
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

/** `anyOf: [{…}, {type: null}]` → `{…, orNull: true}`. */
function asOne(schema: Schema): Schema {
  const [one, none, ...more] = (schema['anyOf'] ?? []) as readonly Schema[];
  return one !== undefined && none?.['type'] === 'null' && more.length === 0 ? { ...one, orNull: true } : schema;
}

/** What a schema leads to; of an open choice the members that are known. */
function resolveWhole(schema: Schema, side: 'before' | 'after', rules: Rules): Schema {
  const found = rules.resolve(schema, side);
  const known = found[KNOWN];
  if (isSchema(known)) return resolveWhole(known, side, rules);
  return schema['orNull'] === true && 'type' in found ? { ...found, type: [found['type'], 'null'].flat() } : found;
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
  const isKind = (one: Schema, side: 'before' | 'after'): boolean => rules.resolve(one, side)['type'] === 'object';
  const hasKinds = before['discriminator'] !== undefined && branchesOf(before).every((one) => isKind(one, 'before'));
  const come = branchesOf(after)
    .filter((one) => !(hasKinds && isKind(one, 'after')))
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
  if (direction === 'given' && was !== undefined && is === undefined) {
    // What was of several plain types has none in the document: few generators know a field of two types.
    return was.filter((type) => type !== 'null').length > 1 ? [] : [`${at}: may be of any type now`];
  }
  if (was === undefined || is === undefined) return [];
  const gone = was.filter((type) => !is.includes(type) && !(type === 'integer' && is.includes('number')));
  const come = direction === 'given' ? is.filter((type) => !was.includes(type)) : [];
  return [...gone.map((type) => `${at}: is no ${type} any more`), ...come.map((type) => `${at}: may be ${type} now`)];
}

function membersOf(schema: Schema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined);
}

/** A list of words may be opened for answers, and is then not closed again. */
function findEnumBreaks({ before, after, at }: SchemaPair, { direction }: Rules): string[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const known = was ?? (before[OPEN] as readonly unknown[] | undefined) ?? [];
  const kept = is ?? (after[OPEN] as readonly unknown[] | undefined);
  if (was === undefined && is !== undefined)
    return [direction === 'sent' ? `${at}: takes only some values now` : `${at}: is closed now`];
  if (kept === undefined) return direction === 'given' && known.length > 0 ? [`${at}: may have any value now`] : [];
  return known.filter((one) => !kept.includes(one)).map((one) => `${at}: has no ${JSON.stringify(one)} any more`);
}

function findLimitBreaks({ before, after, at }: SchemaPair, { direction }: Rules): string[] {
  const narrowed = (keyword: string, tighter: (was: number, is: number) => boolean): string[] => {
    const [was, is] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
    return is !== undefined && (was === undefined || tighter(was, is)) ? [`${at}: has a narrower ${keyword}`] : [];
  };
  const changed = EXACT.filter((keyword) => {
    // Each number is a `double`, whether that is said or not.
    const [was, is] = [before[keyword], after[keyword]].map((value) =>
      JSON.stringify(value === 'double' ? undefined : value),
    );
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
  const refuses = after['additionalProperties'] === false && before['additionalProperties'] !== false;
  return [
    ...(refuses ? [`${at}: refuses unknown fields now`] : []),
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
