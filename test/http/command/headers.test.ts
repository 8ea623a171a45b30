import { expect, test } from 'vitest';
import { preferredWait } from '#http/command/give.ts';

test.each([
  [undefined, 2000, undefined],
  ['wait=0', 0, 'wait=0'],
  ['wait=3', 3000, 'wait=3'],
  ['Wait = 10', 10_250, 'wait=10'],
  ['wait="4"', 4000, 'wait=4'],
  ['respond-async, wait=5', 5000, 'wait=5'],
  ['wait=5; x=y, return=minimal', 5000, 'wait=5'],
  ['wait=11', 10_250, 'wait=10'],
  ['wait=999999999', 10_250, 'wait=10'],
  ['wait=-1', 2000, undefined],
  ['wait=1.5', 2000, undefined],
  ['wait=', 2000, undefined],
  ['wait', 2000, undefined],
  ['await=3', 2000, undefined],
  ['', 2000, undefined],
])('with Prefer %j the call waits %i ms and confirms %j', (prefer, waitMs, applied) => {
  expect(preferredWait(prefer)).toEqual({
    waitMs,
    applied: applied === undefined ? {} : { 'Preference-Applied': applied },
  });
});
