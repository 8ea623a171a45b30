import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#base/log.ts';
import type { Capability } from '#core/vocabulary.ts';
import type { KnownDevice } from './known-device.ts';

/**
 * Zigbee2MQTT says a state once, when it changes: after a gap each device that always listens is asked for it, once
 * per stretch of the link being up.
 */
export type ReadBack = {
  readonly setLink: (isUp: boolean) => void;
  /** The list of devices is known. */
  readonly onDevices: () => void;
};

export type ReadBackDeps = {
  readonly devices: ReadonlyMap<string, KnownDevice>;
  /** Whether the device has told its state by now, or cannot. */
  readonly isKnown: (externalId: string) => boolean;
  readonly ask: (device: KnownDevice, payload: string) => Promise<void>;
  readonly log: Log;
};

/** What somebody may have switched while the hub was not listening. */
const WORTH_READING: ReadonlySet<Capability> = new Set<Capability>([
  'on',
  'brightness',
  'position',
  'locked',
  'target_temperature',
]);

/** States that the broker keeps arrive within this time and need no question. */
const SETTLE_MS = 1_000;
/** A radio network carries some ten messages a second; commands come first. */
const GAP_MS = 150;

export function createReadBack({ devices, isKnown, ask, log }: ReadBackDeps): ReadBack {
  let isUp = false;
  let hasDevices = false;
  let round: AbortController | null = null;

  const readAll = async (signal: AbortSignal): Promise<void> => {
    await wait(SETTLE_MS, undefined, { signal });
    for (const [externalId, device] of devices) {
      if (device.isBatteryPowered || device.isDisabled || isKnown(externalId)) continue;
      const properties = [...device.byProperty.values()]
        .filter((binding) => binding.gettable && WORTH_READING.has(binding.feature.capability))
        .map((binding) => [binding.property, '']);
      if (properties.length === 0) continue;
      await ask(device, JSON.stringify(Object.fromEntries(properties)));
      await wait(GAP_MS, undefined, { signal });
    }
  };
  const start = (): void => {
    if (round !== null || !isUp || !hasDevices) return;
    round = new AbortController();
    readAll(round.signal).catch((cause: unknown) => log.debug('reading states was interrupted', { cause }));
  };

  return {
    setLink: (up) => {
      isUp = up;
      if (up) return start();
      hasDevices = false;
      round?.abort();
      round = null;
    },
    onDevices: () => {
      hasDevices = true;
      start();
    },
  };
}
