/** Who listens to which topics; filters with wildcards are compared one by one, so there are only so many. */
type TopicListeners<Listener> = {
  readonly add: (topic: string, listener: Listener) => boolean;
  readonly remove: (topic: string, listener: Listener) => void;
  readonly of: (topic: string) => readonly Listener[];
  readonly has: (topic: string) => boolean;
};

const MAX_WILDCARDS = 500;

export function createTopicListeners<Listener>(): TopicListeners<Listener> {
  const exact = new Map<string, Set<Listener>>();
  const wildcards = new Map<string, { readonly levels: readonly string[]; readonly listeners: Set<Listener> }>();
  const isWildcard = (topic: string): boolean => /[+#]/.test(topic);

  return {
    add: (topic, listener) => {
      if (!isWildcard(topic)) {
        exact.set(topic, (exact.get(topic) ?? new Set()).add(listener));
        return true;
      }
      const known = wildcards.get(topic);
      if (known === undefined && wildcards.size >= MAX_WILDCARDS) return false;
      const entry = known ?? { levels: topic.split('/'), listeners: new Set() };
      entry.listeners.add(listener);
      wildcards.set(topic, entry);
      return true;
    },
    remove: (topic, listener) => {
      const listeners = exact.get(topic) ?? wildcards.get(topic)?.listeners;
      listeners?.delete(listener);
      if (listeners?.size !== 0) return;
      exact.delete(topic);
      wildcards.delete(topic);
    },
    of: (topic) => {
      const found = exact.get(topic);
      if (wildcards.size === 0) return found === undefined ? [] : [...found];
      const levels = topic.split('/', 64);
      const matching = [...wildcards.values()].filter((entry) => matches(entry.levels, levels));
      return [...(found ?? []), ...matching.flatMap(({ listeners }) => [...listeners])];
    },
    has: (topic) => exact.has(topic) || wildcards.has(topic),
  };
}

/** By the rules of MQTT 3.1.1, section 4.7: `+` is one level, `#` all that follow; neither means a topic with `$` first. */
function matches(filter: readonly string[], topic: readonly string[]): boolean {
  if (topic[0]?.startsWith('$') === true && filter[0] !== topic[0]) return false;
  for (const [at, level] of filter.entries()) {
    if (level === '#') return true;
    if (at >= topic.length || (level !== '+' && level !== topic[at])) return false;
  }
  return filter.length === topic.length;
}
