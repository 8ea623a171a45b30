import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBelow, residentMbOf } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { drawSeed } from '#test/support/machine/runs.ts';
import { type BridgeWorld, HUB, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { askMeanwhile } from '#test/support/matter/meanwhile.ts';

const canRun = needs('root') && needs('ip');
const NEIGHBOURS = join(import.meta.dirname, '../../support/matter/neighbours');
const GUESS = join(NEIGHBOURS, 'guess.mjs');
const GARBAGE = join(NEIGHBOURS, 'garbage.mjs');
const MESSAGES = 50_000;
const LAMP = 'Kitchen ceiling';
const FLOOD = 2_000;
/** Wrong codes; each opening of the bridge takes twenty. */
const CODES = 1_000;
const OF_OPENING = 20;

let world: BridgeWorld;
let app: Controller;
let other: Controller;

const switches = async (from: Controller, isOn: boolean): Promise<string> =>
  from.call('command', { name: LAMP, cluster: 'onOff', command: isOn ? 'on' : 'off' }).then(() => 'done', String);

describe.skipIf(!canRun)('X: a Matter bridge under a flood', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    world = await openBridgeWorld();
    app = await world.startController('first');
    await world.offer();
    await world.untilUp();
    other = await world.startController('other');
  }, 300_000);
  afterAll(() => world.close());

  test('a home that floods commands is refused as busy, others are served, and the status counts it', async () => {
    const pid = world.program();
    for (const home of [app, other]) await home.call('pair', { code: await world.openBridge() });
    for (const atOnce of [1, 16, 64]) {
      const counted = (await world.bridge()).offering;
      const stop = askMeanwhile(world.ask);
      const flooding = app.call('flood', {
        name: LAMP,
        cluster: 'onOff',
        commands: ['on', 'off'],
        count: FLOOD,
        atOnce,
      });
      // The other home has a ration of its own.
      expect(await switches(other, true)).toBe('done');
      const answers = (await flooding) as Readonly<Record<string, number>>;
      expectBelow(`slowest answer, ${atOnce} commands at once, ms`, await stop(), 2_000);
      const { done = 0, ...refusals } = answers;
      const refused = Object.values(refusals).reduce((sum, one) => sum + one, 0);
      expect(Object.keys(refusals).filter((word) => !/busy|Busy|156/.test(word))).toEqual([]);
      expect(done + refused).toBe(FLOOD);
      const { commands = 0, refused: all = 0 } = (await world.bridge()).offering ?? {};
      expect(commands - (counted?.commands ?? 0)).toBeGreaterThanOrEqual(done);
      expect(all - (counted?.refused ?? 0)).toBeGreaterThanOrEqual(refused);
      expectBelow(`memory of the program, ${atOnce} at once, MB`, residentMbOf(pid), 240);
      expectBelow(`memory of the hub, ${atOnce} at once, MB`, residentMbOf(world.hub().pid), 220);
    }
    expect(world.program()).toBe(pid);
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null });
    for (const from of [app, other]) await expect.poll(() => switches(from, true), SOON).toBe('done');
  });

  test('a thousand wrong codes let nobody in, and the right one lets one in after them', async () => {
    const pid = world.program();
    const before = residentMbOf(pid);
    const stop = askMeanwhile(world.ask);
    const sum = { refused: 0, joined: 0 };
    for (let tried = 0; tried < CODES; tried += OF_OPENING) {
      await world.openBridge();
      const ended = await world.nextEnd();
      const answers = JSON.parse(await world.runInLan(GUESS, HUB, '5540', String(OF_OPENING), '250')) as typeof sum;
      sum.refused += answers.refused;
      sum.joined += answers.joined;
      expect(await ended()).toBe('too many wrong codes came');
    }
    expect(sum).toEqual({ refused: CODES, joined: 0 });
    expectBelow('slowest answer while wrong codes come, ms', await stop(), 2_000);
    expectBelow('more memory after a thousand wrong codes, MB', residentMbOf(pid) - before, 40);
    expect(world.program()).toBe(pid);
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null });
    const late = await world.startController('late');
    await late.call('pair', { code: await world.openBridge() });
    expect(await switches(late, false)).toBe('done');
    expect((await world.bridge()).fabrics).toHaveLength(3);
  });

  test('garbage and lies of mDNS make it neither end nor grow, and homes use it meanwhile', async () => {
    const pid = world.program();
    const before = residentMbOf(pid);
    const stop = askMeanwhile(world.ask);
    const garbage = world.runInLan(GARBAGE, HUB, '5540', String(MESSAGES), String(drawSeed()));
    for (const isOn of [true, false, true]) expect(await switches(other, isOn)).toBe('done');
    await garbage;
    expectBelow('slowest answer while garbage comes, ms', await stop(), 2_000);
    expectBelow('more memory after garbage, MB', residentMbOf(pid) - before, 40);
    expect(world.program()).toBe(pid);
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: null });
    const last = await world.startController('last');
    await last.call('pair', { code: await world.openBridge() });
    expect(await switches(last, false)).toBe('done');
  });
});
