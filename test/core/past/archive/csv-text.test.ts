import { expect, test } from 'vitest';
import { cellFromValue, valueFromCell } from '#core/past/archive/csv-text.ts';

test.each<readonly [string, number | string]>([
  ['12', 12],
  ['-12.', -12],
  ['.5', 0.5],
  ['1.5e-3', 0.0015],
  ['.', '.'],
  ['1.5.', '1.5.'],
  ['1e', '1e'],
])('the cell %j is the value %j', (cell, value) => {
  expect(valueFromCell(cell)).toBe(value);
});

test('a cell of many digits and a letter is a text, and holds nobody up', () => {
  const text = `${'1'.repeat(2_000_000)}x`;
  expect(valueFromCell(text)).toBe(text);
  expect(cellFromValue(text)).toBe(text);
});
