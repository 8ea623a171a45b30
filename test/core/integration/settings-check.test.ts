import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '#base/json.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { checkFields, FORM_ONLY, missingFields, type SettingsRules } from '#core/integration/settings-check.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const SHAPE: SettingsShape = {
  text: { type: 'text', label: 'Text', pattern: '[a-z]+(/[a-z]+)*', maxLength: 20 },
  host: { type: 'host', label: 'Host' },
  url: { type: 'url', label: 'URL', schemes: ['mqtt', 'mqtts'], originOnly: true },
  page: { type: 'url', label: 'Page', schemes: ['http'], optional: true },
  count: { type: 'integer', label: 'Count', min: 1, max: 10, default: 3 },
  flag: { type: 'boolean', label: 'Flag', default: false },
  choice: { type: 'choice', label: 'Choice', options: [{ id: 'a', label: 'A' }], optional: true },
  link: { type: 'link', label: 'Link', kind: 'mqtt' },
  secret: { type: 'secret', label: 'Secret', boundTo: 'url', optional: true },
};
const RULES: SettingsRules = {
  isLanAddress: (address) => /^(192\.168\.|127\.|fe80:|fd00:|::1)/.test(address),
  isOwnAddress: (address) => /^(127\.|::1$|192\.168\.0\.1$)/.test(address),
  mayReachHub: false,
  hasInstance: (id, kind) => id === 'broker' && kind === 'mqtt',
};
const check = (given: unknown, rules = RULES) => checkFields(SHAPE, given, { rules });
const codeOf = (key: string, value: unknown, rules = RULES): unknown => {
  const { errors, values, secrets } = check({ [key]: value }, rules);
  return errors[0]?.code ?? values[key] ?? secrets[key] ?? null;
};

describe('a value', () => {
  test.each([
    ['text', 'ab/cd', 'ab/cd'],
    ['text', 'AB', 'INVALID_FORMAT'],
    ['text', '', 'TOO_SHORT'],
    ['text', 'a'.repeat(21), 'TOO_LONG'],
    ['text', 7, 'WRONG_TYPE'],
    ['text', null, 'REQUIRED'],
    ['count', 10, 10],
    ['count', 11, 'OUT_OF_RANGE'],
    ['count', 1.5, 'WRONG_TYPE'],
    ['count', '5', 'WRONG_TYPE'],
    ['count', null, null],
    ['flag', true, true],
    ['flag', 'true', 'WRONG_TYPE'],
    ['choice', 'a', 'a'],
    ['choice', 'b', 'INVALID_VALUE'],
    ['choice', null, null],
    ['link', 'broker', 'broker'],
    ['link', 'other', 'INVALID_VALUE'],
    ['secret', 'p\u00e4ss "word"', 'p\u00e4ss "word"'],
    ['secret', 'two\nlines', 'INVALID_FORMAT'],
    ['secret', null, null],
    ['unknown', 1, 'UNKNOWN'],
    ['__proto__x', 1, 'UNKNOWN'],
    ['constructor', 1, 'UNKNOWN'],
    ['toString', null, 'UNKNOWN'],
  ])('%s of %j reads as %j', (key, value, expected) => expect(codeOf(key, value)).toEqual(expected));

  test.each([
    ['192.168.0.9', '192.168.0.9'],
    ['192.168.0.9:8080', '192.168.0.9:8080'],
    ['Bridge.Local', 'bridge.local'],
    ['bridge:80', 'bridge:80'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['[fe80::1]:80', '[fe80::1]:80'],
    ['192.168.0.9:0', 'INVALID_FORMAT'],
    ['192.168.0.9:70000', 'INVALID_FORMAT'],
    ['8.8.8.8', 'INVALID_VALUE'],
    ['2001:db8::1', 'INVALID_VALUE'],
    ['192.168.0.1', 'INVALID_VALUE'],
    ['127.0.0.1:80', 'INVALID_VALUE'],
    ['[::1]:80', 'INVALID_VALUE'],
    ['localhost', 'INVALID_VALUE'],
    ['a.localhost.', 'INVALID_VALUE'],
    ['127.1', 'INVALID_FORMAT'],
    ['2130706433', 'INVALID_FORMAT'],
    ['0x7f.1', 'INVALID_FORMAT'],
    ['a b', 'INVALID_FORMAT'],
    ['user@host', 'INVALID_FORMAT'],
    ['host/path', 'INVALID_FORMAT'],
    ['[bridge]:80', 'INVALID_FORMAT'],
    ['-a', 'INVALID_FORMAT'],
    [`${'a'.repeat(64)}.local`, 'INVALID_FORMAT'],
  ])('a host %j reads as %j', (value, expected) => expect(codeOf('host', value)).toBe(expected));

  test.each([
    ['url', 'mqtt://192.168.0.9', 'mqtt://192.168.0.9'],
    ['url', 'mqtts://broker.local:8883/', 'mqtts://broker.local:8883'],
    ['url', 'mqtt://[fe80::1]:1883', 'mqtt://[fe80::1]:1883'],
    ['url', 'mqtt://192.168.0.9/path', 'INVALID_FORMAT'],
    ['url', 'mqtt://u:p@192.168.0.9', 'INVALID_FORMAT'],
    ['url', 'http://192.168.0.9', 'INVALID_FORMAT'],
    ['url', 'mqtt://127.0.0.1', 'INVALID_VALUE'],
    ['url', 'mqtt://localhost', 'INVALID_VALUE'],
    ['url', 'mqtt://127.1', 'INVALID_FORMAT'],
    ['url', 'mqtt://8.8.8.8', 'INVALID_VALUE'],
    ['url', 'no url', 'INVALID_FORMAT'],
    ['url', 'mqtt://', 'INVALID_FORMAT'],
    ['page', 'http://192.168.0.9/a?b=c', 'http://192.168.0.9/a?b=c'],
    ['page', 'http://0x7f.1/', 'INVALID_VALUE'],
    ['page', 'http://192.168.0.9/#x', 'INVALID_FORMAT'],
  ])('a %s %j reads as %j', (key, value, expected) => expect(codeOf(key, value)).toBe(expected));
});

test('an owner may have the hub speak to its own machine, an admin may not', () => {
  const owner = { ...RULES, mayReachHub: true };
  for (const own of ['127.0.0.1', 'localhost', '192.168.0.1', '::1']) {
    expect(codeOf('host', own)).toBe('INVALID_VALUE');
    expect(codeOf('host', own, owner)).toBe(own);
  }
  expect(codeOf('host', '8.8.8.8', owner)).toBe('INVALID_VALUE');
});

test('what is missing is named, and a default or an optional field is never missing', () => {
  const missing = missingFields(SHAPE, { host: 'a' }, { hasSecret: () => false });
  expect(missing.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    '/settings/text REQUIRED',
    '/settings/url REQUIRED',
    '/settings/link REQUIRED',
  ]);
});

