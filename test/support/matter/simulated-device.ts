import type { JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';

/** A device of the simulated home with what it says at first, and these values. */
export function simulatedDevice(externalId: string, values: Readonly<Record<string, JsonValue>> = {}): Device {
  const found = INVENTORY.find(({ description }) => description.externalId === externalId);
  if (found === undefined) throw new Error(`there is no ${externalId}`);
  const all = [...found.initial, ...Object.entries(values)];
  return {
    ...found.description,
    id: `0198f1c2-7d6e-7000-8000-${externalId.padEnd(12, '0').slice(0, 12)}` as Device['id'],
    selector: externalId,
    integration: 'simulated-home',
    ownName: null,
    roomId: null,
    availability: { state: 'online', sinceMs: 0, lastSeenAtMs: 0, reason: null },
    states: new Map(
      all.map(([key, value]) => [key, { value, quality: 'confirmed', observedAtMs: 1, changedAtMs: 1 }] as const),
    ),
    revision: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}
