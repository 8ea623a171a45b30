import { expect, test } from 'vitest';
import { acceptedCause, type CauseCaller, changeCause, DIRECT, ledBy } from '#core/cause/cause.ts';
import type { UserId } from '#core/person/user.ts';

const token = (id: string): CauseCaller => ({ type: 'api_token', id });
const ADA: CauseCaller = { type: 'user', id: 'ada' };
const by = { id: 'one', userId: 'ada' as UserId };

test('each caller that led to something is named once, and a change passes on tokens alone', () => {
  const led = ledBy(ledBy(DIRECT, [ADA, token('a')]), [token('a')]);
  expect(led.callers).toEqual([ADA, token('a')]);
  expect(acceptedCause({ type: 'session', ...by }, led)).toEqual({ ...DIRECT, callers: [token('a')] });
  expect(acceptedCause({ type: 'session', ...by }, DIRECT)).toEqual(DIRECT);
});

test('a token, and what acts with one, is named where its command is accepted', () => {
  expect(acceptedCause({ type: 'api_token', ...by }, DIRECT).callers).toEqual([token('one')]);
  expect(acceptedCause({ type: 'automation', ...by, token: 'b' }, DIRECT).callers).toEqual([token('b')]);
  expect(acceptedCause({ type: 'matter', ...by, token: 'c' }, DIRECT).callers).toEqual([token('c')]);
  expect(changeCause({ type: 'api_token', ...by }, null)?.callers).toEqual([token('one')]);
  expect(changeCause({ type: 'session', ...by }, null)).toBeNull();
});

test('however many lead to it, none is left out: the first may be the one without a right', () => {
  let cause = DIRECT;
  for (let at = 0; at < 50; at += 1) cause = ledBy(cause, [token(String(at))]);
  expect(cause.callers?.map(({ id }) => Number(id))).toEqual(Array.from({ length: 50 }, (_, at) => at));
});
