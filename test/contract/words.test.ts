import { describe, expect, test } from 'vitest';
import { readContract } from '#test/support/daemon/contract-check.ts';

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly then?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};
type Parameter = { readonly name: string; readonly in: string; readonly $ref?: string; readonly description?: string };
type Operation = { readonly parameters?: readonly Parameter[]; readonly requestBody?: unknown };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

const SCHEMAS = '#/components/schemas/';
const { paths, components } = readContract() as unknown as Document;

/** The schemas directly inside of this one. */
function partsOf({ items, additionalProperties, then, anyOf = [], oneOf = [], allOf = [] }: Schema): readonly Schema[] {
  const inner = [items, additionalProperties, then].filter((part) => typeof part === 'object');
  return [...inner, ...anyOf, ...oneOf, ...allOf];
}

/** Every property of a schema by its place, without those of the named schemas that it refers to. */
function* propertiesOf(schema: Schema, at: string): Generator<readonly [at: string, name: string, property: Schema]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${at}/${name}`, name, property];
    yield* propertiesOf(property, `${at}/${name}`);
  }
  for (const part of partsOf(schema)) yield* propertiesOf(part, at);
}

/** The names of all schemas that a value of the document refers to, and of those to which they refer. */
function reachedFrom(value: unknown, reached = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return reached;
  const { $ref } = value as Schema;
  const name = $ref?.startsWith(SCHEMAS) === true ? $ref.slice(SCHEMAS.length) : undefined;
  if (name !== undefined && !reached.has(name)) {
    reached.add(name);
    reachedFrom(components.schemas[name], reached);
  }
  for (const inner of Object.values(value)) reachedFrom(inner, reached);
  return reached;
}

const FILLERS = new Set(
  'a an and as at be by for from has have in is it its of on or that the their this to'.split(' '),
);
const stemOf = (word: string): string => word.replace(/s$/, '');

/** Whether the description says more than the name does. `Id of the device.` for `device_id` does not. */
function saysMore(name: string, description: string | undefined): boolean {
  const known = new Set(name.toLowerCase().split(/[_-]/).map(stemOf));
  const words = (description ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.some((word) => !FILLERS.has(word) && !known.has(stemOf(word)));
}

function hasWords(name: string, { $ref, description, anyOf = [] }: Schema): boolean {
  if (saysMore(name, description)) return true;
  const named = [$ref, ...anyOf.map((one) => one.$ref)].map(
    (one) => components.schemas[one?.slice(SCHEMAS.length) ?? ''],
  );
  return named.some((schema) => saysMore(name, schema?.description));
}

function wordlessIn(names: Iterable<string>): readonly string[] {
  return [...names].flatMap((name) => {
    const properties = [...propertiesOf(components.schemas[name] ?? {}, name)];
    return properties.filter(([, property, schema]) => !hasWords(property, schema)).map(([at]) => at);
  });
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const sent = reachedFrom(operations.map(({ operation }) => operation.requestBody));

describe('the document describes', () => {
  test('every property of a request body', () => {
    expect(wordlessIn(sent)).toEqual([]);
  });

  test('every property of an answer', () => {
    const given = Object.keys(components.schemas).filter((name) => !sent.has(name));
    expect(wordlessIn(given)).toEqual([]);
  });

  test('every parameter of a path, a query and a header', () => {
    const found = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ at: `${name} ${parameter.name}`, parameter })),
    );
    const own = Object.entries(components.parameters).map(([at, parameter]) => ({ at, parameter }));
    const wordless = [...found, ...own].filter(
      ({ parameter }) => parameter.$ref === undefined && !saysMore(parameter.name, parameter.description),
    );
    expect(wordless.map(({ at }) => at)).toEqual([]);
  });
});

test('a description whose words are all in the name counts as none', () => {
  expect(saysMore('device_id', undefined)).toBe(false);
  expect(saysMore('device_id', 'Id of the device.')).toBe(false);
  expect(saysMore('created_at', 'Created at this time.')).toBe(true);
  expect(saysMore('devices', 'The devices.')).toBe(false);
});

test('a property that cannot be null says nothing of null, and one that can be left out says nothing false of that', () => {
  const isNullable = ({
    $ref,
    anyOf,
    oneOf,
    type,
  }: Schema & { readonly type?: string | readonly string[] }): boolean => {
    if ($ref !== undefined) return isNullable(components.schemas[$ref.slice(SCHEMAS.length)] ?? {});
    if (type === undefined && anyOf === undefined && oneOf === undefined) return true;
    return [type].flat().includes('null') || [...(anyOf ?? []), ...(oneOf ?? [])].some(isNullable);
  };
  const wrong = Object.entries(components.schemas).flatMap(([name, schema]) =>
    [...propertiesOf(schema, name)]
      .filter(([, , property]) => /(?:^|; |\. )`null`:/.test(property.description ?? '') && !isNullable(property))
      .map(([at]) => at),
  );
  expect(wrong).toEqual([]);
});
