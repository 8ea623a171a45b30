import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { type NotifiedHub, startNotified } from '#test/support/daemon/notified-hub.ts';
import { needs } from '#test/support/machine/requires.ts';

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

/** Returns for how many seconds nothing has fed the watchdog, as far as it was asked. */
function watchSilence(hub: NotifiedHub): () => number {
  let count = -1;
  let silentMs = startStopwatch();
  return () => {
    const fed = hub.values('WATCHDOG').length;
    if (fed !== count) silentMs = startStopwatch();
    count = fed;
    return silentMs() / 1_000;
  };
}

describe.runIf(needs('python3'))('a hub with a service manager that listens', () => {
  test('systemd hears in order that the hub starts, serves, reloads and stops', async () => {
    const { hub } = await serve();
    await expect.poll(() => hub.values('READY')).toEqual(['1']);
    expect(hub.notices[0]?.message).toEqual({ STATUS: 'starting' });
    const { STATUS } = hub.notices[1]?.message ?? {};
    expect(STATUS).toMatch(
      /^(serving \d+ address(es)?|waiting for a network address), \d+ devices?, simulated-home \w+/,
    );
    expect(STATUS).toMatch(/no owner yet \(node \S*hearthd\.mjs --state-dir \S+ claim\)/);
    await expect.poll(() => hub.values('STATUS').at(-1)).toContain('simulated-home connected');

    const before = hub.notices.length;
    hub.signal('SIGHUP');
    await expect.poll(() => hub.values('READY')).toEqual(['1', '1']);
    const reloading = hub.notices.slice(before).find(({ message }) => message['RELOADING'] === '1');
    const saidS = Number(reloading?.message['MONOTONIC_USEC']) / 1e6;
    expect(saidS).toBeGreaterThan(hub.notices[before - 1]?.at ?? Infinity);
    expect(saidS).toBeLessThan(reloading?.at ?? 0);
    expect(hub.values('WATCHDOG')).toEqual([]);

    hub.signal('SIGTERM');
    expect(await hub.ended).toBe(0);
    expect(hub.notices.at(-1)?.message).toEqual({ STOPPING: '1', STATUS: 'stopping' });
  });

  test('the watchdog is fed while the hub serves, and no longer once its event loop hangs', async () => {
    const { hub } = await serve({ ...WATCHDOG, NODE_OPTIONS: trap("process.on('SIGUSR2', () => { for (;;); })") });
    await expect.poll(() => hub.values('WATCHDOG').length).toBeGreaterThan(4);
    const fed = hub.notices.filter(({ message }) => message['WATCHDOG'] !== undefined).map(({ at }) => at);
    const longestS = Math.max(...fed.slice(1).map((at, index) => at - (fed[index] ?? 0)));
    expectBelow('from one feed of the watchdog to the next, s', longestS, 2);

    hub.signal('SIGUSR2');
    await expect.poll(watchSilence(hub), { interval: 200 }).toBeGreaterThan(2.5);
  });

  test('S9: the watchdog starves once the storage thread hangs, while the hub still answers', async () => {
    const stick = `import { isMainThread } from 'node:worker_threads'; import { existsSync } from 'node:fs';
    const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (!isMainThread) setInterval(() => { if (existsSync(process.env.STICK)) wait(); }, 20);`;
    const mark = join(mkdtempSync(join(tmpdir(), 'hearthd-stick-')), 'now');
    onTestFinished(() => rmSync(join(mark, '..'), { recursive: true }));
    const { hub } = await serve({ ...WATCHDOG, NODE_OPTIONS: trap(stick), STICK: mark });
    await expect.poll(() => hub.values('WATCHDOG').length).toBeGreaterThan(2);

    writeFileSync(mark, '');
    await expect.poll(watchSilence(hub), { interval: 200 }).toBeGreaterThan(2.5);
    expect(hub.output()).toMatch(/error systemd: the hub hangs: the watchdog is no longer fed \(no answer for \d+ s\)/);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(hub.output())?.[0] ?? '';
    expect((await fetch(`${address}/api`)).status).toBe(200);
  });

  test('a bad configuration goes to the journal as an error, with exit code 78', async () => {
    const { hub } = await serve({ HEARTHD_PORT: 'eighty' });
    expect(await hub.ended).toBe(78);
    expect(hub.notices).toEqual([]);
  });
});
