import { expect, test } from 'vitest';
import type { Device, DeviceId } from '#core/device/device.ts';
import { createBridgeCatalogue } from '#integrations/matter-bridge/bridge-catalogue.ts';
import { NO_HOME } from '#test/support/kinds/no-home.ts';
import { simulatedDevice } from '#test/support/matter/simulated-device.ts';

test('a device that found no place on a full bridge gets that of one that goes', () => {
  const lamp = simulatedDevice('hallway-ceiling');
  const devices = new Map<string, Device>();
  for (let number = 0; number < 152; number += 1) {
    const id = `lamp-${number}` as DeviceId;
    devices.set(id, { ...lamp, id });
  }
  const home = { ...NO_HOME, devices: () => [...devices.values()], findDevice: (id: string) => devices.get(id) };
  const catalogue = createBridgeCatalogue({ home, expose: { rooms: [], devices: [...devices.keys()] } });
  expect(catalogue.counts()).toEqual({ devices: 150, entities: 150, leftOut: 2 });
  const [first] = devices.values();
  if (first === undefined) throw new Error('there is none');
  devices.delete(first.id);
  expect(catalogue.take({ type: 'device.removed', device: first })).toEqual([first.id, 'lamp-150']);
  expect(catalogue.counts()).toEqual({ devices: 150, entities: 150, leftOut: 1 });
});
