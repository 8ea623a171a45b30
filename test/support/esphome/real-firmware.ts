import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { untilListening } from '#test/support/peers/mosquitto.ts';

/** The real firmware, built for Linux by `.ci/night`: without a key, until somebody sets one. */
export const FIRMWARE = join(import.meta.dirname, 'firmware/venv/node/testnode');
export const FIRMWARE_MAC = '983569ab0001';

export type RealFirmware = Awaited<ReturnType<typeof startFirmware>>;

/** Starts a node of its own; it keeps its state in a folder of the test. */
export async function startFirmware() {
  const home = mkdtempSync(join(tmpdir(), 'hearthd-esphome-'));
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(FIRMWARE, { env: { HOME: home, NODE_PORT: String(port) }, stdio: 'ignore' });
    await untilListening(port);
  };
  const signal = (name: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
      if (name === 'SIGKILL') child.once('exit', () => resolve());
      child.kill(name);
      if (name !== 'SIGKILL') resolve();
    });
  await start();
  return {
    host: `127.0.0.1:${port}`,
    start,
    kill: () => signal('SIGKILL'),
    /** From now on it neither hears nor says anything, and its connections stay open. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    remove: async (): Promise<void> => {
      await signal('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
