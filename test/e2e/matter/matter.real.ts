import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { type DeviceWorld, openDeviceWorld } from '#test/support/matter/device-world.ts';

const canRun = needs('root') && needs('ip');
let world: DeviceWorld;

describe.skipIf(!canRun)('a Matter device in this home', () => {
  beforeAll(async () => {
    world = await openDeviceWorld();
  });
  afterAll(() => world.close());

  test('a set-up with the code of a device is done once that has joined, and obeys a command', async () => {
    const lamp = await world.startDevice('lamp', { kind: 'composed', only: ['onoff'] });
    const { manualPairingCode: code } = (await lamp.call('codes')) as { readonly manualPairingCode: string };
    const mistyped = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
    const first = await world.setUp(null, { code: mistyped });
    expect(first).toMatchObject({ status: 'running', said: [], step: { errors: [{ pointer: '/code' }] } });
    expect(await world.ask('GET', '/integration/matter')).toMatchObject({ status: 404 });
    expect(await world.setUp(first.id, { code })).toMatchObject({
      status: 'done',
      integration: { id: 'matter' },
      said: [
        'Starting Matter …',
        'Looking for the device …',
        'The device was found …',
        'Checking the device …',
        'The device joins your home …',
        'Asking the device what it can do …',
      ],
    });
    expect(await lamp.call('fabrics')).toHaveLength(1);
    await expect
      .poll(world.devices)
      .toMatchObject([{ integration: 'matter', type: 'on_off_light', availability: { state: 'online' } }]);
    const [device] = await world.devices();
    expect((await world.ask('POST', `/device/${device?.id}/command`, { set: { on: true } })).status).toBeLessThan(300);
    await expect
      .poll(async () => (await world.devices())[0]?.features.find(({ key }) => key === 'on')?.value)
      .toBe(true);
  });
});
