import { expect, test } from 'vitest';
import { printed } from '#integrations/home-assistant-discovery/python/printf.ts';

// Python looks names up in a dict, and lets them have parentheses in pairs.
test.each(['%(a)s', '%(a(b)c)s', '%(a', '%('])('the name in %j is not supported', (format) => {
  expect(() => printed({ steps: 100, characters: 100 }, format, 5)).toThrow('this text format is not supported');
});

test('many names without an end are searched for once', () => {
  const format = '%('.repeat(1_000_000);
  expect(() => printed({ steps: 100, characters: 4_000_000 }, format, 5)).toThrow('this text format is not supported');
});
