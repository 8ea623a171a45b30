import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FoundChange } from '#lan/browse/found-services.ts';
import { DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { HUB_PORT, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import {
  connectNamespaces,
  createNamespaces,
  type Namespace,
  type Namespaces,
} from '#test/support/machine/namespaces.ts';
import { needs } from '#test/support/machine/requires.ts';

const canRun = needs('root') && needs('ip') && needs('avahi-daemon') && needs('avahi-publish') && needs('dbus-daemon');
const SOON = { interval: 100 };
const NAME = 'Dr. Müller’s <b>Lamp</b>';
/** Avahi speaks to its clients over a bus; this one is of the test alone. */
const BUS = (folder: string): string => `<busconfig>
  <type>system</type>
  <listen>unix:path=${folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>`;
const AVAHI =
  '[server]\nhost-name=lamp\nallow-interfaces=eth0\ncache-entries-max=0\n[publish]\npublish-workstation=no\npublish-hinfo=no\n';

let folder: string;
let entry: string;
let spaces: Namespaces<'hub' | 'lamp' | 'phone' | 'switch'>;
const running: { child: ChildProcess; ended: Promise<unknown> }[] = [];

type Started = { readonly output: () => string; readonly stop: (signal?: NodeJS.Signals) => Promise<void> };

function start(space: Namespace, command: string, args: readonly string[]): Started & { readonly child: ChildProcess } {
  const child = space.start(command, args, { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${folder}/bus` });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'exit');
  running.push({ child, ended });
  return {
    child,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** What the hub finds; announces itself too if it has a name. */
function browse(space: Namespace, options: { name?: string; speed?: number; types?: readonly string[] } = {}) {
  const { name = '', speed = 1, types = ['_hue._tcp'] } = options;
  const child = space.start(process.execPath, [entry, 'browse', name, 'eth0', String(speed), ...types], {});
  let [text, log] = ['', ''];
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  child.stderr?.on('data', (chunk) => (log += String(chunk)));
  running.push({ child, ended: once(child, 'exit') });
  const changes = (): FoundChange[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as FoundChange);
  return {
    child,
    log: () => log,
    changes,
    last: () => changes().at(-1),
    /** Without changes: an address may come a moment after the rest. */
    comings: () =>
      changes()
        .map(({ type }) => type)
        .filter((type) => type !== 'changed'),
  };
}

async function startAvahi(space: Namespace): Promise<void> {
  const bus = start(space, 'dbus-daemon', ['--nofork', '--print-address', '--config-file', join(folder, 'bus.conf')]);
  await expect.poll(() => bus.output(), SOON).toContain('unix:path=');
  const avahi = start(space, 'avahi-daemon', [
    '--no-drop-root',
    '--no-chroot',
    '--no-rlimits',
    '-f',
    join(folder, 'avahi.conf'),
  ]);
  await expect.poll(() => avahi.output(), SOON).toContain('Server startup complete');
}

async function publish(port: number, txt: readonly string[] = [], space: Namespace = spaces.lamp): Promise<Started> {
  const published = start(space, 'avahi-publish', ['-s', NAME, '_hue._tcp', String(port), ...txt]);
  await expect.poll(() => published.output(), SOON).toContain('Established');
  return published;
}

describe.skipIf(!canRun)('what the hub finds in its network', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hearthd-browse-'));
    writeFileSync(join(folder, 'bus.conf'), BUS(folder));
    writeFileSync(join(folder, 'avahi.conf'), AVAHI);
    entry = await bundleEntry(join(import.meta.dirname, '../../support/attack/mdns-entry.ts'), folder);
    spaces = createNamespaces('hub', 'lamp', 'phone', 'switch');
    spaces.switch.ip('link add br0 type bridge mcast_snooping 0', 'link set br0 up');
    for (const [index, space] of [spaces.hub, spaces.lamp, spaces.phone].entries()) {
      connectNamespaces([space, 'eth0'], [spaces.switch, `port${index}`]);
      spaces.switch.ip(`link set port${index} master br0`, `link set port${index} up`);
      space.ip('link set eth0 up', `addr add 192.168.50.${index + 1}/24 dev eth0`);
    }
  });
  afterEach(async () => {
    for (const { child, ended } of running.splice(0).toReversed()) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await ended;
    }
  });
  afterAll(() => {
    spaces.remove();
    rmSync(folder, { recursive: true });
  });

  test('comes, changes and goes, as Avahi says it', async () => {
    await startAvahi(spaces.lamp);
    const hub = browse(spaces.hub);
    const first = await publish(443, ['bridgeid=1', 'Model=BSB002']);
    await expect.poll(hub.last, SOON).toMatchObject({
      type: 'found',
      service: {
        name: NAME,
        type: '_hue._tcp',
        host: 'lamp.local',
        port: 443,
        txt: { bridgeid: '1', model: 'BSB002' },
      },
    });
    expect(hub.last()?.service.addresses[0]).toBe('192.168.50.2');
    await first.stop();
    await expect.poll(hub.comings, SOON).toContain('gone');
    await publish(444, ['bridgeid=2']);
    await expect.poll(hub.last, SOON).toMatchObject({ type: 'found', service: { port: 444, txt: { bridgeid: '2' } } });
    spaces.lamp.ip('addr add 192.168.50.9/24 dev eth0');
    await expect.poll(() => hub.last()?.service.addresses, SOON).toContain('192.168.50.9');
    spaces.lamp.ip('addr del 192.168.50.9/24 dev eth0');
    await expect.poll(() => hub.last()?.service.addresses, SOON).not.toContain('192.168.50.9');
    expect(hub.last()?.type).toBe('changed');
  });

  test('was there before the hub, and is gone some time after it was cut off without a goodbye', async () => {
    await startAvahi(spaces.lamp);
    await publish(443);
    const hub = browse(spaces.hub, { speed: 20 });
    await expect.poll(hub.comings, SOON).toEqual(['found']);
    spaces.switch.ip('link set port1 down');
    await expect.poll(hub.comings, SOON).toEqual(['found', 'gone']);
    spaces.switch.ip('link set port1 up');
    await expect.poll(hub.comings, SOON).toEqual(['found', 'gone', 'found']);
  });

  test('follows the network of the hub, which comes late, goes and comes back, and has another address', async () => {
    await startAvahi(spaces.lamp);
    const published = await publish(443);
    spaces.hub.ip('link set eth0 down');
    const hub = browse(spaces.hub);
    await expect.poll(() => hub.log()).toBe('');
    spaces.hub.ip('link set eth0 up');
    await expect.poll(hub.comings, SOON).toEqual(['found']);
    spaces.hub.ip('link set eth0 down');
    await expect.poll(hub.comings, SOON).toEqual(['found', 'gone']);
    spaces.hub.ip('link set eth0 up');
    await expect.poll(hub.comings, SOON).toEqual(['found', 'gone', 'found']);
    spaces.hub.ip('addr del 192.168.50.1/24 dev eth0', 'addr add 192.168.50.11/24 dev eth0');
    await published.stop();
    await publish(445);
    await expect.poll(() => hub.last()?.service.port, SOON).toBe(445);
    spaces.hub.ip('addr del 192.168.50.11/24 dev eth0', 'addr add 192.168.50.1/24 dev eth0');
    expect(hub.log()).not.toContain('<3>');
  });

  test('is not the hub itself, but another hub, whose names and answers stay as they are', async () => {
    const types = ['_hearthd._tcp', '_http._tcp'];
    const hub = browse(spaces.hub, { name: 'Home', types });
    const other = browse(spaces.phone, { name: 'Barn', types });
    // One of the two is the second hub of its network, and says so in its name.
    const names = (one: typeof hub): string[] =>
      one.changes().map(({ type, service }) => `${type} ${service.name.replace(' (2)', '')}`);
    await expect.poll(() => names(hub), SOON).toEqual(['found Barn', 'found Barn']);
    await expect.poll(() => names(other), SOON).toEqual(['found Home', 'found Home']);
    const asked = spaces.lamp.run(process.execPath, [entry, 'ask', 'eth0', '_http._tcp.local', String(DNS_TYPE.PTR)]);
    expect(JSON.parse(asked)).toEqual([expect.stringContaining('Barn'), expect.stringContaining('Home')]);
    other.child.kill('SIGTERM');
    await expect.poll(() => names(hub).slice(2), SOON).toEqual(['gone Barn', 'gone Barn']);
  });

  test('is on the machine of the hub too, where Avahi has the same port', async () => {
    await startAvahi(spaces.hub);
    const hub = browse(spaces.hub, { name: 'Home', types: ['_hue._tcp', '_hearthd._tcp'] });
    await publish(443, [], spaces.hub);
    await expect.poll(hub.last, SOON).toMatchObject({ type: 'found', service: { name: NAME, port: 443 } });
    expect(hub.last()?.service.addresses).toContain('192.168.50.1');
    expect(hub.comings()).toEqual(['found']);
  });

  test('is heard by the running program, whose doctor says so', async () => {
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' });
    const settings = ['HEARTHD_MQTT_URL=off', `HEARTHD_PORT=${HUB_PORT}`, 'HEARTHD_INTERFACES=eth0'];
    const doctor = (): string =>
      spaces.hub.run('env', [...settings, process.execPath, BUNDLE, 'doctor', '--state-dir', hub.stateDir]);
    // The hub says that it is ready before it listens to mDNS.
    await expect.poll(doctor, { ...SOON, interval: 500 }).toContain('warn  discovery: no other machine was heard');
    await startAvahi(spaces.lamp);
    await expect.poll(doctor, { ...SOON, interval: 500 }).toContain('ok    discovery: another machine was heard');
    await hub.stop();
  });

  test('is offered by the running program to be set up, until it leaves', async () => {
    const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' });
    const ask = (
      method: string,
      path: string,
      { token = '', ...rest }: { token?: string; body?: string } = {},
    ): unknown => {
      const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
      const url = `http://192.168.50.1:${HUB_PORT}/api/v1${path}`;
      const program =
        'const [url, how] = process.argv.slice(1);fetch(url, JSON.parse(how)).then((r) => r.text()).then(console.log)';
      const how = JSON.stringify({ method, headers, ...rest });
      return JSON.parse(spaces.phone.run(process.execPath, ['-e', program, url, how]));
    };
    const owner = { claim_code: hub.claimCode, email: 'a@home.test', password: 'pebble window 9' };
    const { access_token: token } = ask('POST', '/setup', { body: JSON.stringify(owner) }) as { access_token: string };
    const found = (): unknown => ask('GET', '/integration_found', { token });
    await startAvahi(spaces.lamp);
    const published = await publish(443, ['bridgeid=ECB5FAFFFE4B0A12']);
    await expect
      .poll(found, { ...SOON, interval: 500 })
      .toMatchObject([{ kind: 'hue', name: NAME, address: '192.168.50.2', ignored: false }]);
    await published.stop();
    await expect.poll(found, { ...SOON, interval: 500 }).toEqual([]);
    await hub.stop();
  });

  test('leaves no membership of the group and no socket when nobody looks any more', async () => {
    const hub = browse(spaces.hub);
    const memberships = (): string => spaces.hub.run('ip', ['maddr', 'show', 'dev', 'eth0']);
    await expect.poll(memberships, SOON).toContain('224.0.0.251');
    hub.child.kill('SIGUSR1');
    await expect.poll(memberships, SOON).not.toContain('224.0.0.251');
    expect(spaces.hub.run('ss', ['-Hlun', 'sport', '=', ':5353'])).toBe('');
  });
});
