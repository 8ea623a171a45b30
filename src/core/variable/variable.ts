import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import { either, isFlag, isNumber, isText, listOf, oneOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { Cause } from '#core/cause/cause.ts';
import { type Issuer, isIssuerOrNull } from '#core/cause/issuer.ts';
import { KEYED_CHECKS, type KeyedRecord } from '#core/records/keyed-records.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';
import { type FaultWords, faultWords, notOneOf } from '#words/faults.ts';

export const VARIABLE_TYPES = ['boolean', 'number', 'string', 'enum', 'time'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];
type VariableValue = boolean | number | string;

/** A value that people and automations keep for themselves: a bedtime, a counter, whether guests are there. */
export type Variable = KeyedRecord &
  VariableShape & {
    readonly name: string;
    readonly value: VariableValue;
    /** Milliseconds on the hub's clock. */
    readonly changedAtMs: number;
    /** `null`: as it was made. */
    readonly changedBy: Issuer | null;
  };

/** Which values it can have. */
export type VariableShape = {
  readonly type: VariableType;
  /** The least value of a number; `null` for no limit. */
  readonly min: number | null;
  readonly max: number | null;
  /** The words of an enum; empty otherwise. */
  readonly options: readonly string[];
};

export const MAX_VARIABLES = 200;
export const MAX_OPTIONS = 100;
const MAX_CHARACTERS = 1_000;
/** A time of day: `23:45`. */
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Finds the faults of the shape, each with a pointer into the body that has it. */
export function shapeFaults({ type, min, max, options }: VariableShape): readonly FieldError[] {
  const faults: FieldError[] = [];
  const refuse = (key: string, words: FaultWords): void =>
    void faults.push(fieldError(`/${key}`, 'INVALID_VALUE', ...words));
  if (type !== 'number' && min !== null) refuse('min', faultWords('only_number'));
  if (type !== 'number' && max !== null) refuse('max', faultWords('only_number'));
  if (min !== null && max !== null && min > max) refuse('max', faultWords('least_of_min'));
  if (type !== 'enum' && options.length > 0) refuse('options', faultWords('only_enum'));
  if (type === 'enum' && options.length === 0) refuse('options', faultWords('no_options'));
  if (new Set(options).size !== options.length) refuse('options', faultWords('option_twice'));
  return faults;
}

/** Why the variable cannot have the value; `undefined` if it can. */
export function valueFault({ type, min, max, options }: VariableShape, value: unknown): FieldError | undefined {
  const fault = (code: FieldError['code'], message: string, reason?: Wording): FieldError =>
    fieldError('/value', code, message, reason);
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : fault('WRONG_TYPE', ...faultWords('true_or_false'));
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return fault('WRONG_TYPE', ...faultWords('number'));
      if (min !== null && value < min)
        return fault('OUT_OF_RANGE', `must be at least ${min}`, limit('least', { least: min }));
      return max !== null && value > max
        ? fault('OUT_OF_RANGE', `must be at most ${max}`, limit('most', { most: max }))
        : undefined;
    case 'string':
      if (typeof value !== 'string') return fault('WRONG_TYPE', ...faultWords('text'));
      return value.length > MAX_CHARACTERS
        ? fault('TOO_LONG', `must have at most ${MAX_CHARACTERS} characters`, limit('most', { most: MAX_CHARACTERS }))
        : undefined;
    case 'enum':
      return options.some((option) => option === value) ? undefined : fault('INVALID_VALUE', ...notOneOf(options));
    default:
      return typeof value === 'string' && TIME_OF_DAY.test(value)
        ? undefined
        : fault('INVALID_FORMAT', ...faultWords('time_of_day_form'));
  }
}

/** Throws HubError VALIDATION_FAILED with every fault of the shape, else of the value. */
export function refuseVariable(shape: VariableShape, value: unknown): asserts value is VariableValue {
  const wrong = shapeFaults(shape);
  const fault = wrong.length > 0 ? undefined : valueFault(shape, value);
  if (wrong.length > 0 || fault !== undefined) throw validationFailed(fault === undefined ? wrong : [fault]);
}

export const isVariableRecord = recordOf<Variable>({
  ...KEYED_CHECKS,
  type: oneOf(VARIABLE_TYPES),
  value: either(isFlag, isNumber, isText),
  min: orNull(isNumber),
  max: orNull(isNumber),
  options: listOf(isText),
  changedBy: isIssuerOrNull,
});

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** Added, set, changed, or removed. `cause`: what led to it. */
    'variable.changed': { readonly variable: Variable; readonly isGone: boolean; readonly cause?: Cause };
  }
}
