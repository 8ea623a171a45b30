import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeDnsMessage } from '#lan/mdns/dns-message.ts';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import {
  connectNamespaces,
  createNamespaces,
  type Namespace,
  type Namespaces,
} from '#test/support/machine/namespaces.ts';
import { type Announced, BRIDGE, EMPTY, recordsOf } from '#test/support/lan/announced.ts';
import { needs } from '#test/support/machine/requires.ts';

/*
 * A hub that is its own router: one link to the LAN, one to the internet, where public addresses answer. So nothing but
 * the hub's own rule keeps it from there. A sniffer on the internet's side sees each packet that breaks it.
 *
 *   peer ── lan0 hub wan0 ── internet
 */
const SUPPORT = join(import.meta.dirname, '../../support/lan');
const canRun = needs('root') && needs('ip') && needs('python3') && needs('curl');
const PUBLIC = '203.0.113.77';
const PUBLIC_V6 = '2001:db8:77::77';
const NAMES = `
127.0.0.1 localhost
${PUBLIC} public.test
${PUBLIC_V6} public.test
${PUBLIC} mixed.test
192.168.50.77 mixed.test
127.0.0.1 loop.test
192.168.50.1 own.test
192.168.50.99 half.test
192.168.50.77 half.test
192.168.50.77 peer.test
fd50::77 peer6.test
`;

/** Bridges that the peer announces at addresses of others. */
const ANNOUNCED: readonly Announced[] = [
  { ...BRIDGE, name: 'outside', host: 'a', addresses: [PUBLIC], txt: ['bridgeid=00000000000000aa'] },
  { ...BRIDGE, name: 'both', host: 'b', addresses: [PUBLIC, '192.168.50.77'], txt: ['bridgeid=00000000000000bb'] },
  { ...BRIDGE, name: 'hub', host: 'c', addresses: ['127.0.0.1', '192.168.50.1'], txt: ['bridgeid=00000000000000cc'] },
];
const packetOf = (announced: Announced): Buffer =>
  encodeDnsMessage({ ...EMPTY, isResponse: true, answers: recordsOf(announced) });

let spaces: Namespaces<'hub' | 'peer' | 'internet'>;
let folder: string;
let probe: string;
let seen = '';
const running: ChildProcess[] = [];

/** Starts a program and waits for its first line. */
async function start(space: Namespace, command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = space.start(command, args, {});
  running.push(child);
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${command} ended: ${errors}`)));
  ended.catch(() => undefined);
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), ended]);
  return child;
}

function build(): void {
  spaces = createNamespaces('hub', 'peer', 'internet');
  const { hub, peer, internet } = spaces;
  connectNamespaces([hub, 'lan0'], [peer, 'eth0']);
  connectNamespaces([hub, 'wan0'], [internet, 'eth0']);
  hub.ip('link set lan0 up', 'addr add 192.168.50.1/24 dev lan0', 'addr add fd50::1/64 dev lan0');
  hub.ip('addr add fe80::1/64 dev lan0', 'link set wan0 up', 'addr add 198.51.100.2/24 dev wan0');
  hub.ip('addr add 2001:db8:9::2/64 dev wan0', 'route add default via 198.51.100.1');
  hub.ip('-6 route add default via 2001:db8:9::1');
  peer.ip('link set eth0 up', 'addr add 192.168.50.77/24 dev eth0', 'addr add fd50::77/64 dev eth0');
  peer.ip('addr add fe80::77/64 dev eth0');
  internet.ip('link set eth0 up', 'addr add 198.51.100.1/24 dev eth0', 'addr add 2001:db8:9::1/64 dev eth0');
  // All of these addresses are that machine.
  internet.ip('route add local 203.0.113.0/24 dev lo', '-6 route add local 2001:db8:77::/64 dev lo');
}

/** What the client of the LAN makes of each URL, from the hub. */
function probeAll(...urls: readonly string[]): Record<string, string> {
  return JSON.parse(spaces.hub.run(process.execPath, [probe, ...urls])) as Record<string, string>;
}

/** Calls the API of the hub from its own machine. */
function call(line: string, token: string | null, body?: object): Record<string, unknown> {
  const [method = '', path = ''] = line.split(' ');
  const authorize = token === null ? [] : ['-H', `Authorization: Bearer ${token}`];
  const url = `http://127.0.0.1:${HUB_PORT}/api/v1${path}`;
  const json = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
  return JSON.parse(spaces.hub.run('curl', ['-sS', '-X', method, ...authorize, ...json, url])) as Record<
    string,
    unknown
  >;
}

