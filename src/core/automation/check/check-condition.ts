import type { JsonValue } from '#base/json.ts';
import { operationIn } from '#core/automation/condition/operand.ts';
import type { Comparison, Condition, Operand } from '#core/automation/document/condition.ts';
import type { Step } from '#core/automation/document/step.ts';
import { isReachable } from '#core/device/device.ts';
import { type Checking, findFeature } from './directory.ts';
import {
  ANYTHING,
  checkOperand,
  type Expected,
  expectedBy,
  expectedOf,
  expectedOfVariable,
  numberOf,
} from './expected.ts';
import { faultWords, notOneOf } from '#words/faults.ts';

/** Says what is wrong with a condition, and warns of what can hardly be met. */
export function checkCondition(checking: Checking, condition: Condition, pointer: string): void {
  const { directory, refuse, warn } = checking;
  if ('and' in condition || 'or' in condition) {
    const word = 'and' in condition ? 'and' : 'or';
    const parts = 'and' in condition ? condition.and : condition.or;
    for (const [index, part] of parts.entries()) checkCondition(checking, part, `${pointer}/${word}/${index}`);
  } else if ('not' in condition) checkCondition(checking, condition.not, `${pointer}/not`);
  else if ('feature' in condition) {
    const at = `${pointer}/feature`;
    const { feature: body } = condition;
    const feature = findFeature(checking, { ...body, kind: 'state' }, `${at}/key`);
    if (feature !== undefined) checkComparison(checking, body, { expected: expectedOf(feature), pointer: at });
    const isNumber = feature?.valueType === 'number';
    if (isNumber && body.for_s !== undefined && body.is === undefined) {
      warn(`${at}/for_s`, 'NEVER_TRUE', ...faultWords('number_changes'));
    }
    const device = directory.device(body.device);
    if (device !== undefined && !isReachable(device.availability) && condition.if_unknown === undefined) {
      warn(
        at,
        'NEVER_TRUE',
        'is unknown now, because the device cannot be reached, and unknown is not met: if_unknown decides',
      );
    }
  } else if ('changed' in condition)
    findFeature(checking, { ...condition.changed, kind: 'state' }, `${pointer}/changed/key`);
  else if ('sun' in condition) {
    checkComparison(checking, condition.sun, { expected: numberOf(null), pointer: `${pointer}/sun` });
  } else if ('mode' in condition) {
    for (const [key, values] of Object.entries(condition.mode))
      checkModeValues(checking, { key, values, pointer: `${pointer}/mode/${key}` });
  } else if ('variable' in condition) {
    const { variable } = condition.variable;
    const shape = checking.names.has(variable) ? undefined : directory.variable(variable);
    if (shape === undefined && !checking.names.has(variable))
      refuse(`${pointer}/variable/variable`, 'INVALID_VALUE', ...faultWords('unknown_variable'));
    const expected = shape === undefined ? ANYTHING : expectedOfVariable(shape);
    checkComparison(checking, condition.variable, { expected, pointer: `${pointer}/variable` });
  } else if ('compare' in condition) {
    const { left, right } = condition.compare;
    // A plain value must fit what it is compared with, whichever of them stands first.
    const isPlain = operationIn(left) === undefined;
    const [ofLeft, ofRight] = isPlain
      ? [expectedBy(checking, right), ANYTHING]
      : [ANYTHING, expectedBy(checking, left)];
    checkOperand(checking, left, { expected: ofLeft, pointer: `${pointer}/compare/left` });
    checkOperand(checking, right, { expected: ofRight, pointer: `${pointer}/compare/right` });
  } else if ('trigger' in condition) {
    const ids = new Set(checking.definition.triggers.map(({ id }) => id));
    const { id } = condition.trigger;
    for (const [index, one] of (typeof id === 'string' ? [id] : id).entries()) {
      if (!ids.has(one))
        refuse(
          `${pointer}/trigger/id${typeof id === 'string' ? '' : `/${index}`}`,
          'INVALID_VALUE',
          ...faultWords('unknown_trigger'),
        );
    }
  } else if ('step' in condition && !waitsIn(checking.definition.steps).has(condition.step.id)) {
    refuse(`${pointer}/step/id`, 'INVALID_VALUE', ...faultWords('unknown_wait'));
  }
}

