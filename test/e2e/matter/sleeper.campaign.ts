import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { type DeviceJson, type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
let world: DeviceWorld;
let device: Controller;

const found = async (): Promise<DeviceJson | undefined> => (await world.devices())[0];
const state = async (): Promise<string | undefined> => (await found())?.availability.state;
const root = (cluster: string): Promise<unknown> => device.call('root', { cluster });
const isOn = async (): Promise<unknown> => {
  const { onOff } = (await device.call('state', { name: 'onoff', cluster: 'onOff' })) as { readonly onOff: boolean };
  return onOff;
};
const command = async (body: object): Promise<string> => {
  const { json } = await world.ask('POST', `/device/${(await found())?.id}/command`, body);
  return (json as { readonly id: string }).id;
};
const statusOf = async (id: string): Promise<unknown> => {
  const { json } = await world.ask('GET', `/command/${id}`);
  return (json as { readonly results: readonly { readonly status: string }[] }).results[0]?.status;
};
const programPid = (): number | undefined =>
  world
    .hub()
    .children()
    .find((one) => one.command.includes('matter-process'))?.pid;

describe.skipIf(!canRun)('a Matter device with a clock and a display that sleeps', () => {
  beforeAll(async () => {
    world = await openDeviceWorld();
    device = await world.startDevice('clock', { only: ['onoff'], clock: true, sleeps: true });
  });
  afterAll(() => world.close());

  test('gets the time, zone, language and units of the home, and has them then', async () => {
    const home = { time_zone: 'Europe/Berlin', language: 'de' };
    expect(await world.ask('PATCH', '/hub', home)).toMatchObject({ status: 200 });
    const now = new Date().toISOString();
    expect(await world.ask('POST', '/hub/clock', { now })).toMatchObject({ status: 200 });
    const { manualPairingCode: code } = (await device.call('codes')) as { readonly manualPairingCode: string };
    expect(await world.setUp(null, { code })).toMatchObject({ status: 'done' });
    await expect
      .poll(() => root('timeSynchronization'), SOON)
      .toMatchObject({
        granularity: 1,
        timeZone: [{ offset: 3_600, name: 'Europe/Berlin' }],
        // Winter, then summer: it takes two.
        dstOffset: [{ offset: 0 }, { offset: 3_600 }],
      });
    const { utcTime } = (await root('timeSynchronization')) as { readonly utcTime: number };
    expect(Math.abs(utcTime / 1_000 - Date.now())).toBeLessThan(60_000);
    await expect.poll(() => root('localizationConfiguration'), SOON).toMatchObject({ activeLocale: 'de-DE' });
    await expect.poll(() => root('timeFormatLocalization'), SOON).toMatchObject({ hourFormat: 1 });
    await expect.poll(() => root('unitLocalization'), SOON).toMatchObject({ temperatureUnit: 1 });
  });

  test('sleeps once it has this home, and gets what is asked of it when it wakes, or never if that is too late', async () => {
    await expect.poll(state, SOON).toBe('asleep');
    expect(await root('icdManagement')).toMatchObject({ operatingMode: 1 });
    const late = await command({ set: { on: true }, expires_in: 1 });
    await expect.poll(() => statusOf(late), SOON).toBe('expired');
    const kept = await command({ set: { on: true }, expires_in: 60 });
    expect([await statusOf(kept), await isOn()]).toEqual(['queued', false]);
    await device.call('set', { name: 'onoff', state: { onOff: { startUpOnOff: 1 } } });
    await expect.poll(() => statusOf(kept), SOON).toBe('confirmed');
    expect(await isOn()).toBe(true);
  });

  test('is asleep, not away, after the program was killed, and is heard when it says that it wakes', async () => {
    // The library's own devices answer also while they say that they sleep.
    device.freeze();
    process.kill(programPid() ?? 0, 'SIGKILL');
    await expect.poll(state, SOON).toBe('unknown');
    await expect.poll(state, SOON).toBe('asleep');
    const kept = await command({ set: { on: false }, expires_in: 60 });
    expect(await statusOf(kept)).toBe('queued');
    device.goOn();
    await device.call('wake');
    await expect.poll(() => statusOf(kept), SOON).toBe('confirmed');
  });
});
