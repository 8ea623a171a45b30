import { expect, test } from 'vitest';
import { readContract } from '#test/support/daemon/contract-check.ts';

type Schema = { readonly [keyword: string]: unknown };

const { paths, components } = readContract();
const { schemas } = components;
const REFERENCE = '#/components/schemas/';

/** Each schema in this part of the document, and where it stands. */
function* schemasIn(value: unknown, at: string): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'example' && key !== 'mapping') yield* schemasIn(item, `${at}/${key}`);
  }
}

/** The names of all schemas that these parts of the document lead to. */
function reachedFrom(parts: readonly unknown[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, { $ref }] of schemasIn(part, '')) {
      if (typeof $ref !== 'string' || !$ref.startsWith(REFERENCE) || reached.has($ref.slice(REFERENCE.length)))
        continue;
      reached.add($ref.slice(REFERENCE.length));
      follow(schemas[$ref.slice(REFERENCE.length)]);
    }
  };
  parts.forEach(follow);
  return reached;
}

const calls = Object.values(paths).flatMap((methods) => Object.values(methods) as unknown as Schema[]);
const given = reachedFrom([
  components.responses,
  ...calls.flatMap(({ responses, callbacks }) => [responses, callbacks]),
]);
const sent = reachedFrom(calls.flatMap(({ parameters, requestBody }) => [parameters, requestBody]));
const all = [...schemasIn(schemas, '')];
const nullOr = ({ type }: Schema): readonly unknown[] => [type].flat().filter((one) => one !== 'null');

test('what the hub gives is open: a client takes words, fields and events that it never heard of', () => {
  const isClosed = (schema: Schema): boolean =>
    'enum' in schema || 'const' in schema || 'oneOf' in schema || schema['additionalProperties'] === false;
  const closed = [...given].flatMap((name) =>
    [...schemasIn(schemas[name], name)].flatMap(([at, schema]) => (isClosed(schema) ? [at] : [])),
  );
  // A client that wants its events typed reads them once more, as one of these.
  const known = schemas['KnownEvent'] as { discriminator: { mapping: object } };
  const kinds = Object.keys(known.discriminator.mapping);
  expect(kinds.length).toBeGreaterThan(30);
  expect(closed.filter((at) => at !== 'KnownEvent' && !/^\w+Type$/.test(at))).toEqual([]);
  const words = closed.flatMap((at) => (schemas[at]?.['enum'] ?? []) as string[]);
  expect(words.toSorted()).toEqual(kinds.toSorted());
});

test('what clients send has its lists of words', () => {
  const open = [...sent].flatMap((name) =>
    given.has(name) ? [] : [...schemasIn(schemas[name], name)].filter(([, schema]) => 'x-extensible-enum' in schema),
  );
  expect(open).toEqual([]);
  expect(schemas['RoleInput']?.['enum']).toEqual(schemas['Role']?.['x-extensible-enum']);
});

test('every object and every list of words has a name', () => {
  const inner = [...schemasIn({ schemas, paths }, '')].filter(([at]) => !/^\/schemas\/\w+$/.test(at));
  const unnamed = inner.filter(([at, schema]) => {
    const words = (schema['enum'] ?? schema['x-extensible-enum'] ?? []) as readonly string[];
    if (at.includes('/if/')) return false;
    const isObject = 'properties' in schema && 'type' in schema && !at.endsWith('/properties');
    return isObject || words.length > 2;
  });
  expect(unnamed.map(([at]) => at)).toEqual([]);
});

test('an object that may be null is a choice between its name and null', () => {
  const odd = all.filter(([, schema]) => Array.isArray(schema['type']) && 'properties' in schema);
  expect(odd.map(([at]) => at)).toEqual([]);
});

test('no field has two plain types, and each number says how long it is', () => {
  expect(all.filter(([, schema]) => nullOr(schema).length > 1).map(([at]) => at)).toEqual([]);
  const numbers = all.filter(([, schema]) => nullOr(schema).includes('number'));
  expect(numbers.length).toBeGreaterThan(50);
  expect(numbers.filter(([, { format }]) => format !== 'double').map(([at]) => at)).toEqual([]);
});

test('no text ends the comment into which a generator puts it', () => {
  expect(JSON.stringify(readContract()).match(/.{60}\*\/.{20}/g)).toBe(null);
});

test('one thing has one name', () => {
  const names = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const words = schema['enum'] ?? schema['x-extensible-enum'];
    if (!Array.isArray(words) || words.length < 3) continue;
    const key = (words as string[]).toSorted((left, right) => left.localeCompare(right)).join(' ');
    names.set(key, [...(names.get(key) ?? []), name.replace(/Input$/, '')]);
  }
  const double = [...names.values()].map((all) => [...new Set(all)]).filter(({ length }) => length > 1);
  // They are alike by chance.
  expect(double).toEqual([['IntegrationSetupStatus', 'SimulationStatus']]);
});
