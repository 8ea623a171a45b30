import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type NamespaceHub, reachFrom, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { connectNamespaces, createNamespaces, type Namespaces } from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';

/*
 * A home: the router is the switch of the LAN and leads to the WAN, which knows the way back in, as behind a careless
 * provider. The hub has a second LAN and runs a container. All addresses of the hub are routed to from everywhere.
 *
 *   lan ──┐
 *         ├── router ── wan           lan2 ── hub ── container
 *   hub ──┘
 */
type Place = 'hub' | 'lan' | 'lan2' | 'router' | 'wan' | 'container';
const canRun = needs('root') && needs('ip') && needs('ss');
const SERVED = { interval: 50 };
const SOON_MS = 3_000;

let home: Namespaces<Place>;

function buildHome(): Namespaces<Place> {
  const spaces = createNamespaces<Place>('hub', 'lan', 'lan2', 'router', 'wan', 'container');
  const { hub, lan, lan2, router, wan, container } = spaces;
  connectNamespaces([hub, 'lan0'], [router, 'port1']);
  connectNamespaces([lan, 'eth0'], [router, 'port2']);
  connectNamespaces([hub, 'lan1'], [lan2, 'eth0']);
  connectNamespaces([router, 'wan0'], [wan, 'eth0']);
  connectNamespaces([hub, 'veth0'], [container, 'eth0']);
  for (const space of [hub, router]) space.sysctl('net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1');
  router.ip('link add br0 type bridge', 'link set port1 master br0', 'link set port2 master br0');
  router.ip('link set port1 up', 'link set port2 up', 'link set wan0 up');
  // Of several link-local addresses a router would call from any; only the one of the default route is known.
  router.ip('link set br0 addrgenmode none', 'link set br0 up');
  router.ip('addr add 192.168.50.254/24 dev br0', 'addr add fd50::254/64 dev br0', 'addr add fe80::254/64 dev br0');
  router.ip('addr add 203.0.113.1/24 dev wan0', 'addr add 2001:db8:9::1/64 dev wan0');
  router.ip('route add 192.168.60.0/24 via 192.168.50.1', 'route add 172.17.0.0/16 via 192.168.50.1');
  wan.ip('link set eth0 up', 'addr add 203.0.113.77/24 dev eth0', 'addr add 2001:db8:9::77/64 dev eth0');
  wan.ip('route add default via 203.0.113.1', '-6 route add default via 2001:db8:9::1');
  lan.ip('link set eth0 up', 'addr add 192.168.50.77/24 dev eth0', 'addr add fd50::77/64 dev eth0');
  lan.ip('addr add fe80::77/64 dev eth0', 'route add default via 192.168.50.1');
  hub.ip('link set lan0 up', 'addr add 192.168.50.1/24 dev lan0', 'addr add fd50::1/64 dev lan0');
  hub.ip('addr add fe80::1/64 dev lan0', 'addr add 2001:db8:50::1/64 dev lan0', 'addr add 198.51.100.200/32 dev lan0');
  hub.ip('route add default via 192.168.50.254', '-6 route add default via fe80::254 dev lan0');
  router.ip('-6 route add 2001:db8:50::/64 dev br0', 'route add 198.51.100.200 via 192.168.50.1');
  hub.ip('link set lan1 up', 'addr add 192.168.60.1/24 dev lan1');
  lan2.ip('link set eth0 up', 'addr add 192.168.60.77/24 dev eth0', 'route add default via 192.168.60.1');
  hub.ip('link add docker0 type bridge', 'link set veth0 master docker0', 'link set veth0 up', 'link set docker0 up');
  hub.ip('addr add 172.17.0.1/16 dev docker0');
  container.ip('link set eth0 up', 'addr add 172.17.0.2/16 dev eth0', 'route add default via 172.17.0.1');
  return spaces;
}

const started: NamespaceHub[] = [];

async function startHub(env: Readonly<Record<string, string>> = {}): Promise<NamespaceHub> {
  const hub = await startNamespaceHub(home.hub, { HEARTHD_INTERFACES: 'lan0,lan1', ...env });
  started.push(hub);
  return hub;
}

