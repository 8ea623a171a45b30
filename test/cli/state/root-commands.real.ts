import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import {
  BUNDLE,
  runHearthd,
  startHearthd,
  type HearthdCall,
  type HearthdRun,
} from '#test/support/daemon/run-hearthd.ts';

/** Users that this machine has no names for. */
const HUB = 12_345;
const PASSWORD = 'cup river stamp';
const SECRET = 'only root may read this';

const AS_HUB = [`--reuid=${HUB}`, `--regid=${HUB}`, '--clear-groups'];
const asHub = (command: string) => spawnSync('setpriv', [...AS_HUB, 'sh', '-c', command], { encoding: 'utf8' });

/** Root's own; the hub has `hub/state` in it. */
let folder = '';
let state = '';
const servers: Server[] = [];
/** What the hub that answers what it likes was asked. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  folder = mkdtempSync(join(tmpdir(), 'hearthd-root-'));
  chmodSync(folder, 0o755);
  state = join(folder, 'hub/state');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (const path of [join(folder, 'hub'), state]) chownSync(path, HUB, HUB);
  mkdirSync(join(folder, 'root'), { mode: 0o700 });
  writeFileSync(join(folder, 'root/secret'), SECRET, { mode: 0o600 });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  rmSync(folder, { recursive: true });
});

const run = (args: readonly string[], call: HearthdCall = {}): Promise<HearthdRun> =>
  runHearthd([...args, '--state-dir', state], { cwd: folder, ...call });
const addOwner = (call: HearthdCall = {}): Promise<HearthdRun> =>
  run(['user', 'add', 'ada@home', '--role', 'owner', '--password-stdin'], { input: PASSWORD, ...call });
const quiet: HearthdRun = { code: 0, stdout: '', stderr: '' };
/** Puts something there as the hub's user would. */
const plant = (make: (path: string) => void, path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  make(path);
  lchownSync(path, HUB, HUB);
};
const link = (to: string, name: string): void => plant((path) => symlinkSync(to, path), join(state, name));
/** A hub of that user which answers what it likes. */
async function listenAs(path: string, answers: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (answers !== undefined) response.end(JSON.stringify(answers[url] ?? null));
  });
  mkdirSync(dirname(path), { recursive: true });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  servers.push(server);
  for (const one of [dirname(path), path]) chownSync(one, HUB, HUB);
}
const STATUS = { version: '0.1.0', pid: 1, addresses: [], integrations: [] };

