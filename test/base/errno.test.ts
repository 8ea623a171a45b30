import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf, errnoOf } from '#base/errno.ts';

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

test('a failed system call has an errno', () => {
  const error = failureOf(() => readFileSync('/nowhere'));
  expect([errnoOf(error), codeOf(error)]).toEqual(['ENOENT', 'ENOENT']);
});

test("an error of Node's own has a code, but no errno", () => {
  const error = failureOf(() => new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xff)));
  expect([errnoOf(error), codeOf(error)]).toEqual([undefined, 'ERR_ENCODING_INVALID_ENCODED_DATA']);
});

test.each([new Error('a bug'), Object.assign(new Error('an exit code'), { code: 1 }), 'ENOENT', null, undefined])(
  '%s has neither',
  (error) => {
    expect([errnoOf(error), codeOf(error)]).toEqual([undefined, undefined]);
  },
);
