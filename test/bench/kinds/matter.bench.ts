import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { percentile } from '#test/bench/support/figure.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

/** Devices, and how many share a process: each device is a node of its own. */
const NODES = Number(process.env['NODES'] ?? 100);
const IN_PROCESS = 20;
const LATER = { timeout: 300_000, interval: 200 };

/** Of a device that joins, where the program is killed. */
const STEPS = ['found', 'attesting', 'joining', 'reading'];

let world: DeviceWorld;
const processes: Controller[] = [];

const mb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
const program = (): number =>
  world
    .hub()
    .children()
    .find(({ command }) => command.includes('matter-process'))?.pid ?? 0;
const online = async (): Promise<number> =>
  (await world.devices()).filter(({ availability }) => availability.state === 'online').length;
const isUp = async (): Promise<boolean> =>
  ((await world.ask('GET', '/integration/matter')).json as { readonly status: string }).status === 'connected';
const stepNow = async (): Promise<string | undefined> => {
  const { json } = await world.ask('GET', '/integration/matter/pairing');
  const { progress } = json as { readonly progress: readonly { readonly detail: { readonly step?: string } | null }[] };
  return progress.at(-1)?.detail?.step;
};
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** Five ends soon after a start would end the program for good, unless a person switches Matter off and on. */
const forgetEnds = async (): Promise<void> => {
  for (const enabled of [false, true]) await world.ask('PATCH', '/integration/matter', { enabled });
  await vi.waitFor(async () => {
    if (!(await isUp())) throw new Error('the program does not run');
  }, LATER);
};
/** Asks the hub until it is called, and returns what its answers took. */
function askMeanwhile(): () => Promise<readonly number[]> {
  const over = new AbortController();
  const tookMs: number[] = [];
  const asked = (async () => {
    while (!over.signal.aborted) {
      const startedMs = performance.now();
      expect((await world.ask('GET', '/integration')).status).toBe(200);
      tookMs.push(performance.now() - startedMs);
    }
  })();
  return async () => {
    over.abort();
    await asked;
    return tookMs;
  };
}
const timesOf = (took: readonly number[]): string =>
  `p50 ${percentile(took, 0.5).toFixed(0)} ms, p99 ${percentile(took, 0.99).toFixed(0)} ms, at most ${Math.max(...took).toFixed(0)} ms`;

beforeAll(async () => {
  world = await openDeviceWorld();
  for (let at = 0; at < NODES; at += IN_PROCESS) {
    processes.push(await world.startMany(at, Math.min(IN_PROCESS, NODES - at)));
  }
  await world.ask('POST', '/integration', { kind: 'matter' });
  await vi.waitFor(async () => {
    const { json } = await world.ask('GET', '/integration/matter');
    if ((json as { readonly status: string }).status !== 'connected') throw new Error('the program does not run');
  }, LATER);
}, 300_000);
afterAll(() => world.close());

test('devices join one after the other', async () => {
  const codes = (await Promise.all(processes.map(({ call }) => call('codes')))).flat() as string[];
  const before = mb(program());
  const stop = askMeanwhile();
  const tookMs: number[] = [];
  for (const code of codes) {
    const startedMs = performance.now();
    expect(await world.pair(code)).toMatchObject({ fault: null });
    tookMs.push(performance.now() - startedMs);
  }
  await expect.poll(online, LATER).toBe(NODES);
  say(`${NODES} joined: ${timesOf(tookMs)} each; the hub answers meanwhile: ${timesOf(await stop())}`);
  say(
    `the program: ${before.toFixed(0)} MB, then ${mb(program()).toFixed(0)} MB; the hub: ${mb(world.hub().pid).toFixed(0)} MB`,
  );
});

test('a program that is killed at each step leaves no half device, and each joins anew', async () => {
  const lamps = await world.startMany(NODES, STEPS.length);
  const codes = (await lamps.call('codes')) as readonly string[];
  const known = await online();
  for (const [at, step] of STEPS.entries()) {
    const { status } = await world.ask('POST', '/integration/matter/pairing', { code: codes[at] });
    expect(status).toBe(200);
    await expect.poll(stepNow, { ...LATER, interval: 5 }).toBe(step);
    process.kill(program(), 'SIGKILL');
    await expect.poll(isUp, LATER).toBe(false);
    await expect.poll(isUp, LATER).toBe(true);
    say(`killed at ${step}`);
  }
  const homes = async (): Promise<readonly number[]> => (await lamps.call('fabrics')) as readonly number[];
  const startedMs = performance.now();
  // What has not joined whole forgets this home by itself, and what has is here.
  const isWhole = async (): Promise<boolean> =>
    (await online()) - known === (await homes()).reduce((sum, one) => sum + one, 0);
  await expect.poll(isWhole, LATER).toBe(true);
  const whole = await homes();
  say(`whole after ${(performance.now() - startedMs).toFixed(0)} ms: ${JSON.stringify(whole)}`);
  for (const [at, code] of codes.entries()) {
    if (whole[at] === 1) continue;
    await expect.poll(async () => (await world.pair(code)).fault, { timeout: 300_000, interval: 2_000 }).toBeNull();
    say(`${STEPS[at]} joined anew after ${(performance.now() - startedMs).toFixed(0)} ms`);
  }
  await expect.poll(online, LATER).toBe(known + STEPS.length);
  expect(await homes()).toEqual(STEPS.map(() => 1));
});

test('all are back after the program was killed', async () => {
  const all = await online();
  await forgetEnds();
  await expect.poll(online, LATER).toBe(all);
  const stop = askMeanwhile();
  process.kill(program(), 'SIGKILL');
  await expect.poll(online, LATER).toBe(0);
  const startedMs = performance.now();
  await expect.poll(online, LATER).toBeGreaterThan(0);
  const firstMs = performance.now() - startedMs;
  await expect.poll(online, LATER).toBeGreaterThanOrEqual(all / 2);
  const halfMs = performance.now() - startedMs;
  await expect.poll(online, LATER).toBe(all);
  const allMs = performance.now() - startedMs;
  say(
    `back after a kill: the first ${firstMs.toFixed(0)} ms, half ${halfMs.toFixed(0)} ms, all ${allMs.toFixed(0)} ms`,
  );
  say(`the program: ${mb(program()).toFixed(0)} MB; the hub answers meanwhile: ${timesOf(await stop())}`);
});

test('a fifth that is away holds up nobody, and all leave at once', async () => {
  const all = await online();
  processes[0]?.kill();
  const stop = askMeanwhile();
  process.kill(program(), 'SIGKILL');
  await expect.poll(online, LATER).toBe(0);
  const startedMs = performance.now();
  await expect.poll(online, LATER).toBe(all - IN_PROCESS);
  say(
    `back without ${IN_PROCESS}: ${(performance.now() - startedMs).toFixed(0)} ms; the hub: ${timesOf(await stop())}`,
  );
  const removedMs = performance.now();
  expect((await world.ask('DELETE', '/integration/matter')).status).toBe(409);
  say(`told to leave: ${(performance.now() - removedMs).toFixed(0)} ms, ${(await world.devices()).length} stay`);
  expect(await world.devices()).toHaveLength(IN_PROCESS);
  expect((await Promise.all(processes.slice(1).map(({ call }) => call('fabrics')))).flat()).not.toContain(1);
});
