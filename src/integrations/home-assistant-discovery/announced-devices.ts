import type { Log } from '#base/log.ts';
import type { MqttMessage } from '#integrations/ports.ts';
import {
  readDiscovery,
  type AnnouncedDevice,
  type AnnouncedEntity,
  type DiscoveryMessage,
  type DiscoveryTopic,
} from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { createHash } from 'node:crypto';
import { uniqueIdOf } from '#integrations/home-assistant-discovery/entity/entity-makers.ts';

export type DeviceParts = {
  readonly externalId: string;
  readonly about: AnnouncedDevice | null;
  /** In the order of their unique ids. */
  readonly entities: readonly AnnouncedEntity[];
};

type AnnouncedDevicesDeps = {
  readonly log: Log;
  /** Devices that reach the hub on a way of their own. */
  readonly isLeftOut: (message: DiscoveryMessage & { readonly type: 'announced' }) => boolean;
  /** Devices of this hub, which it offers itself. */
  readonly isOwn?: (message: DiscoveryMessage & { readonly type: 'announced' }) => boolean;
};

/** Far above the largest home; what comes beyond was sent by something broken or hostile. */
const MAX_ENTITIES = 10_000;
/** Beyond what the hub takes as one device: each message about it means to read all of it anew. */
const MAX_OF_DEVICE = 1_000;
const MAX_LOGGED = 200;
const MOST_LOGGED = 100;

type Entry = {
  readonly fingerprint: string;
  readonly externalId: string;
  readonly about: AnnouncedDevice | null;
  readonly owned: readonly AnnouncedEntity[];
};

/** Collects the announcements of publishers, by the topic of their messages, and puts them together to devices. */
export function createAnnouncedDevices({ log, isLeftOut, isOwn = () => false }: AnnouncedDevicesDeps) {
  const owned = createOwnedEntities(log);
  /** An entity that another message has announced already waits until that one has it no more. */
  const waiting = createWaitingEntities(ownerKey);
  const leftOut = createLeftOut();
  const refusals = createFirsts();

  const add = (
    { topic, fingerprint }: { readonly topic: string; readonly fingerprint: string },
    { device: about, entities }: DiscoveryMessage & { readonly type: 'announced' },
  ): string | undefined => {
    const isFree = (entity: AnnouncedEntity): boolean => owned.ownerOf(entity) === undefined;
    const [free, taken] = [entities.filter(isFree), entities.filter((entity) => !isFree(entity))];
    const [second] = taken;
    if (second !== undefined && refusals(topic)) logSecond(log, topic, owned.ownerOf(second) ?? '');
    waiting.add(topic, { fingerprint, about, entities: taken });
    return owned.own(topic, { fingerprint, about, entities: free });
  };

  /** The first that waits for something that this entry had takes it over. Returns the ids of their devices. */
  const passOn = (left: Entry | undefined): readonly string[] =>
    (left?.owned ?? []).flatMap((entity) => {
      const next = owned.ownerOf(entity) === undefined ? waiting.takeFirst(ownerKey(entity)) : undefined;
      return next === undefined ? [] : (owned.own(next.topic, next.waiting) ?? []);
    });

  return {
    /** Takes a message. Returns the ids of the devices that it changes: none if the same message came before. */
    take: (place: DiscoveryTopic, { topic, payload }: MqttMessage): ReadonlySet<string> => {
      const changed = new Set<string>();
      const note = (externalId: string | undefined): void => void (externalId !== undefined && changed.add(externalId));
      const fingerprint = createHash('sha1').update(payload).digest('base64');
      if (owned.fingerprintOf(topic) === fingerprint) return changed;
      const message = readDiscovery(place, payload);
      if (message.type === 'refused') {
        if (refusals(topic))
          log.warn('a discovery message is ignored', { topic: topic.slice(0, MAX_LOGGED), reason: message.reason });
        return changed;
      }
      const left = owned.drop(topic);
      waiting.forget(topic);
      note(left?.externalId);
      leftOut.forget(topic);
      if (message.type === 'announced' && !isOwn(message)) {
        if (!isLeftOut(message)) note(add({ topic, fingerprint }, message));
        else leftOut.add(topic, message.device);
      }
      passOn(left).forEach(note);
      return changed;
    },
    leftOutCount: leftOut.count,
    find: (externalId: string): DeviceParts | undefined => devicePartsOf(externalId, owned.entriesOf(externalId)),
  };
}

