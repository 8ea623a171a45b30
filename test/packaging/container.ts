import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startStopwatch } from '#test/support/machine/bounds.ts';
import { readyBase } from './base-system.ts';

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A machine with Debian 13 and a systemd of its own, in namespaces of this one; without a network until it has a cable. */
export type Container = {
  /** The first process in there, seen from here. */
  readonly pid: number;
  readonly bootMs: number;
  /** Runs a shell command as root in there and returns what it printed; throws with all of it where that fails. */
  readonly exec: (command: string, input?: string) => string;
  /** The same for a command that may fail. */
  readonly run: (command: string, input?: string) => Outcome;
  readonly copyIn: (file: string, path: string) => void;
  /** Starts a command in there that goes on. */
  readonly start: (command: string) => ChildProcess;
  /** Halts the machine at once and starts it again with its disk as it is, without anything that was only cached. */
  readonly cutPower: () => Promise<Container>;
  /** Shuts it down; nothing of it is left. */
  readonly close: () => Promise<void>;
};

const ENVIRONMENT =
  'HOME=/root TERM=dumb LC_ALL=C.UTF-8 SYSTEMD_PAGER=cat SYSTEMD_COLORS=0 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin';
/** Units that a container has no use for, or that would write or use the network by themselves. */
const MASKED =
  'console-getty.service getty.target systemd-modules-load.service systemd-timesyncd.service mosquitto.service ' +
  'apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer man-db.timer e2scrub_all.timer';

/** Boots a new machine; its disk is as empty as that of the base system. In memory, which needs no waiting for a disk. */
export async function bootContainer(): Promise<Container> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hearthd-machine-'));
  const disk = join(folder, 'disk');
  execFileSync('truncate', ['-s', '512M', disk]);
  execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=1', disk]);
  return await boot(folder, disk);
}

async function boot(folder: string, disk: string): Promise<Container> {
  const sinceBootMs = startStopwatch();
  const nspawn = spawnMachine(folder, disk);
  let console = '';
  nspawn.stdout?.on('data', (chunk) => (console += String(chunk)));
  nspawn.stderr?.on('data', (chunk) => (console += String(chunk)));
  const ended = new Promise<void>((resolve) => void nspawn.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (signal !== 'SIGKILL') nspawn.kill(signal);
    const force = setTimeout(() => killMachine(nspawn), signal === 'SIGKILL' ? 0 : 20_000);
    await ended;
    clearTimeout(force);
  };
  const pid = await untilUp(nspawn, () => console).catch(async (cause: unknown) => {
    await end('SIGKILL');
    rmSync(folder, { recursive: true });
    throw cause;
  });
  const enter = ['-t', String(pid), '-a', 'env', '-i', ...ENVIRONMENT.split(' '), 'bash', '-c'];
  const run: Container['run'] = (command, input = '') => {
    const { status, stdout, stderr } = spawnSync('nsenter', [...enter, command], { input, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const exec: Container['exec'] = (command, input) => {
    const { code, stdout, stderr } = run(command, input);
    if (code !== 0) throw new Error(`${command}: exit code ${code}\n${stdout}${stderr}`);
    return stdout;
  };
  const started: ChildProcess[] = [];
  return {
    pid,
    bootMs: sinceBootMs(),
    exec,
    run,
    copyIn: (file, path) => {
      const { status, stderr } = spawnSync('nsenter', [...enter, `cat > ${path}`], { input: readFileSync(file) });
      if (status !== 0) throw new Error(`${path}: ${String(stderr)}`);
    },
    start: (command) => {
      const child = spawn('nsenter', [...enter, command], { stdio: 'ignore' });
      started.push(child);
      return child;
    },
    cutPower: async () => {
      // The file behind a mounted disk has what was written to the disk, and not what its file system keeps in memory.
      const cut = `${disk}.cut`;
      await freeze(pid);
      copyFileSync(disk, cut);
      // With its first process goes every other, and then nspawn; but nsenter has stopped with what it started.
      process.kill(pid, 'SIGKILL');
      for (const child of started) child.kill('SIGKILL');
      await ended;
      execFileSync('mv', [cut, disk]);
      return await boot(folder, disk);
    },
    close: async () => {
      // systemd takes this for the power button; SIGTERM to nspawn sends it.
      await end('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

/** Stops every process of the machine, so that nothing is written while its disk is copied. */
async function freeze(pid: number): Promise<void> {
  const all = spawnSync('pgrep', ['--ns', String(pid), '--nslist', 'pid', ''], { encoding: 'utf8' }).stdout;
  const pids = all.split('\n').filter((line) => line !== '');
  spawnSync('kill', ['-STOP', ...pids]);
  await vi.waitFor(
    () => {
      const states = spawnSync('ps', ['-o', 'stat=', '-p', pids.join(',')], { encoding: 'utf8' }).stdout;
      if (!/^([TZ]\S*\s*)*$/.test(states)) throw new Error(`not all of the machine has stopped: ${states}`);
    },
    { timeout: 10_000, interval: 10 },
  );
}

/**
 * In a mount namespace of its own, so that no mount is left behind, however it ends. Without the capabilities for eBPF
 * systemd would silently not enforce which addresses a service may reach.
 */
function spawnMachine(folder: string, disk: string): ChildProcess {
  const base = readyBase('amd64');
  const script = `
    set -e
    cd ${folder}
    mkdir -p upper root
    mount -o loop,commit=300 ${disk} upper
    mkdir -p upper/new upper/work
    mount -t overlay overlay -o lowerdir=${base},upperdir=upper/new,workdir=upper/work root
    for unit in ${MASKED}; do ln -sf /dev/null root/etc/systemd/system/$unit; done
    mkdir -p root/etc/systemd/journald.conf.d
    printf '[Journal]\\nStorage=volatile\\n' > root/etc/systemd/journald.conf.d/test.conf
    echo hub > root/etc/hostname
    printf '127.0.0.1 localhost hub\\n::1 localhost\\n' > root/etc/hosts
    test -s root/etc/machine-id || echo 0123456789abcdef0123456789abcdef > root/etc/machine-id
    exec systemd-nspawn -q -D root --boot --register=no --keep-unit --private-network --console=pipe \\
      --system-call-filter=bpf --capability=CAP_BPF,CAP_PERFMON`;
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    env: { PATH: process.env['PATH'], SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Ends its first process, and with it all others, and nspawn. Killing only nspawn would leave all of them running. */
function killMachine(nspawn: ChildProcess): void {
  const first = spawnSync('pkill', ['-KILL', '-P', String(nspawn.pid)]);
  if (first.status !== 0) nspawn.kill('SIGKILL');
}

/** The process id of its systemd, once that has started everything. */
async function untilUp(nspawn: ChildProcess, console: () => string): Promise<number> {
  return await vi.waitFor(
    () => {
      const children = spawnSync('pgrep', ['-P', String(nspawn.pid)], { encoding: 'utf8' }).stdout;
      const pid = Number(children.split('\n')[0]);
      const enter = ['-t', String(pid), '-a', 'systemctl', 'is-system-running'];
      const state = pid > 0 ? spawnSync('nsenter', enter, { encoding: 'utf8' }).stdout.trim() : 'not there';
      if (!['running', 'degraded'].includes(state)) throw new Error(`the machine is ${state}: ${console()}`);
      return pid;
    },
    { timeout: 60_000, interval: 100 },
  );
}
