import type * as z from 'zod/mini';
import { type FieldError, type FieldErrorCode, fieldError } from '#base/hub-error.ts';
import { MAX_FIELD_ERRORS } from '#http/answer/problem.ts';
import { EMAIL_FORM } from '#core/person/user.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';
import { type FaultWords, faultWords, notOneOf } from '#words/faults.ts';

type Issue = z.core.$ZodIssue;

/** RFC 6901 pointer of a path. */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(String(step))).join('');
}

/** One error for each of the first fields that the schema refused; `input` is the checked value. */
export function fieldErrorsFrom(issues: readonly Issue[], input: unknown): readonly FieldError[] {
  return issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, MAX_FIELD_ERRORS)
        .map((key) => fieldError(jsonPointer([...issue.path, key]), 'UNKNOWN', ...faultWords('unknown_field')));
    }
    return [fieldError(jsonPointer(issue.path), ...describeIssue(issue, input))];
  });
}

type Described = readonly [code: FieldErrorCode, message: string, limit?: Wording];

function describeIssue(issue: Exclude<Issue, { code: 'unrecognized_keys' }>, input: unknown): Described {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue, input);
    case 'too_small':
      return describeLeast(issue, Number(issue.minimum));
    case 'too_big':
      return describeMost(issue, Number(issue.maximum));
    case 'not_multiple_of':
      return ['OUT_OF_RANGE', `must be a multiple of ${issue.divisor}`, limit('step', { step: issue.divisor })];
    case 'invalid_format':
      return ['INVALID_FORMAT', ...describeFormat(issue)];
    case 'invalid_value':
      return ['INVALID_VALUE', ...notOneOf(issue.values.map((value) => JSON.stringify(value)))];
    default:
      return ['INVALID_VALUE', ...faultWords('not_valid')];
  }
}

function describeFormat({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): FaultWords {
  if (format !== 'regex') return faultWords('text_form', { form: format });
  return faultWords(pattern === String(EMAIL_FORM) ? 'email_form' : 'form');
}

function describeLeast({ origin, inclusive }: z.core.$ZodIssueTooSmall, least: number): Described {
  if (isCounted(origin)) return ['TOO_SHORT', `must have at least ${least}`, limit('least', { least })];
  return inclusive === false
    ? ['OUT_OF_RANGE', `must be more than ${least}`, limit('above', { above: least })]
    : ['OUT_OF_RANGE', `must be at least ${least}`, limit('least', { least })];
}

function describeMost({ origin, inclusive }: z.core.$ZodIssueTooBig, most: number): Described {
  if (isCounted(origin)) return ['TOO_LONG', `must have at most ${most}`, limit('most', { most })];
  return inclusive === false
    ? ['OUT_OF_RANGE', `must be less than ${most}`, limit('below', { below: most })]
    : ['OUT_OF_RANGE', `must be at most ${most}`, limit('most', { most })];
}

function describeType(issue: z.core.$ZodIssueInvalidType, input: unknown): Described {
  if (issue.path.length > 0 && !hasValueAt(input, issue.path)) return ['REQUIRED', ...faultWords('required')];
  const expected = issue.expected === 'int' ? 'a whole number' : `of type ${issue.expected}`;
  return ['WRONG_TYPE', ...faultWords('type', { type: expected })];
}

function hasValueAt(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return true;
}

function isCounted(origin: string): boolean {
  return origin === 'string' || origin === 'array' || origin === 'set' || origin === 'map';
}
