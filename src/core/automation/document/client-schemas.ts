import type { JsonObject } from '#base/json.ts';
import { formSchema } from './json-schema.ts';
import type { ObjectShape, Shape, TypedShape, WordedShape } from './shape.ts';
import { DEFINITION_SHAPE, PART_SHAPES } from './shapes.ts';

/** `refer`: how the schema of this name is referred to where it will stand. */
type Place = { readonly refer: (name: string) => string; readonly named: Map<string, JsonObject> };

/**
 * The language of automations as schemas with names, for generators of clients. It is the same language as that of
 * `definitionSchema`, which says more exactly what stands beside what: generators make no good types of that.
 */
export function clientSchemas(refer: Place['refer']): ReadonlyMap<string, JsonObject> {
  const place: Place = { refer, named: new Map() };
  const { trigger, condition, step, operand } = PART_SHAPES;
  place.named.set('Trigger', triggerSchema(place, trigger));
  place.named.set('Condition', wordedSchema(place, condition, 'Condition'));
  place.named.set('Step', wordedSchema(place, step, 'Step'));
  place.named.set('Operation', {
    ...wordedSchema(place, operand, 'Operation'),
    description: 'How to get a value. Exactly one member says how.',
  });
  place.named.set('Operand', {
    description: operand.about,
    // No type: a client has a field for any value.
    if: { type: 'object', minProperties: 1, maxProperties: 1, propertyNames: { enum: Object.keys(operand.words) } },
    then: { $ref: refer('Operation') },
  });
  place.named.set('Reference', {
    description:
      'What is named, by its id or selector; an answer has an object with `id`, `selector` and `name`, which may be sent back.',
  });
  membersOf(place, DEFINITION_SHAPE.members);
  return place.named;
}

function triggerSchema(place: Place, { by, types, about }: TypedShape): JsonObject {
  const mapping = Object.fromEntries(
    Object.entries(types).map(([type, shape]) => {
      const { $ref } = objectReference(place, shape, `${capitalized(type)}Trigger`);
      return [type, $ref];
    }),
  );
  return {
    description: about,
    type: 'object',
    // As in every choice of the document: some generators look for the field here.
    properties: { [by]: { type: 'string', description: 'Says which trigger it is.' } },
    required: [by],
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: by, mapping },
  };
}

/** One object with all words, none of which is required: the hub refuses all but one, and generators need no choice. */
function wordedSchema(place: Place, { about, words, beside }: WordedShape, kind: string): JsonObject {
  const members = Object.entries(words).map(([word, shape]) => [
    word,
    shape.kind === 'object'
      ? { ...objectReference(place, shape, capitalized(word) + kind), ...(shape.about && { description: shape.about }) }
      : memberSchema(place, shape),
  ]);
  return {
    description: about,
    type: 'object',
    properties: { ...membersOf(place, beside), ...(Object.fromEntries(members) as JsonObject) },
  };
}

function objectReference(place: Place, shape: ObjectShape, name: string): { readonly $ref: string } {
  const { members, required = [], one = [], some = [], about } = shape;
  const choices = [
    ...one.map((names) => `Exactly one of ${listed(names)}.`),
    ...(some.length > 0 ? [`At least one of ${listed(some)}.`] : []),
  ];
  if (!place.named.has(name)) {
    place.named.set(name, {
      description: [about ?? '', ...choices].join(' ').trim(),
      type: 'object',
      properties: membersOf(place, members),
      ...(required.length > 0 && { required }),
    });
  }
  return { $ref: place.refer(name) };
}

function membersOf(place: Place, members: Readonly<Record<string, Shape>>): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, memberSchema(place, shape, name)]));
}

function memberSchema(place: Place, shape: Shape, member = ''): JsonObject {
  const { about: description } = shape;
  return { ...typeOf(place, shape, member), ...(description !== undefined && { description }) };
}

function typeOf(place: Place, shape: Shape, member: string): JsonObject {
  switch (shape.kind) {
    case 'boolean':
    case 'number':
    case 'text':
      return formSchema(shape);
    case 'word':
      return { type: 'string', enum: shape.words };
    case 'reference':
      return { $ref: place.refer('Reference') };
    case 'part':
      return { $ref: place.refer(capitalized(shape.part)) };
    case 'list': {
      const items = memberSchema(place, shape.of);
      return { type: 'array', items, minItems: shape.min ?? 0, maxItems: shape.max };
    }
    case 'record': {
      const value = memberSchema(place, shape.of);
      // Not `{}`: a generated client in Go would make a pointer of it.
      const additionalProperties = Object.keys(value).length === 0 ? true : value;
      return { type: 'object', additionalProperties, maxProperties: shape.max };
    }
    case 'tuple': {
      const [first = shape, ...others] = shape.of;
      const isOne = others.every((other) => other === first);
      return {
        type: 'array',
        items: isOne ? memberSchema(place, first) : {},
        minItems: shape.of.length,
        maxItems: shape.of.length,
      };
    }
    case 'object':
      return objectReference(place, shape, shape.name ?? capitalized(member));
    default:
      // A value or a list of them, an object or a word: no type is the one that all clients can have.
      return {};
  }
}

function capitalized(word: string): string {
  return word.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}
