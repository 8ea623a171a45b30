import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { ClipEvent, Resource } from '#integrations/hue/clip/clip-message.ts';
import type { Inventory } from '#integrations/hue/resources/inventory.ts';
import { readName } from '#core/integration/read-name.ts';
import { memberOf } from '#integrations/hue/resources/source.ts';

/** The bridge's search for new devices, as the hub shows it. */
export type Pairing = ReturnType<typeof createPairing>;

/** How long a bridge searches. It ends by itself and cannot be ended earlier. */
const SEARCH_S = 60;
const MAX_FOUND = 100;
const NOTHING = { externalId: null, seconds: null, detail: null } as const;

export function createPairing(sink: Pick<DeviceSink, 'reportPairing'>, startTimer: StartTimer) {
  /** Devices that the bridge has found, until the hub has them. */
  const found = new Set<string>();
  let stopTimer: (() => void) | undefined;
  const close = (): void => {
    if (stopTimer === undefined) return;
    stopTimer();
    stopTimer = undefined;
    sink.reportPairing({ ...NOTHING, step: 'closed' });
  };
  return {
    opened: (): void => {
      stopTimer?.();
      found.clear();
      stopTimer = startTimer(SEARCH_S * 1000, close);
      sink.reportPairing({ ...NOTHING, step: 'opened', seconds: SEARCH_S });
    },
    onEvent: (type: ClipEvent['type'], resource: Resource): void => {
      if (stopTimer === undefined) return;
      if (type === 'update' && resource.type === 'zigbee_device_discovery' && resource['status'] === 'ready') close();
      if (type !== 'add' || resource.type !== 'device' || found.size >= MAX_FOUND || found.has(resource.id)) return;
      found.add(resource.id);
      const detail = { name: readName(memberOf(resource, 'metadata')?.['name']) };
      sink.reportPairing({ step: 'device_found', externalId: resource.id, seconds: null, detail });
    },
    /** To call after a new list of devices was taken. */
    onInventory: ({ devices }: Pick<Inventory, 'devices'>): void => {
      for (const externalId of found) {
        if (!devices.has(externalId)) continue;
        found.delete(externalId);
        sink.reportPairing({ ...NOTHING, step: 'interview_done', externalId });
      }
    },
    stop: close,
  };
}