describe.skipIf(!canRun)('in a home of six network namespaces', () => {
  beforeAll(() => {
    home = buildHome();
  });
  afterAll(() => home.remove());
  afterEach(async () => {
    for (const hub of started.splice(0)) await hub.stop();
  });

  describe('N4: the hub accepts', () => {
    test('every peer on its own link, and gives nobody else a byte', async () => {
      const hub = await startHub();
      expect(new Set(hub.listening())).toEqual(
        new Set([
          '127.0.0.1',
          '::1',
          '192.168.50.1',
          '192.168.60.1',
          'fd50::1',
          ...linkLocal('lan0'),
          ...linkLocal('lan1'),
        ]),
      );
      const refused = 'ECONNREFUSED, 0 bytes';
      const reset = 'ECONNRESET, 0 bytes';
      const everywhere = ['192.168.50.1', '192.168.60.1', '172.17.0.1', '198.51.100.200'];
      expect({
        hub: reachFrom(home.hub, '127.0.0.1', '::1', '192.168.50.1', 'fd50::1', 'fe80::1%lan0'),
        lan: reachFrom(home.lan, ...everywhere, 'fd50::1', 'fe80::1%eth0'),
        router: reachFrom(home.router, ...everywhere, 'fd50::1', 'fe80::1%br0', '2001:db8:50::1'),
        lan2: reachFrom(home.lan2, ...everywhere),
        wan: reachFrom(home.wan, ...everywhere, 'fd50::1', '2001:db8:50::1'),
        container: reachFrom(home.container, ...everywhere),
      }).toEqual({
        hub: {
          '127.0.0.1': 'served',
          '::1': 'served',
          '192.168.50.1': 'served',
          'fd50::1': 'served',
          'fe80::1%lan0': 'served',
        },
        lan: {
          '192.168.50.1': 'served',
          'fd50::1': 'served',
          'fe80::1%eth0': 'served',
          '192.168.60.1': reset,
          '172.17.0.1': refused,
          '198.51.100.200': refused,
        },
        router: {
          '192.168.50.1': 'served',
          'fd50::1': 'served',
          'fe80::1%br0': 'served',
          '192.168.60.1': reset,
          '172.17.0.1': refused,
          '198.51.100.200': refused,
          '2001:db8:50::1': refused,
        },
        lan2: { '192.168.60.1': 'served', '192.168.50.1': reset, '172.17.0.1': refused, '198.51.100.200': refused },
        wan: {
          '192.168.50.1': reset,
          '192.168.60.1': reset,
          'fd50::1': reset,
          '172.17.0.1': refused,
          '198.51.100.200': refused,
          '2001:db8:50::1': refused,
        },
        container: { '192.168.50.1': reset, '192.168.60.1': reset, '172.17.0.1': refused, '198.51.100.200': refused },
      });
      await expect.poll(() => hub.log().match(/refused a connection/g)).toHaveLength(1);
      await expect.poll(() => hub.log().match(/the default gateway is a client/g)).toHaveLength(1);
    });

    test('no neighbour that sends to 127.0.0.1, not even where the kernel routes that', async () => {
      await startHub();
      home.hub.sysctl('net.ipv4.conf.all.route_localnet=1');
      home.lan.sysctl('net.ipv4.conf.all.route_localnet=1');
      home.lan.ip('addr del 127.0.0.1/8 dev lo', 'route add 127.0.0.1/32 via 192.168.50.1 src 192.168.50.77');
      expect(reachFrom(home.lan, '127.0.0.1')).toEqual({ '127.0.0.1': 'ECONNRESET, 0 bytes' });
      home.lan.ip('route del 127.0.0.1/32', 'addr add 127.0.0.1/8 dev lo');
    });

    test('no default gateway where that is denied, but still every neighbour', async () => {
      await startHub({ HEARTHD_DENY_GATEWAY: 'true' });
      expect(reachFrom(home.router, '192.168.50.1', 'fe80::1%br0')).toEqual({
        '192.168.50.1': 'ECONNRESET, 0 bytes',
        'fe80::1%br0': 'ECONNRESET, 0 bytes',
      });
      expect(reachFrom(home.lan, '192.168.50.1')).toEqual({ '192.168.50.1': 'served' });
    });

    test('a subnet behind a router where it is configured', async () => {
      await startHub({ HEARTHD_EXTRA_SUBNETS: '203.0.113.0/24,2001:db8:9::/64' });
      expect(reachFrom(home.wan, '192.168.50.1', 'fd50::1')).toEqual({ '192.168.50.1': 'served', 'fd50::1': 'served' });
      expect(reachFrom(home.container, '192.168.50.1')).toEqual({ '192.168.50.1': 'ECONNRESET, 0 bytes' });
    });

    test('peers of a global prefix where it is allowed, if they are on the link', async () => {
      const hub = await startHub({ HEARTHD_ALLOW_GUA: 'true' });
      expect(hub.listening()).toContain('2001:db8:50::1');
      home.lan.ip('addr add 2001:db8:50::77/64 dev eth0');
      expect(reachFrom(home.lan, '2001:db8:50::1')).toEqual({ '2001:db8:50::1': 'served' });
      expect(reachFrom(home.wan, '2001:db8:50::1')).toEqual({ '2001:db8:50::1': 'ECONNRESET, 0 bytes' });
      home.lan.ip('addr del 2001:db8:50::77/64 dev eth0');
    });
  });

  describe('N3: the hub follows the network', () => {
    test('when DHCP gives another address, and lets the old one go', async () => {
      const hub = await startHub();
      home.hub.ip('addr del 192.168.50.1/24 dev lan0', 'addr add 192.168.50.9/24 dev lan0');
      const noticedMs = startStopwatch();
      await expect.poll(() => hub.listening(), SERVED).toContain('192.168.50.9');
      expectBelow('another address is served, ms', noticedMs(), SOON_MS);
      await expect.poll(() => hub.listening(), SERVED).not.toContain('192.168.50.1');
      expect(reachFrom(home.lan, '192.168.50.9')).toEqual({ '192.168.50.9': 'served' });
      home.hub.ip('addr del 192.168.50.9/24 dev lan0', 'addr add 192.168.50.1/24 dev lan0');
      home.hub.ip('route replace default via 192.168.50.254');
      const reloadedMs = startStopwatch();
      hub.reload();
      await expect.poll(() => hub.listening(), { interval: 20 }).toContain('192.168.50.1');
      expectBelow('an address is served after a reload, ms', reloadedMs(), 1_000);
    });

    test('when an address comes that is still being checked for duplicates', async () => {
      const hub = await startHub();
      home.hub.sysctl('net.ipv6.conf.lan0.accept_dad=1', 'net.ipv6.conf.lan0.dad_transmits=1');
      home.hub.ip('addr add fd50::9/64 dev lan0');
      const checkedMs = startStopwatch();
      await expect.poll(() => hub.listening(), SERVED).toContain('fd50::9');
      expectBelow('a checked address is served, ms', checkedMs(), 4_500);
      expect(hub.log()).not.toContain('EADDRNOTAVAIL');
      expect(reachFrom(home.lan, 'fd50::9')).toEqual({ 'fd50::9': 'served' });
      home.hub.sysctl('net.ipv6.conf.lan0.accept_dad=0');
      home.hub.ip('addr del fd50::9/64 dev lan0');
    });

    test('when a link goes and comes back', async () => {
      const hub = await startHub();
      home.hub.ip('link set lan1 down');
      await expect.poll(() => hub.listening(), SERVED).not.toContain('192.168.60.1');
      expect(reachFrom(home.lan, '192.168.50.1')).toEqual({ '192.168.50.1': 'served' });
      home.hub.ip('link set lan1 up');
      await expect.poll(() => hub.listening(), SERVED).toContain('192.168.60.1');
      expect(reachFrom(home.lan2, '192.168.60.1')).toEqual({ '192.168.60.1': 'served' });
    });

    test('when an interface comes late, and one of the same name comes in its place', async () => {
      const hub = await startHub({ HEARTHD_INTERFACES: 'lan0,lan1,late0' });
      const served = { '10.70.0.1': 'served', 'fe80::70%late1': 'served' };
      const replaceInterface = (): void => {
        connectNamespaces([home.hub, 'late0'], [home.lan2, 'late1']);
        home.hub.ip('link set late0 up', 'addr add 10.70.0.1/24 dev late0', 'addr add fe80::70/64 dev late0');
        home.lan2.ip('link set late1 up', 'addr add 10.70.0.2/24 dev late1', 'addr add fe80::72/64 dev late1');
      };
      replaceInterface();
      await expect.poll(() => hub.listening(), SERVED).toContain('10.70.0.1');
      await expect.poll(() => reachFrom(home.lan2, ...Object.keys(served)), SERVED).toEqual(served);
      home.hub.ip('link delete late0');
      replaceInterface();
      await expect.poll(() => reachFrom(home.lan2, ...Object.keys(served)), SERVED).toEqual(served);
      home.hub.ip('link delete late0');
      await expect.poll(() => hub.listening(), SERVED).not.toContain('10.70.0.1');
    });

    test('but not onto a tunnel, a tap, or a container bridge that appears', async () => {
      const hub = await startHub();
      home.hub.ip('tuntap add dev tun7 mode tun', 'tuntap add dev tap7 mode tap', 'link add br-7 type bridge');
      for (const [index, name] of ['tun7', 'tap7', 'br-7'].entries()) {
        home.hub.ip(`link set ${name} up`, `addr add 10.7.${index}.1/24 dev ${name}`);
      }
      home.hub.ip('link set tap7 master br-7');
      await expect.poll(() => hub.log(), SERVED).toMatch(/br-7 is not served/);
      // Each look at the network says what it finds: the others may come with the next one.
      await expect.poll(() => hub.log(), SERVED).toMatch(/tun7 is not served: a tunnel/);
      await expect.poll(() => hub.log(), SERVED).toMatch(/tap7 is not served: a tunnel \(tap\)/);
      expect(hub.listening().filter((address) => address.startsWith('10.7.'))).toEqual([]);
      expect(reachFrom(home.hub, '10.7.0.1', '10.7.1.1', '10.7.2.1')).toEqual({
        '10.7.0.1': 'ECONNREFUSED, 0 bytes',
        '10.7.1.1': 'ECONNREFUSED, 0 bytes',
        '10.7.2.1': 'ECONNREFUSED, 0 bytes',
      });
      for (const name of ['tun7', 'tap7', 'br-7']) home.hub.ip(`link delete ${name}`);
    });
  });

  test('N3: no socket of the hub ever listens on a wildcard', async () => {
    const hub = await startHub();
    const seen = new Set(hub.listening());
    hub.reload();
    for (let count = 0; count < 20; count += 1) for (const address of hub.listening()) seen.add(address);
    expect([...seen].filter((address) => /^(0\.0\.0\.0|\*|::|\[::\])$/.test(address))).toEqual([]);
  });
});

