import { describe, expect, test } from 'vitest';
import type { FieldShown } from '#web/strings/kind-words.ts';
import { answerOf, changeOf, fixerWords, isNeededAgain, neededOf } from '#web/integrations/setting-values.ts';
import { integrations as german } from '#web/strings/de/settings/integrations.ts';
import { integrations as english } from '#web/strings/en/settings/integrations.ts';
import { integrations as spanish } from '#web/strings/es/settings/integrations.ts';
import { integrations as french } from '#web/strings/fr/settings/integrations.ts';

const plain = { label: 'L', hint: null, advanced: false, optional: false, default: null };
const fields: Readonly<Record<string, FieldShown>> = {
  host: { ...plain, type: 'host' },
  port: { ...plain, type: 'integer', min: 1, max: 65_535, default: 80 },
  user: { ...plain, type: 'text', optional: true },
  rooms: { ...plain, type: 'boolean', default: true },
  key: { ...plain, type: 'secret', bound_to: 'host' },
  link: { ...plain, type: 'link', kind: 'toy_box' },
};
const set = (value: string | number | boolean | null) => ({ value, fixed_by: null });
const present = {
  host: set('192.168.1.20'),
  port: set(80),
  user: set('ada'),
  rooms: set(true),
  key: { is_set: true, fixed_by: null },
  link: set('toys'),
};

describe('what a person typed becomes', () => {
  test.each([
    ['nothing, as long as nothing was typed', {}, {}],
    ['nothing, if it is what was there', { host: ' 192.168.1.20 ', port: '80', rooms: true, link: 'toys' }, {}],
    ['a number, where the field takes one', { port: ' 8080' }, { port: 8080 }],
    ['the text itself, where a number was needed and is none', { port: 'eighty' }, { port: 'eighty' }],
    ['no value, if the field was emptied', { user: ' ', port: '' }, { user: null, port: null }],
    ['a secret with its spaces', { key: ' hush ' }, { key: ' hush ' }],
    ['no secret, if none was typed', { key: '' }, {}],
    ['a secret that is forgotten', { key: null }, { key: null }],
    ['a switch that was turned', { rooms: false }, { rooms: false }],
  ])('%s', (_what, typed, change) => {
    expect(changeOf(fields, present, typed)).toEqual(change);
  });

  test('no change of what the configuration fixes', () => {
    const fixed = { ...present, host: { value: '192.168.1.20', fixed_by: 'the configuration file' } };
    expect(changeOf(fields, fixed, { host: '192.168.1.99' })).toEqual({});
    expect(neededOf(fields, { ...fixed, host: { value: null, fixed_by: 'the configuration file' } }, {})).toEqual({
      link: 'toys',
    });
  });

  test('an answer with a value for each field that has one', () => {
    expect(answerOf(fields, {}, { host: 'bridge.lan', key: 'hush' })).toEqual({
      host: 'bridge.lan',
      port: 80,
      rooms: true,
      key: 'hush',
    });
    expect(answerOf(fields, { rooms: set(false) }, { port: '' })).toEqual({ rooms: false });
  });
});

describe('a secret', () => {
  test('has to be entered again with another value of the field that it is bound to, and only then', () => {
    const again = (typed: Readonly<Record<string, string>>, from = present) =>
      isNeededAgain('key', fields, { present: from, typed });
    expect(again({ host: '192.168.1.21' })).toBe(true);
    expect(again({ host: '192.168.1.20', port: '81' })).toBe(false);
    expect(again({ host: '192.168.1.21' }, { ...present, key: { is_set: false, fixed_by: null } })).toBe(false);
    expect(neededOf(fields, present, { host: '192.168.1.21' })).toMatchObject({ key: '' });
    expect(neededOf(fields, present, { user: 'bo' })).not.toHaveProperty('key');
  });

  test('that was never set is needed, unless it is optional', () => {
    const unset = { ...present, key: { is_set: false, fixed_by: null } };
    expect(neededOf(fields, unset, {})).toMatchObject({ key: '' });
    const optional = { ...fields, key: { ...plain, type: 'secret' as const, bound_to: 'host', optional: true } };
    expect(neededOf(optional, unset, {})).not.toHaveProperty('key');
  });
});

test('what is optional or has a default may stay empty; a link and an address may not', () => {
  expect(Object.keys(neededOf(fields, {}, {}))).toEqual(['host', 'key', 'link']);
});

test('an option that fixes a setting is named in words of each language', () => {
  const { fixedIn } = english.integrations;
  expect(fixerWords('mqtt.url in the configuration file')).toBe(fixedIn['configuration file']?.('mqtt.url'));
  expect(fixerWords('something else')).toBe('something else');
  for (const { integrations } of [german, french, spanish]) {
    const said = Object.keys(fixedIn).map((place) => integrations.fixedIn[place]?.('mqtt.url'));
    expect(said.filter((words) => words?.includes('mqtt.url') !== true || words.includes(' in the '))).toEqual([]);
  }
});
