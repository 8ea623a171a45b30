import { join } from 'node:path';
import { type ObjectShape, REFERENCE_KINDS, type Shape } from '#core/automation/document/shape.ts';
import { DEFINITION_SHAPE, PART_SHAPES } from '#core/automation/document/shapes.ts';
import { constantsOf } from './written.ts';

export const RULE_FORMS_PATH = join(import.meta.dirname, '../../../../src/web/client/rule-forms.ts');

const HEAD = `// Made from the shapes of the documents of automations by \`npm run openapi\`. Do not edit.
/* oxlint-disable unicorn/no-thenable */

/** A reference leads to one of these. */
export type ReferenceKind = ${REFERENCE_KINDS.map((kind) => `'${kind}'`).join(' | ')};
export type BodyPart = 'trigger' | 'condition' | 'step';
/** One thing that can be filled in. */
export type Shape =
  | { readonly kind: 'boolean' | 'json' | 'operand' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'reference'; readonly to: ReferenceKind; readonly words: readonly string[] }
  /** \`some\`: one, or a list of several. */
  | { readonly kind: 'list' | 'record' | 'some'; readonly of: Shape }
  | { readonly kind: 'tuple'; readonly of: readonly Shape[] }
  | { readonly kind: 'form'; readonly form: FormShape }
  | { readonly kind: 'either'; readonly form: FormShape; readonly other: Shape }
  | { readonly kind: 'body'; readonly part: BodyPart };
export type FormShape = {
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** Exactly one of each list. */
  readonly one: readonly (readonly string[])[];
  /** At least one of the list. */
  readonly some: readonly string[];
};
`;

/** The forms of all parts of an automation, as far as the page needs them: without patterns, examples and lengths of lists. */
export function ruleForms(): string {
  const { trigger, condition, step, operand } = PART_SHAPES;
  if (trigger.kind !== 'typed' || condition.kind !== 'worded' || step.kind !== 'worded')
    throw new Error('triggers have types, conditions and steps have words');
  return `${HEAD}\n${constantsOf({
    TRIGGER_SHAPES: mapped(trigger.types, (shape) => formOf(withoutType(shape))),
    CONDITION_SHAPES: mapped(condition.words, memberOf),
    BESIDE_CONDITION_SHAPES: mapped(condition.beside, memberOf),
    STEP_SHAPES: mapped(step.words, memberOf),
    OPERATION_SHAPES: mapped(operand.words, memberOf),
    DEFINITION_SHAPE: formOf(DEFINITION_SHAPE),
  })}`;
}

function mapped<One extends Shape>(
  shapes: Readonly<Record<string, One>>,
  map: (shape: One) => object,
): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, map(shape)]));
}

/** Each trigger has its type and an id: the page asks for neither. */
function withoutType({ members, required = [], ...rest }: ObjectShape): ObjectShape {
  const { id: _id, type: _type, ...own } = members;
  return { ...rest, members: own, required: required.filter((name) => name !== 'type') };
}

function formOf({ members, required = [], one = [], some = [] }: ObjectShape) {
  return { members: mapped(members, memberOf), required, one, some };
}

function memberOf(shape: Shape): object {
  switch (shape.kind) {
    case 'boolean':
    case 'json':
      return { kind: shape.kind };
    case 'number':
      return { kind: 'number', min: shape.min, max: shape.max };
    case 'text':
      return { kind: 'text', max: shape.max };
    case 'word':
      return { kind: 'word', words: shape.words };
    case 'reference':
      return { kind: 'reference', to: shape.to, words: shape.words ?? [] };
    case 'list':
    case 'record':
      return { kind: shape.kind, of: memberOf(shape.of) };
    case 'oneOrList':
      return { kind: 'some', of: memberOf(shape.of) };
    case 'tuple':
      return { kind: 'tuple', of: shape.of.map(memberOf) };
    case 'object':
      return { kind: 'form', form: formOf(shape) };
    case 'objectOr':
      return { ...memberOf(shape.object), kind: 'either', other: memberOf(shape.other) };
    case 'part':
      return shape.part === 'operand' ? { kind: 'operand' } : { kind: 'body', part: shape.part };
    default:
      throw new Error(`a ${shape.kind} stands only at the top`);
  }
}
