import type { Log } from '#base/log.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';

/**
 * Zigbee2MQTT says a state once, when it changes: devices that always listen are asked for what was said while the hub
 * could not hear it, because the link was down or the device not yet known.
 */
export type ReadBack = {
  /** Up: all devices are asked. Down: none any more. */
  readonly setLink: (isUp: boolean) => void;
  /** The device is new. */
  readonly onDevice: (externalId: string) => void;
};

export type ReadBackDeps = {
  readonly devices: ReadonlyMap<string, KnownDevice>;
  /** Whether the device has told this feature's value by now. */
  readonly hasReported: (externalId: string, key: string) => boolean;
  readonly isOffline: (externalId: string) => boolean;
  readonly ask: (device: KnownDevice, payload: string) => Promise<void>;
  readonly log: Log;
  readonly startTimer: StartTimer;
};

/** What somebody may have switched while the hub was not listening. */
const WORTH_READING: ReadonlySet<Capability> = new Set<Capability>([
  'on',
  'brightness',
  'position',
  'locked',
  'target_temperature',
]);

/** What upstream says by itself at its start arrives within this time and needs no question. */
const SETTLE_MS = 1_000;
/** A radio network carries some ten messages a second; commands come first. */
const GAP_MS = 150;

export function createReadBack(deps: ReadBackDeps): ReadBack {
  const { devices, startTimer } = deps;
  const waiting = new Set<string>();
  let link: AbortController | null = null;
  let isReading = false;

  const readWaiting = async (signal: AbortSignal): Promise<void> => {
    await waitMs(SETTLE_MS, startTimer, signal);
    // What is added meanwhile is walked over in the end.
    for (const externalId of waiting) {
      if (signal.aborted) return;
      waiting.delete(externalId);
      const device = devices.get(externalId);
      if (device === undefined || deps.isOffline(externalId)) continue;
      const payload = payloadFor(device, (key) => deps.hasReported(externalId, key));
      if (payload === null) continue;
      await deps.ask(device, payload);
      await waitMs(GAP_MS, startTimer, signal);
    }
  };

  const start = (): void => {
    if (link === null || isReading || waiting.size === 0) return;
    const { signal } = link;
    isReading = true;
    readWaiting(signal)
      .catch((cause: unknown) => deps.log.debug('reading states was interrupted', { cause }))
      .finally(() => {
        isReading = false;
        start();
      });
  };

  return {
    setLink: (isUp) => {
      link?.abort();
      link = isUp ? new AbortController() : null;
      waiting.clear();
      if (isUp) for (const externalId of devices.keys()) waiting.add(externalId);
      start();
    },
    onDevice: (externalId) => {
      if (link === null) return;
      waiting.add(externalId);
      start();
    },
  };
}

/** `null` where there is nothing to ask, or nobody listening. */
function payloadFor(device: KnownDevice, isKnown: (key: string) => boolean): string | null {
  if (device.isBatteryPowered || device.isDisabled) return null;
  const properties = [...device.byProperty.values()]
    .filter(({ gettable, feature }) => gettable && WORTH_READING.has(feature.capability) && !isKnown(feature.key))
    .map((binding) => [binding.property, '']);
  return properties.length === 0 ? null : JSON.stringify(Object.fromEntries(properties));
}
