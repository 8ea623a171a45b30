import { expect, test } from 'vitest';
import type { CommandRequest } from '#core/command/command-request.ts';
import { BRIGHTNESS, describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';

test('a device that sleeps gets nothing that no longer fits it when it wakes, and the reason says what does not', async () => {
  const home = await openCommandHome();
  const take = (set: CommandRequest['set']) => home.commands.accept(...home.requestFor('lamp', set), null);
  home.reports.reportAvailability('lamp', 'asleep', 'asleep');
  const commands = [take({ on: true }), take({ brightness: 80 })];
  const features = [createFeature('off'), { ...BRIGHTNESS, max: 50 }];
  await home.reports.describeDevice(describeDevice('lamp', { features }));
  home.reports.reportAvailability('lamp', 'online', null);
  await home.time.advance(0);
  expect(home.sent()).toEqual([]);
  expect(commands.flatMap(({ id }) => home.commands.findCommand(id)?.results ?? [])).toMatchObject([
    {
      status: 'failed',
      code: 'VALIDATION_FAILED',
      reason: 'The command does not fit the device.; /set/on is not a feature of this device',
    },
    {
      status: 'failed',
      code: 'VALIDATION_FAILED',
      reason: 'The command does not fit the device.; /set/brightness must be at least 0 and at most 50 percent',
    },
  ]);
  expect(commands.map(({ id }) => home.statusesOf(id))).toEqual([
    ['queued', 'failed'],
    ['queued', 'failed'],
  ]);
  take({ brightness: 40 });
  await home.time.advance(0);
  expect(home.sent()).toEqual(['lamp brightness=40']);
});

test('a toggle of the device itself that is gone when it wakes is none of its switch', async () => {
  const toggle = createFeature('toggle', { kind: 'action', valueType: 'none', readable: false });
  const home = await openCommandHome([describeDevice('lamp', { features: [createFeature('on'), toggle] })]);
  home.reports.reportAvailability('lamp', 'asleep', 'asleep');
  const { id } = home.commands.accept(...home.requestFor('lamp', 'toggle'), null);
  await home.reports.describeDevice(describeDevice('lamp', { features: [createFeature('on')] }));
  home.reports.reportAvailability('lamp', 'online', null);
  await home.time.advance(0);
  expect(home.sent()).toEqual([]);
  expect(home.commands.findCommand(id)?.results).toMatchObject([
    {
      status: 'failed',
      code: 'VALIDATION_FAILED',
      reason: 'The command does not fit the device.; /do is not an action of this device, which has toggle',
    },
  ]);
});
