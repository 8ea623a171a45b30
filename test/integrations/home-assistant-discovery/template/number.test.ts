import { expect, test } from 'vitest';
import { floatFromText } from '#integrations/home-assistant-discovery/template/number.ts';

/** Far more than a test may take, if each pair of places is tried. */
const LONG = 2_000_000;

// What Python 3.11 says.
test.each<readonly [string, number | undefined]>([
  ['12', 12],
  ['12.', 12],
  ['.5', 0.5],
  ['-1.5', -1.5],
  [' +1_000.2_5e1_0 ', 1000.25e10],
  ['1.e-3', 0.001],
  ['', undefined],
  ['.', undefined],
  ['1_', undefined],
  ['1__0', undefined],
  ['1_.5', undefined],
  ['1._5', undefined],
  ['1.5.', undefined],
  ['e5', undefined],
  ['1e', undefined],
  ['1 2', undefined],
  ['0x10', undefined],
])('the text %j is the float %s', (text, number) => {
  expect(floatFromText(text)).toBe(number);
});

test.each([
  ['digits', '1'.repeat(LONG)],
  ['groups of digits', '1_1'.repeat(LONG / 2)],
  ['digits behind the point', `0.${'1'.repeat(LONG)}`],
  ['digits of the exponent', `1e${'1'.repeat(LONG)}`],
])('a payload of many %s and a letter is no number, and holds nobody up', (_, text) => {
  expect(floatFromText(`${text}x`)).toBeUndefined();
});
