import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { DNS_TYPE } from '#lan/mdns/dns-message.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { bundleEntry } from '#test/support/daemon/bundle-entry.ts';
import { canBoot } from './base-system.ts';
import { bootHubMachine, HUB_ADDRESS, type HubMachine, PUBLIC_ADDRESS } from './installed-hub.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
/** A minute of silence says little about a day of it: HEARTHD_IDLE_S sets a longer one. */
const IDLE_S = Number(process.env['HEARTHD_IDLE_S'] ?? 15);
const WATCHED = '[Service]\nWatchdogSec=2\n';

/** Commands of the README's chapter in their order, for the machine of the test. */
const [installCommand = '', claimCommand = ''] = [
  ...(/^## Install\n(.*?)^## /ms.exec(README)?.[1] ?? '').matchAll(/```sh\n(.*?)```/gs),
].map((match) => (match[1] ?? '').trim().replace('arm64', 'amd64'));

let hub: HubMachine;
let token = '';

describe.skipIf(!canBoot)('the installed service', () => {
  beforeAll(async () => {
    hub = await bootHubMachine();
  });
  afterAll(() => hub.close());

  test('is installed as the README says, and prints only its address and how to claim it', () => {
    hub.machine().copyIn(inject('packages').current.amd64, '/root/hearthd_0.1.0_amd64.deb');
    const said = hub.machine().exec(`cd /root && ${installCommand} 2>&1`);
    const own = /Setting up hearthd .*?\n(.*?)(Processing triggers|$)/s.exec(said)?.[1];
    const greeting = 'The hub is at http://hearthd.local/ and this shows its claim code: sudo hearthd claim';
    expect(own?.trim()).toBe(greeting);
    expect(hub.machine().exec(claimCommand)).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}\n$/);
  });

  test('is active, enabled, and healthy for the home', async () => {
    expect(hub.machine().exec('systemctl is-active hearthd; systemctl is-enabled hearthd')).toBe('active\nenabled\n');
    await hub.untilActive();
    token = hub.claim();
    expect(hub.ask('GET', '/api/v1/device', { token }).status).toBe(200);
    expect(hub.machine().exec('ss -Hltn "sport = :80"')).not.toMatch(/0\.0\.0\.0:80|\[::\]:80|\*:80/);
  });

  test('N: the kernel itself gives nothing to a public address', () => {
    // With a route back, so that without the filter the hub's own refusal would arrive.
    hub.machine().exec(`ip route add ${PUBLIC_ADDRESS} dev eth0`);
    const capture = `node -e 'require("node:net").connect({ port: 80, host: "${HUB_ADDRESS}", localAddress: "${PUBLIC_ADDRESS}" })
      .on("connect", () => console.log("connected")).on("error", (e) => console.log(e.code)).setTimeout(1500, () => { console.log("silence"); process.exit(); })'`;
    expect(hub.home.home.run('sh', ['-c', capture])).toBe('silence\n');
    expect(hub.ask('GET', '/api/v1/health').status).toBe(200);
  });

  test('answers for hearthd.local through its sandbox', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearthd-mdns-'));
    const entry = await bundleEntry(join(import.meta.dirname, '../support/attack/mdns-entry.ts'), folder);
    const ask = ['ask', 'hub0', 'hearthd.local', String(DNS_TYPE.A)];
    await vi.waitFor(
      () => {
        const found = JSON.parse(hub.home.home.run(process.execPath, [entry, ...ask])) as string[];
        expect(found.map((data) => [...Buffer.from(data, 'latin1')].join('.'))).toEqual([HUB_ADDRESS]);
      },
      { timeout: 20_000, interval: 200 },
    );
    rmSync(folder, { recursive: true });
  });

  test('can do what it needs from inside its sandbox, and nothing else', () => {
    const { copyIn, exec } = hub.machine();
    copyIn(join(import.meta.dirname, 'sandbox-probe.mjs'), '/usr/lib/hearthd-probe.mjs');
    // The same unit with another program. Two units must not share the folder that systemd removes when one ends.
    const other =
      's|^ExecStart=.*|ExecStart=/usr/bin/node /usr/lib/hearthd-probe.mjs|; s|^Type=.*|Type=oneshot|; /^\\(OpenFile\\|RuntimeDirectory\\|Restart\\|Watchdog\\)/d';
    exec(`sed '${other}' /usr/lib/systemd/system/hearthd.service > /run/systemd/system/hearthd-probe.service`);
    exec('systemctl daemon-reload; systemctl start hearthd-probe');
    const report = exec(
      'journalctl -u hearthd-probe -o cat | grep "^{"; rm /run/systemd/system/hearthd-probe.service /usr/lib/hearthd-probe.mjs; systemctl daemon-reload',
    );
    expect(JSON.parse(report)).toEqual({
      'write the state': 'done',
      'compile WebAssembly': 'done',
      'list interfaces': 'eth0 lo',
      'listen on port 80': 'done',
      'listen on another port': 'EPERM',
      'send to the home from the port of mDNS': 'done',
      'send to the internet from there': 'EPERM',
      'send from another port': 'EPERM',
      'connect to the home': 'ECONNREFUSED',
      'connect to the internet': 'Error: silence',
      'write /etc': 'EROFS',
      'write the program': 'EACCES',
      'read /home': 'EACCES',
      'see other processes': 'ENOENT',
      'run a shell': 'EACCES',
      'run what it wrote to /var/lib/hearthd/tmp': 'EACCES',
      'run what it wrote to /tmp': 'EACCES',
      'run what it wrote to /var/tmp': 'EACCES',
      'run what it wrote to /dev/shm': 'EACCES',
      'lower the priority of a thread': 5,
      'raise it again': 'EACCES',
      capabilities: '0000000000000400',
      seccomp: '2',
      'no new privileges': '1',
    });
  });

  test('runs as its own user, and keeps its state to itself', () => {
    const { exec } = hub.machine();
    expect(exec(`stat -c '%U' /proc/${hub.show('MainPID')}`)).toBe('hearthd\n');
    expect(exec("stat -c '%a %U %G' /var/lib/hearthd /run/hearthd")).toBe('700 hearthd hearthd\n700 hearthd hearthd\n');
    expect(exec('find /var/lib/hearthd -type f -not -perm 600 -o -not -user hearthd')).toBe('');
    expect(exec('ls /var/lib/hearthd/secrets')).toContain('access-token.key');
  });

  test('is exposed by 1.5 at most, as systemd-analyze counts', () => {
    const score = /exposure level for hearthd\.service: ([\d.]+)/.exec(
      hub.machine().exec('systemd-analyze security hearthd'),
    );
    expect(Number(score?.[1])).toBeLessThanOrEqual(1.5);
  });

  test('is reloaded without a pause', async () => {
    const stop = await hub.poll();
    const pid = hub.show('MainPID');
    hub.machine().exec('systemctl reload hearthd');
    expect(await stop()).toMatchObject({ failed: 0 });
    expect(hub.show('MainPID')).toBe(pid);
  });

  test('root’s commands work on a stopped hub, and the files that they create belong to the hub', async () => {
    const { exec, run } = hub.machine();
    exec('systemctl stop hearthd');
    expect(exec('hearthd user list')).toBe('ada@example.org\towner\tada\n');
    expect(exec('hearthd backup /root/copy.db')).toBe('/root/copy.db\n');
    exec('hearthd restore --yes /root/copy.db');
    expect(exec('find /var/lib/hearthd -not -user hearthd')).toBe('');
    expect(run('hearthd doctor').stdout).not.toContain('internal error');
    expect(exec('hearthd restore --yes "$(ls /var/lib/hearthd/backups/*-manual.db)"')).toBe('');
    exec('systemctl start hearthd');
    await hub.untilActive();
    token = hub.login();
  });

  test('is killed by the watchdog when it hangs, and starts again', async () => {
    const { exec } = hub.machine();
    exec(
      'mkdir -p /run/systemd/system/hearthd.service.d; cat > /run/systemd/system/hearthd.service.d/test.conf',
      WATCHED,
    );
    exec('systemctl daemon-reload; systemctl restart hearthd');
    await wait(4_000);
    expect(hub.show('NRestarts'), 'it feeds the watchdog').toBe('0');
    const pid = hub.show('MainPID');
    exec(`kill -STOP ${pid}`);
    await vi.waitFor(() => expect(hub.show('NRestarts')).toBe('1'), { timeout: 20_000, interval: 100 });
    await hub.untilActive();
    expect(hub.show('MainPID')).not.toBe(pid);
    exec('rm -r /run/systemd/system/hearthd.service.d; systemctl daemon-reload; systemctl restart hearthd');
    await hub.untilActive();
  });

  // How often it survives that is the question of test/fault/kill.campaign.ts.
  test('X: is started anew after a SIGKILL, with what it acknowledged', async () => {
    expect(hub.ask('PATCH', '/api/v1/hub', { token, body: { name: 'Killed' } }).status).toBe(200);
    const pid = hub.show('MainPID');
    hub.machine().exec(`kill -KILL ${pid}`);
    await vi.waitFor(() => expect(['0', pid]).not.toContain(hub.show('MainPID')), { timeout: 60_000, interval: 50 });
    await hub.untilActive();
    expect(hub.ask('GET', '/api/v1/hub', { token }).json).toMatchObject({ name: 'Killed' });
  });

  test(
    `S6: writes nothing while nothing changes (${IDLE_S} s), starts quickly and needs little memory`,
    async () => {
      const { exec } = hub.machine();
      exec('systemctl restart hearthd');
      await hub.untilActive();
      const startMs =
        (Number(hub.show('ActiveEnterTimestampMonotonic')) - Number(hub.show('ExecMainStartTimestampMonotonic'))) /
        1000;
      await wait(12_000);
      const pid = hub.show('MainPID');
      const written = (): number => Number(/^write_bytes: (\d+)/m.exec(exec(`cat /proc/${pid}/io`))?.[1]);
      const before = written();
      await wait(IDLE_S * 1000);
      const idleBytes = written() - before;
      const memoryMb = Number(/VmRSS:\s+(\d+)/.exec(exec(`cat /proc/${pid}/status`))?.[1]) / 1024;
      process.stdout.write(
        `start ${Math.round(startMs)} ms, ${Math.round(memoryMb)} MB, ${idleBytes} bytes written in ${IDLE_S} s\n`,
      );
      expect(idleBytes).toBe(0);
      expectBelow('resident memory at rest, MB', memoryMb, 120);
      expectBelow('from the start of the unit to ready, ms', startMs, 5_000);
    },
    (IDLE_S + 60) * 1000,
  );

  test('leaves no unit failed', () => {
    expect(hub.machine().exec('systemctl --failed --no-legend')).toBe('');
  });
});