/** Which topic has what, within the limits. */
function createOwnedEntities(log: Log) {
  const entries = new Map<string, Entry>();
  /** Identifiers and connections of each device: one of them in two messages makes one device of both. */
  const aliases = new Map<string, string>();
  const topicsOf = new Map<string, Set<string>>();
  const owners = new Map<string, string>();
  const room = createRoom(log);

  const drop = (topic: string): Entry | undefined => {
    const entry = entries.get(topic);
    if (entry === undefined) return undefined;
    entries.delete(topic);
    room.free(entry.externalId, entry.owned.length);
    for (const entity of entry.owned) owners.delete(ownerKey(entity));
    const topics = topicsOf.get(entry.externalId);
    topics?.delete(topic);
    if (topics?.size === 0) {
      topicsOf.delete(entry.externalId);
      for (const alias of aliasesOf(entry.about)) if (aliases.get(alias) === entry.externalId) aliases.delete(alias);
    }
    return entry;
  };

  /** Gives the entities to the topic. Returns the id of their device; `undefined` if there is no room for them. */
  const own = (topic: string, { fingerprint, about, entities }: Waiting): string | undefined => {
    const [first] = entities;
    if (first === undefined) return undefined;
    const before = entries.get(topic);
    const names = aliasesOf(about);
    const known = before?.externalId ?? names.map((alias) => aliases.get(alias)).find((id) => id !== undefined);
    const externalId = known ?? about?.identifiers[0] ?? about?.connections[0] ?? uniqueIdOf(first);
    if (!room.take(externalId, entities.length)) return undefined;
    for (const alias of names) if (!aliases.has(alias)) aliases.set(alias, externalId);
    entries.set(topic, { fingerprint, externalId, about, owned: [...(before?.owned ?? []), ...entities] });
    for (const entity of entities) owners.set(ownerKey(entity), topic);
    topicsOf.set(externalId, (topicsOf.get(externalId) ?? new Set()).add(topic));
    return externalId;
  };

  return {
    drop,
    own,
    ownerOf: (entity: AnnouncedEntity): string | undefined => owners.get(ownerKey(entity)),
    fingerprintOf: (topic: string): string | undefined => entries.get(topic)?.fingerprint,
    entriesOf: (externalId: string): readonly Entry[] =>
      [...(topicsOf.get(externalId) ?? [])].flatMap((topic) => entries.get(topic) ?? []),
  };
}

function devicePartsOf(externalId: string, parts: readonly Entry[]): DeviceParts | undefined {
  if (parts.length === 0) return undefined;
  const entities = parts.flatMap(({ owned }) => owned).toSorted((a, b) => (uniqueIdOf(a) < uniqueIdOf(b) ? -1 : 1));
  // The message that says most about the device describes it.
  const [about = null] = parts.map((part) => part.about).toSorted((a, b) => weightOf(b) - weightOf(a));
  return { externalId, about, entities };
}

function ownerKey(entity: AnnouncedEntity): string {
  return `${entity.component}/${uniqueIdOf(entity)}`;
}

function aliasesOf(device: AnnouncedDevice | null): readonly string[] {
  if (device === null) return [];
  return [...device.identifiers.map((text) => `i ${text}`), ...device.connections.map((text) => `c ${text}`)];
}

function weightOf(device: AnnouncedDevice | null): number {
  return device === null ? -1 : Object.values(device).filter((value) => value !== null).length;
}

/** The devices that were left out, by the topic of a message about them. */
function createLeftOut() {
  const devices = new Map<string, string>();
  return {
    add: (topic: string, device: AnnouncedDevice | null): void => {
      if (devices.size < MAX_ENTITIES) devices.set(topic, device?.identifiers[0] ?? topic);
    },
    forget: (topic: string): void => void devices.delete(topic),
    count: (): number => new Set(devices.values()).size,
  };
}

