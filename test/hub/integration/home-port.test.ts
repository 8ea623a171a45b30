import { expect, test } from 'vitest';
import { DIRECT } from '#core/cause/cause.ts';
import { createHomePort } from '#hub/integration/home-port.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';

test('others get a value once the device has reported it, and never what was only sent', async () => {
  const { registry, rooms, reports, report, device, takeEvents } = await openDeviceHome();
  await reports.describeDevice(lamp('0x1'));
  report('0x1', { on: false });
  const identity = { identity: () => ({ id: 'hub' }) };
  const port = createHomePort({ devices: registry, rooms, identity } as unknown as Parameters<
    typeof createHomePort
  >[0]);
  const { id } = device('0x1');
  const seen = (): unknown[] =>
    [port.findDevice(id), registry.findDevice(id)].map((one) => one?.states.get('on')?.value);
  registry.assumeValues(id, new Map([['on', true]]), DIRECT);
  expect(seen()).toEqual([false, true]);
  takeEvents();
  report('0x1', { on: true });
  expect(seen()).toEqual([true, true]);
  // By it others learn that they may look again.
  expect(takeEvents()).toEqual(['feature.changed']);
});
