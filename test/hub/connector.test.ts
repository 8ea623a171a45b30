import { expect, test } from 'vitest';
import { createConnector } from '#hub/connector.ts';

test('a call before its connection is refused as by a hub that starts, and later goes to the one that was connected', () => {
  const { call, connect } = createConnector<[number], number>();
  expect(() => call(1)).toThrow(expect.objectContaining({ code: 'RESTARTING' }));
  connect((number) => number + 1);
  expect(call(1)).toBe(2);
  expect(() => connect((number) => number)).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
  expect(call(1)).toBe(2);
});
