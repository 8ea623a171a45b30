import type { Runtime } from '#base/time/runtime.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Capability } from '#core/feature/vocabulary.ts';
import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';

type ReadBackDeps = Pick<Runtime, 'log' | 'startTimer'> & {
  readonly devices: ReadonlyMap<string, KnownDevice>;
  /** Whether the device has reported this feature's value meanwhile. */
  readonly hasReported: (externalId: string, key: string) => boolean;
  readonly isOffline: (externalId: string) => boolean;
  readonly ask: (device: KnownDevice, payload: string) => Promise<void>;
};

/** The features that a person may have changed while the hub was not listening. */
const WORTH_READING: ReadonlySet<Capability> = new Set<Capability>([
  'on',
  'brightness',
  'position',
  'locked',
  'target_temperature',
]);

/** States that upstream publishes at its start arrive within this time, and need no request. */
const SETTLE_MS = 1_000;
/** A radio network carries some ten messages a second, and commands come first. */
const GAP_MS = 150;

/**
 * Zigbee2MQTT publishes a state once, when it changes. So the hub asks always-listening devices for states that it may
 * have missed, because the link was down or the device not yet known.
 */
export function createReadBack(deps: ReadBackDeps) {
  const { devices, startTimer } = deps;
  const waiting = new Set<string>();
  let link: AbortController | null = null;
  let isReading = false;

  const readWaiting = async (signal: AbortSignal): Promise<void> => {
    await waitMs(SETTLE_MS, startTimer, signal);
    // The loop also reaches devices that are added while it runs.
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
    /** Up: asks all devices. Down: asks no more. */
    setLink: (isUp: boolean): void => {
      link?.abort();
      link = isUp ? new AbortController() : null;
      waiting.clear();
      if (isUp) for (const externalId of devices.keys()) waiting.add(externalId);
      start();
    },
    onDevice: (externalId: string): void => {
      if (link === null) return;
      waiting.add(externalId);
      start();
    },
  };
}

/** `null` if there is nothing to ask, or the device does not listen. */
function payloadFor(device: KnownDevice, isKnown: (key: string) => boolean): string | null {
  if (device.isBatteryPowered || device.isDisabled) return null;
  const properties = [...device.byProperty.values()]
    .filter(({ gettable, feature }) => gettable && WORTH_READING.has(feature.capability) && !isKnown(feature.key))
    .map((binding) => [binding.property, '']);
  return properties.length === 0 ? null : JSON.stringify(Object.fromEntries(properties));
}
