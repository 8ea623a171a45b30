import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { Device, DeviceId, DeviceRecord } from './device.ts';
import type { RoomId } from '#core/room/room.ts';
import { createDeviceOrder } from './device-order.ts';
import type { Feature, FeatureState } from '#core/feature/feature.ts';

/** `observed`: only `last_seen_at` or `observed_at` changed. `moved`: the name changed, and so the device's place. */
export type DeviceChangeKind = 'added' | 'changed' | 'moved' | 'removed' | 'observed';

/** A device in the registry, which changes it in place, so that a report costs the same in a home of any size. */
export type DeviceEntry = { -readonly [Field in keyof Omit<Device, 'states'>]: Device[Field] } & {
  readonly states: Map<string, FeatureState>;
  featuresByKey: ReadonlyMap<string, Feature>;
};

/** The visible devices and their indexes, the records of the hidden devices, and the subscribers to changes. */
export type DeviceTable = ReturnType<typeof createDeviceTable>;

export function createDeviceTable(log: Log) {
  const byId = new Map<string, DeviceEntry>();
  const bySelector = new Map<string, DeviceEntry>();
  const byIntegration = new Map<string, Map<string, DeviceEntry>>();
  const removed = new Map<string, DeviceRecord>();
  const order = createDeviceOrder();
  const subscribers = createSubscribers<[kind: DeviceChangeKind, device: Device]>(log);
  let version = 0;

  const changed = (entry: DeviceEntry, kind: DeviceChangeKind): void => {
    if (kind !== 'observed') version += 1;
    subscribers.tell(kind, entry);
  };
  const externalOf = (integration: string): Map<string, DeviceEntry> => {
    const known = byIntegration.get(integration) ?? new Map<string, DeviceEntry>();
    byIntegration.set(integration, known);
    return known;
  };
  const findExternal = (integration: string, externalId: string): DeviceEntry | undefined =>
    byIntegration.get(integration)?.get(externalId);
  return {
    devices: order.devices,
    /** The same devices, in no order. */
    entries: (): Iterable<DeviceEntry> => byId.values(),
    find: (idOrSelector: string): DeviceEntry | undefined => byId.get(idOrSelector) ?? bySelector.get(idOrSelector),
    /** Does nothing where there is no such device. */
    use: (id: DeviceId, task: (entry: DeviceEntry) => void): void => {
      const entry = byId.get(id);
      if (entry !== undefined) task(entry);
    },
    findExternal,
    parents: createParentLinks(findExternal),
    findRemoved: (integration: string, externalId: string): DeviceRecord | undefined =>
      removed.get(identityKey(integration, externalId)),
    removedCount: (): number => removed.size,
    /** The hidden devices that would return into this room. */
    removedIn: (roomId: RoomId): readonly DeviceRecord[] =>
      [...removed.values()].filter((record) => record.roomId === roomId),
    ofIntegration: (integration: string): readonly DeviceEntry[] => [...externalOf(integration).values()],
    addAll: (entries: readonly DeviceEntry[]): void => {
      for (const entry of entries) {
        byId.set(entry.id, entry);
        bySelector.set(entry.selector, entry);
        externalOf(entry.integration).set(entry.externalId, entry);
        removed.delete(identityKey(entry.integration, entry.externalId));
      }
      order.addAll(entries);
      for (const entry of entries) changed(entry, 'added');
    },
    /** Hides the device and keeps this record for its return. */
    hide: (entry: DeviceEntry, record: DeviceRecord): void => {
      byId.delete(entry.id);
      bySelector.delete(entry.selector);
      externalOf(entry.integration).delete(entry.externalId);
      removed.set(identityKey(entry.integration, entry.externalId), record);
      order.remove(entry);
      changed(entry, 'removed');
    },
    /** Adds the record of a device that an earlier run removed, or replaces the record of a hidden device. */
    addRemoved: (record: DeviceRecord): void =>
      void removed.set(identityKey(record.integration, record.externalId), record),
    /** Drops the records of these hidden devices and returns their selectors. */
    dropRemoved: (ids: readonly DeviceId[]): readonly string[] => {
      const dropped = new Set(ids);
      const records = [...removed].filter(([, record]) => dropped.has(record.id));
      for (const [key] of records) removed.delete(key);
      return records.map(([, record]) => record.selector);
    },
    place: order.place,
    changed,
    version: (): number => version,
    onChange: subscribers.add,
  };
}

