import { afterEach, describe, expect, test } from 'vitest';
import { readInterfaces } from '#lan/interfaces.ts';
import type { FakeInterface } from '#test/support/machine/fake-sysfs.ts';
import { createFakeSysfs } from '#test/support/machine/fake-sysfs.ts';

const PLAIN = { interfaces: [], exclude: [] };
const undo: (() => void)[] = [];
afterEach(() => {
  for (const remove of undo.splice(0)) remove();
});

function readFake(
  interfaces: Record<string, FakeInterface>,
  options: { interfaces?: string[]; exclude?: string[]; defaultRoute?: string } = {},
) {
  const [root, remove] = createFakeSysfs(interfaces);
  undo.push(remove);
  const natures = readInterfaces(root, { ...PLAIN, ...options }, options.defaultRoute);
  return {
    lan: natures.filter(({ isLan }) => isLan).map(({ name }) => name),
    why: (name: string) => whyOf(natures, name),
  };
}

function whyOf(natures: ReturnType<typeof readInterfaces>, name: string): string | undefined {
  return natures.find((nature) => nature.name === name)?.why;
}

const HOME: Record<string, FakeInterface> = {
  lo: { type: 772 },
  end0: { device: true },
  wlan0: { device: true, devtype: 'wlan' },
  wwan0: { device: true, devtype: 'wwan' },
  usbppp: { type: 512, device: true },
  tun0: { type: 65534, tunFlags: '0x1801' },
  tap0: { tunFlags: '0x1802' },
  wg0: { type: 65534, devtype: 'wireguard' },
  sit0: { type: 776 },
  tunl0: { type: 768 },
  gre0: { type: 778 },
  ib0: { type: 32, device: true },
  docker0: { devtype: 'bridge', ports: ['vethab12'] },
  'br-9f1': { devtype: 'bridge', ports: [] },
  virbr0: { devtype: 'bridge', ports: ['vnet0'] },
  vnet0: { tunFlags: '0x1802' },
  vethab12: {},
  dummy0: {},
  ifb0: {},
  br0: { devtype: 'bridge', ports: ['vethcd34', 'eth1'] },
  vethcd34: {},
  eth1: { device: true },
  'end0.5': { devtype: 'vlan', lower: ['end0'] },
  'docker0.5': { devtype: 'vlan', lower: ['docker0'] },
  bond0: { devtype: 'bond', lower: ['eth1'] },
  mac0: { devtype: 'macvlan', lower: ['bond0'] },
  vxlan0: { devtype: 'vxlan', lower: ['end0'] },
  gretap0: { lower: ['end0'] },
  bridgeoverbond: { devtype: 'bridge', ports: ['bond0'] },
};

describe('N1: an interface belongs to the LAN by its nature', () => {
  test('and by nothing else', () => {
    expect(readFake(HOME).lan.sort()).toEqual(
      ['br0', 'bond0', 'bridgeoverbond', 'end0', 'end0.5', 'eth1', 'mac0', 'wlan0'].sort(),
    );
  });

  test('with any name', () => {
    expect(readFake({ tun0: { device: true }, eth0: { type: 65534, tunFlags: '0x1801' } }).lan).toEqual(['tun0']);
  });

  test.each([
    ['end0', 'a physical network interface'],
    ['wwan0', 'a mobile network (wwan)'],
    ['wg0', 'a tunnel (tun, WireGuard, Tailscale)'],
    ['tap0', 'a tunnel (tap)'],
    ['lo', 'the loopback interface'],
    ['ib0', 'no Ethernet (link type 32)'],
    ['docker0', 'a bridge without a physical port (containers, virtual machines)'],
    ['br0', 'a bridge with the physical port eth1'],
    ['end0.5', 'a vlan on the physical interface end0'],
    ['docker0.5', 'a vlan on no physical interface'],
    ['vethab12', 'a virtual interface (veth, dummy)'],
  ])('and doctor shows for %s why: %s', (name, why) => {
    expect(readFake(HOME).why(name)).toBe(why);
  });

  test('unless the configuration says otherwise', () => {
    const read = readFake(HOME, { interfaces: ['tun0', 'vethab12', 'wlan0'], exclude: ['wlan0', 'end0'] });
    expect(read.lan).toContain('tun0');
    expect(read.lan).toContain('vethab12');
    expect(read.lan).not.toContain('wlan0');
    expect(read.lan).not.toContain('end0');
    expect([read.why('tun0'), read.why('wlan0')]).toEqual([
      'named in the configuration',
      'excluded by the configuration',
    ]);
  });
});

describe('N1: where no interface is physical, as in a container,', () => {
  const container: Record<string, FakeInterface> = { lo: { type: 772 }, eth0: {}, eth1: {}, tun0: { type: 65534 } };

  test('the one of the default route belongs to the LAN', () => {
    expect(readFake(container, { defaultRoute: 'eth0' }).lan).toEqual(['eth0']);
    expect(readFake(container, { defaultRoute: 'eth0' }).why('eth0')).toContain('default route');
  });

  test('none belongs to the LAN without a default route', () => {
    expect(readFake(container).lan).toEqual([]);
  });

  test('a tunnel or an excluded one never does', () => {
    expect(readFake(container, { defaultRoute: 'tun0' }).lan).toEqual([]);
    expect(readFake(container, { defaultRoute: 'eth0', exclude: ['eth0'] }).lan).toEqual([]);
  });

  test('one named in the configuration is enough', () => {
    expect(readFake(container, { defaultRoute: 'eth0', interfaces: ['eth1'] }).lan).toEqual(['eth1']);
  });

  test('a physical one that is excluded is no reason to look further', () => {
    expect(readFake({ ...container, end0: { device: true } }, { defaultRoute: 'eth0', exclude: ['end0'] }).lan).toEqual(
      [],
    );
  });
});

describe('a hostile or half-gone tree', () => {
  test('with interfaces stacked in a ring has no LAN', () => {
    expect(readFake({ a: { devtype: 'vlan', lower: ['b'] }, b: { devtype: 'vlan', lower: ['a'] } }).lan).toEqual([]);
  });

  test('with links that lead nowhere has no LAN', () => {
    expect(readFake({ br0: { devtype: 'bridge', ports: ['gone'] } }).lan).toEqual([]);
  });

  test('that is missing has no interfaces', () => {
    expect(readInterfaces('/nonexistent/net', PLAIN, 'eth0')).toEqual([]);
  });
});
