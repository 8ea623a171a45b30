import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  subarray,
  tuple,
} from 'fast-check';
import type { ObjectShape, Part, Shape } from '#core/automation/document/shape.ts';
import { PART_SHAPES } from '#core/automation/document/shapes.ts';
import type { Json, JsonObject } from '#web/rule/sentence/json.ts';

// Any definition of the right form, whether or not it makes sense in a home.

const leaf: Arbitrary<Json> = oneof(boolean(), integer({ min: -9, max: 99 }), constantFrom('night', '*'));
const reference: Arbitrary<Json> = constantFrom<Json[]>('hall-motion', 'kitchen-ceiling', {
  id: '0199',
  selector: 'hall-lux',
  name: 'Hall lux',
});

function ofText({ max, example }: Extract<Shape, { kind: 'text' }>): Arbitrary<Json> {
  return constant((example ?? 'on').slice(0, max));
}

function ofObject({ members, required = [], one = [], some = [] }: ObjectShape, depth: number): Arbitrary<Json> {
  const grouped = new Set([...one.flat(), ...some]);
  const free = Object.keys(members).filter((name) => !grouped.has(name));
  const optional = free.filter((name) => !required.includes(name));
  const chosen = tuple(
    subarray(optional),
    tuple(...one.map((names) => constantFrom(...names))),
    some.length === 0 ? constant([]) : subarray([...some], { minLength: 1 }),
  ).map(([free_, ones, several]) => new Set([...required, ...free_, ...ones, ...several]));
  return chosen.chain((names) =>
    record(Object.fromEntries([...names].map((name) => [name, ofShape(members[name] ?? { kind: 'json' }, depth)]))),
  );
}

function ofPart(part: Part, depth: number): Arbitrary<Json> {
  if (part === 'operand' && depth <= 0) return leaf;
  const shape = PART_SHAPES[part];
  if (shape.kind === 'typed') {
    return oneof(...Object.values(shape.types).map((type) => ofObject(type, depth - 1)));
  }
  if (shape.kind !== 'worded') throw new Error(`no generator for the shape of a ${part}`);
  const simple = Object.entries(shape.words).filter(([, one]) => depth > 0 || isFlat(one));
  const word = constantFrom(...simple).chain(([name, one]) =>
    tuple(ofShape(one, depth - 1), ofObject({ kind: 'object', members: shape.beside }, depth)).map(
      ([inner, beside]): Json => ({ ...(beside as JsonObject), [name]: inner }),
    ),
  );
  return part === 'operand' ? oneof({ weight: 3, arbitrary: leaf }, word) : word;
}

/** Whether nothing of it stands in itself again, other than values. */
function isFlat(shape: Shape): boolean {
  switch (shape.kind) {
    case 'part':
      return shape.part === 'operand';
    case 'list':
    case 'oneOrList':
    case 'record':
      return isFlat(shape.of);
    case 'tuple':
      return shape.of.every(isFlat);
    case 'object':
      return Object.values(shape.members).every(isFlat);
    default:
      return true;
  }
}

function ofShape(shape: Shape, depth: number): Arbitrary<Json> {
  switch (shape.kind) {
    case 'boolean':
      return boolean();
    case 'json':
      return leaf;
    case 'number':
      return integer({ min: Math.ceil(shape.min), max: Math.min(shape.max, shape.min + 100_000) });
    case 'text':
      return ofText(shape);
    case 'word':
      return constantFrom(...shape.words);
    case 'reference':
      return reference;
    case 'list':
      return array(ofShape(shape.of, depth), { minLength: shape.min ?? 0, maxLength: 2 });
    case 'oneOrList':
      return oneof(ofShape(shape.of, depth), array(ofShape(shape.of, depth), { minLength: 1, maxLength: 2 }));
    case 'record':
      return ofShape(shape.of, depth).map((value): Json => ({ brightness: value }));
    case 'tuple':
      return tuple(...shape.of.map((one) => ofShape(one, depth)));
    case 'objectOr':
      return oneof(ofShape(shape.object, depth), ofShape(shape.other, depth));
    case 'object':
      return ofObject(shape, depth);
    case 'part':
      return ofPart(shape.part, depth);
    default:
      throw new Error(`a ${shape.kind} stands only at the top`);
  }
}

const DEPTH = 3;
const some = (part: Part): Arbitrary<Json[]> => array(ofPart(part, DEPTH), { minLength: 1, maxLength: 2 });

export const definitions: Arbitrary<JsonObject> = record({
  triggers: some('trigger'),
  conditions: some('condition'),
  steps: some('step'),
});
