import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { readyBase } from './base-system.ts';

const EMULATORS = { arm64: 'qemu-aarch64-static', armhf: 'qemu-arm-static' } as const;
type Foreign = keyof typeof EMULATORS;
const canRun = [needs('root'), needs('mmdebstrap'), needs('curl')].every((isThere) => isThere);
const OWNER = { email: 'ada@example.org', password: 'cup river stamp' };

let folder = '';
let running: ChildProcess | undefined;

afterEach(async () => {
  const child = running;
  running = undefined;
  if (child !== undefined && child.exitCode === null) {
    const ended = new Promise((resolve) => void child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Of the foreign architecture only Node.js runs, by its emulator: dpkg and the maintainer scripts are those of this
 * machine, with another root. The namespaces end with their first process, and all mounts with them.
 */
function startThere(architecture: Foreign, deb: string): ChildProcess {
  const dpkg = `dpkg --root=${folder}/root --force-script-chrootless --force-architecture --log=/dev/null`;
  const script = `
    set -e
    cd ${folder}
    mkdir upper work root
    mount -t overlay overlay -o lowerdir=${readyBase(architecture)},upperdir=upper,workdir=work root
    mkdir -p root/proc root/dev
    mount -t proc proc root/proc
    mount --rbind /dev root/dev
    ip link set lo up
    ${dpkg} --add-architecture ${architecture}
    ${dpkg} -i ${deb}
    dpkg-query --admindir=root/var/lib/dpkg -W -f '\${Status}\n' hearthd
    cp "$(command -v ${EMULATORS[architecture]})" root/emulator
    exec chroot root /emulator /usr/bin/node /usr/lib/hearthd/hearthd.mjs serve`;
  const unshare = '--mount --net --pid --fork --kill-child --propagation private'.split(' ');
  return spawn('unshare', [...unshare, 'sh', '-c', script], {
    env: { PATH: process.env['PATH'], HEARTHD_SIMULATE: '1', HEARTHD_MQTT_URL: 'off' },
  });
}

const foreign = (Object.keys(EMULATORS) as Foreign[]).filter((architecture) => needs(EMULATORS[architecture]));

test.skipIf(!canRun).each(foreign)(
  'on %s dpkg installs the package, and its program serves login and the list of devices',
  async (architecture) => {
    folder = mkdtempSync(join(tmpdir(), 'hearthd-foreign-'));
    const child = startThere(architecture, inject('packages').current[architecture]);
    running = child;
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    await vi.waitUntil(() => / is ready: /.test(output) || child.exitCode !== null, {
      timeout: 120_000,
      interval: 200,
    });
    expect(output).toMatch(/ is ready: /);
    expect(output).toContain('install ok installed\n');
    const claim_code = /Claim code: (\S+)/.exec(output)?.[1];
    const inside = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.trim();
    const ask = (path: string, body?: unknown, token = ''): unknown => {
      const content = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
      const call = ['-t', inside, '-n', 'curl', '-s', '-m', '60', ...content, '-H', `Authorization: Bearer ${token}`];
      return JSON.parse(execFileSync('nsenter', [...call, `http://127.0.0.1/api/v1${path}`], { encoding: 'utf8' }));
    };
    expect(ask('/setup', { claim_code, ...OWNER })).toMatchObject({ user: { role: 'owner' } });
    const { access_token } = ask('/login', OWNER) as { access_token: string };
    expect((ask('/device', undefined, access_token) as unknown[]).length).toBeGreaterThan(10);
  },
  240_000,
);
