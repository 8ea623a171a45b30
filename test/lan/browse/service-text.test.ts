import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressText, firstLabel, hostText, readPairs } from '#lan/browse/service-text.ts';
import { DNS_TYPE, dnsName } from '#lan/mdns/dns-message.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const wireOf = (bytes: readonly number[]): string => Buffer.from([bytes.length, ...bytes, 0]).toString('latin1');
const pairs = (...texts: readonly (string | Buffer)[]): string =>
  Buffer.concat(texts.flatMap((text) => [Buffer.of(Buffer.from(text).length), Buffer.from(text)])).toString('latin1');
/** What a page or a terminal could take for more than text. */
const UNSEEMLY = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('the name of a service', () => {
  test.each([
    ['with dots and blanks', [...Buffer.from('Dr. Müller’s. Lamp 🏠')], 'Dr. Müller’s. Lamp 🏠'],
    ['with markup', [...Buffer.from('<img src=x onerror=alert(1)>')], '<img src=x onerror=alert(1)>'],
    ['that is not UTF-8', [0x41, 0xff, 0xfe, 0x42], 'A\ufffd\ufffdB'],
    ['with a cut character', [0x41, 0xe2, 0x82], 'A\ufffd'],
    ['with control characters', [0x41, 0x0a, 0x1b, 0x5b, 0x00, 0x7f], 'A\ufffd\ufffd[\ufffd\ufffd'],
    ['that turns text round', [...Buffer.from('a\u202eb')], 'a\ufffdb'],
  ])('%s is read as text', (_what, bytes, text) => {
    expect(firstLabel(wireOf(bytes))).toBe(text);
  });

  test('has an end, and no control characters, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 63 }), (bytes) => {
        const text = firstLabel(wireOf([...bytes]));
        expect(text.length).toBeLessThanOrEqual(63);
        expect(text).not.toMatch(UNSEEMLY);
      }),
      searchOf(2_000),
    );
  });
});

test('a dot or backslash in a label of a host is escaped', () => {
  expect(hostText(dnsName('hue-1', 'local').wire)).toBe('hue-1.local');
  expect(hostText(dnsName(String.raw`a.b\c`, 'local').wire)).toBe(String.raw`a\.b\\c.local`);
  expect(hostText('\0')).toBe('');
});

describe('a TXT record', () => {
  test.each([
    ['keys in any case', pairs('ID=1', 'Name=Hall=2'), { id: '1', name: 'Hall=2' }],
    ['a key twice', pairs('id=1', 'ID=2'), { id: '1' }],
    ['keys without a value', pairs('a', 'b='), { a: '', b: '' }],
    ['no key', pairs('=1', '', 'id=2'), { id: '2' }],
    ['a key that is no ASCII', pairs('ä=1', 'a\u0001=2', 'id=2'), { id: '2' }],
    ['names of members of an object', pairs('__proto__=1', 'constructor=2'), { ['__proto__']: '1', constructor: '2' }],
    ['a value that is not UTF-8', pairs(Buffer.from([0x61, 0x3d, 0xff, 0x00])), { a: '\ufffd\ufffd' }],
    ['a cut pair', pairs('id=2', 'name=Hall').slice(0, -1), { id: '2' }],
    ['nothing', '', {}],
    ['one empty text', '\0', {}],
  ])('with %s is read', (_what, data, expected) => {
    const read = readPairs(data);
    expect(Object.entries(read)).toEqual(Object.entries(expected));
    expect(read['toString']).toBeUndefined();
  });

  test('is read up to 64 pairs and 1,300 bytes', () => {
    const many = pairs(...Array.from({ length: 200 }, (_, nth) => `k${nth}=1`));
    expect(Object.keys(readPairs(many))).toHaveLength(64);
    const long = pairs(...Array.from({ length: 20 }, (_, nth) => `k${nth}=${'x'.repeat(240)}`));
    expect(Object.keys(readPairs(long))).toHaveLength(5);
  });

  test('is read whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const entries = Object.entries(readPairs(Buffer.from(bytes).toString('latin1')));
        expect(entries.flat().join('')).not.toMatch(UNSEEMLY);
      }),
      searchOf(2_000),
    );
  });
});

test.each([
  [DNS_TYPE.A, [192, 168, 50, 20], '192.168.50.20'],
  [DNS_TYPE.A, [192, 168, 50], undefined],
  [DNS_TYPE.AAAA, [0xfd, ...Array.from({ length: 14 }, () => 0), 1], 'fd00::1'],
  [DNS_TYPE.AAAA, [0xfe, 0x80, ...Array.from({ length: 13 }, () => 0), 1], 'fe80::1%eth0'],
  [DNS_TYPE.AAAA, [...Array.from({ length: 10 }, () => 0), 0xff, 0xff, 127, 0, 0, 1], undefined],
  [DNS_TYPE.AAAA, [1, 2, 3, 4], undefined],
])('an address record of type %i with %j is %s', (type, bytes, text) => {
  expect(addressText(type, Buffer.from(bytes).toString('latin1'), 'eth0')).toBe(text);
});
