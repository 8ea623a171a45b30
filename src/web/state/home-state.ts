import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  AvailabilityChangedData,
  Device,
  DeviceAddedData,
  DeviceRemovedData,
  Feature,
  FeatureChangedData,
  FeatureOccurredData,
  Room,
  RoomAddedData,
} from '#web/client/api.ts';
import type { HubEvent, Snapshot } from '#web/client/event-feed.ts';
import { isLit, lostBy, needsAttention } from '#web/state/device/device-facts.ts';
import { type Status, statusesOf } from '#web/state/device/device-status.ts';
import { hub } from '#web/strings/en/hub/hub.ts';

type Press = { readonly key: string; readonly action: string; readonly at: string };
/**
 * A person asked this of a feature, and it is not over yet; it is shown in place of the value. `sending`: the hub has
 * not answered for longer than people expect; `waiting`: until the device wakes.
 */
export type PendingValue = { readonly value: unknown; readonly stage: 'asked' | 'sending' | 'waiting' };

/** One device as the page shows it. Only what reads a signal is drawn again when it changes. */
export type DeviceEntry = {
  readonly id: string;
  readonly device: Signal<Device>;
  readonly pending: Signal<ReadonlyMap<string, PendingValue>>;
  /** Why the last command came to nothing, in words, for a while. */
  readonly fault: Signal<string | null>;
  /** Includes pending values. A signal of its own, so that a count of lights is not drawn again with each value. */
  readonly isLit: ReadonlySignal<boolean>;
  readonly needsAttention: ReadonlySignal<boolean>;
  /** Changes with what is said of the device at a glance, and not with each value. */
  readonly statuses: ReadonlySignal<readonly Status[]>;
  /** Id of the integration that has lost it. */
  readonly lostBy: ReadonlySignal<string | null>;
  /** The last press of each of its buttons since the page was opened. */
  readonly presses: Signal<ReadonlyMap<string, Press>>;
};

export type HomeState = {
  /** `false` until the first snapshot. */
  readonly isLoaded: ReadonlySignal<boolean>;
  /** By name; changes when a device comes, goes, moves or is renamed, not with values. */
  readonly entries: ReadonlySignal<readonly DeviceEntry[]>;
  readonly rooms: ReadonlySignal<readonly Room[]>;
  /** By id or selector. */
  readonly find: (idOrSelector: string) => DeviceEntry | undefined;
  readonly takeSnapshot: (snapshot: Snapshot) => void;
  readonly takeEvent: (event: HubEvent) => void;
  readonly clear: () => void;
};

type Reference = Pick<DeviceRemovedData, 'device'>;
type FeatureState = FeatureChangedData['feature'];

export function createHomeState(): HomeState {
  const byId = new Map<string, DeviceEntry>();
  const isLoaded = signal(false);
  const rooms = signal<readonly Room[]>([]);
  const structure = signal(0);
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const byName = (one: { name: string }, other: { name: string }): number => order.compare(one.name, other.name);

  const entries = computed(() => {
    void structure.value;
    return [...byId.values()].sort((one, other) => byName(one.device.peek(), other.device.peek()));
  });
  const put = (device: Device): void => {
    const known = byId.get(device.id);
    const shown = hub.device(device);
    if (known === undefined) byId.set(device.id, entryOf(shown));
    else known.device.value = shown;
    structure.value += 1;
  };
  const remove = (id: string): void => {
    if (byId.delete(id)) structure.value += 1;
  };
  const putRoom = (room: Room): void => {
    rooms.value = [...rooms.value.filter(({ id }) => id !== room.id), room].sort(byName);
    for (const { device } of byId.values()) {
      if (device.peek().room?.id === room.id) device.value = { ...device.peek(), room };
    }
    structure.value += 1;
  };
  const change = ({ device: { id } }: Reference, changed: (device: Device) => Device): void => {
    const entry = byId.get(id);
    if (entry !== undefined) entry.device.value = changed(entry.device.peek());
  };

  const take: Readonly<Record<string, (data: never) => void>> = {
    'device.added': ({ device }: DeviceAddedData) => put(device),
    'device.changed': ({ device }: DeviceAddedData) => put(device),
    'device.removed': ({ device }: DeviceRemovedData) => remove(device.id),
    'room.added': ({ room }: RoomAddedData) => putRoom(room),
    'room.changed': ({ room }: RoomAddedData) => putRoom(room),
    'room.removed': ({ room }: RoomAddedData) => {
      rooms.value = rooms.value.filter(({ id }) => id !== room.id);
    },
    'availability.changed': (data: AvailabilityChangedData) =>
      change(data, (device) => ({ ...device, availability: data.availability })),
    'feature.changed': (data: FeatureChangedData) =>
      change(data, (device) => ({ ...device, features: withState(device.features, data.feature) })),
    'feature.occurred': (data: FeatureOccurredData) => {
      const { key } = data.feature;
      const presses = byId.get(data.device.id)?.presses;
      if (presses === undefined) return;
      presses.value = new Map(presses.peek()).set(key, { key, action: data.occurrence.action, at: data.at });
    },
  };
  return {
    isLoaded,
    entries,
    rooms,
    find: (wanted) => byId.get(wanted) ?? entries.peek().find(({ device }) => device.peek().selector === wanted),
    takeSnapshot: (snapshot) =>
      batch(() => {
        const ids = new Set(snapshot.devices.map(({ id }) => id));
        for (const id of byId.keys()) if (!ids.has(id)) remove(id);
        for (const device of snapshot.devices) put(device);
        // Commands from before the gap are no longer followed: the quality of each value says how sure it is.
        for (const { pending } of byId.values()) if (pending.peek().size > 0) pending.value = new Map();
        rooms.value = [...snapshot.rooms].sort(byName);
        isLoaded.value = true;
      }),
    // Ignores event types that are newer than this page.
    takeEvent: ({ type, data }) => batch(() => take[type]?.(data as never)),
    clear: () =>
      batch(() => {
        byId.clear();
        rooms.value = [];
        isLoaded.value = false;
        structure.value += 1;
      }),
  };
}

function entryOf(first: Device): DeviceEntry {
  const device = signal(first);
  const pending = signal<ReadonlyMap<string, PendingValue>>(new Map());
  return {
    id: first.id,
    device,
    isLit: computed(() => isLit(withPending(device.value, pending.value))),
    needsAttention: computed(() => needsAttention(device.value)),
    statuses: sameList(computed(() => statusesOf(device.value))),
    lostBy: computed(() => lostBy(device.value)),
    pending,
    fault: signal<string | null>(null),
    presses: signal<ReadonlyMap<string, Press>>(new Map()),
  };
}

/** The same list as before while it has the same items. */
export function sameList<Item>(list: ReadonlySignal<readonly Item[]>): ReadonlySignal<readonly Item[]> {
  let last: readonly Item[] = [];
  return computed(() => {
    const next = list.value;
    if (next.length !== last.length || next.some((item, index) => item !== last[index])) last = next;
    return last;
  });
}

function withPending(device: Device, pending: ReadonlyMap<string, PendingValue>): Device {
  if (pending.size === 0) return device;
  const features = device.features.map((feature) => {
    const own = pending.get(feature.key);
    return own === undefined ? feature : { ...feature, value: own.value };
  });
  return { ...device, features };
}

function withState(features: readonly Feature[], state: FeatureState): readonly Feature[] {
  return features.map((feature) => (feature.key === state.key ? { ...feature, ...state } : feature));
}
