import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { canBoot } from './base-system.ts';
import { bootHubMachine, type HubMachine } from './installed-hub.ts';

const STATE = '/var/lib/hearthd';
const SECRET = 'only root may read this';
const AS_HUB = 'setpriv --reuid=hearthd --regid=hearthd --clear-groups --';
const { current, next } = inject('packages');

/** A hub that an attacker controls: it gives the answers of its argument, or none without one. */
const FAKE_HUB = `
  const answers = process.argv[2] === undefined ? undefined : JSON.parse(process.argv[2]);
  const { rmSync } = require('node:fs');
  rmSync('/run/hearthd/control.sock', { force: true });
  require('node:http').createServer((request, response) => {
    console.log(request.url);
    if (answers !== undefined) response.end(JSON.stringify(answers[request.url] ?? null));
  }).listen('/run/hearthd/control.sock');
`;
const STATUS = { version: '0.1.0', pid: 1, addresses: [], integrations: [] };

let hub: HubMachine;
const exec = (command: string, input?: string): string => hub.machine().exec(command, input);
const run = (command: string) => hub.machine().run(`timeout 20 ${command}`);
/** Files that only root can read, with their content: an attack that gains nothing leaves them as they are. */
const seal = (): string =>
  exec("cd /root/own && find . -printf '%p %u %m %s %l\\n' | sort; find . -type f | sort | xargs cat");

/** Starts a command that goes on until the next test. */
const startUnit = (name: string, command: string): string => exec(`systemd-run -q --collect --unit=${name} ${command}`);

/** Starts it in the place of the hub's socket and returns the requests that it got. */
async function fakeHub(answers?: Readonly<Record<string, unknown>>): Promise<() => string> {
  exec(`mkdir -p /run/hearthd; chown hearthd: /run/hearthd; cat > /usr/lib/fake-hub.cjs; : > /run/asked`, FAKE_HUB);
  const given = answers === undefined ? '' : `'${JSON.stringify(answers)}'`;
  startUnit('taken-over', `-p User=hearthd -p StandardOutput=append:/run/asked node /usr/lib/fake-hub.cjs ${given}`);
  await vi.waitFor(() => exec('test -S /run/hearthd/control.sock'), { timeout: 10_000, interval: 50 });
  return () => exec('cat /run/asked');
}

