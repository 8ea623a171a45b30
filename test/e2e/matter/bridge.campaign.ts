import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { type BridgeWorld, openBridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';

const canRun = needs('root') && needs('ip');
let world: BridgeWorld;
let app: Controller;
let tokenId: string;
let tokenText: string;
type Listed = { readonly number: number; readonly name: string; readonly reachable: boolean };
let first: readonly Listed[];

const LAMP = 'Bedroom bedside lamp';
const LOCK = 'Front door lock';
const endpoints = async (from: Controller): Promise<readonly Listed[]> =>
  (await from.call('endpoints')) as readonly Listed[];
const command = (from: Controller, line: string, args?: object): Promise<unknown> => {
  const [name, order = ''] = line.split(': ');
  const [cluster, word] = order.split('.');
  return from.call('command', { name, cluster, command: word, args });
};
const lineOf = ({ name, number }: Listed): string => `${number} ${name}`;
const untilUp = async (): Promise<void> => {
  await expect.poll(async () => (await world.bridge()).status, SOON).toBe('connected');
};

describe.skipIf(!canRun)('the Matter bridge with controllers of other homes', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    world = await openBridgeWorld();
    app = await world.startController('first');
    const { json: rooms } = await world.ask('GET', '/room');
    const scopes = ['device:read', 'device:control', 'device:control_sensitive'];
    const { json: made } = await world.ask('POST', '/api_token', { name: 'Matter', scopes });
    const { id, token } = made as { id: string; token: string };
    [tokenId, tokenText] = [id, token];
    // The lock opens the home: it is there only because it is named.
    const expose = { rooms: (rooms as { id: string }[]).map((room) => room.id), devices: ['front-door-lock'] };
    const settings = { expose, token };
    await world.ask('POST', '/integration', { kind: 'matter_bridge', settings });
  }, 300_000);
  afterAll(() => world.close());

  test('is taken in by the number that a person types, with everything that was chosen', async () => {
    await untilUp();
    expect(await world.bridge()).toMatchObject({ error: null, fabrics: [], offering: { devices: 13, entities: 15 } });
    const code = await world.openBridge();
    expect(code).toMatch(/^\d{11}$/);
    const { remaining_s: remainingS = 0 } = (await world.bridge()).pairing ?? {};
    expect([remainingS > 0, remainingS <= 200]).toEqual([true, true]);
    await app.call('pair', { code });
    await app.call('count', { count: 15 });
    first = await endpoints(app);
    expect(new Set(first.map(({ name }) => name)).size).toBe(15);
    expect(first.find(({ name }) => name === LAMP)).toMatchObject({ reachable: true });
    await expect.poll(world.bridge, SOON).toMatchObject({ fabrics: [{ label: 'first' }] });
    expect((await world.bridge()).pairing).toBeUndefined();
  });

  test('what an app asks for is done by the device, and the app sees it once the device has reported it', async () => {
    await command(app, `${LAMP}: onOff.on`);
    await app.call('await', { name: LAMP, cluster: 'onOff', attribute: 'onOff', value: true });
    expect(await world.state('bedroom-bedside-lamp', 'on')).toBe(true);
    const level = { level: 127, transitionTime: 0, optionsMask: {}, optionsOverride: {} };
    await command(app, `${LAMP}: levelControl.moveToLevelWithOnOff`, level);
    await app.call('await', { name: LAMP, cluster: 'levelControl', attribute: 'currentLevel', value: 127 });
    expect(await world.state('bedroom-bedside-lamp', 'brightness')).toBe(50);
    await command(app, `${LOCK}: doorLock.unlockDoor`, {});
    await app.call('await', { name: LOCK, cluster: 'doorLock', attribute: 'lockState', value: 2 });
    expect(await world.state('front-door-lock', 'locked')).toBe(false);
    await app.call('write', {
      name: 'Living room thermostat',
      state: { thermostat: { occupiedHeatingSetpoint: 2250 } },
    });
    await expect.poll(() => world.state('living-room-thermostat', 'target_temperature'), SOON).toBe(22.5);
  });

  test('what changes at the device comes to the app', async () => {
    const lamp = await world.ask('POST', '/device/bedroom-bedside-lamp/command', { set: { on: false } });
    expect(lamp.status).toBeLessThan(300);
    await app.call('await', { name: LAMP, cluster: 'onOff', attribute: 'onOff', value: false });
  });

  test('the command names the app, in itself and in the audit log', async () => {
    const { json: timeline } = await world.ask('GET', '/history/timeline?device=bedroom-bedside-lamp');
    expect(timeline).toMatchObject({
      lines: expect.arrayContaining([
        expect.objectContaining({ by: expect.objectContaining({ type: 'matter', id: 'first' }) }),
      ]),
    });
    await expect
      .poll(async () => JSON.stringify((await world.ask('GET', '/audit')).json), SOON)
      .toContain('locked=false front-door-lock by matter first');
  });

  test('a device that is chosen no more goes while it runs, and comes back under its number', async () => {
    const lamp = '/device/bedroom-bedside-lamp';
    expect(await world.ask('PATCH', lamp, { room: null })).toMatchObject({ status: 200 });
    await app.call('count', { count: 14 });
    expect(await world.ask('PATCH', lamp, { room: 'bedroom' })).toMatchObject({ status: 200 });
    await app.call('count', { count: 15 });
    expect((await endpoints(app)).map(lineOf).toSorted()).toEqual(first.map(lineOf).toSorted());
  });

  test('takes another name, other devices and another token without a new start', async () => {
    const { json: rooms } = await world.ask('GET', '/room');
    const pids = (): unknown => world.hub().children();
    const before = pids();
    const expose = { rooms: (rooms as { id: string }[]).map((room) => room.id), devices: ['front-door-lock'] };
    const set = async (change: object): Promise<void> => {
      expect(await world.ask('PATCH', '/integration/matter_bridge', change)).toMatchObject({ status: 200 });
    };
    await set({ name: 'Our house' });
    await expect.poll(() => app.call('label'), SOON).toBe('Our house');
    await set({ settings: { expose: { ...expose, devices: [] } } });
    await app.call('count', { count: 14 });
    await set({ settings: { expose, token: null } });
    await app.call('count', { count: 15 });
    await expect(command(app, `${LAMP}: onOff.on`)).rejects.toThrow('code 126');
    await set({ settings: { token: tokenText } });
    await command(app, `${LAMP}: onOff.on`);
    await app.call('await', { name: LAMP, cluster: 'onOff', attribute: 'onOff', value: true });
    expect((await endpoints(app)).map(lineOf).toSorted()).toEqual(first.map(lineOf).toSorted());
    expect(pids()).toEqual(before);
  });

  test('knows the app after the program was killed', async () => {
    const pid =
      world
        .hub()
        .children()
        .find((one) => one.command.includes('matter-process'))?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await world.bridge()).error?.code, SOON).toBe('NODE_DOWN');
    await untilUp();
    expect(await world.bridge()).toMatchObject({ fabrics: [{ label: 'first' }] });
  });

  test('a second home has it too, and a person takes it away from the first', async () => {
    await untilUp();
    const code = await world.openBridge();
    const second = await world.startController('second');
    await second.call('pair', { code });
    // With its token gone, nobody commands anything any more, and the app learns it.
    expect(await world.ask('DELETE', `/api_token/${tokenId}`)).toMatchObject({ status: 204 });
    await expect(command(second, `${LAMP}: onOff.on`)).rejects.toThrow('code 126');
    await expect.poll(world.bridge, SOON).toMatchObject({ offering: { error: { code: 'INVALID_TOKEN' } } });
    await expect.poll(world.bridge, SOON).toMatchObject({ fabrics: [{ label: 'first' }, { label: 'second' }] });
    const { fabrics = [] } = await world.bridge();
    const path = `/integration/matter_bridge/fabric/${fabrics[0]?.id}`;
    expect(await world.ask('DELETE', path)).toMatchObject({ status: 204 });
    expect(await world.bridge()).toMatchObject({ fabrics: [{ label: 'second' }] });
    expect(await world.ask('DELETE', path)).toMatchObject({ status: 404 });
    const last = `/integration/matter_bridge/fabric/${fabrics[1]?.id}`;
    // An app that does not answer cannot keep it.
    second.freeze();
    expect(await world.ask('DELETE', last)).toMatchObject({ status: 204 });
    // With the last home the program begins anew, with the same numbers, and another one can join.
    await expect.poll(world.bridge, SOON).toMatchObject({ status: 'connected', fabrics: [], error: null });
    const kept = JSON.parse(readFileSync(join(world.hub().stateDir, 'matter/node.json'), 'utf8')) as { node: string };
    const { numbers } = JSON.parse(kept.node) as { numbers: Record<string, number> };
    expect(Object.values(numbers).toSorted((a, b) => a - b)).toEqual(
      first.map(({ number }) => number).toSorted((a, b) => a - b),
    );
  });

  test('nothing of it stays when it is removed', async () => {
    expect(await world.ask('DELETE', '/integration/matter_bridge')).toMatchObject({ status: 204 });
    expect(() => readFileSync(join(world.hub().stateDir, 'matter/node.json'))).toThrow('ENOENT');
    await expect.poll(() => world.hub().children().length, SOON).toBe(0);
  });
});
