import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { fillDisk } from '#test/support/machine/small-disk.ts';
import { type BridgeWorld, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';

const LAMP = 'Bedroom bedside lamp';
const FULL = 'STATE_NOT_KEPT';
const canRun = needs('root') && needs('ip');
const stateDir = join(mkdtempSync(join(tmpdir(), 'hearthd-full-')), 'state');
/** All that the program must remember, on a disk of its own. */
const disk = join(stateDir, 'matter');
const file = join(disk, 'node.json');
let world: BridgeWorld;
let app: Controller;
let numbers: ReadonlyMap<string, number>;

const fault = async (): Promise<string | undefined> => (await world.bridge()).error?.code;
const untilFault = async (code: string | undefined): Promise<void> => {
  await expect.poll(fault, SOON).toBe(code);
};
const labels = async (): Promise<readonly string[]> => ((await world.bridge()).fabrics ?? []).map(({ label }) => label);
const numbersOf = async (from: Controller): Promise<ReadonlyMap<string, number>> => {
  const all = (await from.call('endpoints')) as readonly { readonly name: string; readonly number: number }[];
  return new Map(all.map(({ name, number }) => [name, number]));
};
const switchLamp = async (isOn: boolean): Promise<void> => {
  await app.call('command', { name: LAMP, cluster: 'onOff', command: isOn ? 'on' : 'off' });
  await app.call('await', { name: LAMP, cluster: 'onOff', attribute: 'onOff', value: isOn });
};
const untilSwitched = async (isOn: boolean): Promise<void> => {
  await expect.poll(() => switchLamp(isOn).then(() => 'done', String), SOON).toBe('done');
};
/** What is on the disk is whole: throws where it is half written. */
const fabricsOnDisk = (): number => {
  const { sha256, node } = JSON.parse(readFileSync(file, 'utf8')) as { sha256: string; node: string };
  expect(createHash('sha256').update(node).digest('hex')).toBe(sha256);
  const { store } = JSON.parse(node) as { store: Record<string, { fabrics?: readonly unknown[] }> };
  return Object.values(store).find(({ fabrics }) => fabrics !== undefined)?.fabrics?.length ?? 0;
};
const killProgram = async (): Promise<void> => {
  process.kill(world.program(), 'SIGKILL');
  await untilFault('NODE_DOWN');
};
const ask: BridgeWorld['ask'] = (...given) => world.ask(...given);

describe.skipIf(!canRun)('the Matter bridge and its disk', () => {
  beforeAll(async () => {
    mkdirSync(disk, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'none', disk]);
    world = await openBridgeWorld({ stateDir });
    app = await world.startController('first');
    await world.offer(['front-door-lock']);
    await world.untilUp();
  });
  afterAll(async () => {
    execFileSync('umount', ['--lazy', disk]);
    await world.close();
  });

  /** The standard knows no home before its last step, after which only its label is missing. */
  test.each([
    ['GeneralCommissioning.ArmFailsafe', false],
    ['OperationalCredentials.Certificates', false],
    ['Reconnect', false],
    ['GeneralCommissioning.Complete', false],
    ['OperationalCredentials.UpdateFabricLabel', true],
  ])('a home that is before %s when the program is killed has joined: %s', async (step, hasJoined) => {
    const guest = await world.startController(`guest ${step.slice(-20)}`);
    await guest.call('pairUntil', { code: await world.openBridge(), step });
    process.kill(world.program(), 'SIGKILL');
    await expect.poll(async () => (await world.bridge()).status, SOON).not.toBe('connected');
    expect((await world.bridge()).pairing).toBeUndefined();
    guest.kill();
    // A person need not wait until the hub tries again by itself.
    for (const enabled of [false, true]) await ask('PATCH', '/integration/matter_bridge', { enabled });
    await world.untilUp();
    expect(await world.bridge()).toMatchObject({ error: null, fabrics: hasJoined ? [{}] : [] });
    expect((await world.bridge()).pairing).toBeUndefined();
    expect(fabricsOnDisk()).toBe(hasJoined ? 1 : 0);
    if (!hasJoined) return;
    const [home] = (await world.bridge()).fabrics ?? [];
    expect(await ask('DELETE', `/integration/matter_bridge/fabric/${home?.id}`)).toMatchObject({ status: 204 });
    // With its last home it begins anew.
    await expect.poll(async () => (await world.bridge()).status, SOON).not.toBe('connected');
    await world.untilUp();
  });

  test('without room nobody can join, and it says why', async () => {
    const free = fillDisk(disk);
    const ended = await world.nextEnd();
    expect(await ask('POST', '/integration/matter_bridge/pairing', { seconds: 100 })).toMatchObject({ status: 200 });
    expect(await ended()).toBe('the disk is full, so no other home can join');
    expect(await world.bridge()).toMatchObject({ status: 'connected', error: { code: FULL } });
    free();
    await untilFault(undefined);
  });

  test('a home that has its keys when the disk fills has not joined', async () => {
    const guest = await world.startController('guest');
    await guest.call('pairUntil', { code: await world.openBridge(), step: 'GeneralCommissioning.Complete' });
    const ended = await world.nextEnd();
    const free = fillDisk(disk);
    const joined = guest.call('goOn').then(() => 'joined', String);
    expect(await ended()).toBe('the disk is full, so no other home can join');
    await untilFault(FULL);
    expect(await labels()).toEqual([]);
    free();
    await untilFault(undefined);
    await expect.poll(() => world.bridge(), SOON).toMatchObject({ status: 'connected', fabrics: [] });
    expect(fabricsOnDisk()).toBe(0);
    guest.kill();
    expect(await joined).not.toBe('joined');
  });

  test('a home joins once there is room', async () => {
    await app.call('pair', { code: await world.openBridge() });
    await expect.poll(labels, SOON).toEqual(['first']);
    numbers = await numbersOf(app);
    expect([numbers.size, fabricsOnDisk()]).toEqual([15, 1]);
  });

  test('its home keeps it and uses it; what must be remembered waits for room', async () => {
    const free = fillDisk(disk);
    await switchLamp(true);
    const [home] = (await world.bridge()).fabrics ?? [];
    expect(await ask('DELETE', `/integration/matter_bridge/fabric/${home?.id}`)).toMatchObject({ status: 502 });
    await untilFault(FULL);
    expect([await labels(), fabricsOnDisk()]).toEqual([['first'], 1]);
    await killProgram();
    await world.untilUp();
    expect([await labels(), await fault()]).toEqual([['first'], FULL]);
    await untilSwitched(false);
    expect(await numbersOf(app)).toEqual(numbers);
    free();
    await untilFault(undefined);
    expect([fabricsOnDisk(), readdirSync(disk)]).toEqual([1, ['node.json']]);
    await switchLamp(true);
  });

  test('the bridge says that its file is damaged, also after a new start of the hub', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('numbers', 'numbors'));
    await killProgram();
    await untilFault('STATE_LOST');
    expect([(await world.bridge()).status, await labels(), existsSync(`${file}.damaged`)]).toEqual([
      'connected',
      [],
      true,
    ]);
    await world.restartHub('SIGTERM');
    await untilFault('STATE_LOST');
  });

  test('a home joins anew, and finds the numbers of before', async () => {
    const again = await world.startController('again');
    await again.call('pair', { code: await world.openBridge() });
    await untilFault(undefined);
    expect(await numbersOf(again)).toEqual(numbers);
  });
});
