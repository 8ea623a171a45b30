import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { itemIn, mapNumber, numberBetween, numberIn, readFeature } from '#core/feature/peer-value.ts';
import { NO_NUMBERS } from '#test/support/attack/no-numbers.ts';

describe('what a peer sends for a number', () => {
  test.each<[JsonValue, number]>([
    [21.5, 21.5],
    ['21.5', 21.5],
    [' 21.5 ', 21.5],
    ['-0.5', -0.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1_000],
    ['007', 7],
    [[4, 5], 4],
    [['4'], 4],
  ])('%j is %d', (sent, number) => expect(numberIn(sent)).toBe(number));

  test.each<JsonValue>([...NO_NUMBERS, '1 2', '--1', '+', '.', 'e5', '9'.repeat(101), true, {}, [], [[1]], Infinity])(
    '%j is none',
    (sent) => expect(numberIn(sent)).toBeUndefined(),
  );

  test('one value for a list is its first, and only that', () => {
    expect([itemIn(7, 0), itemIn(7, 1), itemIn([7, 8], 1), itemIn({}, 0), itemIn(undefined, 0)]).toEqual([
      7,
      undefined,
      8,
      undefined,
      undefined,
    ]);
  });
});

describe('reading a feature', () => {
  const refusalsOf = (feature: Parameters<typeof readFeature>[0], read: () => JsonValue | undefined): unknown => {
    const refused: JsonValue[] = [];
    const value = readFeature(feature, read, (_key, wrong) => refused.push(wrong));
    return [value, refused];
  };
  const temperature = wordFeature('temperature', 'main');

  test('tells what was refused, and nothing where nothing was said', () => {
    expect(refusalsOf(temperature, () => numberIn('warm'))).toEqual([undefined, ['warm']]);
    expect(refusalsOf(temperature, () => mapNumber('warm', (number) => number + 1))).toEqual([undefined, ['warm']]);
    expect(refusalsOf(temperature, () => 'warm')).toEqual([undefined, ['warm']]);
    expect(refusalsOf(temperature, () => numberIn(null))).toEqual([undefined, []]);
    expect(refusalsOf(temperature, () => mapNumber(null, (number) => number + 1))).toEqual([null, []]);
    expect(refusalsOf(temperature, () => undefined)).toEqual([undefined, []]);
    expect(refusalsOf(temperature, () => numberBetween(5, [0, 5]))).toEqual([5, []]);
    expect(refusalsOf(temperature, () => numberBetween('6', [0, 5]))).toEqual([undefined, ['6']]);
  });

  test('tells nothing of what was refused on the way to a value, or before', () => {
    numberIn('before');
    expect(refusalsOf(temperature, () => numberIn('warm') ?? 21)).toEqual([21, []]);
    expect(refusalsOf(ownFeature('note', 'main', { valueType: 'string' }), () => '12')).toEqual(['12', []]);
  });
});
