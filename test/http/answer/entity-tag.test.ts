import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { isNotModified, requiredRevision } from '#http/answer/entity-tag.ts';

test.each([
  [undefined, false],
  ['"a-1"', true],
  ['W/"a-1"', true],
  ['*', true],
  [' * ', true],
  ['"x", W/"a-1" ,"y"', true],
  ['"x"', false],
  ['a-1', false],
  ['"a-1', false],
  ['"x" "a-1"', false],
  ['', false],
  ['w/"a-1"', false],
])('If-None-Match: %s against "a-1" → not modified: %s', (field, result) => {
  expect(isNotModified(field, '"a-1"')).toBe(result);
});

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"7"', 7],
  ['"7-run-12"', 7],
  ['"6", "7"', 7],
  ['"6"', 'PRECONDITION_FAILED'],
  ['W/"7"', 'PRECONDITION_FAILED'],
  ['"77"', 'PRECONDITION_FAILED'],
  ['"07"', 'PRECONDITION_FAILED'],
  ['7', 'MALFORMED_REQUEST'],
  ['"7', 'MALFORMED_REQUEST'],
])('If-Match: %s at revision 7 → %s', (field, result) => {
  let got: unknown;
  try {
    got = requiredRevision(field, 7);
  } catch (error) {
    got = error instanceof HubError ? error.code : error;
  }
  expect(got).toBe(result);
});
