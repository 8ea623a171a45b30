import { describe, expect, test } from 'vitest';
import { readIpAddress, readSubnet } from '#base/ip-address.ts';
import { isLanAddress, isLanSubnet, isLinkLocal, isLoopback } from '#lan/lan-range.ts';

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
  ])('%s belongs to the LAN', (text) => {
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
  ])('%s does not', (text) => {
    expect(isLanAddress(address(text))).toBe(false);
  });

  test('of a global prefix or a carrier NAT belongs to the LAN if configured', () => {
    expect(isLanAddress(address('2001:db8::1'), { allowGua: true, allowCgnat: false })).toBe(true);
    expect(isLanAddress(address('100.64.0.1'), { allowGua: true, allowCgnat: false })).toBe(false);
    expect(isLanAddress(address('100.127.9.9'), { allowGua: false, allowCgnat: true })).toBe(true);
    expect(isLanAddress(address('8.8.8.8'), { allowGua: true, allowCgnat: true })).toBe(false);
  });

  test('is loopback only in 127.0.0.0/8 and at ::1', () => {
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
