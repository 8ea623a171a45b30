import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { MIGRATIONS } from '#storage/engine/schema.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { canBoot } from './base-system.ts';
import { bootHubMachine, type HubMachine } from './installed-hub.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const [removeCommand = '', purgeCommand = ''] = ['remove', 'purge'].map(
  (verb) => new RegExp(`^sudo apt ${verb} hearthd$`, 'm').exec(README)?.[0] ?? '',
);
const { current, next, broken } = inject('packages');
/** Files that any machine changes by itself, and those of the user, who stays. */
const NOT_OURS =
  /^\/(etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?|etc\/\.pwd\.lock|etc\/\.updated|var\/(cache|lib\/(dpkg|systemd|apt|dbus|private))(\/.*)?|var\/\.updated)$/;

let hub: HubMachine;
let token = '';
let before: ReadonlySet<string>;
const listFiles = (): string[] => {
  const skipped = '/proc /sys /run /tmp /var/log /var/tmp /dev /root'.split(' ').map((path) => `-path ${path}`);
  return hub
    .machine()
    .exec(`find / -xdev \\( ${skipped.join(' -o ')} \\) -prune -o -print`)
    .split('\n');
};
const version = (): unknown => (hub.ask('GET', '/api').json as { version: string }).version;
const name = (): unknown => (hub.ask('GET', '/api/v1/hub', { token }).json as { name: string }).name;
const packageState = (): string => hub.machine().run("dpkg-query -W -f '${Status} ${Version}' hearthd").stdout;

describe.skipIf(!canBoot)('over its life the package', () => {
  beforeAll(async () => {
    hub = await bootHubMachine();
    before = new Set(listFiles());
    hub.install(current.amd64);
    await hub.untilActive();
    token = hub.claim();
  });
  afterAll(() => hub.close());

  test('is upgraded while clients ask: data, logins and edited configuration stay', async () => {
    const { exec } = hub.machine();
    exec(`sed -i 's/^#log = .*/log = "warn"/' /etc/hearthd/hearthd.toml`);
    expect(hub.ask('PATCH', '/api/v1/hub', { token, body: { name: 'Old house' } }).status).toBe(200);
    const stop = await hub.poll();
    const { code, stdout, stderr } = hub.install(next);
    await hub.untilActive();
    const polling = await stop();
    process.stdout.write(
      `upgrade: no answer for ${polling.longestGapMs} ms, ${polling.failed} of ${polling.asked} failed\n`,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Using current old file as you requested');
    expect(stderr).not.toContain('did not start');
    expect(stdout).not.toContain('http');
    expect([version(), name()]).toEqual(['0.9.0', 'Old house']);
    expect(exec('grep ^log /etc/hearthd/hearthd.toml')).toBe('log = "warn"\n');
    expect(exec('ls /etc/hearthd')).toContain('hearthd.toml.dpkg-dist');
    expect(exec('rm /etc/hearthd/hearthd.toml.dpkg-dist; ls /var/lib/hearthd/backups')).toContain('-pre-migration.db');
    expect(exec('cat /var/lib/hearthd/schema')).toBe(`${MIGRATIONS.length + 1}\n`);
    expectBelow('the longest gap of an upgrade, ms', polling.longestGapMs, 20_000);
  });

  test('S7: refuses to be downgraded below its data before anything is stopped', async () => {
    const pid = hub.show('MainPID');
    const stop = await hub.poll();
    const { code, stderr } = hub.install(current.amd64);
    expect(await stop()).toMatchObject({ failed: 0 });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`it knows schema ${MIGRATIONS.length}, the data has ${MIGRATIONS.length + 1}`);
    expect([hub.show('MainPID'), version(), packageState()]).toEqual([pid, '0.9.0', 'install ok installed 0.9.0']);
  });

  test('S7: with a migration that fails leaves the data unchanged, and says what to do', async () => {
    const { code, stderr } = hub.install(broken);
    expect(code).toBe(0);
    expect(stderr).toContain('did not start. To see why: journalctl -u hearthd -n 20');
    expect(stderr).toContain('To go back, install version 0.9.0 again.');
    expect(hub.install(next)).toMatchObject({ code: 0 });
    await hub.untilActive();
    expect([version(), name()]).toEqual(['0.9.0', 'Old house']);
  });

  test('stays disabled through an upgrade, and comes back when it is enabled', async () => {
    const { exec, run } = hub.machine();
    exec('systemctl disable -q --now hearthd');
    expect(hub.install(next)).toMatchObject({ code: 0 });
    expect(run('systemctl is-enabled hearthd; systemctl is-active hearthd').stdout).toBe('disabled\ninactive\n');
    exec('systemctl enable -q --now hearthd');
    await hub.untilActive();
  });

  test('leaves data and configuration when it is removed, and finds them when it is back', async () => {
    const { exec, run } = hub.machine();
    exec(removeCommand, 'y\n');
    expect(run('systemctl is-active hearthd').stdout).toBe('inactive\n');
    expect(exec('ls /var/lib/hearthd/hearthd.db /etc/hearthd/hearthd.toml')).toContain('hearthd.db');
    expect(hub.ask('GET', '/api').status).toBe(0);
    expect(hub.install(current.amd64).stderr, 'an older one is refused then too').toContain('Nothing was changed');
    expect(hub.install(next)).toMatchObject({ code: 0 });
    await hub.untilActive();
    expect([version(), name(), exec('grep ^log /etc/hearthd/hearthd.toml')]).toEqual([
      '0.9.0',
      'Old house',
      'log = "warn"\n',
    ]);
  });

  test('is gone after a purge, except for its user', () => {
    const { exec } = hub.machine();
    exec(purgeCommand, 'y\n');
    expect(listFiles().filter((path) => !before.has(path) && !NOT_OURS.test(path))).toEqual([]);
    expect(exec('systemctl --failed --no-legend; find /etc /var/lib/systemd -name "hearthd*"')).toBe('');
    expect(packageState()).toBe('');
  });
});

