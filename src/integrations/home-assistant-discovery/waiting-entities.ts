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
export type WaitingEntities = {
  readonly add: (topic: string, waiting: Waiting) => void;
  readonly forget: (topic: string) => void;
  /** Takes out what the first message that waits for this key has under it. */
  readonly takeFirst: (key: string) => { readonly topic: string; readonly waiting: Waiting } | undefined;
};

/** What waits beyond this has to be announced again: a device that moves has a few dozen. */
const MAX_WAITING = 1_000;

export function createWaitingEntities(keyOf: (entity: AnnouncedEntity) => string): WaitingEntities {
  const byTopic = new Map<string, Waiting>();
  const topicsOf = new Map<string, Set<string>>();
  let count = 0;
  const forget = (topic: string): void => {
    for (const entity of byTopic.get(topic)?.entities ?? []) {
      const key = keyOf(entity);
      const topics = topicsOf.get(key);
      topics?.delete(topic);
      if (topics?.size === 0) topicsOf.delete(key);
      count -= 1;
    }
    byTopic.delete(topic);
  };
  const add = (topic: string, waiting: Waiting): void => {
    forget(topic);
    const entities = waiting.entities.slice(0, MAX_WAITING - count);
    if (entities.length === 0) return;
    byTopic.set(topic, { ...waiting, entities });
    for (const key of entities.map(keyOf)) topicsOf.set(key, (topicsOf.get(key) ?? new Set()).add(topic));
    count += entities.length;
  };
  return {
    add,
    forget,
    takeFirst: (key) => {
      const [topic] = topicsOf.get(key) ?? [];
      const waiting = topic === undefined ? undefined : byTopic.get(topic);
      if (topic === undefined || waiting === undefined) return undefined;
      const first = waiting.entities.find((entity) => keyOf(entity) === key);
      add(topic, { ...waiting, entities: waiting.entities.filter((entity) => keyOf(entity) !== key) });
      return first === undefined ? undefined : { topic, waiting: { ...waiting, entities: [first] } };
    },
  };
}
