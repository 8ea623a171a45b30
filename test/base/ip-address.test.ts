import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatIpAddress,
  formatSubnet,
  isInSubnet,
  isSameAddress,
  peerGroup,
  readIpAddress,
  readSubnet,
} from '#base/ip-address.ts';
import { searchOf } from '#test/support/machine/runs.ts';

function address(text: string) {
  const read = readIpAddress(text);
  if (read === undefined) throw new Error(`does not read: ${text}`);
  return read;
}

function subnet(text: string) {
  const read = readSubnet(text);
  if (read === undefined) throw new Error(`does not read: ${text}`);
  return read;
}

function textOf(value: bigint, bits: number): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = value.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
  return groups.join(':');
}

describe('an address', () => {
  test.each([
    ['10.0.0.1', '::ffff:10.0.0.1'],
    ['10.0.0.1', '::FFFF:0a00:1'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
    ['2001:DB8::', '2001:db8:0:0:0:0:0:0'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ])('is the same whether written %s or %s', (left, right) => {
    expect(isSameAddress(address(left), address(right))).toBe(true);
  });

  test('keeps its zone', () => {
    expect(address('fe80::1%eth0').zone).toBe('eth0');
    expect(address('fe80::1').zone).toBe('');
  });

  test.each([
    '',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '010.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.4%eth0',
    '1..2.3',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '１.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'fe80::1%',
    '::g',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '12345::',
    '1:2:3:4:5:6:7::8',
    '[::1]',
    'localhost',
    '::1/64',
  ])('is not read from %j', (text) => {
    expect(readIpAddress(text)).toBeUndefined();
  });

  test('is read exactly where node:net reads one, but with the name of any interface', () => {
    expect([isIP('fe80::1%br_lan'), readIpAddress('fe80::1%br_lan')?.zone]).toEqual([0, 'br_lan']);
    const part = fc.oneof(
      fc.constantFrom('', '0', '00', '1', '255', '256', 'ffff', 'fffff', ':', '.', '::', '1.2.3.4'),
    );
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ maxLength: 20 }),
      fc.tuple(fc.array(part, { maxLength: 10 }), fc.constantFrom('.', ':', '')).map(([parts, by]) => parts.join(by)),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        fc.pre(!candidate.includes('%'));
        const version = isIP(candidate);
        const read = readIpAddress(candidate);
        expect(read !== undefined).toBe(version !== 0);
        expect(version === 4 && read?.family !== 4).toBe(false);
      }),
      searchOf(5_000),
    );
  });
});

describe('a subnet', () => {
  test.each([
    '10.0.0.0/33',
    'fe80::/129',
    '::ffff:10.0.0.0/129',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    '/8',
    'lan/8',
  ])('is not read from %j', (text) => {
    expect(readSubnet(text)).toBeUndefined();
  });

  test.each([
    ['ipv4', 32],
    ['ipv6', 128],
  ] as const)('of %s holds what node:net says it holds', (family, bits) => {
    const anyBit = fc.integer({ min: 0, max: bits - 1 });
    const anyAddress = fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
    fc.assert(
      fc.property(anyAddress, fc.integer({ min: 0, max: bits }), anyBit, (base, prefix, flipped) => {
        const here = textOf(base, bits);
        const other = textOf(base ^ (1n << BigInt(flipped)), bits);
        const list = new BlockList();
        list.addSubnet(here, prefix, family);
        expect(isInSubnet(address(here), subnet(`${here}/${prefix}`))).toBe(true);
        expect(isInSubnet(address(other), subnet(`${here}/${prefix}`))).toBe(list.check(other, family));
      }),
      searchOf(3_000),
    );
  });

  test.each([
    ['192.168.50.77/24', '192.168.50.0/24'],
    ['10.1.2.3/32', '10.1.2.3/32'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['FE80::1/10', 'fe80::/10'],
    ['fd00::1/128', 'fd00::1/128'],
    ['2001:db8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1/128'],
    ['1:0:0:2:0:0:0:3/128', '1:0:0:2::3/128'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:10.1.2.3/64', '::/64'],
    ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128'],
  ])('%s is shown as %s', (text, shown) => {
    expect(formatSubnet(subnet(text))).toBe(shown);
  });

  test('of one family never holds an address of the other', () => {
    expect(isInSubnet(address('10.0.0.1'), subnet('::/0'))).toBe(false);
    expect(isInSubnet(address('::1'), subnet('0.0.0.0/0'))).toBe(false);
    expect(isInSubnet(address('::ffff:10.9.9.9'), subnet('10.0.0.0/8'))).toBe(true);
  });
});
test.each([
  ['192.168.1.7', '192.168.1.7'],
  ['::ffff:192.168.1.7', '192.168.1.7'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fd00:1:2:3:4:5:6:7', 'fd00:1:2:3::/64'],
  ['FD00:0001:2:3::9', 'fd00:1:2:3::/64'],
  ['fd00:1:2::', 'fd00:1:2:0::/64'],
  ['', ''],
])('the peer %s counts as %s', (address, group) => {
  expect(peerGroup(address)).toBe(group);
});

test.each([
  ['192.168.50.1', '192.168.50.1'],
  ['FE80:0:0:0:0:0:0:1%eth0', 'fe80::1'],
  ['fd00:0:0:1:0:0:0:0', 'fd00:0:0:1::'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ['::', '::'],
])('%s is written as %s', (text, written) => {
  const address = readIpAddress(text);
  expect(address === undefined ? undefined : formatIpAddress(address)).toBe(written);
});
