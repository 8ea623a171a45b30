import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#test/support/peers/free-port.ts';

const FOLDER = join(import.meta.dirname, 'network');
/** The driver asks each node what it is, which takes half a minute on a machine with nothing else to do. */
const READY_MS = 240_000;

export type MockNetwork = Awaited<ReturnType<typeof startMockNetwork>>;

/** Starts the real driver and server on a simulated network; `.ci/night` installs them. Keeps its state for a restart. */
export async function startMockNetwork() {
  const storage = mkdtempSync(join(tmpdir(), 'hearthd-zwave-'));
  const port = await findFreePort();
  const control = await findFreePort();
  let stop = async (_signal: NodeJS.Signals): Promise<void> => undefined;
  let send = (_signal: NodeJS.Signals): void => undefined;
  const start = async (): Promise<void> => {
    // The driver thinks for minutes that one which was killed still has them.
    for (const name of readdirSync(storage))
      if (name.endsWith('.lock')) rmSync(join(storage, name), { recursive: true });
    const places = ['--port', String(port), '--control', String(control), '--storage', storage];
    const child = spawn(process.execPath, ['mock-network.mjs', ...places], {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    send = (signal) => void child.kill(signal);
    stop = async (signal) => {
      child.kill(signal);
      await ended;
    };
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the network is not ready: ${said}`)), READY_MS);
      child.once('exit', () => reject(new Error(`the network has ended: ${said}`)));
      child.stderr.on('data', (data) => (said += String(data)));
      child.stdout.on('data', (data) => {
        said += String(data);
        if (!/^[\d.]+ s ready$/m.test(said)) return;
        clearTimeout(timer);
        resolve();
      });
    });
  };
  await start();
  return {
    host: `127.0.0.1:${port}`,
    start,
    kill: () => stop('SIGKILL'),
    /** From now on it neither hears nor says anything, and its connections stay open. */
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    /** Something happens at a node. */
    happen: async (what: string, body: object = {}): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${control}/${what}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    remove: async (): Promise<void> => {
      await stop('SIGKILL');
      rmSync(storage, { recursive: true, force: true });
    },
  };
}
