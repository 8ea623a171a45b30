import { afterAll, describe, expect, test } from 'vitest';
import { readLanView } from '#lan/lan-view.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import { createFakeSysfs } from '#test/support/machine/fake-sysfs.ts';
import { createTestClient, OWN_ADDRESS, reasonOf, serveHttp } from '#test/support/lan/lan-world.ts';

const [sysClassNet, removeSysfs] = createFakeSysfs({ lo: { type: 772 }, eth0: { device: true } });
afterAll(removeSysfs);
const VIEW = readLanView(
  {
    sysClassNet,
    readProcNet: () => '',
    networkInterfaces: () => ({
      eth0: [
        {
          address: '192.168.1.10',
          netmask: '255.255.255.0',
          family: 'IPv4',
          mac: '',
          internal: false,
          cidr: '192.168.1.10/24',
        },
        { address: 'fe80::10', netmask: '', family: 'IPv6', mac: '', internal: false, cidr: 'fe80::10/64', scopeid: 2 },
        {
          address: '2001:db8:1::10',
          netmask: '',
          family: 'IPv6',
          mac: '',
          internal: false,
          cidr: '2001:db8:1::10/64',
          scopeid: 0,
        },
      ],
    }),
  },
  { interfaces: ['eth0'], exclude: [], allowGua: false, allowCgnat: false, extraSubnets: ['10.8.0.0/24'] },
);
const NEVER = new AbortController().signal;

function finder(names: Readonly<Record<string, readonly string[]>> = {}) {
  return createAddressFinder({
    isLanAddress: VIEW.isLanMachine,
    isOwnAddress: VIEW.isOwnAddress,
    lookup: async (name) => {
      const found = names[name];
      if (found === undefined) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return found.map((address) => ({ address }));
    },
  });
}

describe('N: the hub connects', () => {
  test.each([
    ['192.168.1.20', '192.168.1.20'],
    ['::ffff:192.168.1.20', '192.168.1.20'],
    ['10.8.0.5', '10.8.0.5'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['2001:db8:1::20', '2001:db8:1::20'],
  ])('to %s', async (host, address) => {
    expect(await finder()(host, false, NEVER)).toEqual([address]);
  });

  test.each([
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '192.168.2.20',
    '2001:db8:2::20',
    '224.0.0.251',
    'ff02::fb%eth0',
    '255.255.255.255',
    '192.168.1.255',
    '192.168.1.0',
    '10.8.0.255',
    '::ffff:192.168.1.255',
    '0.0.0.0',
    '::',
    '::ffff:0.0.0.0',
    '240.0.0.1',
    'fe80::1%eth1',
    '64:ff9b::c0a8:114',
  ])('not to %s, not even for an owner', async (host) => {
    for (const mayReachHub of [false, true]) {
      expect(await reasonOf(finder()(host, mayReachHub, NEVER))).toBe('address_refused');
    }
  });

  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', '192.168.1.10', 'fe80::10%eth0'])(
    'to %s, which is the hub itself, only if an owner entered it',
    async (host) => {
      expect(await reasonOf(finder()(host, false, NEVER))).toBe('address_refused');
      expect(await finder()(host, true, NEVER)).toHaveLength(1);
    },
  );

  test('to the addresses of the LAN alone that a name has, and to four of them at most', async () => {
    const many = Array.from({ length: 250 }, (_, index) => `192.168.1.${index + 1}`);
    const find = finder({
      'mixed.test': [
        '203.0.113.7',
        '192.168.1.20',
        '127.0.0.1',
        '192.168.1.255',
        '::ffff:192.168.1.20',
        'fe80::2%eth0',
      ],
      'public.test': ['203.0.113.7', '2001:db8:2::1'],
      'hub.test': ['203.0.113.7', '192.168.1.10'],
      'nothing.test': [],
      'scan.test': many,
    });
    expect(await find('mixed.test', false, NEVER)).toEqual(['192.168.1.20', 'fe80::2%eth0']);
    expect(await find('scan.test', false, NEVER)).toEqual(many.slice(0, 4));
    expect(await find('hub.test', true, NEVER)).toEqual(['192.168.1.10']);
    for (const name of ['public.test', 'hub.test', 'nothing.test']) {
      expect(await reasonOf(find(name, false, NEVER))).toBe('address_refused');
    }
    expect(await reasonOf(find('unknown.test', false, NEVER))).toBe('name_not_found');
  });
});

test('a name is resolved once for each connection, which goes to no other address', async () => {
  const answers = [['203.0.113.7'], ['203.0.113.7', '127.0.0.1'], ['203.0.113.7']];
  let lookups = 0;
  const { url, sockets, port } = await serveHttp((request, response) => void response.end(request.headers.host));
  const { http } = createTestClient({ keepAlive: false, names: () => answers[lookups++] ?? [] });
  const named = url.replace('127.0.0.1', 'moving.test');
  expect(await reasonOf(http.request({ url: named }))).toBe('address_refused');
  expect(Buffer.from((await http.request({ url: named })).body).toString()).toBe(`moving.test:${port}`);
  expect(await reasonOf(http.request({ url: named }))).toBe('address_refused');
  expect([lookups, sockets.length]).toEqual([3, 1]);
});

test('if an address of a name does not answer, the next one is tried', async () => {
  const { url, port } = await serveHttp((_request, response) => void response.end('here'));
  const { http } = createTestClient({ names: () => ['127.0.0.2', '127.0.0.1'] });
  expect((await http.request({ url: url.replace('127.0.0.1', 'two.test') })).status).toBe(200);
  const { http: lost } = createTestClient({ names: () => ['127.0.0.2', '127.0.0.3'] });
  expect(await reasonOf(lost.request({ url: `http://two.test:${port}/` }))).toBe('refused');
});

test('loopback is reached only under the host that the owner entered', async () => {
  const { port } = await serveHttp((_request, response) => void response.end());
  const rules = { isOwnAddress: (address: string) => address.startsWith('127.') || address === '::1' };
  const { http, openTcp } = createTestClient({ ...rules, mayReachHub: (host) => host === 'localhost' });
  expect((await http.request({ url: `http://LOCALHOST:${port}/` })).status).toBe(200);
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', 'other.test', '[::1]']) {
    expect(await reasonOf(http.request({ url: `http://${host}:${port}/` }))).toBe('address_refused');
  }
  const options = { defaultPort: port, onData: () => undefined, signal: NEVER };
  expect(await reasonOf(openTcp({ host: OWN_ADDRESS, ...options }))).toBe('address_refused');
  expect(await reasonOf(openTcp({ host: '127.1', ...options }))).toBe('invalid_request');
});

test('a look-up for which nobody waits any more is not made', async () => {
  const asked: string[] = [];
  let answer: (() => void) | undefined;
  const find = createAddressFinder({
    isLanAddress: () => true,
    isOwnAddress: () => false,
    lookup: (name) => {
      asked.push(name);
      return new Promise((resolve) => {
        answer = () => resolve([{ address: '192.168.1.20' }]);
      });
    },
  });
  const slow = find('slow.test', false, NEVER);
  const leaving = new AbortController();
  const left = find('left.test', false, leaving.signal).catch((cause: unknown) => cause);
  leaving.abort('left');
  expect(await left).toBe('left');
  const next = find('next.test', false, NEVER);
  await new Promise(setImmediate);
  answer?.();
  await slow;
  await new Promise(setImmediate);
  answer?.();
  await next;
  expect(asked).toEqual(['slow.test', 'next.test']);
});
