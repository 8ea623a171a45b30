import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBelow, residentMbOf } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';
import { type BridgeWorld, HUB, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { askMeanwhile } from '#test/support/matter/meanwhile.ts';

const SUPPORT = join(import.meta.dirname, '../../support/matter/neighbours');
const GARBAGE = join(SUPPORT, 'garbage.mjs');
const GUESS = join(SUPPORT, 'guess.mjs');
const PORT = 5540;
const LAMP = 'Kitchen ceiling';
const canRun = needs('root') && needs('ip') && needs('chip-sdk');
/** Matter closes a window after twenty. */
const WRONG = 40;

let world: BridgeWorld;
let chip: Controller;
let app: Controller;

const switchLamp = (from: Controller, isOn: boolean): Promise<unknown> =>
  from.call('command', { name: LAMP, cluster: 'onOff', command: isOn ? 'on' : 'off' });

describe.skipIf(!canRun)('X: a Matter bridge among hostile neighbours', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    world = await openBridgeWorld();
    chip = await world.startChip('chip');
    app = await world.startController('first');
    await world.offer();
    await world.untilUp();
  }, 300_000);
  afterAll(() => world.close());

  test('wrong codes open nothing, close it, and the event says why; the hub answers meanwhile', async () => {
    const openings = runs(5, 2);
    for (let opening = 0; opening < openings; opening += 1) {
      await world.openBridge();
      const ended = await world.nextEnd();
      const stop = askMeanwhile(world.ask);
      const answers = JSON.parse(await world.runInLan(GUESS, HUB, String(PORT), String(WRONG))) as object;
      expect(answers).toMatchObject({ refused: 20, joined: 0 });
      expect(await ended()).toBe('too many wrong codes came');
      expectBelow('slowest answer meanwhile, ms', await stop(), 2_000);
    }
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null, fabrics: [] });
  });

  test('of two apps that try the same code only one gets in, and the other one with the next code', async () => {
    const code = await world.openBridge();
    const ended = await world.nextEnd();
    const rival = await world.startController('rival');
    const tried = await Promise.allSettled([
      app.call('pair', { code }),
      rival.call('pair', { code, withinMs: 15_000 }),
    ]);
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ended()).toBe('another home has the bridge now');
    await expect.poll(async () => (await world.bridge()).fabrics?.length, SOON).toBe(1);
    const [own] = tried;
    if (own?.status === 'rejected') await app.call('pair', { code: await world.openBridge() });
    rival.kill();
    await expect.poll(async () => JSON.stringify((await world.bridge()).fabrics), SOON).toContain('"first"');
    await chip.call('pair', { code: await world.openBridge() });
    await expect.poll(async () => JSON.stringify((await world.bridge()).fabrics), SOON).toContain('"Home ');
  });

  test('where a home has opened the bridge itself, the event says so and nothing counts as a fault', async () => {
    await chip.call('open_window');
    const ended = await world.nextEnd();
    await world.ask('POST', '/integration/matter_bridge/pairing', { seconds: 100 });
    expect(await ended()).toBe('another home has opened the bridge itself: close that first');
    const close = (): Promise<unknown> => world.ask('DELETE', '/integration/matter_bridge/pairing');
    await close();
    await world.openBridge();
    await close();
    await expect.poll(async () => (await world.bridge()).pairing, SOON).toBeUndefined();
  });

  test('garbage and lies of mDNS make it neither end nor grow, and it is found and used afterwards', async () => {
    const pid = world.program();
    const [count, seed] = [runs(50_000, 20_000), drawSeed()].map(String) as [string, string];
    const burst = (): Promise<string> => world.runInLan(GARBAGE, HUB, String(PORT), count, seed);
    await burst();
    const before = residentMbOf(pid);
    const stop = askMeanwhile(world.ask);
    await burst();
    expectBelow('slowest answer meanwhile, ms', await stop(), 2_000);
    expectBelow(`more memory after random messages, MB (seed ${seed})`, residentMbOf(pid) - before, 24);
    expect(world.program()).toBe(pid);
    for (const isOn of [true, false]) {
      await switchLamp(app, isOn);
      await app.call('await', { name: LAMP, cluster: 'onOff', attribute: 'onOff', value: isOn });
    }
    const late = await world.startController('late');
    await late.call('pair', { code: await world.openBridge() });
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null });
  });
});