describe.skipIf(!needs('root'))('what root does on the state of another user', () => {
  test('belongs to that user, and a copy to root', async () => {
    expect(await addOwner()).toEqual(quiet);
    expect(await run(['claim'])).toMatchObject({ code: 65, stdout: '' });
    expect(await run(['backup', 'root/kept.db'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['restore', 'root/kept.db', '--yes'])).toEqual(quiet);
    const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => statSync(join(state, name)).uid !== HUB)).toEqual([]);
    expect(statSync(join(folder, 'root/kept.db'))).toMatchObject({ uid: 0, mode: 0o100600 });
  });

  test('has the same messages and exit codes as for that user', async () => {
    expect(await run(['user', 'add', 'bo@home', '--password-stdin'], { input: PASSWORD })).toEqual({
      code: 65,
      stdout: '',
      stderr: 'hearthd: The hub has no owner yet: the first account must have the role owner.\n',
    });
    writeFileSync(join(folder, 'garbage.db'), 'x'.repeat(10_000));
    const refused = await run(['restore', 'garbage.db', '--yes']);
    expect([refused.code, refused.stderr]).toEqual([65, expect.stringMatching(/^hearthd: [^\n]+\n$/)]);
    const doctor = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' } });
    expect(doctor).toMatchObject({ code: 0, stderr: '' });
    expect(doctor.stdout).toContain('ok    database: sound');
  });

  test('works from a program below a folder that is closed to that user', async () => {
    const closed = join(folder, 'root/dist');
    cpSync(dirname(BUNDLE), closed, { recursive: true });
    const bundle = join(closed, 'hearthd.mjs');
    expect(await addOwner({ bundle })).toEqual(quiet);
    expect(await run(['user', 'list'], { bundle })).toMatchObject({ code: 0, stdout: 'ada@home\towner\tada\n' });
    chmodSync(closed, 0o700);
    const refused = await run(['user', 'list'], { bundle });
    expect(refused.code).toBe(77);
    expect(refused.stderr).toBe(
      `hearthd: the user of the hub (${HUB}) may not read the program: chmod -R o+rX ${closed}\n`,
    );
  });

  test('in a checkout of a third user is done where that user could change the program as well', async () => {
    const [own, dist] = [join(folder, 'hub/own'), join(folder, 'hub/dist')];
    mkdirSync(own);
    chmodSync(own, 0o700);
    const call = ['user', 'list', '--state-dir', own];
    const refused = await runHearthd(call);
    expect([refused.code, refused.stderr]).toEqual([
      77,
      `hearthd: ${join(folder, 'hub')} belongs to user ${HUB}, who could put another folder in the place of ${own}\n`,
    ]);
    cpSync(dirname(BUNDLE), dist, { recursive: true });
    expect(await runHearthd(call, { bundle: join(dist, 'hearthd.mjs') })).toEqual(quiet);
    chownSync(join(own, 'lock-secret'), HUB, HUB);
    expect((await runHearthd(call, { bundle: join(dist, 'hearthd.mjs') })).stderr).toContain(
      `belongs to root, but ${join(own, 'lock-secret')} in it does not`,
    );
  });

  test('is run by serve as that user', async () => {
    const child = startHearthd(['serve', '--state-dir', state], {
      cwd: folder,
      env: { HEARTHD_PORT: '0', HEARTHD_MQTT_URL: 'off', ROOTS_TOKEN: SECRET },
    });
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.resume();
    const ended = new Promise((resolve) => void child.once('close', resolve));
    await vi.waitFor(() => expect(printed).toMatch(/ is ready: /), { interval: 20 });
    expect(statSync(join(state, 'run/control.sock')).uid).toBe(HUB);
    const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(SECRET);
    expect((await run(['claim'])).stdout).toBe(`${/Claim code: (\S+)/.exec(printed)?.[1]}\n`);
    expect((await run(['backup', 'root/live.db'])).code).toBe(0);
    expect(await addOwner()).toEqual(quiet);
    expect(await run(['restore', '--yes', 'root/live.db'])).toMatchObject({ code: 65 });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe.skipIf(!needs('root'))('a hub that an attacker controls', () => {
  test.each([
    ['corrupt', ['user', 'list']],
    ['backups', ['backup']],
    ['tmp', ['user', 'list']],
    ['secrets', ['claim']],
  ])('gains nothing by a link from %s to a folder of root', async (name, command) => {
    const victim = join(folder, 'root/victim');
    for (const inside of 'abcdefgh') mkdirSync(join(victim, inside), { recursive: true });
    const before = readdirSync(join(folder, 'root'), { recursive: true });
    plant((path) => writeFileSync(path, 'garbage'.repeat(1000)), join(state, 'hearthd.db'));
    link(victim, name);
    await run(command);
    expect(readdirSync(join(folder, 'root'), { recursive: true })).toEqual(before);
  });

  test('gets no file of root copied by naming its path', async () => {
    const file = join(folder, 'root/secret');
    await listenAs(join(state, 'run/control.sock'), {
      '/status': STATUS,
      '/make-backup': { id: 'b1', path: file },
      '/read-backup': null,
    });
    await run(['backup', join(folder, 'copy.db')]);
    expect(asked).toContain('/make-backup');
    expect(existsSync(join(folder, 'copy.db')) ? readFileSync(join(folder, 'copy.db'), 'utf8') : '').not.toContain(
      SECRET,
    );
  });

  test('moves no cursor on the terminal of root', async () => {
    await listenAs(join(state, 'run/control.sock'), {
      '/status': STATUS,
      '/claim': { claimed: false, code: '\u001b[2JABCD' },
      '/make-backup': { id: 'b1', path: '/x\u001b]0;owned\u0007' },
    });
    for (const command of ['claim', 'backup', 'doctor']) {
      const { stdout, stderr } = await run([command]);
      expect(`${stdout}${stderr}`).not.toContain('\u001b');
      expect(`${stdout}${stderr}`).not.toContain('\u0007');
    }
  });

  test('cannot make root speak to a socket that it may not open itself', async () => {
    await listenAs(join(folder, 'root/service.sock'), { '/status': STATUS });
    chownSync(join(folder, 'root'), 0, 0);
    chownSync(join(folder, 'root/service.sock'), 0, 0);
    mkdirSync(join(state, 'run'));
    chownSync(join(state, 'run'), HUB, HUB);
    link(join(folder, 'root/service.sock'), 'run/control.sock');
    expect((await run(['claim'])).code).toBe(77);
    expect(asked).toEqual([]);
  });

  test('cannot make root restore or read a file of root instead of a backup', async () => {
    await addOwner();
    const { stdout } = await run(['backup']);
    const backup = stdout.trim();
    expect((await run(['restore', '--yes', backup])).code).toBe(0);
    rmSync(backup);
    symlinkSync(join(folder, 'root/secret'), backup);
    lchownSync(backup, HUB, HUB);
    const { code, stderr } = await run(['restore', '--yes', backup]);
    expect(code).toBe(66);
    expect(stderr).toContain('EACCES');
  });

  test('gets no file created where only root may create one', async () => {
    await addOwner();
    const victim = join(folder, 'root/cron.d');
    mkdirSync(victim);
    link(victim, 'mine');
    expect((await run(['backup', join(state, 'mine/job')])).code).toBe(73);
    expect(readdirSync(victim)).toEqual([]);
  });

  test.each([
    ['state', 'a link to a folder of root'],
    ['.', 'the folder above it'],
  ])('gains nothing by making %s %s', async (name) => {
    const [own, victim] = [join(folder, 'hub', name), join(folder, name === '.' ? 'root/above' : 'root/victim')];
    mkdirSync(join(victim, name === '.' ? 'state' : ''), { recursive: true });
    chmodSync(victim, 0o755);
    renameSync(own, join(folder, 'aside'));
    symlinkSync(victim, join(folder, 'hub', name).replace(/\/$/, ''));
    lchownSync(join(folder, 'hub', name).replace(/\/$/, ''), HUB, HUB);
    const { code, stderr } = await run(['user', 'list']);
    expect(code).toBe(77);
    expect(stderr).toContain(`belongs to user ${HUB}, who could put another folder in the place of`);
    expect(readdirSync(victim, { recursive: true })).toEqual(name === '.' ? ['state'] : []);
  });

  test.each(['a folder of its own', 'nothing'])(
    'gains nothing by a link in the place of its state, put there just when root has seen %s',
    async (seen) => {
      await addOwner();
      const [victim, aside] = [join(folder, 'root/victim'), join(folder, 'hub/aside')];
      mkdirSync(victim);
      if (seen === 'nothing') renameSync(state, aside);
      const swap = `import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const look = fs.lstatSync;
        fs.lstatSync = (path, options) => {
          const stats = look(path, options);
          if (path !== ${JSON.stringify(state)} || stats?.isSymbolicLink()) return stats;
          if (stats !== undefined) fs.renameSync(path, ${JSON.stringify(aside)});
          fs.symlinkSync(${JSON.stringify(victim)}, path);
          fs.lchownSync(path, ${HUB}, ${HUB});
          return stats;
        };
        syncBuiltinESMExports();`;
      const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(swap)}` };
      for (const command of ['backup', 'doctor', 'serve']) {
        await run([command], { env });
        expect([command, statSync(state).ino]).toEqual([command, statSync(victim).ino]);
        expect([command, ...readdirSync(victim)]).toEqual([command]);
        rmSync(state);
        if (seen !== 'nothing') renameSync(aside, state);
      }
    },
  );

  test('cannot swap folders so fast that root follows', async () => {
    await addOwner();
    const victim = join(folder, 'root/victim');
    for (const inside of 'abcdefgh') mkdirSync(join(victim, inside), { recursive: true });
    writeFileSync(join(victim, 'hearthd.db'), SECRET);
    const before = readdirSync(victim, { recursive: true });
    const [mine, other] = [join(folder, 'hub/state'), join(folder, 'hub/other')];
    const script = `while :; do
      mv -T ${mine} ${other}; ln -s ${victim} ${mine}; rm ${mine}; mv -T ${other} ${mine};
      mv -T ${mine}/backups ${other}; ln -s ${victim} ${mine}/backups; rm ${mine}/backups; mv -T ${other} ${mine}/backups;
    done 2>/dev/null`;
    const swapping = spawn('setpriv', [...AS_HUB, 'sh', '-c', script]);
    for (let round = 0; round < 6; round += 1) {
      await run(['backup']);
      await run(['doctor']);
    }
    const ended = new Promise((resolve) => void swapping.once('close', resolve));
    swapping.kill('SIGKILL');
    await ended;
    expect(readdirSync(victim, { recursive: true })).toEqual(before);
    expect(readFileSync(join(victim, 'hearthd.db'), 'utf8')).toBe(SECRET);
  });

  test('can neither inspect the process that root starts as its user, nor make it open its debugger', async () => {
    // A hub that never answers: the process stands still.
    await listenAs(join(state, 'run/control.sock'), undefined);
    const child = startHearthd(['claim', '--state-dir', state], { cwd: folder, env: { ROOTS_TOKEN: SECRET } });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise((resolve) => void child.once('close', resolve));
    await vi.waitFor(() => expect(asked).toEqual(['/status']), { interval: 20 });
    const [pid = child.pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:${`\\t${HUB}`.repeat(4)}$`, 'm'));
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      expect(status).toMatch(new RegExp(`^Cap${set}:\\t0{16}$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(SECRET);
    const look = `for what in environ mem maps fd/0; do head -c 1 /proc/${pid}/$what && echo $what; done 2>/dev/null`;
    expect(asHub(look).stdout).toBe('');
    expect(asHub(`kill -USR1 ${pid}`).status).toBe(0);
    await vi.waitFor(() => expect(said).toContain('Starting inspector on 192.0.2.1:65535 failed'), {
      interval: 20,
    });
    child.kill('SIGKILL');
    await ended;
  });
});
