import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import { readQuery } from '#http/routing/query-string.ts';

const schema = z.strictObject({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(10))),
  force: z.optional(z.boolean()),
  kinds: z.optional(z.array(z.enum(['a', 'b']))),
  search: z.optional(z.string()),
});
const errorsOf = (target: string, asked: z.ZodMiniType | undefined = schema): unknown => {
  try {
    readQuery(asked, target);
  } catch (error) {
    if (error instanceof HubError && error.code === 'INVALID_QUERY') {
      return error.options.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
    }
  }
  return undefined;
};

test.each([
  ['/x', {}],
  ['/x?', {}],
  ['/x?&', {}],
  ['/x?limit=3&force=true&kinds=a,b', { limit: 3, force: true, kinds: ['a', 'b'] }],
  ['/x?force=0', { force: false }],
  ['/x?search=a+b%2Bc%C3%BC', { search: 'a b+cü' }],
  ['/x?search', { search: '' }],
  ['/x?search=1', { search: '1' }],
  ['/x?search=a=b?c', { search: 'a=b?c' }],
  ['/x?kinds=a&kinds=b', { kinds: ['a', 'b'] }],
  ['/x?kinds[]=a&kinds%5B%5D=b', { kinds: ['a', 'b'] }],
  ['/x?kinds=a,b&limit=3&kinds[]=a', { kinds: ['a', 'b', 'a'], limit: 3 }],
])('%s is read as %j', (target, query) => expect(readQuery(schema, target)).toEqual(query));

test.each([
  ['/x?nope=1', ['?nope UNKNOWN']],
  ['/x?__proto__=1', ['?__proto__ UNKNOWN']],
  ['/x?Limit=1', ['?Limit UNKNOWN']],
  ['/x?limit=1&limit=2', ['?limit INVALID_VALUE']],
  ['/x?limit=0', ['?limit OUT_OF_RANGE']],
  ['/x?limit=', ['?limit WRONG_TYPE']],
  ['/x?limit=1e1', ['?limit WRONG_TYPE']],
  ['/x?limit=0x1', ['?limit WRONG_TYPE']],
  ['/x?limit=%201', ['?limit WRONG_TYPE']],
  ['/x?limit=2.5', ['?limit WRONG_TYPE']],
  ['/x?force=yes', ['?force WRONG_TYPE']],
  ['/x?kinds=a,c', ['?kinds INVALID_VALUE']],
  ['/x?kinds=', ['?kinds INVALID_VALUE']],
  [`/x?kinds=${','.repeat(200)}`, ['?kinds TOO_LONG']],
  [`/x?${'kinds=a&'.repeat(1_000)}`, ['?kinds TOO_LONG']],
  ['/x?kinds=a&kinds=', ['?kinds INVALID_VALUE']],
  ['/x?kinds=a&kinds', ['?kinds INVALID_VALUE']],
  ['/x?kinds[]=a&kinds[]=c', ['?kinds INVALID_VALUE']],
  ['/x?kinds[0]=a', ['?kinds[0] UNKNOWN']],
  ['/x?kinds[][]=a', ['?kinds[][] UNKNOWN']],
  ['/x?[]=a', ['?[] UNKNOWN']],
  ['/x?search[]=a', ['?search[] UNKNOWN']],
  ['/x?search=a&search=a', ['?search INVALID_VALUE']],
  ['/x?search=%zz', ['?%zz INVALID_FORMAT']],
  ['/x?search=%ff', ['?%ff INVALID_FORMAT']],
])('%s is refused with a pointer', (target, errors) => expect(errorsOf(target)).toEqual(errors));

test('a route without a query takes none', () => {
  const none = (target: string): unknown => {
    try {
      return readQuery(undefined, target);
    } catch (error) {
      return error instanceof HubError ? error.options.errors : error;
    }
  };
  expect(none('/x')).toBeUndefined();
  expect(none('/x?a=1&b=2')).toMatchObject([{ pointer: '?a', code: 'UNKNOWN' }, { pointer: '?b' }]);
});
