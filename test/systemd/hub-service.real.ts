import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type NotifiedHub, startNotified } from '#test/support/daemon/notified-hub.ts';
import { needs } from '#test/support/machine/requires.ts';

const READY = { timeout: 15_000 };

async function serve(env: Readonly<Record<string, string>> = {}): Promise<{ hub: NotifiedHub; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const hub = await startNotified(join(folder, 'state'), env);
  onTestFinished(hub.kill);
  return { hub, folder };
}

/** Loaded into each thread of the hub before the hub: what hangs there hangs as a fault of its own would. */
const trap = (code: string): string => `--import data:text/javascript,${encodeURIComponent(code)}`;
const WATCHDOG = { WATCHDOG_USEC: '2000000' };

/** Seconds since the watchdog was fed last. */
function silenceS(hub: NotifiedHub): number {
  const last = hub.notices.findLast(({ message }) => message['WATCHDOG'] !== undefined);
  return Number(process.hrtime.bigint()) / 1e9 - (last?.at ?? 0);
}

describe.runIf(needs('python3'))('a hub with a service manager that listens', () => {
  test('systemd hears in order that the hub starts, serves, reloads and stops', async () => {
    const { hub } = await serve();
    await expect.poll(() => hub.values('READY'), READY).toEqual(['1']);
    expect(hub.notices[0]?.message).toEqual({ STATUS: 'starting' });
    const { STATUS } = hub.notices[1]?.message ?? {};
    expect(STATUS).toMatch(
      /^(serving \d+ address(es)?|waiting for a network address), \d+ devices?, simulated-home \w+/,
    );
    expect(STATUS).toMatch(/no owner yet \(node \S*hearthd\.mjs --state-dir \S+ claim\)/);
    await expect.poll(() => hub.values('STATUS').at(-1), READY).toContain('simulated-home connected');

    const before = hub.notices.length;
    hub.signal('SIGHUP');
    await expect.poll(() => hub.values('READY'), READY).toEqual(['1', '1']);
    const reloading = hub.notices.slice(before).find(({ message }) => message['RELOADING'] === '1');
    expect(Math.abs(Number(reloading?.message['MONOTONIC_USEC']) / 1e6 - (reloading?.at ?? 0))).toBeLessThan(1);
    expect(hub.values('WATCHDOG')).toEqual([]);

    hub.signal('SIGTERM');
    expect(await hub.ended).toBe(0);
    expect(hub.notices.at(-1)?.message).toEqual({ STOPPING: '1', STATUS: 'stopping' });
  });

  test(
    'the watchdog is fed while the hub serves, and no longer once its event loop hangs',
    { timeout: 60_000 },
    async () => {
      const { hub } = await serve({ ...WATCHDOG, NODE_OPTIONS: trap("process.on('SIGUSR2', () => { for (;;); })") });
      await expect.poll(() => hub.values('WATCHDOG').length, READY).toBeGreaterThan(4);
      const fed = hub.notices.filter(({ message }) => message['WATCHDOG'] !== undefined).map(({ at }) => at);
      expect(Math.max(...fed.slice(1).map((at, index) => at - (fed[index] ?? 0)))).toBeLessThan(2);

      hub.signal('SIGUSR2');
      await expect.poll(() => silenceS(hub), { timeout: 15_000, interval: 200 }).toBeGreaterThan(2.5);
    },
  );

  test(
    'S9: the watchdog starves once the storage thread hangs, while the hub still answers',
    { timeout: 60_000 },
    async () => {
      const stick = `import { isMainThread } from 'node:worker_threads'; import { existsSync } from 'node:fs';
    const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (!isMainThread) setInterval(() => { if (existsSync(process.env.STICK)) wait(); }, 20);`;
      const mark = join(mkdtempSync(join(tmpdir(), 'hearthd-stick-')), 'now');
      onTestFinished(() => rmSync(join(mark, '..'), { recursive: true }));
      const { hub } = await serve({ ...WATCHDOG, NODE_OPTIONS: trap(stick), STICK: mark });
      await expect.poll(() => hub.values('WATCHDOG').length, READY).toBeGreaterThan(2);

      writeFileSync(mark, '');
      await expect.poll(() => silenceS(hub), { timeout: 20_000, interval: 200 }).toBeGreaterThan(2.5);
      expect(hub.output()).toMatch(
        /error systemd: the hub hangs: the watchdog is no longer fed \(no answer for \d+ s\)/,
      );
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(hub.output())?.[0] ?? '';
      expect((await fetch(`${address}/api`)).status).toBe(200);
    },
  );

  test('a bad configuration goes to the journal as an error, with exit code 78', async () => {
    const { hub } = await serve({ HEARTHD_PORT: 'eighty' });
    expect(await hub.ended).toBe(78);
    expect(hub.notices).toEqual([]);
  });
});
