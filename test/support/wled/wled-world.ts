import { createWled } from '#integrations/wled/wled.ts';
import { createInstanceWorld, type WorldOptions } from '#test/support/lan/instance-world.ts';
import { WLED_MAC } from './wled-light.ts';

/** What a WLED instance at this address gets. */
export function createWledWorld(host: string, given: WorldOptions = {}) {
  const own = { id: 'wled', kind: 'wled', name: 'Shelf', uniqueId: WLED_MAC, settings: { host }, mayReachHub: true };
  return createInstanceWorld(own, createWled, given);
}