describe.skipIf(!canRun)('N3: a hub', () => {
  test('starts without any network, not even loopback, and serves each as it comes', async () => {
    const spaces = createNamespaces('hub', 'lan');
    spaces.hub.ip('link set lo down', 'addr flush dev lo');
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'lan0' });
    try {
      expect(hub.listening()).toEqual([]);
      expect(hub.readyLine).toContain('waits for a network address');
      spaces.hub.ip('link set lo up');
      await expect.poll(() => hub.listening(), SERVED).toEqual(expect.arrayContaining(['127.0.0.1', '::1']));
      expect(reachFrom(spaces.hub, '127.0.0.1')).toEqual({ '127.0.0.1': 'served' });
      connectNamespaces([spaces.hub, 'lan0'], [spaces.lan, 'eth0']);
      spaces.hub.ip('link set lan0 up', 'addr add 192.168.50.1/24 dev lan0');
      spaces.lan.ip('link set eth0 up', 'addr add 192.168.50.77/24 dev eth0');
      await expect.poll(() => hub.listening(), SERVED).toContain('192.168.50.1');
      expect(reachFrom(spaces.lan, '192.168.50.1')).toEqual({ '192.168.50.1': 'served' });
    } finally {
      await hub.stop();
      spaces.remove();
    }
  });

  test('serves a network that has only IPv6', async () => {
    const spaces = createNamespaces('hub', 'lan');
    connectNamespaces([spaces.hub, 'lan0'], [spaces.lan, 'eth0']);
    spaces.hub.ip('link set lan0 up', 'addr add fe80::1/64 dev lan0', 'addr add fd50::1/64 dev lan0');
    spaces.lan.ip('link set eth0 up', 'addr add fe80::77/64 dev eth0', 'addr add fd50::77/64 dev eth0');
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'lan0' });
    try {
      expect(reachFrom(spaces.lan, 'fe80::1%eth0', 'fd50::1')).toEqual({
        'fe80::1%eth0': 'served',
        'fd50::1': 'served',
      });
    } finally {
      await hub.stop();
      spaces.remove();
    }
  });

  test('in a container takes the interface of the default route, and no other', async () => {
    const spaces = createNamespaces('hub', 'lan');
    connectNamespaces([spaces.hub, 'eth0'], [spaces.lan, 'eth0']);
    connectNamespaces([spaces.hub, 'eth1'], [spaces.lan, 'eth1']);
    spaces.hub.ip('link set eth0 up', 'addr add 10.8.0.2/24 dev eth0', 'route add default via 10.8.0.1');
    spaces.hub.ip('link set eth1 up', 'addr add 10.9.0.2/24 dev eth1');
    spaces.lan.ip(
      'link set eth0 up',
      'addr add 10.8.0.1/24 dev eth0',
      'link set eth1 up',
      'addr add 10.9.0.1/24 dev eth1',
    );
    const hub = await startNamespaceHub(spaces.hub, {});
    try {
      expect(reachFrom(spaces.lan, '10.8.0.2', '10.9.0.2')).toEqual({
        '10.8.0.2': 'served',
        '10.9.0.2': 'ECONNREFUSED, 0 bytes',
      });
      // What it wrote before it was ready is read a moment later.
      await expect.poll(hub.log, SERVED).toContain('eth0 is of the LAN: has the default route');
    } finally {
      await hub.stop();
      spaces.remove();
    }
  });
});

/** Link-local addresses of an interface of the hub: the kernel adds one of its own. */
function linkLocal(name: string): string[] {
  const shown = home.hub.run('ip', ['-6', '-o', 'addr', 'show', 'dev', name, 'scope', 'link']);
  return [...shown.matchAll(/inet6 (\S+)\/64/g)].map((match) => `${match[1]}%${name}`);
}
