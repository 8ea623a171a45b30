import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectBelow, residentMbOf } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { drawSeed } from '#test/support/machine/runs.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { askMeanwhile } from '#test/support/matter/meanwhile.ts';
import { type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
/** Lamps, each a node of its own, and how many share a process; those of the last process sleep. */
const NODES = 100;
const IN_PROCESS = 20;
const SLEEPERS = IN_PROCESS;
const LATER = { timeout: 300_000, interval: 500 };
const LIES = 20_000;
const LIAR = join(import.meta.dirname, '../../support/matter/neighbours/name-liar.mjs');

let world: DeviceWorld;
const processes: Controller[] = [];

const program = (): number =>
  world
    .hub()
    .children()
    .find(({ command }) => command.includes('matter-process'))?.pid ?? 0;
const countOf = async (...states: readonly string[]): Promise<number> =>
  (await world.devices()).filter(({ availability }) => states.includes(availability.state)).length;
const statusNow = async (): Promise<readonly [string, string | null]> => {
  const { json } = await world.ask('GET', '/integration/matter');
  const { status, error } = json as { readonly status: string; readonly error: { readonly code: string } | null };
  return [status, error?.code ?? null];
};
const commandLamp = async (name: string, on: boolean): Promise<unknown> => {
  const lamp = (await world.devices()).find((device) => device.name === name);
  const { json } = await world.ask('POST', `/device/${lamp?.id}/command`, { set: { on }, expires_in: 120 });
  return (json as { readonly id: string }).id;
};
const resultOf = async (id: unknown): Promise<unknown> => {
  const { json } = await world.ask('GET', `/command/${String(id)}`);
  return (json as { readonly results: readonly { readonly status: string }[] }).results[0]?.status;
};

async function expectWell(what: string): Promise<void> {
  expect(await statusNow()).toEqual(['connected', null]);
  expectBelow(`memory of the program ${what}, MB`, residentMbOf(program()), 280);
  expectBelow(`memory of the hub ${what}, MB`, residentMbOf(world.hub().pid), 220);
}

describe.skipIf(!canRun)('a crowd of Matter devices', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    world = await openDeviceWorld();
    for (let at = 0; at < NODES; at += IN_PROCESS) {
      const isLast = at + IN_PROCESS >= NODES;
      processes.push(await world.startMany(at, IN_PROCESS, { sleeps: isLast }));
    }
    await world.ask('POST', '/integration', { kind: 'matter' });
    await vi.waitFor(async () => {
      if ((await statusNow())[0] !== 'connected') throw new Error('the program does not run');
    }, LATER);
  }, 600_000);
  afterAll(() => world.close());

  test('a hundred join, of which a fifth sleeps then, and the hub answers meanwhile', async () => {
    const codes = (await Promise.all(processes.map(({ call }) => call('codes')))).flat() as readonly string[];
    const stop = askMeanwhile(world.ask);
    const failed: unknown[] = [];
    for (const code of codes) {
      const { fault } = await world.pair(code);
      if (fault !== null) failed.push([code, fault]);
    }
    expect(failed).toEqual([]);
    expectBelow('slowest answer while a hundred join, ms', await stop(), 2_000);
    // Each is awake for some seconds from time to time, so they are hardly ever asleep all at once.
    const slept = new Set<string>();
    const countSlept = async (): Promise<number> => {
      for (const { name, availability } of await world.devices()) if (availability.state === 'asleep') slept.add(name);
      return slept.size;
    };
    await expect.poll(countSlept, LATER).toBe(SLEEPERS);
    expect(await countOf('online', 'asleep')).toBe(NODES);
    await expectWell('with a hundred devices');
  });

  test('sleepers that answer rarely get what was asked of them when they wake', async () => {
    const names = Array.from({ length: SLEEPERS }, (_, at) => `Lamp ${NODES - SLEEPERS + at + 1}`);
    const stop = askMeanwhile(world.ask);
    const kept = await Promise.all(names.map((name) => commandLamp(name, true)));
    const states = await Promise.all(kept.map(resultOf));
    expect(states.filter((one) => one === 'queued' || one === 'sent' || one === 'confirmed')).toHaveLength(SLEEPERS);
    await processes[NODES / IN_PROCESS - 1]?.call('wake');
    const results = async (): Promise<readonly unknown[]> => Promise.all(kept.map(resultOf));
    await expect.poll(results, LATER).toEqual(kept.map(() => 'confirmed'));
    expectBelow('slowest answer while twenty sleep, ms', await stop(), 2_000);
    await expectWell('after sleepers woke');
  });

  test('mDNS that says that all are elsewhere moves none, and they are used meanwhile', async () => {
    const before = residentMbOf(program());
    const stop = askMeanwhile(world.ask);
    const lies = world.runInLan(LIAR, String(LIES), String(drawSeed()));
    const used: unknown[] = [];
    for (const isOn of [false, true, false, true]) used.push(await commandLamp('Lamp 1', isOn));
    // It lies about those whose answers it heard.
    expect(Number(await lies)).toBeGreaterThanOrEqual(5);
    await expect.poll(() => resultOf(used.at(-1)), LATER).toBe('confirmed');
    expectBelow('slowest answer while names lie, ms', await stop(), 2_000);
    expectBelow('more memory after lies, MB', residentMbOf(program()) - before, 40);
    expect(await countOf('online', 'asleep')).toBe(NODES);
    await expectWell('after lies');
  });

  test('a thousand wrong codes are refused, and the right one is taken after them', async () => {
    const late = await world.startMany(NODES, 1);
    const [right = ''] = (await late.call('codes')) as readonly string[];
    const wrong = (await late.call('wrongCodes', { count: 1_000 })) as readonly string[];
    const before = residentMbOf(program());
    const stop = askMeanwhile(world.ask);
    const answers = new Map<number, number>();
    for (const code of wrong) {
      const { status } = await world.ask('POST', '/integration/matter/pairing', { code });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      await world.ask('DELETE', '/integration/matter/pairing');
    }
    expect([...answers.keys()].filter((status) => ![200, 409, 422, 429].includes(status))).toEqual([]);
    expectBelow('slowest answer while wrong codes come, ms', await stop(), 2_000);
    expectBelow('more memory after a thousand codes, MB', residentMbOf(program()) - before, 40);
    await expect.poll(async () => (await world.pair(right)).fault, { ...LATER, interval: 2_000 }).toBeNull();
    await expect.poll(() => countOf('online', 'asleep'), LATER).toBe(NODES + 1);
    await expectWell('after a thousand codes');
  });

  test('sleepers that are not heard when they should be are shown as away, and no other', async () => {
    // The library's own devices answer also while they say that they sleep; now they do not.
    processes[NODES / IN_PROCESS - 1]?.freeze();
    const stop = askMeanwhile(world.ask);
    await expect.poll(() => countOf('offline'), LATER).toBe(SLEEPERS);
    expectBelow('slowest answer while twenty are away, ms', await stop(), 2_000);
    expect(await countOf('online')).toBe(NODES + 1 - SLEEPERS);
    await expectWell('with twenty away');
  });
});
