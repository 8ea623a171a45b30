import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** A program that takes longer for its start, or for a whole command, hangs. */
export const HANGS_AFTER_MS = 60_000;
export const BUNDLE = join(import.meta.dirname, '../../../dist/hearthd.mjs');

export type HearthdRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type HearthdCall = {
  /** Beside PATH nothing is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly bundle?: string;
  /** The command that starts it, such as `['unshare', '--mount']`. */
  readonly through?: readonly string[];
  /** The user that it runs as; only root can choose. */
  readonly uid?: number;
};

/** Starts the shipped program in an environment of its own; the caller ends it. */
export function startHearthd(args: readonly string[], call: HearthdCall = {}): ChildProcess {
  const { env = {}, cwd, bundle = BUNDLE, through = [], uid } = call;
  const [program = '', ...rest] = [...through, process.execPath, bundle, ...args];
  return spawn(program, rest, {
    env: { PATH: process.env['PATH'], ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

/** Runs the shipped program to its end; one that hangs is killed and has no code. */
export async function runHearthd(args: readonly string[], call: HearthdCall = {}): Promise<HearthdRun> {
  const child = startHearthd(args, call);
  const deadline = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  child.stdin?.on('error', () => undefined).end(call.input ?? '');
  const [stdout, stderr, code] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ]);
  clearTimeout(deadline);
  return { code, stdout, stderr };
}

async function readAll(stream: AsyncIterable<unknown> | null): Promise<string> {
  const chunks: Buffer[] = [];
  if (stream !== null) for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
