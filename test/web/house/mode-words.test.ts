import { expect, test } from 'vitest';
import { RECORD_KEY } from '#core/records/keyed-records.ts';
import { freeKey, modeWords, withValue } from '#web/house/mode-words.ts';

test.each([
  ['Party', 'party', 'Party'],
  ['  Movie night! ', 'movie_night', 'Movie night'],
  ['Été', 'ete', 'Ete'],
  ['constructor', 'constructor', 'Constructor'],
])('%j becomes a key that the hub takes, and is shown in words', (text, key, words) => {
  expect(freeKey(text, [], 'value')).toBe(key);
  expect(key).toMatch(RECORD_KEY);
  expect(modeWords({ value_names: {} }, key)).toBe(words);
  expect(modeWords({ value_names: { [key]: text } }, key)).toBe(text);
});

test.each(['24', 'дача', '<>', '_'])('%j has no letter for a key, and is a value all the same', (text) => {
  expect(freeKey(text, [], 'value')).toBe('value');
  expect(freeKey(text, ['value', 'value_2'], 'value')).toBe('value_3');
});

test('a key is never longer than the hub takes, and does not end in the middle of a space', () => {
  expect(freeKey(`${'a'.repeat(35)} b`, [], 'mode')).toBe('a'.repeat(35));
  expect(freeKey('a'.repeat(80), ['a'.repeat(36)], 'mode')).toMatch(RECORD_KEY);
});

test('a value is added with its name, unless one is called so already', () => {
  const none = { values: [], value_names: {} };
  const one = withValue(none, 'Gäste & Party');
  expect(one).toEqual({ values: ['gaste_party'], value_names: { gaste_party: 'Gäste & Party' } });
  expect(withValue(one ?? none, 'gäste & party')).toBeUndefined();
  // Two names with the same letters have two keys.
  expect(withValue(one ?? none, 'Gäste Party!')?.values).toEqual(['gaste_party', 'gaste_party_2']);
  expect(withValue({ values: ['home', 'away'], value_names: {} }, 'Away')).toBeUndefined();
});
