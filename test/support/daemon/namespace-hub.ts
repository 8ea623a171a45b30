import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Namespace } from '#test/support/machine/namespaces.ts';
import { BUNDLE, HANGS_AFTER_MS } from './run-hearthd.ts';

export const HUB_PORT = 8080;
const REACH = join(import.meta.dirname, 'reach.mjs');

/** The shipped program in a network namespace. */
export type NamespaceHub = {
  readonly pid: number;
  readonly stateDir: string;
  readonly readyLine: string;
  /** As the console shows it. */
  readonly claimCode: string;
  readonly log: () => string;
  /** Local addresses of all its listening sockets, as the kernel has them. */
  readonly listening: () => readonly string[];
  /** The programs that it has started. */
  readonly children: () => readonly { readonly pid: number; readonly command: string }[];
  /** Makes it look at the network now. */
  readonly reload: () => void;
  /** Ends it and keeps its state for another one. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Ends it as systemd would; rejects unless it ends well. */
  readonly stop: () => Promise<void>;
};

export type NamespaceHubPlace = {
  /** Its state: that of one that has ended, or an empty folder. */
  readonly stateDir?: string;
  /** Another program than that of the build. */
  readonly bundle?: string;
};

/** Starts it and waits until it says that it is ready. */
export async function startNamespaceHub(
  space: Namespace,
  env: Readonly<Record<string, string>>,
  place: NamespaceHubPlace = {},
): Promise<NamespaceHub> {
  const stateDir = place.stateDir ?? join(mkdtempSync(join(tmpdir(), 'hearthd-net-')), 'state');
  const folder = dirname(stateDir);
  const child = space.start(process.execPath, [place.bundle ?? BUNDLE, 'serve', '--state-dir', stateDir], {
    HEARTHD_PORT: String(HUB_PORT),
    HEARTHD_MQTT_URL: 'off',
    HEARTHD_SIMULATE: '0',
    HEARTHD_LOG: 'info',
    ...env,
  });
  let stdout = '';
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (/ is ready.*\n/.test(stdout)) resolve();
    });
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const deadline = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  await Promise.race([ready, exited]);
  clearTimeout(deadline);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const code = await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (code !== 0) throw new Error(`the hub ended with ${code}: ${stdout}${stderr}`);
  };
  const readyLine = /.* is ready.*/.exec(stdout)?.[0];
  if (readyLine === undefined) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`the hub did not start: ${stdout}${stderr}`);
  }
  return {
    pid: child.pid ?? 0,
    stateDir,
    readyLine,
    claimCode: /Claim code: (\S+)/.exec(stdout)?.[1] ?? '',
    log: () => stderr,
    listening: () =>
      space
        .run('ss', ['-Hltn'])
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (line.split(/\s+/)[3] ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]/, '$1')),
    children: () => {
      const { pid = 0 } = child;
      const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
      return ids.map((id) => ({ pid: Number(id), command: readFileSync(`/proc/${id}/cmdline`, 'utf8') }));
    },
    reload: () => void child.kill('SIGHUP'),
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
    stop,
  };
}

/** The result of a request to the hub at each of these hosts from this namespace: `served`, or why not. */
export function reachFrom(space: Namespace, ...hosts: readonly string[]): Record<string, string> {
  return JSON.parse(space.run(process.execPath, [REACH, String(HUB_PORT), ...hosts])) as Record<string, string>;
}
