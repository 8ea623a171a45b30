import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import {
  connectNamespaces,
  createNamespaces,
  type Namespace,
  type Namespaces,
} from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';

const canRun = needs('root') && needs('ip') && needs('avahi-daemon');
const SOON = { interval: 200 };

let folder: string;
let entry: string;
let spaces: Namespaces<'hub' | 'other' | 'phone' | 'switch'>;
const running: { child: ChildProcess; ended: Promise<unknown> }[] = [];

function start(space: Namespace, command: string, args: readonly string[]): { output: () => string } {
  const child = space.start(command, args, {});
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  running.push({ child, ended: once(child, 'exit') });
  return { output: () => output };
}

const advertise = (space: Namespace, name: string) =>
  start(space, process.execPath, [entry, 'advertise', name, 'eth0']);

async function stopAll(): Promise<void> {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The answers that the phone gets for a name: addresses as four numbers, names with their length bytes. */
function ask(name: string, type: number): readonly string[] {
  const found = JSON.parse(spaces.phone.run(process.execPath, [entry, 'ask', 'eth0', name, String(type)])) as string[];
  return type === DNS_TYPE.A ? found.map((data) => [...Buffer.from(data, 'latin1')].join('.')) : found;
}

describe.skipIf(!canRun)('the hub in its network', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hearthd-mdns-'));
    entry = await bundleEntry(join(import.meta.dirname, '../../support/attack/mdns-entry.ts'), folder);
    spaces = createNamespaces('hub', 'other', 'phone', 'switch');
    spaces.switch.ip('link add br0 type bridge mcast_snooping 0', 'link set br0 up');
    for (const [index, space] of [spaces.hub, spaces.other, spaces.phone].entries()) {
      connectNamespaces([space, 'eth0'], [spaces.switch, `port${index}`]);
      spaces.switch.ip(`link set port${index} master br0`, `link set port${index} up`);
      space.ip('link set eth0 up', `addr add 192.168.50.${index + 1}/24 dev eth0`);
    }
  });
  afterEach(stopAll);
  afterAll(() => {
    spaces.remove();
    rmSync(folder, { recursive: true });
  });

  test('is found by its host name and by its services', async () => {
    advertise(spaces.hub, 'Home');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    expect(ask('_hearthd._tcp.local', DNS_TYPE.PTR)).toEqual(['\x04Home\x08_hearthd\x04_tcp\x05local\0']);
    expect(ask('_http._tcp.local', DNS_TYPE.PTR)).toEqual(['\x04Home\x05_http\x04_tcp\x05local\0']);
    expect(ask('_services._dns-sd._udp.local', DNS_TYPE.PTR)).toHaveLength(2);
    expect(ask('Home._hearthd._tcp.local', DNS_TYPE.SRV)).toEqual(['\0\0\0\0\x1f\x90\x07hearthd\x05local\0']);
    const [text] = ask('Home._hearthd._tcp.local', DNS_TYPE.TXT);
    for (const pair of ['id=id-1', 'name=Home', 'api=v1', 'path=/api', 'claimed=true']) expect(text).toContain(pair);
  });

  test('takes the next name where another hub has it, also when both start at once', async () => {
    const logs = [advertise(spaces.hub, 'Home'), advertise(spaces.other, 'Home')];
    await expect.poll(() => ask('hearthd-2.local', DNS_TYPE.A), SOON).toHaveLength(1);
    const both = [...ask('hearthd.local', DNS_TYPE.A), ...ask('hearthd-2.local', DNS_TYPE.A)];
    expect(both.toSorted()).toEqual(['192.168.50.1', '192.168.50.2']);
    expect(ask('hearthd-3.local', DNS_TYPE.A)).toEqual([]);
    expect(logs.map(({ output }) => output()).join('')).toContain('next=hearthd-2.local');
    expect(ask('_hearthd._tcp.local', DNS_TYPE.PTR)).toHaveLength(2);
  });

  test('says goodbye, and follows its address', async () => {
    advertise(spaces.hub, 'Home');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    spaces.hub.ip('addr del 192.168.50.1/24 dev eth0', 'addr add 192.168.50.11/24 dev eth0');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.11']);
    spaces.hub.ip('addr del 192.168.50.11/24 dev eth0', 'addr add 192.168.50.1/24 dev eth0');
    await stopAll();
    expect(ask('hearthd.local', DNS_TYPE.A)).toEqual([]);
  });

  test('outlives a network that goes away', async () => {
    const { output } = advertise(spaces.hub, 'Home');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    spaces.hub.ip('link set eth0 down');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual([]);
    spaces.hub.ip('link set eth0 up');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    expect(output()).not.toContain('Error');
  });

  test('lives beside the avahi daemon of its machine', async () => {
    const settings = join(folder, 'avahi.conf');
    writeFileSync(
      settings,
      '[server]\nhost-name=attic\nenable-dbus=no\nallow-interfaces=eth0\n[publish]\npublish-workstation=no\n',
    );
    const avahi = start(spaces.hub, 'avahi-daemon', ['--no-drop-root', '--no-chroot', '--no-rlimits', '-f', settings]);
    await expect.poll(() => avahi.output(), SOON).toContain('attic.local');
    advertise(spaces.hub, 'Home');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    expect(ask('attic.local', DNS_TYPE.A)).toEqual(['192.168.50.1']);
    expect(avahi.output()).not.toMatch(/conflict/i);
  });

  test('answers no unicast question, by which the internet could ask', async () => {
    advertise(spaces.hub, 'Home');
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    expect(spaces.hub.run('ss', ['-Hlun', 'sport', '=', ':5353'])).not.toMatch(
      /(?:0\.0\.0\.0|\*|\[::\]):5353\s+\S+:\*/,
    );
  });

  test('is the running program itself, from its start to its end', async () => {
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' });
    await expect.poll(() => ask('hearthd.local', DNS_TYPE.A), SOON).toEqual(['192.168.50.1']);
    const [text] = ask('Home._hearthd._tcp.local', DNS_TYPE.TXT);
    expect(text).toContain('claimed=false');
    expect(text).toMatch(/id=[0-9a-f]{8}-/);
    await hub.stop();
    expect(ask('hearthd.local', DNS_TYPE.A)).toEqual([]);
  });
});
