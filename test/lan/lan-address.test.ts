import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSubnet, isInSubnet, isSameAddress, readIpAddress, readSubnet } from '#base/ip-address.ts';
import { isLanAddress, isLanSubnet, isLinkLocal, isLoopback } from '#lan/lan-range.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const NOTHING_ADDED = { allowGua: false, allowCgnat: false };

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

  test('is read exactly where node:net reads one', () => {
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
  test.each(['10.0.0.0/33', 'fe80::/129', '10.0.0.0', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/1e1', '/8', 'lan/8'])(
    'is not read from %j',
    (text) => {
      expect(readSubnet(text)).toBeUndefined();
    },
  );

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

describe('N2: an address', () => {
  test.each([
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.1.1',
    'fc00::1',
    'fd12::1',
    'fe80::1%eth0',
    'febf::1',
    '::ffff:192.168.1.1',
  ])('%s is of the LAN', (text) => {
    expect(isLanAddress(address(text))).toBe(true);
  });

  test.each([
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '8.8.8.8',
    '0.0.0.0',
    '100.64.0.1',
    '127.0.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '::',
    '::1',
    '2001:db8::1',
    'fec0::1',
    'ff02::1',
    '::ffff:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '::10.0.0.1',
    '2002:0a00:0001::1',
  ])('%s is not', (text) => {
    expect(isLanAddress(address(text))).toBe(false);
  });

  test('of a global prefix or a carrier NAT is of the LAN where configured', () => {
    expect(isLanAddress(address('2001:db8::1'), { allowGua: true, allowCgnat: false })).toBe(true);
    expect(isLanAddress(address('100.64.0.1'), { allowGua: true, allowCgnat: false })).toBe(false);
    expect(isLanAddress(address('100.127.9.9'), { allowGua: false, allowCgnat: true })).toBe(true);
    expect(isLanAddress(address('8.8.8.8'), { allowGua: true, allowCgnat: true })).toBe(false);
  });

  test('is loopback in 127.0.0.0/8 and at ::1 alone', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map((text) => isLoopback(address(text)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['128.0.0.1', '::2', '::127.0.0.1'].map((text) => isLoopback(address(text)))).toEqual([false, false, false]);
    expect(isLinkLocal(address('fe80::1%2'))).toBe(true);
    expect(isLinkLocal(address('169.254.1.1'))).toBe(false);
  });
});

describe('N4: an on-link subnet', () => {
  test.each(['192.168.1.0/24', '10.0.0.0/8', 'fd00::/64', 'fe80::/64', '2001:db8:1:2::/64', '2001:db8::5/128'])(
    '%s has hosts of the LAN',
    (text) => {
      expect(isLanSubnet(subnet(text), NOTHING_ADDED)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0/0',
    '10.0.0.0/7',
    '192.168.0.0/15',
    '203.0.113.0/24',
    '100.64.0.0/10',
    '::/0',
    '2000::/3',
    '2001:db8::/32',
  ])('%s has not', (text) => {
    expect(isLanSubnet(subnet(text), NOTHING_ADDED)).toBe(false);
  });
});
