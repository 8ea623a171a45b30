import { expect, test } from 'vitest';
import { createNetworkMatcher, isNetwork } from '#auth/token/peer-networks.ts';

test.each([
  ['192.168.1.0/24', '192.168.1.20', true],
  ['192.168.1.0/24', '192.168.2.20', false],
  ['192.168.1.7/24', '192.168.1.20', true],
  ['192.168.1.7', '192.168.1.7', true],
  ['192.168.1.7', '192.168.1.70', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '::FFFF:10.1.2.3', true],
  ['0.0.0.0/0', '192.168.1.7', true],
  ['0.0.0.0/0', 'fd00::1', false],
  ['::/0', '192.168.1.7', false],
  ['::/0', 'fd00::1', true],
  ['::1/64', '192.168.1.7', false],
  ['::1/64', '::ffff:192.168.1.7', false],
  ['::ffff:192.168.1.0/120', '192.168.1.7', true],
  ['::ffff:192.168.1.0/120', '192.168.2.7', false],
  ['::ffff:10.0.0.0/8', '10.1.2.3', false],
  ['fd00:1::/32', 'fd00:0001:0:0:0:0:0:5', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['fd00::/8', 'fe80::1', false],
  ['192.168.1.0/24', '', false],
  ['192.168.1.0/24', 'nonsense', false],
])('N4: %s and the peer %s: %s', (network, peer, isIn) => {
  expect(isNetwork(network)).toBe(true);
  expect(createNetworkMatcher(['172.31.255.0/24', network])(peer)).toBe(isIn);
});

test.each([
  '',
  'x',
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  'fe80::1%0/64',
])('%j is no network', (text) => expect(isNetwork(text)).toBe(false));