describe.skipIf(!canRun)('N: the hub sends nothing out of the LAN', () => {
  beforeAll(async () => {
    build();
    folder = mkdtempSync(join(tmpdir(), 'hearthd-outside-'));
    // `ip netns exec` puts these files over those of /etc.
    mkdirSync(`/etc/netns/${spaces.hub.name}`, { recursive: true });
    writeFileSync(`/etc/netns/${spaces.hub.name}/hosts`, NAMES);
    writeFileSync(
      `/etc/netns/${spaces.hub.name}/resolv.conf`,
      'nameserver 192.168.50.77\noptions timeout:1 attempts:1\n',
    );
    probe = await bundleEntry(join(SUPPORT, 'lan-probe.ts'), folder);
    const announced = JSON.stringify(ANNOUNCED.map((one) => packetOf(one).toString('base64')));
    await start(spaces.peer, process.execPath, [join(SUPPORT, 'lan-peer.mjs'), PUBLIC, announced]);
    await start(spaces.internet, process.execPath, [join(SUPPORT, 'lan-peer.mjs'), '192.168.50.77']);
    const sniffer = await start(spaces.internet, 'python3', [join(SUPPORT, 'sniffer.py'), 'eth0']);
    sniffer.stdout?.on('data', (chunk) => (seen += String(chunk)));
  });
  afterAll(async () => {
    for (const child of running) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    rmSync(`/etc/netns/${spaces.hub.name}`, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
    spaces.remove();
  });

  test('though another program there reaches the internet, which the sniffer sees', async () => {
    for (const host of [PUBLIC, `[${PUBLIC_V6}]`]) {
      expect(spaces.hub.run('curl', ['-sS', '-m', '60', `http://${host}/`])).toBe('here');
    }
    await expect.poll(() => seen).toContain(PUBLIC);
    await expect.poll(() => seen).toContain(PUBLIC_V6);
  });

  test('by any port of the client, while it reaches the LAN by name, address and zone', async () => {
    seen = '';
    const outside = [PUBLIC, `[${PUBLIC_V6}]`, `[::ffff:${PUBLIC}]`, 'public.test', '198.51.100.1', '0xcb00714d'];
    const own = ['127.0.0.1', 'localhost', 'loop.test', 'own.test', '192.168.50.1', '[::1]', '198.51.100.2'];
    const refused = [...outside, ...own, '192.168.50.255', '224.0.0.1', '0.0.0.0'].flatMap((host) => [
      `http://${host}/`,
      `events://${host}/events`,
      `ws://${host}/`,
    ]);
    const { [`http://unknown.test/`]: unknown, ...outcomes } = probeAll(...refused, 'http://unknown.test/');
    expect([new Set(Object.values(outcomes)), unknown]).toEqual([new Set(['address_refused']), 'name_not_found']);
    expect(probeAll(`tcp://${PUBLIC}`, 'tcp://public.test:80', 'tcp://127.0.0.1:80')).toEqual({
      [`tcp://${PUBLIC}`]: 'address_refused',
      'tcp://public.test:80': 'address_refused',
      'tcp://127.0.0.1:80': 'address_refused',
    });
    const hosts = [
      '192.168.50.77',
      '[fd50::77]',
      '[fe80::77%lan0]',
      '[fe80::77%25lan0]',
      'peer.test',
      'peer6.test',
      'mixed.test',
    ];
    for (const host of hosts) {
      expect(probeAll(`http://${host}/`, `events://${host}/events`, `ws://${host}/`)).toEqual({
        [`http://${host}/`]: '200 here',
        [`events://${host}/events`]: 'here',
        [`ws://${host}/`]: 'here',
      });
    }
    expect(probeAll('tcp://fe80::77%lan0', 'tcp://mixed.test:80', 'tcp://[fd50::77]:80')).toEqual({
      'tcp://fe80::77%lan0': 'open',
      'tcp://mixed.test:80': 'open',
      'tcp://[fd50::77]:80': 'open',
    });
    expect(
      probeAll(
        'http://peer.test/redirect',
        'ws://peer.test/redirect',
        'events://peer.test/redirect',
        'http://[fe80::77]/',
      ),
    ).toEqual({
      'http://peer.test/redirect': '307 elsewhere',
      'ws://peer.test/redirect': 'bad_answer',
      'events://peer.test/redirect': 'bad_answer',
      // Without its zone, the kernel does not know the link.
      'http://[fe80::77]/': 'unreachable',
    });
    // Nobody has the first address of this name, and the kernel says so only after three seconds.
    const tookMs = startStopwatch();
    expect(probeAll('http://half.test/')).toEqual({ 'http://half.test/': '200 here' });
    expectBelow('an address that nobody has costs, ms', tookMs(), 3_000);
    await expectSilence();
  });

  test('by set-ups, whatever is announced, entered or answered', async () => {
    seen = '';
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'lan0', HEARTHD_EXCLUDE: 'wan0' });
    try {
      const token = claim(hub);
      type FoundThing = { readonly id: string; readonly name: string };
      const found = (): readonly FoundThing[] =>
        call('GET /integration_found', token) as unknown as readonly FoundThing[];
      await expect.poll(() => found().map(({ name }) => name)).toEqual(['both']);
      const errorsOf = async (wanted: object, answer: object): Promise<unknown> => {
        const { id } = call('POST /integration_setup', token, wanted);
        call(`POST /integration_setup/${String(id)}`, token, { answer });
        const { step } = await settle(String(id), token);
        return (step as { readonly errors: readonly { readonly message: string }[] }).errors.map(
          ({ message }) => message,
        );
      };
      expect({
        found: await errorsOf({ found: found()[0]?.id }, { take_rooms: true }),
        name: await errorsOf({ kind: 'hue' }, { host: 'public.test', take_rooms: true }),
        address: await errorsOf({ kind: 'hue' }, { host: PUBLIC, take_rooms: true }),
        hub: await errorsOf({ kind: 'hue' }, { host: '192.168.50.1', take_rooms: true }),
      }).toEqual({
        found: ['is not the address of a Hue bridge'],
        name: ['is not an address in the home network'],
        address: ['must be on the local network'],
        // An owner may enter it; nothing listens there.
        hub: ['does not answer'],
      });
      expect(found().map(({ name }) => name)).toEqual(['both']);
      await expectSilence();
    } finally {
      await hub.stop();
    }
  });

  test('by webhooks of the running hub, whatever their names and answers lead to', async () => {
    seen = '';
    const hub = await startNamespaceHub(spaces.hub, {
      HEARTHD_INTERFACES: 'lan0',
      HEARTHD_EXCLUDE: 'wan0',
    });
    try {
      const token = claim(hub);
      const deliver = (url: string): unknown => {
        const { id } = call('POST /webhook', token, { url, enabled: false });
        const { status, error } = call(`POST /webhook/${String(id)}/test`, token, {});
        return (error as { readonly code: string } | null)?.code ?? status;
      };
      expect({
        public: deliver('http://public.test/'),
        redirect: deliver('http://peer.test/redirect'),
        mixed: deliver('http://mixed.test/'),
        peer: deliver('http://192.168.50.77/'),
      }).toEqual({ public: 'address_refused', redirect: 'redirect_refused', mixed: 200, peer: 200 });
      await expectSilence();
    } finally {
      await hub.stop();
    }
  });
});

/** Makes an owner. Returns a token. */
function claim({ claimCode }: NamespaceHub): string {
  const account = { name: 'Ada', email: 'ada@home.test', password: 'cup river stamp' };
  return String(call('POST /setup', null, { claim_code: claimCode, ...account })['access_token']);
}

/** What a set-up says once it does no more by itself. */
async function settle(id: string, token: string): Promise<Record<string, unknown>> {
  let setup: Record<string, unknown> = {};
  await expect
    .poll(() => {
      setup = call(`GET /integration_setup/${id}`, token);
      return (setup['step'] as { readonly type: string } | null)?.type;
    })
    .not.toBe('busy');
  return setup;
}

/** A packet that another program sends now comes after all that the hub has sent, and must be the only one. */
async function expectSilence(): Promise<void> {
  expect(spaces.hub.run('curl', ['-sS', '-m', '60', 'http://203.0.113.99/'])).toBe('here');
  await expect.poll(() => seen).toContain('203.0.113.99');
  expect(new Set(seen.trim().split('\n'))).toEqual(new Set(['203.0.113.99']));
}
