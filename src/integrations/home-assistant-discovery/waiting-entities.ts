import type {
  AnnouncedDevice,
  AnnouncedEntity,
} from '#integrations/home-assistant-discovery/message/discovery-message.ts';

/** What one message announces that another one has announced before. */
export type Waiting = {
  readonly fingerprint: string;
  readonly about: AnnouncedDevice | null;
  readonly entities: readonly AnnouncedEntity[];
};

/** Messages whose entities have another owner as yet, in the order in which they came. */
type WaitingEntities = {
  readonly add: (topic: string, waiting: Waiting) => void;
  readonly forget: (topic: string) => void;
  /** Takes out what the first message that waits for this key has under it. */
  readonly takeFirst: (key: string) => { readonly topic: string; readonly waiting: Waiting } | undefined;
};

/** What waits beyond this has to be announced again: a device that moves has a few dozen. */
const MAX_WAITING = 1_000;

export function createWaitingEntities(keyOf: (entity: AnnouncedEntity) => string): WaitingEntities {
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
    add: (topic, waiting) => {
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
    takeFirst: (key) => {
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
