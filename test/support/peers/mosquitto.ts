import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

export type Mosquitto = {
  readonly port: number;
  readonly url: string;
  /** Kills it; retained messages are gone. */
  readonly kill: () => Promise<void>;
  /** Starts it anew on the same port. */
  readonly start: () => Promise<void>;
  /** Halts it with its connections open, so that both ends take them for alive. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

export type MosquittoOptions = { readonly user: string; readonly password: string };

/** Debian's Mosquitto on a free port of the loopback interface, with further lines of its configuration. */
export async function startMosquitto(login?: MosquittoOptions, further: readonly string[] = []): Promise<Mosquitto> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-mosquitto-'));
  const config = join(folder, 'mosquitto.conf');
  const listener = [`listener ${port} 127.0.0.1`, ...further];
  const lines = [...listener, 'persistence false', 'max_queued_messages 10000', 'log_type none'];
  if (login === undefined) lines.push('allow_anonymous true');
  else {
    const passwords = join(folder, 'passwords');
    spawnSync('mosquitto_passwd', ['-b', '-c', passwords, login.user, login.password]);
    // As root it would drop to a user who cannot read the folder.
    lines.push('allow_anonymous false', `password_file ${passwords}`);
  }
  lines.push(`user ${process.env['USER'] ?? 'root'}`);
  writeFileSync(config, `${lines.join('\n')}\n`);
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn('mosquitto', ['-c', config], { stdio: 'ignore' });
    await untilListening(port);
  };
  const kill = async (): Promise<void> => {
    const dying = child;
    child = null;
    if (dying !== null) await endOf(dying, 'SIGKILL');
  };
  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends a child of the test and waits for it. */
export function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
    return undefined;
  });
}

const WITHIN_MS = 60_000;

export async function untilListening(port: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < WITHIN_MS; waitedMs += 50) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await wait(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}
