import { createShelly } from '#integrations/shelly/shelly.ts';
import { createInstanceWorld, type WorldOptions } from '#test/support/lan/instance-world.ts';
import { SHELLY_MAC } from './shelly-dumps.ts';

/** What a Shelly instance at this address gets. */
export function createShellyWorld(host: string, given: WorldOptions = {}) {
  const [id, name, uniqueId] = ['shelly', 'Kettle', SHELLY_MAC];
  return createInstanceWorld(
    { id, kind: id, name, uniqueId, settings: { host, sleeps: false }, mayReachHub: true },
    createShelly,
    given,
  );
}
