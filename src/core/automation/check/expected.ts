import type { FieldError } from '#base/hub-error.ts';
import { fieldError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import { operationIn } from '#core/automation/condition/operand.ts';
import type { Condition, FeatureRef, HistoryQuestion, Operand } from '#core/automation/document/condition.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findValueErrors } from '#core/feature/feature-value.ts';
import type { Unit } from '#core/feature/value-type.ts';
import { valueFault, type VariableShape } from '#core/variable/variable.ts';
import { type Checking, findFeature } from './directory.ts';
import { faultWords } from '#words/faults.ts';

type Kind = 'boolean' | 'number' | 'text' | 'object' | 'any';

/** A place takes values of a kind and unit, and `faults` says which of them. */
export type Expected = ReturnType<typeof expectedOf>;

export const ANYTHING: Expected = { kind: 'any', unit: null, faults: () => [] };

/** A number of this unit, in any range: sensors and sums leave what one can set. */
export function numberOf(unit: Unit | null): Expected {
  const faults = (value: JsonValue, pointer: string): readonly FieldError[] =>
    typeof value === 'number' ? [] : [fieldError(pointer, 'WRONG_TYPE', ...faultWords('number'))];
  return { kind: 'number', unit, faults };
}

export function expectedOf(feature: Feature) {
  const faults = (value: JsonValue, pointer: string): readonly FieldError[] => findValueErrors(feature, value, pointer);
  return {
    kind: KINDS[feature.valueType],
    /** `null`: any unit, or a number without one. */
    unit: feature.unit,
    faults,
  };
}

export function expectedOfVariable(shape: VariableShape): Expected {
  const kind = shape.type === 'boolean' || shape.type === 'number' ? shape.type : 'text';
  const faults = (value: JsonValue, pointer: string): readonly FieldError[] => {
    const fault = valueFault(shape, value);
    return fault === undefined ? [] : [{ ...fault, pointer }];
  };
  return { kind, unit: null, faults };
}

const KINDS: Readonly<Record<Feature['valueType'], Kind>> = {
  boolean: 'boolean',
  number: 'number',
  string: 'text',
  enum: 'text',
  timestamp: 'text',
  color: 'object',
  object: 'object',
  list: 'any',
  any: 'any',
  none: 'any',
};

type Operands = readonly Operand[];

/** Says what is wrong with an operand where this is expected. */
export function checkOperand(
  checking: Checking,
  operand: Operand,
  place: { readonly expected: Expected; readonly pointer: string },
): void {
  const { expected, pointer } = place;
  const operation = operationIn(operand);
  if (operation === undefined) return checking.refuseAll(expected.faults(operand, pointer));
  const { word, body } = operation;
  const at = `${pointer}/${word}`;
  const each = (operands: Operands, inner: Expected): void => {
    for (const [index, one] of operands.entries())
      checkOperand(checking, one, { expected: inner, pointer: `${at}/${index}` });
  };
  switch (word) {
    case 'value':
      return checking.refuseAll(expected.faults(body as JsonValue, at));
    case 'feature': {
      const feature = findFeature(checking, { ...(body as FeatureRef), kind: 'state' }, `${at}/key`);
      return feature && compareKinds(checking, expectedOf(feature), place);
    }
    case 'variable':
      return checkVariable(checking, body as string, place);
    case 'trigger':
      return undefined;
    case 'history': {
      const question = body as HistoryQuestion;
      const feature = findFeature(checking, { ...question, kind: 'state' }, `${at}/key`);
      if (feature === undefined) return undefined;
      const wanted = question.fn === 'seconds_true' ? 'boolean' : 'number';
      if (feature.valueType !== wanted)
        checking.refuse(`${at}/fn`, 'INVALID_VALUE', ...faultWords('feature_of_type', { type: wanted }));
      if (!checking.directory.isRecorded(question.device, question.key)) {
        checking.warn(at, 'UNRECORDED', ...faultWords('not_recorded'));
      }
      return compareKinds(checking, numberOf(question.fn === 'seconds_true' ? 's' : feature.unit), place);
    }
    case 'if': {
      const [condition, ...ways] = body as readonly [Condition, Operand, Operand];
      checking.checkCondition(condition, `${at}/0`);
      for (const [index, way] of ways.entries())
        checkOperand(checking, way, { expected, pointer: `${at}/${index + 1}` });
      return undefined;
    }
    case 'coalesce':
      return each(body as Operands, expected);
    default:
      break;
  }
  compareKinds(checking, numberOf(null), place);
  // A product or quotient has a unit of its own, and so may its parts.
  const keepsUnit = word !== 'mul' && word !== 'div' && word !== 'map' && word !== 'sun';
  const inner = numberOf(keepsUnit ? expected.unit : null);
  if (word === 'sun') return undefined;
  each(word === 'round' ? (body as Operands).slice(0, 1) : (body as Operands), inner);
}

/** The values that an operand will give, as far as they are known before it is evaluated. */
export function expectedBy(checking: Checking, operand: Operand): Expected {
  const operation = operationIn(operand);
  if (operation === undefined) return typeof operand === 'number' ? numberOf(null) : ANYTHING;
  const { word, body } = operation;
  if (word === 'feature') {
    const { device, key } = body as FeatureRef;
    const feature = checking.directory.device(device)?.features.find((one) => one.key === key);
    return feature === undefined
      ? ANYTHING
      : { ...expectedOf(feature), ...(feature.valueType === 'number' && numberOf(feature.unit)) };
  }
  if (word === 'variable') {
    const shape = checking.directory.variable(body as string);
    return shape === undefined || checking.names.has(body as string) ? ANYTHING : expectedOfVariable(shape);
  }
  if (word === 'value' || word === 'trigger' || word === 'if' || word === 'coalesce') return ANYTHING;
  return numberOf(null);
}

function checkVariable(
  checking: Checking,
  name: string,
  place: { readonly expected: Expected; readonly pointer: string },
): void {
  const own = checking.names.get(name);
  // The operation of a variable was checked where it stands.
  if (own !== undefined) {
    if (own !== null && operationIn(own) === undefined) checking.refuseAll(place.expected.faults(own, place.pointer));
    return;
  }
  const shape = checking.directory.variable(name);
  if (shape === undefined)
    checking.refuse(`${place.pointer}/variable`, 'INVALID_VALUE', ...faultWords('unknown_variable'));
  else compareKinds(checking, expectedOfVariable(shape), place);
}

function compareKinds(
  { refuse }: Checking,
  { kind, unit }: Expected,
  { expected, pointer }: { readonly expected: Expected; readonly pointer: string },
): void {
  if (kind !== 'any' && expected.kind !== 'any' && kind !== expected.kind) {
    refuse(pointer, 'WRONG_TYPE', ...faultWords('wrong_kind', { kind, needed: expected.kind }));
  } else if (unit !== null && expected.unit !== null && unit !== expected.unit) {
    refuse(pointer, 'INVALID_VALUE', ...faultWords('wrong_unit', { unit, needed: expected.unit }));
  }
}