function identityKey(integration: string, externalId: string): string {
  return `${integration}\n${externalId}`;
}

/** An entry for a record, without values; the caller adds them. */
export function entryFromRecord(record: DeviceRecord, availability: Device['availability']): DeviceEntry {
  const { removedAtMs: _, ...device } = record;
  return { ...device, availability, states: new Map(), featuresByKey: featuresByKey(device.features) };
}

/** The record kept for a hidden device. It has no features, because a device that returns describes itself anew. */
export function hiddenRecord(record: DeviceRecord, removedAtMs: number): DeviceRecord {
  return { ...record, features: [], removedAtMs };
}

export function recordFromEntry(entry: DeviceEntry): DeviceRecord {
  const { availability: _, states: __, featuresByKey: ___, parentId: ____, ...device } = entry;
  return { ...device, removedAtMs: null };
}

export function featuresByKey(features: readonly Feature[]): ReadonlyMap<string, Feature> {
  return new Map(features.map((feature) => [feature.key, feature]));
}

type Child = Pick<Device, 'id' | 'integration' | 'externalId' | 'parentExternalId'> & {
  parentId?: Device['id'] | null;
};

/**
 * Keeps the parent of each visible device: the bridge that reaches it, or the board that it is a part of. A parent that
 * is not there yet, or not any more, shows as none.
 */
type ParentLinks<Entry> = {
  /** To call after a device was added or its description changed. Returns the others whose parent changed by it. */
  readonly attach: (entry: Entry) => readonly Entry[];
  /** To call after a device was hidden. Returns the others whose parent changed by it. */
  readonly detach: (entry: Entry) => readonly Entry[];
};

/** A device deeper than this shows no parent. So neither does one in a circle of parents, which has no end. */
const MAX_DEPTH = 8;

function createParentLinks<Entry extends Child>(
  findExternal: (integration: string, externalId: string) => Entry | undefined,
): ParentLinks<Entry> {
  /** By the identity of the parent, which need not be there. */
  const children = new Map<string, Set<Entry>>();
  const keys = new WeakMap<Entry, string>();

  const parentOf = ({ integration, parentExternalId }: Entry): Entry | undefined =>
    typeof parentExternalId === 'string' ? findExternal(integration, parentExternalId) : undefined;
  const isTooDeep = (entry: Entry): boolean => {
    let depth = 0;
    for (let up = parentOf(entry); up !== undefined; up = parentOf(up)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    }
    return false;
  };
  const unlink = (entry: Entry): void => {
    const key = keys.get(entry);
    if (key === undefined) return;
    keys.delete(entry);
    const siblings = children.get(key);
    siblings?.delete(entry);
    if (siblings?.size === 0) children.delete(key);
  };
  const link = (entry: Entry): void => {
    unlink(entry);
    if (typeof entry.parentExternalId !== 'string') return;
    const key = keyOf(entry.integration, entry.parentExternalId);
    const siblings = children.get(key) ?? new Set();
    children.set(key, siblings.add(entry));
    keys.set(entry, key);
  };
  /** The devices below this one, as deep as its depth matters to them. */
  const below = (entry: Entry): ReadonlySet<Entry> => {
    const found = new Set<Entry>();
    let level: readonly Entry[] = [entry];
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      const next = level.flatMap((one) => [...(children.get(keyOf(one.integration, one.externalId)) ?? [])]);
      level = next.filter((one) => !found.has(one));
      for (const one of level) found.add(one);
    }
    return found;
  };
  const renew = (entry: Entry): boolean => {
    const parentId = isTooDeep(entry) ? null : (parentOf(entry)?.id ?? null);
    if ((entry.parentId ?? null) === parentId) return false;
    entry.parentId = parentId;
    return true;
  };
  return {
    attach: (entry) => {
      link(entry);
      renew(entry);
      return [...below(entry)].filter((one) => one !== entry && renew(one));
    },
    detach: (entry) => {
      unlink(entry);
      return [...below(entry)].filter((one) => one !== entry && renew(one));
    },
  };
}

function keyOf(integration: string, externalId: string): string {
  return `${integration}\n${externalId}`;
}