test('a thousand wrong fields give a few errors', () => {
  const given = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]));
  expect(check(given).errors.length).toBeLessThan(40);
});

test('any JSON at all never throws, and each error points to a field of the body', () => {
  const keys = fc.oneof(fc.constantFrom(...Object.keys(SHAPE)), fc.string());
  const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.string());
  const value = fc.oneof(
    fc.jsonValue(),
    host,
    host.map((text) => `mqtt://${text}`),
    fc.webUrl(),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(keys, value)), fc.boolean(), (given, mayReachHub) => {
      const { values, secrets, errors } = check(given, { ...RULES, mayReachHub });
      const names = isJsonObject(given) ? Object.keys(given) : [];
      const pointers = new Set(['/settings', ...names.map((name) => `/settings${pointerStep(name)}`)]);
      expect(errors.filter(({ pointer }) => !pointers.has(pointer))).toEqual([]);
      // What was accepted is accepted again, in the same form.
      const again = checkFields(SHAPE, values, { rules: FORM_ONLY });
      expect(again.errors).toEqual([]);
      expect(again.values).toEqual(values);
      expect(Object.keys(SHAPE)).toEqual(expect.arrayContaining([...Object.keys(values), ...Object.keys(secrets)]));
    }),
    searchOf(20_000),
  );
});

test('a broker may be outside of the home, and only an owner may name the hub', () => {
  const shape: SettingsShape = { address: { type: 'url', schemes: ['mqtts'], isAnywhere: true, label: 'Broker' } };
  const errorsOf = (address: string) => checkFields(shape, { address }, { rules: RULES }).errors;
  expect(errorsOf('mqtts://8.8.8.8')).toEqual([]);
  expect(errorsOf('mqtts://127.0.0.1')).toMatchObject([{ pointer: '/settings/address', code: 'INVALID_VALUE' }]);
});
