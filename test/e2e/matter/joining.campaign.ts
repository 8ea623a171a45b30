import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { SOON } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
const LATER = { ...SOON, timeout: 100_000 };
let world: DeviceWorld;

const codeOf = async (device: Controller): Promise<string> =>
  ((await device.call('codes')) as { readonly manualPairingCode: string }).manualPairingCode;
const lastStep = async (): Promise<unknown> => {
  const { json } = await world.ask('GET', '/integration/matter/pairing');
  return (json as { readonly progress: readonly unknown[] }).progress.at(-1);
};
const connected = async (): Promise<void> => {
  const status = async (): Promise<unknown> => (await world.ask('GET', '/integration/matter')).json;
  await expect.poll(status, SOON).toMatchObject({ status: 'connected' });
};

describe.skipIf(!canRun)('a Matter device that says nothing more while it joins', { timeout: 400_000 }, () => {
  beforeAll(async () => {
    world = await openDeviceWorld();
    await world.ask('POST', '/integration', { kind: 'matter' });
  });
  afterAll(() => world.close());

  test('is stopped at once where it has the keys and does not come back, and forgets them', async () => {
    await connected();
    const device = await world.startDevice('keys', { only: ['onoff'], freezesAt: 'keys' });
    const code = await codeOf(device);
    expect(await world.ask('POST', '/integration/matter/pairing', { code })).toMatchObject({ status: 200 });
    await expect.poll(device.isFrozen, LATER).toBe(true);
    await world.ask('DELETE', '/integration/matter/pairing');
    await expect.poll(lastStep, { timeout: 3_000 }).toMatchObject({ detail: { code: 'cancelled' } });
    device.goOn();
    await expect.poll(() => device.call('fabrics'), LATER).toEqual([]);
    expect(await world.devices()).toEqual([]);
    device.kill();
  });

  test('is in the home once it has joined, and is shown when it answers', async () => {
    await connected();
    const own = { only: ['onoff'], freezesAt: 'end', discriminator: 3500, passcode: 34_567_891 };
    const device = await world.startDevice('end', own);
    await world.ask('POST', '/integration/matter/pairing', { code: await codeOf(device) });
    await expect.poll(device.isFrozen, LATER).toBe(true);
    await expect.poll(lastStep, { ...SOON, timeout: 200_000 }).toMatchObject({ detail: { code: 'no_answer' } });
    device.goOn();
    const states = async (): Promise<unknown> => (await world.devices()).map(({ availability: { state } }) => state);
    await expect.poll(states, LATER).toEqual(['online']);
    expect(await device.call('fabrics')).toHaveLength(1);
  });
});
