import { dictsIn, textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import type { Surroundings } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { readingOf, type Incoming } from './incoming.ts';

/** Whether an entity can be reached, by the topics that say so. */
export type EntityAvailability = {
  readonly topics: readonly string[];
  readonly onMessage: (topic: string, message: Incoming) => void;
  /** `null` until the topics have said enough. */
  readonly isAvailable: () => boolean | null;
};

const MOST_TOPICS = 20;

/** Throws TemplateFault for a template that cannot be read. */
export function availabilityOf(config: Config, around: Surroundings): EntityAvailability {
  const sources = sourcesIn(config).slice(0, MOST_TOPICS);
  const mode = textIn(config, 'availability_mode') ?? 'latest';
  const said = new Map<string, boolean>();
  let latest: boolean | null = null;
  const readers = sources.map((source) => ({
    topic: source.topic,
    read: readingOf(source.config, source.template, around),
    online: textIn(source.config, 'payload_available') ?? 'online',
    offline: textIn(source.config, 'payload_not_available') ?? 'offline',
  }));
  return {
    topics: [...new Set(sources.map(({ topic }) => topic))],
    onMessage: (topic, message) => {
      // A topic that is named twice counts as it is named last, as in Home Assistant.
      const reader = readers.findLast((one) => one.topic === topic);
      const text = reader?.read(message);
      if (reader === undefined || (text !== reader.online && text !== reader.offline)) return;
      latest = text === reader.online;
      said.set(topic, latest);
    },
    isAvailable: () => {
      if (readers.length === 0) return true;
      const heard = [...said.values()];
      if (mode === 'any') return heard.includes(true) ? true : heard.length === 0 ? null : false;
      if (mode !== 'all') return latest;
      if (heard.includes(false)) return false;
      return readers.every(({ topic }) => said.has(topic)) ? true : null;
    },
  };
}

type Source = { readonly topic: string; readonly config: Config; readonly template: string };

function sourcesIn(config: Config): readonly Source[] {
  const single = textIn(config, 'availability_topic');
  const own =
    single === undefined || single === '' ? [] : [{ topic: single, config, template: 'availability_template' }];
  const listed = dictsIn(config, 'availability').flatMap((one) => {
    const topic = textIn(one, 'topic');
    return topic === undefined || topic === '' ? [] : [{ topic, config: one, template: 'value_template' }];
  });
  return [...own, ...listed];
}
