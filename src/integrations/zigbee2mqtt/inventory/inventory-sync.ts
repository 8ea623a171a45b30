import type { Runtime } from '#base/time/runtime.ts';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { createBudget } from '#base/token-buckets.ts';
import { waitMs } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { MqttLink } from '#integrations/ports.ts';
import type { Availability } from '#integrations/zigbee2mqtt/availability.ts';
import type { DeviceTopics } from '#integrations/zigbee2mqtt/device-topics.ts';
import type { DeviceTraffic } from '#integrations/zigbee2mqtt/device-traffic.ts';
import type { Faults } from '#integrations/zigbee2mqtt/faults.ts';
import type { Inventory, InventoryChange } from './inventory.ts';

/** Updates the sink and the subscriptions to the devices of each `bridge/devices`. */
export type InventorySync = ReturnType<typeof createInventorySync>;

type InventorySyncDeps = Pick<Runtime, 'log' | 'startTimer' | 'monotonicMs'> & {
  readonly sink: DeviceSink;
  readonly inventory: Inventory;
  readonly topics: DeviceTopics;
  readonly traffic: DeviceTraffic;
  readonly availability: Availability;
  readonly faults: Faults;
  readonly link: Pick<MqttLink, 'subscribe'>;
  readonly signal: AbortSignal;
  /** Called when a new or changed device is in the sink and its topics are subscribed. */
  readonly onDevice: (externalId: string) => void;
};

/** Above this number the whole list goes to the sink in one call, because each call is a transaction. */
const FEW = 8;
const RETRY_MS = 10_000;
/** Each change is written to disk, so lists that keep changing are taken at this rate, always the newest. */
const CHANGES = { burst: 10_000, perSecond: 100 };
const RECHECK_MS = 500;
/** Devices per turn of the event loop. */
const BATCH = 50;

export function createInventorySync(deps: InventorySyncDeps) {
  const { sink, inventory, log, signal } = deps;
  const changes = createBudget(CHANGES, deps.monotonicMs);
  let waiting: Buffer | null = null;
  let working: Promise<void> | null = null;
  let isSinkComplete = false;
  let hasList = false;

  /** False if the home has no room for them. */
  const updateSink = async ({ changed, removed }: InventoryChange): Promise<boolean> => {
    if (isSinkComplete && changed.length + removed.length <= FEW) {
      for (const externalId of removed) await sink.removeDevice(externalId);
      for (const { description } of changed) if (!(await sink.describeDevice(description))) isSinkComplete = false;
      return isSinkComplete;
    }
    isSinkComplete = false;
    isSinkComplete = await sink.syncDevices([...inventory.devices.values()].map((device) => device.description));
    return isSinkComplete;
  };

  /** Retries, so that after a full disk the hub gets its devices once there is space again. */
  const updateSinkUntilDone = async (change: InventoryChange): Promise<boolean> => {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        return await updateSink(change);
      } catch (cause) {
        if (tries === 1) log.error('the devices could not be saved, trying again', { cause });
        isSinkComplete = false;
        await waitMs(RETRY_MS, deps.startTimer, signal);
      }
    }
    return false;
  };

  const apply = async (list: Buffer): Promise<void> => {
    const update = await inventory.update(list, await sink.openList());
    if (update === 'too_much') return;
    if ('refusal' in update) return deps.faults.note('bridge/devices', update.refusal);
    for (const fault of update.faults) deps.faults.note(`bridge/devices ${fault}`, 'an entry cannot be read');
    for (const id of update.tooLarge)
      deps.faults.note(id, 'its description is too large: it is shown without features');
    changes.spend(update.changed.length + update.removed.length);
    const released = renameIn(deps.topics, update);
    await yieldToOthers();
    const isTaken = await updateSinkUntilDone(update);
    if (signal.aborted) return;
    // Another integration took the room meanwhile. Devices that the home lacks must be new again in the next list.
    if (!isTaken) return inventory.forget();
    for (const externalId of update.removed) {
      deps.availability.forget(externalId);
      deps.traffic.forget(externalId);
    }
    await listenTo(deps, update, released);
  };

  const work = async (): Promise<void> => {
    while (waiting !== null && !signal.aborted) {
      if (changes.isLeft()) {
        const list = waiting;
        waiting = null;
        await apply(list);
      } else await waitMs(RECHECK_MS, deps.startTimer, signal);
    }
  };

  return {
    /** Takes a list. While one is being processed, only the newest of the further ones waits. */
    take: (list: Buffer): void => {
      hasList = true;
      waiting = list;
      working ??= work()
        .catch((cause: unknown) => log.error('processing the list of devices failed', { cause }))
        .finally(() => {
          working = null;
        });
    },
    /** Whether a list has ever come, even if it is still being processed. */
    hasList: (): boolean => hasList,
    /** Resolves when no list is being processed. */
    idle: async (): Promise<void> => {
      await working;
    },
  };
}

/**
 * Subscribes to the topics of the changed devices, in batches, and unsubscribes from topics that have no device now.
 */
async function listenTo(deps: InventorySyncDeps, { changed }: InventoryChange, old: readonly string[]): Promise<void> {
  const { topics, link, signal } = deps;
  const released = [...old, ...topics.release(changed.map((device) => device.description.externalId))];
  for (let start = 0; start < changed.length && !signal.aborted; start += BATCH) {
    const batch = changed.slice(start, start + BATCH);
    for (const device of batch) deps.availability.introduce(device);
    link.subscribe(topics.claim(batch));
    for (const { description } of batch) deps.onDevice(description.externalId);
    await yieldToOthers();
  }
  link.subscribe(
    [],
    released.filter((topic) => topics.find(topic) === undefined),
  );
}

/**
 * Moves devices that the sink knows to their new topics at once, because saving may take long and another device may
 * already have the old name. Returns the old topics.
 */
function renameIn(topics: DeviceTopics, { changed, removed }: InventoryChange): readonly string[] {
  const gone = topics.release(removed);
  const old = changed.map((device) => ({ device, names: topics.release([device.description.externalId]) }));
  topics.claim(old.flatMap(({ device, names }) => (names.length > 0 ? [device] : [])));
  return [...gone, ...old.flatMap(({ names }) => names)];
}
