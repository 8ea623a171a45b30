import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { createBudget } from '#base/token-buckets.ts';
import type { Log } from '#base/log.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { MqttConnection } from '#integrations/mqtt/mqtt-connection.ts';
import type { Availability } from '#integrations/zigbee2mqtt/availability.ts';
import type { DeviceTopics } from '#integrations/zigbee2mqtt/device-topics.ts';
import type { DeviceTraffic } from '#integrations/zigbee2mqtt/device-traffic.ts';
import type { Faults } from '#integrations/zigbee2mqtt/faults.ts';
import type { Inventory, InventoryChange } from './inventory.ts';

/** Brings the sink and the subscriptions after each `bridge/devices` to the devices that are in it. */
export type InventorySync = {
  /** Takes a list; while one is being worked on, only the newest of those that come waits. */
  readonly take: (list: Buffer) => void;
  /** Whether a list ever came; working on a large one takes a slow machine its time. */
  readonly hasList: () => boolean;
  /** Resolves when nothing is being worked on. */
  readonly idle: () => Promise<void>;
};

export type InventorySyncDeps = {
  readonly sink: DeviceSink;
  readonly inventory: Inventory;
  readonly topics: DeviceTopics;
  readonly traffic: DeviceTraffic;
  readonly availability: Availability;
  readonly faults: Faults;
  readonly connection: Pick<MqttConnection, 'subscribe'>;
  readonly log: Log;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
  readonly signal: AbortSignal;
  /** A new or changed device is in the sink and its topics are asked for. */
  readonly onDevice: (externalId: string) => void;
};

/** More than these are told in one go: each call of the sink is a transaction of its own. */
const FEW = 8;
const RETRY_MS = 10_000;
/** Each change goes to the disk: lists that differ without end are taken as seldom as this asks for, the newest of them. */
const CHANGES = { burst: 10_000, perSecond: 100 };
const LOOK_AGAIN_MS = 500;
/** Devices per turn of the event loop. */
const BATCH = 250;

export function createInventorySync(deps: InventorySyncDeps): InventorySync {
  const { sink, inventory, log, signal } = deps;
  const changes = createBudget(CHANGES, deps.monotonicMs);
  let waiting: Buffer | null = null;
  let working: Promise<void> | null = null;
  let isSinkComplete = false;
  let hasList = false;

  /** False where the home has no room for them. */
  const tellSink = async ({ changed, removed }: InventoryChange): Promise<boolean> => {
    if (isSinkComplete && changed.length + removed.length <= FEW) {
      for (const externalId of removed) await sink.removeDevice(externalId);
      for (const { description } of changed) if (!(await sink.describeDevice(description))) isSinkComplete = false;
      return isSinkComplete;
    }
    isSinkComplete = false;
    isSinkComplete = await sink.syncDevices([...inventory.devices.values()].map((device) => device.description));
    return isSinkComplete;
  };

  /** A full disk must not leave the hub without its devices once there is space again. */
  const tellSinkUntilDone = async (change: InventoryChange): Promise<boolean> => {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        return await tellSink(change);
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
    const isTaken = await tellSinkUntilDone(update);
    if (signal.aborted) return;
    // Another integration was faster. What the home does not have must not count as known when the next list comes.
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
      } else await waitMs(LOOK_AGAIN_MS, deps.startTimer, signal);
    }
  };

  return {
    take: (list) => {
      hasList = true;
      waiting = list;
      working ??= work()
        .catch((cause: unknown) => log.error('the list of devices could not be taken', { cause }))
        .finally(() => {
          working = null;
        });
    },
    hasList: () => hasList,
    idle: async () => {
      await working;
    },
  };
}

/** Asks for the topics of the changed devices, some of them in each turn, and no more for those that are nobody's now. */
async function listenTo(deps: InventorySyncDeps, { changed }: InventoryChange, old: readonly string[]): Promise<void> {
  const { topics, connection, signal } = deps;
  const released = [...old, ...topics.release(changed.map((device) => device.description.externalId))];
  for (let start = 0; start < changed.length && !signal.aborted; start += BATCH) {
    const batch = changed.slice(start, start + BATCH);
    for (const device of batch) deps.availability.introduce(device);
    connection.subscribe(topics.claim(batch));
    for (const { description } of batch) deps.onDevice(description.externalId);
    await yieldToOthers();
  }
  connection.subscribe(
    [],
    released.filter((topic) => topics.find(topic) === undefined),
  );
}

/**
 * Those that the sink knows are heard by their new names at once, for saving may take long and another device may have
 * the old ones by now. The result is the old topics.
 */
function renameIn(topics: DeviceTopics, { changed, removed }: InventoryChange): readonly string[] {
  const gone = topics.release(removed);
  const old = changed.map((device) => ({ device, names: topics.release([device.description.externalId]) }));
  topics.claim(old.flatMap(({ device, names }) => (names.length > 0 ? [device] : [])));
  return [...gone, ...old.flatMap(({ names }) => names)];
}
