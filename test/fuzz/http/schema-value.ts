import * as fc from 'fast-check';
import { resolveRef, type Schema } from './operation.ts';

const WORDS = ['Attic', 'kitchen-ceiling', 'on', 'a@example.org', 'café', '窓', '0', 'true', 'two words'];

/** Values that a schema of the document allows. What is inside of its like, such as a step of a step, may be anything. */
export function valueOf(schema: Schema, around: ReadonlySet<string> = new Set()): fc.Arbitrary<unknown> {
  const { $ref: ref } = schema;
  if (typeof ref === 'string') {
    return around.has(ref)
      ? typedValue('any', {}, around)
      : valueOf(resolveRef(ref) as Schema, new Set(around).add(ref));
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const variants = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (variants !== undefined) return fc.oneof(...variants.map((one) => valueOf(one, around)));
  const type = schema['type'];
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => valueOf({ ...schema, type: one }, around)));
  return typedValue(typeof type === 'string' ? type : 'any', schema, around);
}

function typedValue(type: string, schema: Schema, around: ReadonlySet<string>): fc.Arbitrary<unknown> {
  const bound = (name: string, otherwise: number): number => Number(schema[name] ?? otherwise);
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({ min: bound('minimum', -1_000), max: bound('maximum', 100_000) });
    case 'number':
      return fc.double({ min: bound('minimum', -1e6), max: bound('maximum', 1e6), noNaN: true });
    case 'array':
      return fc.array(valueOf((schema['items'] ?? {}) as Schema, around), {
        minLength: bound('minItems', 0),
        maxLength: Math.min(bound('maxItems', 4), bound('minItems', 0) + 4),
      });
    case 'object':
      return objectOf(schema, around);
    default:
      return fc.oneof(
        fc.boolean(),
        fc.integer(),
        fc.constantFrom(...WORDS),
        fc.constant(null),
        fc.constant({ x: 0.3 }),
      );
  }
}

function objectOf(schema: Schema, around: ReadonlySet<string>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = new Set((schema['required'] ?? []) as string[]);
  if (properties.length === 0) {
    return fc.dictionary(
      fc.constantFrom('on', 'brightness', 'color', 'locked', 'position'),
      typedValue('any', {}, around),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    );
  }
  return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, valueOf(one, around)])), {
    requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
    noNullPrototype: true,
  });
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema['format'] === 'uuid') return fc.uuid();
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.min(Number(schema['maxLength'] ?? 40), minLength + 40);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const isFit = (text: string): boolean =>
    text.length >= minLength && text.length <= maxLength && (pattern?.test(text) ?? true);
  const words = WORDS.filter(isFit);
  const free = fc.string({ minLength, maxLength, unit: 'grapheme' }).map((text) => (isFit(text) ? text : 'kitchen'));
  return words.length === 0 ? free : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...words) }, free);
}
