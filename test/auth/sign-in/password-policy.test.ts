import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findPasswordFault } from '#auth/sign-in/password-policy.ts';

const NAMES = ['anna.meier@example.org', 'Anna Meier', 'kitchen-hub', 'Haus am See'];
const faultOf = (password: string): string | undefined => findPasswordFault(password, NAMES)?.code;

test.each([
  ['nine characters', 'x7kq2mwz9', 'too_short'],
  ['ten characters', 'x7kq2mwz9p', undefined],
  ['256 characters', 'x7kq2mwz'.repeat(32), undefined],
  ['257 characters', `${'x7kq2mwz'.repeat(32)}y`, 'too_long'],
  ['ten emoji, which are twenty UTF-16 units', '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵', undefined],
  ['nine emoji', '🦊🐻🐼🐨🐯🦁🐮🐷🐸', 'too_short'],
  ['nine letters that are ten code points when decomposed', 'Ku\u0308chenuhx', 'too_short'],
  ['lower case letters only', 'lampquiltorbit', undefined],
  ['blanks inside and around', ' lamp quilt ', undefined],
  ['a lone surrogate', 'lamp quilt \ud800', 'not_text'],
])('A4: %s: %j gives %s', (_name, password, fault) => {
  expect(faultOf(password)).toBe(fault);
});

describe('the blocklist', () => {
  test.each(['1234567890', 'qwertyuiop', 'QwertyUIOP', 'password123', 'Password1!', '1q2w3e4r5t', 'basketball'])(
    'A4: %s is refused',
    (password) => {
      expect(faultOf(password)).toBe('guessable');
    },
  );

  test.each(['Dragonfly12', '!!monkeys!!', 'superman2026', '"baseball"'])(
    'A4: %s is a common password with decoration',
    (password) => {
      expect(faultOf(password)).toBe('guessable');
    },
  );

  test('A4: a common password inside a longer one is fine', () => {
    expect(faultOf('monkey-quilt-orbit')).toBeUndefined();
  });

  test('A4: a line end in a password does not match two neighbours of the list', () => {
    const [first, second] = readFileSync(
      new URL('../../../src/auth/sign-in/common-passwords.txt', import.meta.url),
      'utf8',
    )
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(faultOf(`${first}\n${second}`)).toBeUndefined();
  });

  test('A4: it has more than ten thousand entries, in lower case, once each, and each long enough to refuse something', () => {
    const lines = readFileSync(new URL('../../../src/auth/sign-in/common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(lines.length).toBeGreaterThan(10_000);
    expect(new Set(lines).size).toBe(lines.length);
    const idle = lines.filter((line) => line.length < 10 && !/^\p{L}.{4,7}\p{L}$/u.test(line));
    expect(idle).toEqual([]);
  });
});

describe('what an attacker knows does not count towards the length', () => {
  test.each([
    'anna.meier@example.org',
    'AnnaMeier2026',
    'meier-anna-1',
    'hearthd12345',
    'kitchen-hub-1',
    'kitchenhub99!',
    'Haus am See 1',
    'example-meier',
    'hearthdhearthd',
    'hearthd1234567890',
  ])('A4: %s is refused', (password) => {
    expect(faultOf(password)).toBe('guessable');
  });

  test('A4: they may be in a password that is long enough without them', () => {
    expect(faultOf('anna likes quilts at night')).toBeUndefined();
  });

  test('A4: the last label of a domain and words of two letters are no names', () => {
    expect(faultOf('organ amsel')).toBeUndefined();
  });
});
