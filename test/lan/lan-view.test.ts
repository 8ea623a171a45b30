import type { NetworkInterfaceInfo } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import type { LanOptions } from '#lan/lan-view.ts';
import { readLanView } from '#lan/lan-view.ts';
import { createFakeSysfs } from '#test/support/machine/fake-sysfs.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const remove of undo.splice(0)) remove();
});

const PLAIN: LanOptions = { interfaces: [], exclude: [], extraSubnets: [], allowGua: false, allowCgnat: false };

function infos(...cidrs: string[]): NetworkInterfaceInfo[] {
  return cidrs.map((cidr) => {
    const [address = ''] = cidr.split('/');
    const common = { address, cidr, netmask: '', mac: '', internal: false };
    return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 2 } : { ...common, family: 'IPv4' };
  });
}

const ADDRESSES = {
  lo: infos('127.0.0.1/8', '::1/128'),
  eth0: infos('192.168.50.1/24', '203.0.113.9/24', 'fd50::1/128', 'fe80::50/64', '2001:db8:50::1/64', '100.64.3.3/24'),
  eth1: infos('192.168.60.1/24', 'fe80::60/64'),
  docker0: infos('172.17.0.1/16', 'fe80::17/64'),
  tailscale0: infos('100.101.102.103/32', 'fd7a::1/48', 'fe80::99/64'),
};
const ROUTE = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	FE32A8C0	0003	0	0	100	00000000	0	0	0
eth0	0032A8C0	00000000	0001	0	0	100	00FFFFFF	0	0	0
eth1	00005A0A	00000000	0001	0	0	100	0000FFFF	0	0	0
eth1	0000FA0A	013CA8C0	0003	0	0	100	0000FFFF	0	0	0
eth1	00000008	00000000	0001	0	0	100	000000FF	0	0	0
`;
const IPV6_ROUTE = `fd500000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
fd510000000000000000000000000000 40 00000000000000000000000000000000 00 fe80000000000000000000000000fefe 00000100 00000001 00000000 00000003     eth0
fd520000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
fd530000000000000000000000000000 40 00000000000000000000000000000000 00 fe800000000000000000000000000053 00000100 00000001 00000000 00000003     eth0
fd540000000000000000000000000000 28 00000000000000000000000000000000 00 fe800000000000000000000000000053 00000100 00000001 00000000 00000003     eth0
fd550000000000000000000000000000 40 00000000000000000000000000000000 00 fd500000000000000000000000000009 00000100 00000001 00000000 00000003     eth0
20010db8005600000000000000000000 40 00000000000000000000000000000000 00 fe800000000000000000000000000053 00000100 00000001 00000000 00000003     eth0
fd570000000000000000000000000000 40 00000000000000000000000000000000 00 fe800000000000000000000000000057 00000100 00000001 00000000 00000003 tailscale0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe80000000000000000000000000fefe 00000400 00000001 00000000 00000003     eth0
ff000000000000000000000000000000 08 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000002 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`;

function viewOf(options: Partial<LanOptions> = {}, addresses: NodeJS.Dict<NetworkInterfaceInfo[]> = ADDRESSES) {
  const [sysClassNet, remove] = createFakeSysfs({
    lo: { type: 772 },
    eth0: { device: true },
    eth1: { device: true },
    docker0: { ports: ['veth1'] },
    veth1: {},
    tailscale0: { type: 65534, tunFlags: '0x1801' },
  });
  undo.push(remove);
  const readProcNet = (name: 'route' | 'ipv6_route'): string => (name === 'route' ? ROUTE : IPV6_ROUTE);
  return readLanView({ sysClassNet, networkInterfaces: () => addresses, readProcNet }, { ...PLAIN, ...options });
}

const servedBy = (options: Partial<LanOptions>) => viewOf(options).addresses.map(({ address }) => address);

describe('N2: the addresses served', () => {
  test('are loopback and those of private ranges on interfaces of the LAN', () => {
    expect(servedBy({})).toEqual([
      '127.0.0.1',
      '::1',
      '192.168.50.1',
      'fd50::1',
      'fe80::50%eth0',
      '192.168.60.1',
      'fe80::60%eth1',
    ]);
  });

  test('include other ranges if configured', () => {
    expect(servedBy({ allowGua: true })).toContain('2001:db8:50::1');
    expect(servedBy({ allowCgnat: true })).toContain('100.64.3.3');
    expect(servedBy({ allowCgnat: true })).not.toContain('100.101.102.103');
    expect(servedBy({ interfaces: ['docker0'] })).toContain('172.17.0.1');
    expect(servedBy({ allowGua: true, allowCgnat: true })).not.toContain('203.0.113.9');
  });

  test('are only loopback without a network', () => {
    expect(viewOf({}, {}).addresses.map(({ address }) => address)).toEqual(['127.0.0.1']);
  });

  test('carry the scope of a link-local one', () => {
    expect(viewOf().addresses.find(({ address }) => address === 'fe80::50%eth0')).toEqual({
      address: 'fe80::50%eth0',
      family: 6,
      scopeId: 2,
      interface: 'eth0',
      prefix: 64,
    });
  });

  test('are listed once if two interfaces have the same one', () => {
    const twice = { ...ADDRESSES, eth1: infos('192.168.50.1/24') };
    const addresses = viewOf({}, twice).addresses.filter(({ address }) => address === '192.168.50.1');
    expect(addresses.map((address) => address.interface)).toEqual(['eth0']);
  });

  test('may be used as host names of the hub, as may all addresses of the LAN', () => {
    const view = viewOf({ allowGua: true });
    expect(['192.168.9.9', '::1', '2001:db8:50::1'].map(view.isLanLiteral)).toEqual([true, true, true]);
    expect(['2001:db8:50::2', '203.0.113.9', 'hub', ''].map(view.isLanLiteral)).toEqual([false, false, false, false]);
  });
});

test('N2: the machine’s own addresses are those of all interfaces, served or not, and all of loopback, however written', () => {
  const { isOwnAddress } = viewOf();
  const own = ['127.0.0.1', '127.9.9.9', '::1', '192.168.50.1', '::ffff:192.168.50.1', 'fe80::50', '172.17.0.1'];
  own.push('0.0.0.0', '::', '::ffff:0.0.0.0', '::0%eth0');
  expect(own.map(isOwnAddress)).toEqual(own.map(() => true));
  const others = ['192.168.50.2', '0.0.0.1', '::ffff:0:0:1', 'fe80::51', '203.0.113.8', 'localhost', ''];
  expect(others.map(isOwnAddress)).toEqual(others.map(() => false));
});

describe('N4: a peer', () => {
  test.each([
    ['192.168.50.77', 'eth0', 'on_link'],
    ['::ffff:192.168.50.77', 'eth0', 'on_link'],
    ['192.168.50.254', 'eth0', 'gateway'],
    ['fe80::fefe%eth0', 'eth0', 'gateway'],
    ['fe80::fefe%eth1', 'eth1', 'on_link'],
    ['fe80::1%eth0', 'eth0', 'on_link'],
    ['fd50::77', 'eth0', 'on_link'],
    ['2001:db8:50::77', 'eth0', 'on_link'],
    ['192.168.60.77', 'eth1', 'on_link'],
    ['10.90.3.4', 'eth1', 'on_link'],
    ['127.0.0.1', 'lo', 'loopback'],
    ['::1', 'lo', 'loopback'],
    ['::ffff:127.0.0.1', 'lo', 'loopback'],
  ])('%s at %s is %s', (peer, name, place) => {
    expect(viewOf().placeOf(peer, { interface: name })).toBe(place);
  });

  test.each([
    ['192.168.60.77', 'eth0', 'is on another link'],
    ['fe80::1%eth1', 'eth0', 'is on another link'],
    ['192.168.50.77', 'lo', 'reached loopback over the network'],
    ['127.0.0.1', 'eth0', 'calls itself loopback on a link'],
    ['172.17.0.2', 'eth0', 'is in a container'],
    ['172.17.0.2', 'docker0', 'is in a container'],
    ['100.101.102.104', 'tailscale0', 'is in a tunnel'],
    ['203.0.113.5', 'eth0', 'has a public address'],
    ['8.8.8.8', 'eth1', 'has a public address behind an on-link route'],
    ['10.250.0.1', 'eth1', 'is behind a router'],
    ['fd51::1', 'eth0', 'is behind a router'],
    ['fd53::1', 'eth0', 'is a device behind a border router'],
    ['fd52::1', 'eth0', 'is where packets are dropped'],
    ['ff02::1', 'eth0', 'is many'],
    ['2001:db8:51::1', 'eth0', 'is in another prefix'],
    ['100.64.3.4', 'eth0', 'is in a carrier NAT'],
    ['', 'eth0', 'has no address'],
    ['unknown', 'eth0', 'has no address'],
    ['192.168.50.77', 'eth9', 'came by an interface that is gone'],
  ])('%s at %s is a stranger: it %s', (peer, name) => {
    expect(viewOf().placeOf(peer, { interface: name })).toBe('stranger');
  });

  test('of a configured subnet may come through a router, but not to loopback', () => {
    const view = viewOf({ extraSubnets: ['10.250.0.0/16', 'fd51::/64'] });
    expect(view.placeOf('10.250.0.1', { interface: 'eth1' })).toBe('on_link');
    expect(view.placeOf('fd51::1', { interface: 'eth0' })).toBe('on_link');
    expect(view.placeOf('10.251.0.1', { interface: 'eth1' })).toBe('stranger');
    expect(view.placeOf('10.250.0.1', { interface: 'lo' })).toBe('stranger');
    expect(view.placeOf('10.250.0.1', { interface: 'docker0' })).toBe('stranger');
  });
});

test('the view lists each interface with the subnets on its link for doctor', () => {
  const shown = viewOf().interfaces.find(({ name }) => name === 'eth0');
  expect(shown?.onLink).toEqual(['192.168.50.0/24', 'fd50::1/128', 'fe80::/64', '2001:db8:50::/64', 'fd50::/64']);
  expect(viewOf().interfaces.find(({ name }) => name === 'docker0')?.onLink).toEqual([]);
});

describe('N4: devices of the home', () => {
  test('are on the link, or in a private network behind a router that does not lead to the internet', () => {
    expect(viewOf().deviceSubnets('eth0')).toEqual(['192.168.50.0/24', 'fd50::/64', 'fd50::1/128', 'fd53::/64']);
    expect(viewOf().deviceSubnets('eth1')).toEqual(['10.90.0.0/16', '192.168.60.0/24']);
  });

  test('have public addresses only where the hub itself is to have one', () => {
    expect(viewOf({ allowGua: true }).deviceSubnets('eth0')).toContain('2001:db8:50::/64');
    expect(viewOf({ allowGua: true }).deviceSubnets('eth0')).not.toContain('2001:db8:56::/64');
  });

  test('are not in tunnels and containers', () => {
    expect(['tailscale0', 'docker0', 'lo', 'eth9'].map(viewOf().deviceSubnets)).toEqual([[], [], [], []]);
  });
});
