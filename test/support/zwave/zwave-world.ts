import { createZwave } from '#integrations/zwave/zwave.ts';
import { createInstanceWorld, type WorldOptions } from '#test/support/lan/instance-world.ts';
import { NETWORK_ID } from './zwave-server.ts';

/** What an instance for the server at this address gets. */
export function createZwaveWorld(host: string, given: WorldOptions = {}) {
  const settings = { host, take_rooms: true };
  const own = { id: 'zwave', kind: 'zwave', name: 'Stick', uniqueId: NETWORK_ID, settings, mayReachHub: true };
  return createInstanceWorld(own, createZwave, given);
}
