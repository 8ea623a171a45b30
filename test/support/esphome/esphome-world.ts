import { createEsphome } from '#integrations/esphome/esphome.ts';
import { createInstanceWorld, type WorldOptions } from '#test/support/lan/instance-world.ts';
import { NODE_MAC } from './esphome-node.ts';

/** What an ESPHome instance at this address gets; `password` is its key. */
export function createEsphomeWorld(host: string, given: WorldOptions = {}) {
  const uniqueId = given.uniqueId ?? NODE_MAC;
  const settings = { host, mac: uniqueId, take_rooms: true };
  return createInstanceWorld(
    { id: 'esphome', kind: 'esphome', name: 'Test Node', uniqueId, settings, mayReachHub: true },
    createEsphome,
    given,
  );
}
