import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { FeatureCategory } from '#core/feature/value-type.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { flagIn, textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import type { Entity, EntityDeps, Part, Publication, Report } from './entity.ts';
import type { Incoming } from './incoming.ts';

export type Place = {
  readonly component: string;
  /** For features that the vocabulary has no word for. */
  readonly name: string;
  readonly shown: { readonly name?: string; readonly source: string };
};

/** Makes an entity. Throws TemplateFault with what cannot be understood. */
export type EntityMaker = (config: Config, place: Place, deps: EntityDeps) => Entity;

/** Makes an entity of one feature. */
export type PartMaker = (config: Config, place: Place, deps: EntityDeps) => Part;

const MAX_TOPIC = 1_024;

export function categoryOf(config: Config): FeatureCategory {
  const said = textIn(config, 'entity_category');
  return said === 'config' || said === 'diagnostic' ? said : 'primary';
}

export function listening(config: Config, name: string, take: (message: Incoming) => Report): Part['listens'] {
  const topic = textIn(config, name);
  if (topic === undefined) return new Map();
  if (topic === '' || topic.length > MAX_TOPIC) throw syntaxFault(`the ${name} is none that MQTT allows`);
  return new Map([[topic, take]]);
}

function commandTopicIn(config: Config, name: string): string {
  const topic = textIn(config, name);
  if (topic === undefined || topic === '') throw syntaxFault(`the ${name} is missing`);
  if (/[+#\0]/.test(topic) || topic.length > MAX_TOPIC) throw syntaxFault(`the ${name} is none that MQTT allows`);
  return topic;
}

export function publicationTo(config: Config, name = 'command_topic'): (payload: string | Buffer) => Publication {
  const topic = commandTopicIn(config, name);
  const retain = flagIn(config, 'retain');
  return (payload) => ({ topic, payload, retain });
}

/** A control that reports nothing is not readable, so the hub shows no value that nobody confirmed. */
export function controlDetails(config: Config, { shown }: Place, stateTopic = 'state_topic'): ControlDetails {
  return {
    ...shown,
    writable: true,
    category: categoryOf(config),
    readable: textIn(config, stateTopic) !== undefined,
  };
}

type ControlDetails = Partial<Feature> & { readonly writable: boolean };

/** The feature of a part, under a name that tells it from its neighbours in the entity. */
export function neighbourOf({ shown }: Place, feature: Feature): Feature {
  const { name, source } = shown;
  const own = feature.name;
  return {
    ...feature,
    source,
    name: feature.component === 'main' || name === undefined ? own : `${name}: ${own}`.slice(0, 200),
  };
}

/** A button under its own name, for something that an entity can do besides. */
export function pressOf({ component, shown }: Place, ability: string, details: Partial<Feature>): Feature {
  const own = component === 'main' ? ability : `${component}_${ability}`;
  return wordFeature('press', own, { source: shown.source, writable: true, ...details });
}

/** Where a code is needed, it comes with the command, in a feature that is never read. */
export function codeOf(place: Place, key: string): Part {
  const details = { valueType: 'string', writable: true, readable: false, category: 'config' } as const;
  return { feature: neighbourOf(place, ownFeature(key, place.component, details)), listens: new Map() };
}

/** Joins the topics of several settings; where two have one topic, both hear it and the later one counts. */
export function merged(...all: readonly Part['listens'][]): Part['listens'] {
  const takes = new Map<string, ((message: Incoming) => Report)[]>();
  for (const [topic, take] of all.flatMap((one) => [...one])) takes.set(topic, [...(takes.get(topic) ?? []), take]);
  return new Map(
    [...takes].map(([topic, own]) => [
      topic,
      (message: Incoming): Report => {
        let said: Report;
        for (const take of own) said = take(message) ?? said;
        return said;
      },
    ]),
  );
}