describe.skipIf(!canBoot)('between the unpacking of an upgrade and its configuration', () => {
  beforeAll(async () => {
    hub = await bootHubMachine();
    hub.install(current.amd64);
    await hub.untilActive();
    token = hub.claim();
    hub.machine().copyIn(next, '/root/next.deb');
    hub.machine().exec('dpkg --unpack --force-confold /root/next.deb');
  });
  afterAll(() => hub.close());

  test('the old hub loads its own parts, and none of the new version', () => {
    const parts = hub.machine().exec('cd /usr/lib/hearthd && ls *.mjs run.*/*.mjs').trim().split('\n');
    const old = parts.filter((path) => path.startsWith('run.')).map((path) => path.replace(/^run\.\w+\//, ''));
    const gone = old.filter((name) => !parts.includes(name));
    // Among them are those that it has not loaded yet: the description of its API, and code of integrations.
    expect(gone.map((name) => name.replace(/-.*/, ''))).toEqual(expect.arrayContaining(['openapi']));
    expect(hub.ask('GET', '/api/v1/openapi.json', { token })).toMatchObject({ status: 200 });
    expect([version(), packageState()]).toEqual(['0.1.0', 'install ok unpacked 0.9.0']);
  });

  test('the old hub starts again, and after a power cut as well', async () => {
    hub.machine().exec('systemctl restart hearthd');
    await hub.untilActive();
    expect(version()).toBe('0.1.0');
    await hub.cutPower();
    await hub.untilActive();
    expect([version(), hub.machine().exec('hearthd version')]).toEqual(['0.1.0', 'hearthd 0.1.0\n']);
  });

  test('the new hub runs after the configuration, from its own copy of the program', async () => {
    hub.machine().exec('dpkg --configure -a');
    await hub.untilActive();
    expect(version()).toBe('0.9.0');
    const kept = hub.machine().exec('cd /usr/lib/hearthd && ls -d run.* && readlink current').trim().split('\n');
    expect(new Set(kept).size).toBe(1);
    expect(kept).toHaveLength(2);
  });
});

describe.skipIf(!canBoot)('when the power is cut, the machine', () => {
  beforeAll(async () => {
    hub = await bootHubMachine();
    hub.install(current.amd64);
    await hub.untilActive();
    token = hub.claim();
  });
  afterAll(() => hub.close());

  test('starts by itself and has all acknowledged changes', async () => {
    expect(hub.ask('PATCH', '/api/v1/hub', { token, body: { name: 'Acknowledged' } }).status).toBe(200);
    await hub.cutPower();
    await hub.untilActive();
    expect(name()).toBe('Acknowledged');
  });

  test.each([
    ['while the package is unpacked', 'test -e /usr/lib/hearthd/hearthd.mjs.dpkg-new'],
    [
      'while the hub starts',
      'test "$(dpkg-query -W -f "\\${Version}" hearthd)" = 0.9.0 && test "$(systemctl is-active hearthd)" = activating',
    ],
  ])('%s, works again after one more installation, and loses nothing', async (_, moment) => {
    const { copyIn, start, run } = hub.machine();
    copyIn(next, '/root/next.deb');
    const upgrade = start('dpkg -i --force-confold /root/next.deb');
    upgrade.on('error', () => undefined);
    await vi.waitFor(() => expect(run(`${moment} || ! pgrep -x dpkg`).code).toBe(0), { timeout: 60_000, interval: 5 });
    await hub.cutPower();
    await hub.untilActive();
    // After half an unpacking dpkg requires the package once more, and that comes next.
    hub.machine().run('dpkg --configure -a');
    expect(hub.install(next)).toMatchObject({ code: 0 });
    await hub.untilActive();
    expect([version(), name(), packageState()]).toEqual(['0.9.0', 'Acknowledged', 'install ok installed 0.9.0']);
  });
});
