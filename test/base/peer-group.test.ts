import { expect, test } from 'vitest';
import { peerGroup } from '#base/ip-address.ts';

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