describe.skipIf(!canBoot)('root’s commands on an installed hub that an attacker controls', () => {
  let before = '';
  beforeAll(async () => {
    hub = await bootHubMachine();
    hub.install(current.amd64);
    await hub.untilActive();
    hub.claim();
    exec(`hearthd backup; systemctl stop hearthd; cp -a ${STATE} /root/state`);
  });
  afterAll(() => hub.close());
  beforeEach(() => {
    hub.machine().run('systemctl kill -s KILL taken-over roots; systemctl stop taken-over roots');
    exec(`rm -rf ${STATE} /run/hearthd /root/own /root/out.db; cp -a /root/state ${STATE}`);
    exec(`mkdir -m 700 /root/own; cd /root/own; mkdir a b c d e f g h; echo '${SECRET}' > secret; chmod 600 secret`);
    before = seal();
  });

  test.each([
    ['corrupt', 'hearthd user list'],
    ['backups', 'hearthd backup'],
    ['secrets', 'hearthd claim'],
    ['tmp', 'hearthd user list'],
  ])('leaves a folder of root alone to which %s is a link', (name, command) => {
    exec(`${AS_HUB} sh -c 'cd ${STATE}; rm -rf ${name}; ln -s /root/own ${name}; echo garbage > hearthd.db'`);
    run(command);
    expect(seal()).toBe(before);
  });

  test('never opens a path that the hub names, and takes no file of root for a backup of the hub', async () => {
    const asked = await fakeHub({ '/status': STATUS, '/make-backup': { id: 'b1', path: '/root/own/secret' } });
    run('hearthd backup /root/out.db');
    expect(asked()).toContain('/make-backup');
    expect(run('cat /root/out.db').stdout).not.toContain(SECRET);
    exec(`${AS_HUB} sh -c 'rm -f ${STATE}/backups/*; ln -s /root/own/secret ${STATE}/backups/mine.db'`);
    const { code, stderr } = run(`hearthd restore --yes ${STATE}/backups/mine.db`);
    expect({ code, stderr }).toEqual({ code: 66, stderr: expect.stringContaining('EACCES') });
    expect(seal()).toBe(before);
  });

  test('gets no hold of the process that works as its user, nor of the terminal of root', async () => {
    const asked = await fakeHub();
    startUnit('roots', 'script -qefc "hearthd claim" /run/typescript');
    await vi.waitFor(() => expect(asked()).toBe('/status\n'), { timeout: 20_000, interval: 100 });
    const pid = /\d+/.exec(exec("grep -lz '^serve-admin$' /proc/[0-9]*/cmdline"))?.[0];
    const status = exec(`cat /proc/${pid}/status`);
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      expect(status).toMatch(new RegExp(`^Cap${set}:\\t0{16}$`, 'm'));
    // Its terminal is none (the fifth number after the name, proc(5)).
    expect(exec(`cat /proc/${pid}/stat`).split(') ')[1]?.split(' ')[4]).toBe('0');
    const look = `for what in environ mem fd/0; do head -c 1 /proc/${pid}/$what && echo $what; done 2>/dev/null`;
    expect(hub.machine().run(`${AS_HUB} sh -c '${look}'`).stdout).toBe('');
    exec(`${AS_HUB} sh -c 'kill -USR1 ${pid}'`);
    await vi.waitFor(() => expect(exec('cat /run/typescript')).toContain('Starting inspector'), { timeout: 10_000 });
    expect(exec(`ss -Hltnp`)).not.toContain(`pid=${pid},`);
  });

  test('loses no race with a hub that swaps its folders for links', { timeout: 60_000 }, () => {
    const swap = `cd ${STATE}; mkdir corrupt; ln -s /root/own link; while mv --exchange -T link corrupt; do :; done`;
    startUnit('taken-over', `-p User=hearthd sh -c '${swap}'`);
    for (let round = 0; round < 3; round += 1) {
      exec(`echo garbage > ${STATE}/hearthd.db`);
      run('hearthd user list');
      run('hearthd doctor');
    }
    exec('systemctl is-active taken-over');
    expect(seal()).toBe(before);
  });

  test.each([
    ['a pipe without a writer', 'mkfifo schema'],
    ['a link to what never ends', 'ln -s /dev/zero schema'],
    ['a file that never ends', 'truncate -s 8G schema'],
    ['a number of a version that never was', 'echo 999999 > schema'],
  ])('is upgraded despite %s in the place of the schema file', (_, make) => {
    const plant = `${AS_HUB} sh -c 'cd ${STATE}; rm schema; ${make}'`;
    exec(plant);
    hub.machine().copyIn(next, '/root/next.deb');
    expect(run('dpkg -i --force-confold /root/next.deb').stderr).not.toContain('Nothing was changed');
    expect(exec("dpkg-query -W -f '${Version}' hearthd")).toBe('0.9.0');
    // An older one looks at it, and is not held up either: the number is the only reason to refuse.
    exec(`systemctl stop hearthd; rm -rf ${STATE}; cp -a /root/state ${STATE}; ${plant}`);
    const older = run('dpkg -i --force-confold /root/package.deb');
    expect([older.code === 0, older.stderr.includes('is too old for the data')]).toEqual(
      make.startsWith('echo') ? [false, true] : [true, false],
    );
    exec('systemctl stop hearthd');
  });

  test('is purged with its password files, but without the targets of its links', () => {
    exec(
      `echo quiet > /etc/hearthd/mqtt-password; ${AS_HUB} sh -c 'cd ${STATE}; rm -r backups; ln -s /root/own backups'`,
    );
    exec('dpkg --purge hearthd');
    expect(exec('ls -d /etc/hearthd /var/lib/hearthd 2>/dev/null || true')).toBe('');
    expect(seal()).toBe(before);
  });
});