/** The values of a comparison with a feature, a variable or a number. */
function checkComparison(
  checking: Checking,
  { is, is_not: isNot, above, below, between }: Comparison,
  { expected, pointer }: { readonly expected: Expected; readonly pointer: string },
): void {
  for (const [name, operand] of [['is', is] as const, ['is_not', isNot] as const]) {
    if (operand === undefined) continue;
    const isList = Array.isArray(operand) && expected.faults(operand as JsonValue, '').length > 0;
    const parts = isList ? (operand as readonly Operand[]) : [operand];
    for (const [index, one] of parts.entries()) {
      checkOperand(checking, one, { expected, pointer: `${pointer}/${name}${isList ? `/${index}` : ''}` });
    }
  }
  const limits: readonly (readonly [string, Operand | undefined])[] = [
    ['above', above],
    ['below', below],
    ['between/0', between?.[0]],
    ['between/1', between?.[1]],
  ];
  for (const [name, operand] of limits) {
    if (operand !== undefined) checkLimit(checking, operand, { expected, pointer: `${pointer}/${name}` });
  }
  const [low, high] = [above ?? between?.[0], below ?? between?.[1]];
  if (typeof low === 'number' && typeof high === 'number' && low > high) {
    checking.warn(pointer, 'NEVER_TRUE', ...faultWords('nothing_between'));
  }
}

/** A limit is of the same kind and unit as the value, but may lie outside of what can be set. */
export function checkLimit(
  checking: Checking,
  operand: Operand,
  { expected, pointer }: { readonly expected: Expected; readonly pointer: string },
): void {
  if (expected.kind !== 'number' && expected.kind !== 'text' && expected.kind !== 'any') {
    return checking.refuse(pointer, 'WRONG_TYPE', ...faultWords('no_order', { kind: expected.kind }));
  }
  const limit: Expected =
    expected.kind === 'number' ? numberOf(expected.unit) : expected.kind === 'any' ? ANYTHING : expected;
  checkOperand(checking, operand, { expected: limit, pointer });
  if (operationIn(operand) !== undefined || expected.kind !== 'number' || typeof operand !== 'number') return undefined;
  const [fault] = expected.faults(operand, pointer);
  if (fault?.code === 'OUT_OF_RANGE')
    checking.warn(pointer, 'NEVER_TRUE', `the value never gets there: ${fault.message}`);
  return undefined;
}

export function checkModeValues(
  { directory, refuse }: Checking,
  {
    key,
    values,
    pointer,
  }: { readonly key: string; readonly values: string | readonly string[]; readonly pointer: string },
): void {
  const known = directory.mode(key)?.values;
  if (known === undefined) return;
  for (const [index, value] of (typeof values === 'string' ? [values] : values).entries()) {
    const at = typeof values === 'string' ? pointer : `${pointer}/${index}`;
    if (!known.includes(value)) refuse(at, 'INVALID_VALUE', ...notOneOf(known));
  }
}

/** The lists of steps in a step, with their pointers. */
export function bodiesOf(step: Step): readonly (readonly [pointer: string, steps: readonly Step[]])[] {
  if ('choose' in step) {
    const cases = step.choose.cases.map((one, at) => [`/choose/cases/${at}/then`, one.then] as const);
    return step.choose.else === undefined ? cases : [...cases, ['/choose/else', step.choose.else]];
  }
  if ('repeat' in step) return [['/repeat/steps', step.repeat.steps]];
  if ('parallel' in step) return step.parallel.branches.map((branch, at) => [`/parallel/branches/${at}`, branch]);
  return [];
}

/** Every step with its pointer, before the steps in it. */
export function forEachStep(
  steps: readonly Step[],
  see: (step: Step, pointer: string) => void,
  pointer = '/steps',
): void {
  for (const [index, step] of steps.entries()) {
    const at = `${pointer}/${index}`;
    see(step, at);
    for (const [inside, body] of bodiesOf(step)) forEachStep(body, see, `${at}${inside}`);
  }
}

function waitsIn(steps: readonly Step[]): ReadonlySet<string> {
  const found = new Set<string>();
  forEachStep(steps, (step) => 'wait_for' in step && found.add(step.id));
  return found;
}
