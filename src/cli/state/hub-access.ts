import { Socket } from 'node:net';
import { systemClock } from '#base/time/clock.ts';
import { createLog } from '#base/log.ts';
import { startSystemTimer, waitMs } from '#base/time/timer.ts';
import { controlSocketPath, type Config } from '#config/config.ts';
import { askControl, connectControl } from '#control/control-client.ts';
import { serveControl } from '#control/control-server.ts';
import type { HubAdmin } from '#control/hub-admin.ts';
import type { CommandCall } from '#cli/command.ts';
import { CliError, EXIT, type ExitCode } from '#cli/exit-code.ts';
import { type Failure, failureFrom } from '#cli/failure.ts';
import { escaping, exitOf, type RunAs, startAs } from './run-as.ts';
import { findStateOwner, type StateOwner } from './state-owner.ts';

type Folders = Pick<Config, 'stateDir' | 'runtimeDir'>;
type Called = Pick<CommandCall, 'loadConfig' | 'environment' | 'place' | 'program' | 'terminal'>;
type Task<Result> = (admin: HubAdmin) => Promise<Result>;

/** Descriptor of the connection between the two processes, the same on both sides. */
const CONNECTION = 3;
const END_WITHIN_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024;

/**
 * Runs an administrator's task on the running hub, or on its state if no hub runs. Root itself touches neither: a
 * process of the hub's user does so, at the other end of a connection.
 */
export async function withHubAdmin<Result>(
  { loadConfig, environment, place, program, terminal }: Called,
  task: Task<Result>,
): Promise<Result> {
  const config = await loadConfig();
  const owner = findStateOwner(config.stateDir, place);
  if (owner === undefined) return await withOwnAdmin(config, task);
  const args = ['serve-admin', config.stateDir, config.runtimeDir];
  // Nothing else of root's environment: the hub's user might be able to read it.
  const env = { PATH: environment['PATH'] };
  return await withAdminOf(owner, { program, args, env, terminal }, task);
}

async function withOwnAdmin<Result>(folders: Folders, task: Task<Result>): Promise<Result> {
  const running = await connectControl(controlSocketPath(folders));
  if (running !== undefined) return await task(running);
  // Loaded only here: most calls go to a running hub and do not need these parts.
  const { openOfflineAdmin } = await import('./offline-admin.ts');
  const offline = await openOfflineAdmin(folders);
  try {
    return await task(offline.admin);
  } finally {
    await offline.close();
  }
}

type Helper = Pick<CommandCall, 'terminal'> & Omit<RunAs, 'stdio'>;

async function withAdminOf<Result>(
  owner: StateOwner,
  { terminal, ...run }: Helper,
  task: Task<Result>,
): Promise<Result> {
  const child = startAs(owner, { ...run, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = exitOf(child);
  // Handled where `ended` is awaited below; until then the task itself fails for lack of a process.
  ended.catch(() => undefined);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(0, MAX_OUTPUT_BYTES)));
  child.stderr?.on('data', escaping(terminal.prompt));
  const connection = child.stdio[CONNECTION] as unknown as Socket;
  // The call that is under way fails and reports it.
  connection.on('error', () => undefined);
  const [outcome] = await Promise.allSettled([task(askControl(connection))]);
  connection.end();
  const waiting = new AbortController();
  void waitMs(END_WITHIN_MS, startSystemTimer, waiting.signal).then(() => child.kill('SIGKILL'));
  const exitCode = await ended.finally(() => waiting.abort());
  // The other end explains a failure in more detail than the failed call.
  if (exitCode !== EXIT.ok && output !== '') throw new CliError(exitCode, output.trimEnd());
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/**
 * The other end, which root started as the hub's user. Serves the administrator's calls on the running hub or its state
 * until root closes the connection, and prints how the last of them failed on standard output.
 */
export async function serveAdmin({ arguments: given, terminal }: CommandCall): Promise<ExitCode> {
  const [stateDir = '', runtimeDir = ''] = given;
  const connection = new Socket({ fd: CONNECTION });
  const log = createLog({ level: 'error', write: () => undefined, journal: false, wallMs: systemClock.wallMs });
  let failure: Failure | undefined;
  const note = (error: unknown): void => void (failure = failureFrom(error));
  try {
    await withOwnAdmin({ stateDir, runtimeDir }, (admin) => serveControl(noting(admin, note), log, connection));
  } catch (error) {
    note(error);
  }
  if (failure === undefined) return EXIT.ok;
  terminal.print(failure.message);
  return failure.exitCode;
}

/** The same administrator, but notes each failure in full: the connection carries only a part of it. */
function noting(admin: HubAdmin, note: (error: unknown) => void): HubAdmin {
  const calls = Object.entries(admin as Record<string, (...given: unknown[]) => Promise<unknown>>);
  const noted = calls.map(([name, call]) => {
    const run = async (...given: unknown[]): Promise<unknown> => {
      try {
        return await call(...given);
      } catch (error) {
        note(error);
        throw error;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(noted) as HubAdmin;
}
