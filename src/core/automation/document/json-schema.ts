import type { JsonObject, JsonValue } from '#base/json.ts';
import { PARTS, type Shape } from './shape.ts';
import { DEFINITION_SHAPE, PART_SHAPES } from './shapes.ts';

const NAME_OF = { trigger: 'Trigger', condition: 'Condition', operand: 'Operand', step: 'Step' } as const;

/** The JSON Schema (2020-12) of a definition, for editors: written from the table by which documents are read. */
export function definitionSchema(): JsonObject {
  const parts = Object.fromEntries(PARTS.map((part) => [NAME_OF[part], partSchema(part)]));
  const own = schemaOf(DEFINITION_SHAPE);
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...own, $defs: parts };
}

function partSchema(part: (typeof PARTS)[number]): JsonObject {
  const schema = schemaOf(PART_SHAPES[part]);
  if (part !== 'operand') return schema;
  // An object with one member that is the name of an operation is one; all else is a value.
  const words = Object.keys(PART_SHAPES.operand.words);
  const isOperation = {
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    propertyNames: { enum: words },
  };
  return { if: isOperation, then: schema };
}

function schemaOf(shape: Shape): JsonObject {
  const { about: description } = shape;
  return { ...(description !== undefined && { description }), ...formSchema(shape) };
}

/** Without its words. */
export function formSchema(shape: Shape): JsonObject {
  switch (shape.kind) {
    case 'json':
      return {};
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return { type: shape.isWhole === true ? 'integer' : 'number', minimum: shape.min, maximum: shape.max };
    case 'text': {
      const pattern = shape.pattern === undefined ? {} : { pattern: shape.pattern.source };
      return { type: 'string', minLength: shape.min ?? 1, maxLength: shape.max, ...pattern };
    }
    case 'word':
      return { enum: shape.words };
    case 'reference': {
      const shown = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
      return { anyOf: [{ type: 'string' }, shown] };
    }
    case 'list':
      return { type: 'array', items: schemaOf(shape.of), minItems: shape.min ?? 0, maxItems: shape.max };
    case 'record':
      return {
        type: 'object',
        additionalProperties: schemaOf(shape.of),
        propertyNames: { pattern: shape.names.source },
        minProperties: shape.min ?? 0,
        maxProperties: shape.max,
      };
    case 'tuple':
      return {
        type: 'array',
        prefixItems: shape.of.map(schemaOf),
        items: false,
        minItems: shape.of.length,
        maxItems: shape.of.length,
      };
    case 'oneOrList':
      return { anyOf: [schemaOf(shape.of), schemaOf({ kind: 'list', of: shape.of, min: 1, max: shape.max })] };
    case 'objectOr':
      return { anyOf: [schemaOf(shape.object), schemaOf(shape.other)] };
    case 'typed':
      return { oneOf: Object.values(shape.types).map(schemaOf) };
    case 'object':
      return objectSchema(shape);
    case 'worded':
      return {
        oneOf: Object.entries(shape.words).map(([word, body]) =>
          objectSchema({ members: { ...shape.beside, [word]: body }, required: [word] }),
        ),
      };
    default:
      return { $ref: `#/$defs/${NAME_OF[shape.part]}` };
  }
}

function objectSchema({
  members,
  required = [],
  one = [],
  some = [],
}: Omit<Extract<Shape, { kind: 'object' }>, 'kind'>): JsonObject {
  const needs = (names: readonly string[]): JsonValue => names.map((name) => ({ required: [name] }));
  const choices = [
    ...one.map((names) => ({ oneOf: needs(names) })),
    ...(some.length > 0 ? [{ anyOf: needs(some) }] : []),
  ];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, schemaOf(shape)])),
    required,
    additionalProperties: false,
    ...(choices.length > 0 && { allOf: choices }),
  };
}
