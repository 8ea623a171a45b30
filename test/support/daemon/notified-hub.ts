import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { expect } from 'vitest';
import { BUNDLE } from './run-hearthd.ts';

const SOCKET = join(import.meta.dirname, 'notify-socket.py');

export type Notice = { readonly message: Readonly<Record<string, string>>; readonly at: number };

/** The shipped program with a service manager that listens; the caller ends it with `kill`. */
export type NotifiedHub = {
  /** Every message to the service manager so far. */
  readonly notices: readonly Notice[];
  /** Values of one field so far. */
  readonly values: (field: string) => readonly string[];
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves with its exit code, negative where a signal ended it. */
  readonly ended: Promise<number>;
  readonly kill: () => Promise<void>;
};

export async function startNotified(
  stateDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<NotifiedHub> {
  const child: ChildProcess = spawn('python3', [SOCKET, process.execPath, BUNDLE, 'serve', '--state-dir', stateDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HEARTHD_PORT: '0',
      HEARTHD_MQTT_URL: 'off',
      HEARTHD_SIMULATE: '1',
      ...env,
    },
  });
  const notices: Notice[] = [];
  let pid = 0;
  let output = '';
  let end = (_code: number): void => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  if (child.stdout === null) throw new Error('no stdout');
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as { pid?: number; ended?: number } & Partial<Notice>;
    if (line.pid !== undefined) pid = line.pid;
    if (line.ended !== undefined) end(line.ended);
    if (line.message !== undefined && line.at !== undefined) notices.push({ message: line.message, at: line.at });
  });
  await expect.poll(() => pid).toBeGreaterThan(0);
  return {
    notices,
    values: (field) => notices.flatMap(({ message }) => message[field] ?? []),
    output: () => output,
    signal: (signal) => process.kill(pid, signal),
    ended,
    kill: async () => {
      child.kill();
      await exited;
    },
  };
}