function logSecond(log: Log, topic: string, owner: string): void {
  const places = { topic: topic.slice(0, MAX_LOGGED), first: owner.slice(0, MAX_LOGGED) };
  log.warn('two messages announce one entity: the second is ignored while the first is there', places);
}

/** Counts entities within the limits. */
function createRoom(log: Log) {
  const noteFull = createNote(log, { most: MAX_ENTITIES });
  const noteLarge = createNote(log, { most_of_device: MAX_OF_DEVICE });
  const countOf = new Map<string, number>();
  let inAll = 0;
  return {
    /** False if there is no room for so many. */
    take: (externalId: string, count: number): boolean => {
      const next = (countOf.get(externalId) ?? 0) + count;
      if (inAll + count > MAX_ENTITIES) noteFull();
      else if (next > MAX_OF_DEVICE) noteLarge();
      else {
        countOf.set(externalId, next);
        inAll += count;
        return true;
      }
      return false;
    },
    free: (externalId: string, count: number): void => {
      const rest = (countOf.get(externalId) ?? 0) - count;
      if (rest > 0) countOf.set(externalId, rest);
      else countOf.delete(externalId);
      inAll -= count;
    },
  };
}

function createNote(log: Log, most: Readonly<Record<string, number>>): () => void {
  let isLogged = false;
  return () => {
    if (!isLogged) log.error('too many entities are announced: the rest is ignored', most);
    isLogged = true;
  };
}

/** True for the first refusal of each topic, of so many topics. */
function createFirsts(): (topic: string) => boolean {
  const seen = new Set<string>();
  return (topic) => {
    if (seen.size >= MOST_LOGGED || seen.has(topic)) return false;
    seen.add(topic);
    return true;
  };
}

/** A message announces entities that another one has announced before. */
type Waiting = {
  readonly fingerprint: string;
  readonly about: AnnouncedDevice | null;
  readonly entities: readonly AnnouncedEntity[];
};

/** An entity beyond these has to be announced again: a device that moves has a few dozen. */
const MAX_WAITING = 1_000;

/** Messages whose entities have another owner as yet, in the order in which they came. */
export function createWaitingEntities(keyOf: (entity: AnnouncedEntity) => string) {
  const byTopic = new Map<string, Omit<Waiting, 'entities'> & { readonly entities: Map<string, AnnouncedEntity> }>();
  /** In their order, by the keys that they wait for. */
  const topicsOf = new Map<string, Set<string>>();
  let count = 0;
  const release = (topic: string, key: string): void => {
    const topics = topicsOf.get(key);
    topics?.delete(topic);
    if (topics?.size === 0) topicsOf.delete(key);
    count -= 1;
  };
  const forget = (topic: string): void => {
    for (const key of byTopic.get(topic)?.entities.keys() ?? []) release(topic, key);
    byTopic.delete(topic);
  };
  return {
    add: (topic: string, waiting: Waiting): void => {
      forget(topic);
      const some = waiting.entities.slice(0, MAX_WAITING - count);
      if (some.length === 0) return;
      const entities = new Map(some.map((entity) => [keyOf(entity), entity]));
      byTopic.set(topic, { ...waiting, entities });
      for (const key of entities.keys()) topicsOf.set(key, (topicsOf.get(key) ?? new Set()).add(topic));
      count += entities.size;
    },
    forget,
    // Each costs the same: a message may hand over hundreds.
    /** Takes out what the first message that waits for this key has under it. */
    takeFirst: (key: string): { readonly topic: string; readonly waiting: Waiting } | undefined => {
      const [topic] = topicsOf.get(key) ?? [];
      const waiting = topic === undefined ? undefined : byTopic.get(topic);
      const entity = waiting?.entities.get(key);
      if (topic === undefined || waiting === undefined || entity === undefined) return undefined;
      release(topic, key);
      waiting.entities.delete(key);
      if (waiting.entities.size === 0) byTopic.delete(topic);
      return { topic, waiting: { ...waiting, entities: [entity] } };
    },
  };
}
