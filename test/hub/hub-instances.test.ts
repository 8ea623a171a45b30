import { expect, test } from 'vitest';
import type { HomeEvent } from '#core/event/event.ts';
import { lamp } from '#test/support/hub/device-home.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const UPSTAIRS = { kind: 'zigbee2mqtt', name: 'Upstairs', settings: { broker: 'mqtt', base_topic: 'upstairs' } };

test('an instance is added and removed while the hub runs, and its devices go and return with it', async () => {
  const { home } = await openWholeHub();
  const events: HomeEvent[] = [];
  home.events.subscribe((event) => void events.push(event));
  expect(await home.instances.add(UPSTAIRS)).toEqual({ id: 'zigbee2mqtt-2', isNew: true });
  const reports = home.devices.reportsOf('zigbee2mqtt-2');
  await reports.syncDevices([lamp('a'), lamp('b')]);
  const [first] = home.devices.devicesOf('zigbee2mqtt-2');
  if (first === undefined) throw new Error('it was reported');
  const { id, selector } = await home.devices.updateDevice(first.id, { ownName: 'Bed lamp' });
  expect(home.supervisor.reports().map((one) => one.id)).toEqual([
    'mqtt',
    'zigbee2mqtt',
    'simulated-home',
    'zigbee2mqtt-2',
  ]);

  await home.instances.remove('zigbee2mqtt-2', 'keep');
  expect(home.devices.devicesOf('zigbee2mqtt-2')).toEqual([]);
  expect(home.supervisor.findIntegration('zigbee2mqtt-2')).toBeUndefined();
  expect(home.devices.devicesOf('simulated-home').length).toBeGreaterThan(5);

  await home.instances.add(UPSTAIRS);
  await reports.syncDevices([lamp('a')]);
  expect(home.devices.devicesOf('zigbee2mqtt-2')).toMatchObject([{ id, selector, ownName: 'Bed lamp' }]);

  await home.instances.remove('zigbee2mqtt-2', 'remove');
  expect(await home.instances.add(UPSTAIRS)).toMatchObject({ isNew: true });
  await reports.syncDevices([lamp('a')]);
  const [again] = home.devices.devicesOf('zigbee2mqtt-2');
  expect(again).toMatchObject({ ownName: null });
  expect(again?.id).not.toBe(id);
  const changes = events.filter(({ type }) => type === 'integration.added' || type === 'integration.removed');
  expect(changes.map(({ type }) => type.slice('integration.'.length))).toEqual([
    'added',
    'removed',
    'added',
    'removed',
    'added',
  ]);
});

test('what the configuration put there is not removed; what speaks through a broker waits while that is gone', async () => {
  const { home } = await openWholeHub();
  await expect(home.instances.remove('simulated-home', 'remove')).rejects.toMatchObject({ code: 'SETTING_FIXED' });
  const given = { mayReachHub: true };
  const { id } = await home.instances.add({ kind: 'mqtt', settings: { address: 'mqtt://127.0.0.1:2' } }, given);
  const attic = { ...UPSTAIRS, settings: { broker: id, base_topic: 'attic' } };
  await home.instances.add(attic);
  expect(home.supervisor.statusOf('zigbee2mqtt-2').state).not.toBe('needs_action');
  await home.instances.remove(id, 'keep');
  expect(home.supervisor.statusOf('zigbee2mqtt-2')).toMatchObject({
    state: 'needs_action',
    error: { code: 'LINK_MISSING' },
  });
  await home.instances.change('zigbee2mqtt-2', { settings: { broker: 'mqtt' } });
  expect(home.supervisor.statusOf('zigbee2mqtt-2').state).not.toBe('needs_action');
});
