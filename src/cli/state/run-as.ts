import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import { escapeControls } from '#base/log.ts';
import type { CommandCall } from '#cli/command.ts';
import { CliError, EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { StateOwner } from './state-owner.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type RunAs = {
  readonly program: URL;
  readonly args: readonly string[];
  readonly env: Env;
  /** Standard input, output and error, and further descriptors after them. */
  readonly stdio: readonly ('ignore' | 'pipe')[];
  /** For `serve`: runs with the group of the hub, which may read its password file, and may open ports below 1024. */
  readonly isHub?: boolean;
};

/** A group without members: because it is not the hub's group, the kernel does not let the hub inspect the process. */
const NO_GROUP = 65_534;
/** An address that no machine has: on SIGUSR1, which the hub may send, Node.js would otherwise open its debugger. */
const NO_DEBUGGER = '--inspect-port=192.0.2.1:65535';

/**
 * Starts this program once more as the owner of the state: without capabilities, without a way back, without root's
 * terminal and open files. It finds node and the program through a descriptor and the current folder, because the owner
 * may have no access to the folders above them.
 */
export function startAs({ uid, gid }: StateOwner, { program, args, env, stdio, isHub = false }: RunAs): ChildProcess {
  const file = fileURLToPath(program);
  const group = isHub ? gid : NO_GROUP;
  checkReadable(file, { uid, gid: group });
  const node = openSync(process.execPath, 'r');
  try {
    const capabilities = isHub ? '-all,+net_bind_service' : '-all';
    const rights = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=${capabilities}`);
    const user = [`--reuid=${uid}`, `--regid=${group}`, '--clear-groups', '--no-new-privs'];
    const again = [`/proc/self/fd/${stdio.length}`, '--preserve-symlinks', '--preserve-symlinks-main', NO_DEBUGGER];
    const call = [...user, ...rights, '--', ...again, `/proc/self/cwd/${basename(file)}`, ...args];
    const channels: StdioOptions = [...stdio, node];
    return spawn('setpriv', call, { cwd: dirname(file), env: { ...env }, stdio: channels, detached: true });
  } finally {
    closeSync(node);
  }
}

/** Runs a whole command as the owner of the state, and passes on what it prints and how it ends. */
export async function runAs(
  owner: StateOwner,
  { terminal, ...run }: Omit<RunAs, 'stdio'> & Pick<CommandCall, 'terminal'>,
): Promise<ExitCode> {
  const child = startAs(owner, { ...run, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout?.on('data', escaping(terminal.write));
  child.stderr?.on('data', escaping(terminal.prompt));
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, forward);
  try {
    return await exitOf(child);
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/** Rejects if setpriv cannot be run. */
export function exitOf(child: ChildProcess): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new CliError(EXIT.noPermission, 'setpriv, which makes root the user of the hub, cannot be run', cause)),
    );
    child.once('close', (code) => resolve(Object.values(EXIT).find((known) => known === code) ?? EXIT.internal));
  });
}

/** Escapes text of another process for the terminal; only line ends pass unchanged. */
export function escaping(write: (text: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  return (chunk) => write(decoder.write(chunk).split('\n').map(escapeControls).join('\n'));
}

/** The user must be able to read the program itself; folders above its own may be closed. */
function checkReadable(file: string, user: StateOwner): void {
  const [folder, program] = [statSync(dirname(file)), statSync(file)];
  const isOpen = (rightsOf(folder, user) & 0o1) !== 0 && (rightsOf(program, user) & 0o4) !== 0;
  if (isOpen) return;
  const how = `chmod -R o+rX ${dirname(file)}`;
  throw new CliError(EXIT.noPermission, `the user of the hub (${user.uid}) may not read the program: ${how}`);
}

/** The three mode bits that apply to the user; ignores supplementary groups. */
export function rightsOf(stats: { uid: number; gid: number; mode: number }, user: StateOwner): number {
  if (stats.uid === user.uid) return stats.mode >> 6;
  return stats.gid === user.gid ? stats.mode >> 3 : stats.mode;
}
