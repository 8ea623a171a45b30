import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { type DeviceJson, type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
let world: DeviceWorld;
let bridge: Controller;
let lamp: Controller;
let codes: { readonly manualPairingCode: string; readonly qrPairingCode: string };

/** What each accessory of the test device is in the hub. */
const KINDS = {
  onoff: 'on_off_light',
  dim: 'dimmable_light',
  ct: 'color_temperature_light',
  color: 'extended_color_light',
  plug: 'on_off_plug_in_unit',
  contact: 'contact_sensor',
  temperature: 'temperature_sensor',
  humidity: 'humidity_sensor',
  light: 'light_sensor',
  occupancy: 'occupancy_sensor',
  leak: 'water_leak_detector',
  thermostat: 'thermostat',
  lock: 'door_lock',
  cover: 'window_covering',
  blind: 'window_covering',
  button: 'generic_switch',
  fan: 'fan',
} as const;
const LATER = { ...SOON, timeout: 100_000 };

const found = async (name: string): Promise<DeviceJson | undefined> =>
  (await world.devices()).find((one) => one.name === name && one.integration === 'matter');
const valueOf = async (name: string, key: string): Promise<unknown> =>
  (await found(name))?.features.find((one) => one.key === key);
const stateOf = async (name: string): Promise<string | undefined> => (await found(name))?.availability.state;
const command = async (name: string, body: object): Promise<unknown> => {
  const { id } = (await found(name)) ?? { id: 'none' };
  return (await world.ask('POST', `/device/${id}/command`, body)).status;
};
const confirmed = (value: unknown): object => ({ value, quality: 'confirmed' });
const becomes = async (name: string, key: string, value: unknown): Promise<void> => {
  await expect.poll(() => valueOf(name, key), SOON).toMatchObject(confirmed(value));
};
const programPid = (): number | undefined =>
  world
    .hub()
    .children()
    .find((one) => one.command.includes('matter-process'))?.pid;

describe.skipIf(!canRun)('Matter devices in this home', () => {
  beforeAll(async () => {
    world = await openDeviceWorld();
    bridge = await world.startDevice('bridge', { kind: 'bridge' });
    codes = (await bridge.call('codes')) as typeof codes;
  });
  afterAll(() => world.close());

  test('a set-up whose device does not join says why, and leaves nothing when it is given up', async () => {
    const other = await bridge.call('codeWith', { passcode: 12_341_234 });
    const { id, ...shown } = await world.setUp(null, { code: other });
    expect(shown).toMatchObject({
      status: 'running',
      step: {
        type: 'form',
        errors: [{ pointer: '/code', message: 'The device was found, but this is not its code.' }],
      },
    });
    expect(await world.ask('DELETE', `/integration_setup/${id}`)).toMatchObject({ status: 204 });
    expect(await world.ask('GET', '/integration/matter')).toMatchObject({ status: 404 });
    expect(() => readFileSync(join(world.hub().stateDir, 'matter/home.json'))).toThrow('ENOENT');
    await expect.poll(programPid, SOON).toBeUndefined();
  });

  // What the set-up says on its way is in matter.real.ts.
  test('a set-up with the code of a device is done once that has joined, with all that it is', async () => {
    const { manualPairingCode: plain } = codes;
    expect(await world.ask('GET', '/integration/matter')).toMatchObject({ status: 404 });
    const code = `${plain.slice(0, 4)}-${plain.slice(4, 7)}-${plain.slice(7)}`;
    expect(await world.setUp(null, { code })).toMatchObject({ status: 'done', integration: { id: 'matter' } });
    await expect.poll(async () => (await world.devices()).length, SOON).toBe(Object.keys(KINDS).length + 1);
    for (const [name, type] of Object.entries(KINDS)) {
      await expect.poll(() => found(name), SOON).toMatchObject({ type, availability: { state: 'online' } });
    }
    expect(await bridge.call('fabrics')).toHaveLength(1);
    expect(await valueOf('temperature', 'temperature')).toMatchObject(confirmed(21.5));
  });

  test('what is no code is refused with the reason, before anything is sent', async () => {
    const status = async (): Promise<unknown> => (await world.ask('GET', '/integration/matter')).json;
    await expect.poll(status, SOON).toMatchObject({ status: 'connected', error: null, pairs_by_code: true });
    const { manualPairingCode: code } = codes;
    const mistyped = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
    expect(await world.ask('POST', '/integration/matter/pairing', { code: mistyped })).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/code', message: expect.stringContaining('mistyped') }] },
    });
    expect(await world.ask('POST', '/integration/matter/pairing', { seconds: 60 })).toMatchObject({ status: 409 });
  });

  test('who did not hear the events sees how far a device is, and what became of it', async () => {
    const shown = async (): Promise<unknown> => (await world.ask('GET', '/integration/matter/pairing')).json;
    expect(await shown()).toMatchObject({ remaining_s: null, progress: [{ step: 'interview_done' }] });
    // Of no device here: that of the first one may still be heard for a while.
    const code = await bridge.call('codeWith', { discriminator: 2000 });
    expect(await world.ask('POST', '/integration/matter/pairing', { code })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ remaining_s: expect.any(Number), progress: [] });
    expect(await world.ask('DELETE', '/integration/matter/pairing')).toMatchObject({ status: 204 });
    await expect.poll(shown, SOON).toMatchObject({
      remaining_s: null,
      progress: [{ step: 'interview_failed', detail: { code: 'cancelled' } }],
    });
  });

  test('what a person asks for is done by the device, and shown once that has reported it', async () => {
    expect(await command('onoff', { set: { on: true } })).toBeLessThan(300);
    await becomes('onoff', 'on', true);
    expect(await bridge.call('state', { name: 'onoff', cluster: 'onOff' })).toMatchObject({ onOff: true });
    expect(await command('dim', { set: { brightness: 50 } })).toBeLessThan(300);
    await becomes('dim', 'brightness', 50);
    expect(await command('lock', { set: { locked: false } })).toBeLessThan(300);
    await becomes('lock', 'locked', false);
    expect(await command('thermostat', { set: { target_temperature: 22.5 } })).toBeLessThan(300);
    await becomes('thermostat', 'target_temperature', 22.5);
    expect(await command('cover', { set: { position: 50 } })).toBeLessThan(300);
    await becomes('cover', 'position', 50);
  });

  test('what changes at the device is reported, and what happens there happens', async () => {
    await bridge.call('set', { name: 'temperature', state: { temperatureMeasurement: { measuredValue: 1875 } } });
    await becomes('temperature', 'temperature', 18.75);
    await bridge.call('set', { name: 'contact', state: { booleanState: { stateValue: false } } });
    await becomes('contact', 'open', true);
    const { id } = (await found('button')) ?? { id: '' };
    await bridge.call('press', { name: 'button', times: 2 });
    const lines = async (): Promise<string> =>
      JSON.stringify((await world.ask('GET', `/history/timeline?device=${id}`)).json);
    await expect.poll(lines, SOON).toContain('double');
  });

  test('an accessory that comes or goes at a bridge does so here, while it runs', async () => {
    await bridge.call('add', { name: 'second', key: 'onoff' });
    await expect.poll(() => stateOf('second'), SOON).toBe('online');
    await bridge.call('remove', { name: 'second' });
    await expect.poll(() => found('second'), SOON).toBeUndefined();
  });

  test('after the program was killed it knows its devices, under the same ids', async () => {
    const before = (await world.devices()).map(({ id }) => id).toSorted();
    process.kill(programPid() ?? 0, 'SIGKILL');
    await expect.poll(() => stateOf('onoff'), SOON).toBe('unknown');
    await expect.poll(() => stateOf('onoff'), LATER).toBe('online');
    expect((await world.devices()).map(({ id }) => id).toSorted()).toEqual(before);
    expect(await command('onoff', { set: { on: false } })).toBeLessThan(300);
    await becomes('onoff', 'on', false);
  });

  test('a device that dies is offline, and is heard again when it is back', async () => {
    bridge.kill();
    await command('onoff', { set: { on: true } });
    await expect.poll(() => stateOf('onoff'), LATER).toBe('offline');
    bridge = await world.startDevice('bridge', { kind: 'bridge' });
    await expect.poll(() => stateOf('onoff'), LATER).toBe('online');
    expect(await command('onoff', { set: { on: true } })).toBeLessThan(300);
    await becomes('onoff', 'on', true);
  });

  test('a device is removed with its part of this home, and can join again', async () => {
    const whole = (await world.devices()).find(({ parent }) => parent === null);
    const part = await found('onoff');
    expect(await world.ask('DELETE', `/device/${part?.id}`)).toMatchObject({ status: 409 });
    expect(await world.ask('DELETE', `/device/${whole?.id}`)).toMatchObject({ status: 204 });
    await expect.poll(async () => (await world.devices()).length, SOON).toBe(0);
    // It begins anew without a home.
    await expect.poll(() => bridge.call('fabrics').catch(String), SOON).toEqual([]);
  });

  test('a device that another app shares joins as well, and both have it', async () => {
    // The app of the test tells devices apart by their codes alone.
    const own = { kind: 'bridge', only: ['plug'], discriminator: 3600, passcode: 34_567_891 };
    const shared = await world.startDevice('shared', own);
    const app = await world.startApp('other');
    await app.call('pair', { code: ((await shared.call('codes')) as typeof codes).manualPairingCode });
    expect(await world.pair(String(await app.call('open_window')))).toMatchObject({ fault: null });
    expect(await shared.call('fabrics')).toHaveLength(2);
    await expect.poll(() => stateOf('plug'), SOON).toBe('online');
    expect(await command('plug', { set: { on: true } })).toBeLessThan(300);
    await app.call('await', { name: 'plug', cluster: 'onOff', attribute: 'onOff', value: true });
    await app.call('command', { name: 'plug', cluster: 'onOff', command: 'off' });
    await becomes('plug', 'on', false);
    const whole = (await world.devices()).find(({ parent }) => parent === null);
    expect(await world.ask('DELETE', `/device/${whole?.id}`)).toMatchObject({ status: 204 });
    await expect.poll(() => shared.call('fabrics'), SOON).toEqual(['other']);
    app.kill();
  });

  test('a device that says that it is in another home and closed fails for that reason', async () => {
    const liar = await world.announceClosed(3600);
    const code = await bridge.call('codeWith', { discriminator: 3600 });
    expect(await world.pair(String(code))).toMatchObject({ fault: { code: 'in_another_home' } });
    liar.kill();
  });

  test('a device that was reset joins again as the one that it was', async () => {
    const own = { kind: 'composed', only: ['onoff'], discriminator: 3500 };
    lamp = await world.startDevice('lamp', own);
    const { manualPairingCode: code } = (await lamp.call('codes')) as typeof codes;
    expect(await world.pair(code)).toMatchObject({ fault: null });
    const before = (await world.devices())[0];
    await world.ask('PATCH', `/device/${before?.id}`, { name: 'Hall' });
    await lamp.call('reset');
    expect(await world.pair(code)).toMatchObject({ fault: null });
    expect(await world.devices()).toHaveLength(1);
    await expect.poll(() => stateOf('Hall'), LATER).toBe('online');
    expect(await found('Hall')).toMatchObject({ id: before?.id, selector: before?.selector });
    expect(await command('Hall', { set: { on: true } })).toBeLessThan(300);
    await becomes('Hall', 'on', true);
    process.kill(programPid() ?? 0, 'SIGKILL');
    await expect.poll(() => stateOf('Hall'), SOON).toBe('unknown');
    await expect.poll(() => stateOf('Hall'), LATER).toBe('online');
    expect(await world.devices()).toHaveLength(1);
  });

  test('it stays while a device has its keys and does not answer', async () => {
    lamp.freeze();
    expect(await world.ask('DELETE', '/integration/matter')).toMatchObject({
      status: 409,
      json: { code: 'DEVICE_OFFLINE', detail: expect.stringContaining('Hall') },
    });
    await expect.poll(() => stateOf('Hall'), LATER).toBe('offline');
    lamp.goOn();
    await expect.poll(() => stateOf('Hall'), LATER).toBe('online');
  });

  test('nothing of it stays when it is removed, at its devices neither', async () => {
    expect(await world.ask('DELETE', '/integration/matter')).toMatchObject({ status: 204 });
    await expect.poll(() => lamp.call('fabrics').catch(String), SOON).toEqual([]);
    expect(() => readFileSync(join(world.hub().stateDir, 'matter/home.json'))).toThrow('ENOENT');
    await expect.poll(programPid, SOON).toBeUndefined();
  });
});
