import { expect, test } from 'vitest';
import { RECORD_KEY } from '#core/records/keyed-records.ts';
import { keyFrom, modeWords, newModeKey, valuesFrom } from '#web/house/mode-words.ts';

test.each([
  ['Party', 'party', 'Party'],
  ['  Movie night! ', 'movie_night', 'Movie night'],
  ['Été', 'ete', 'Ete'],
  ['constructor', 'constructor', 'Constructor'],
])('%j becomes a key that the hub takes, and is shown in words', (text, key, words) => {
  expect(keyFrom(text)).toBe(key);
  expect(key).toMatch(RECORD_KEY);
  expect(modeWords({ value_names: {} }, key)).toBe(words);
  expect(modeWords({ value_names: { [key]: text } }, key)).toBe(text);
});

test.each(['', '   ', '24', 'дача', '<>', '_'])('%j is no value, because the hub would refuse it', (text) => {
  expect(keyFrom(text)).toBeUndefined();
});

test('a key is never longer than the hub takes, and does not end in the middle of a space', () => {
  expect(keyFrom(`${'a'.repeat(39)} b`)).toBe('a'.repeat(39));
  expect(newModeKey('a'.repeat(80), [{ key: 'a'.repeat(36) }])).toMatch(RECORD_KEY);
});

test('values are parted by commas, each counts once, and one is too few', () => {
  expect(valuesFrom('Gäste & Party; Sommer,')).toEqual({
    values: ['gaste_party', 'sommer'],
    value_names: { gaste_party: 'Gäste & Party', sommer: 'Sommer' },
  });
  expect(valuesFrom('Summer, SUMMER, Winter')?.value_names).toEqual({ summer: 'Summer', winter: 'Winter' });
  expect(valuesFrom('Summer, summer')).toBeUndefined();
  expect(valuesFrom('Summer, 24')).toBeUndefined();
});

test('a second mode of a name, and one without Latin letters, get keys of their own', () => {
  expect(newModeKey('Home', [{ key: 'home' }, { key: 'home_2' }])).toBe('home_3');
  expect(newModeKey('Дом', [])).toBe('mode');
});
