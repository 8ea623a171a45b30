import type { JsonObject, JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { isKind, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { configOf, textIn } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  categoryOf,
  listening,
  merged,
  neighbourOf,
  pressOf,
  publicationTo,
  type EntityMaker,
  type PartMaker,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  isNoState,
  UNKNOWN,
  type Part,
  type Report,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';

/** A scene of the publisher: it can only be called. */
export const scene: PartMaker = (config, place) => {
  const publication = publicationTo(config);
  const payload = textIn(config, 'payload_on') ?? 'ON';
  return {
    feature: wordFeature('press', place.component, { ...place.shown, writable: true, category: categoryOf(config) }),
    listens: new Map(),
    publish: () => publication(payload),
  };
};

/** A display or speaker that takes texts. */
export const notify: PartMaker = (config, place, deps) => {
  const publication = publicationTo(config);
  const write = writingOf(config, 'command_template', deps);
  return {
    feature: ownFeature(place.name, place.component, {
      ...place.shown,
      valueType: 'string',
      writable: true,
      readable: false,
      category: categoryOf(config),
    }),
    listens: new Map(),
    publish: (value) => (typeof value === 'string' ? publication(write(value, value)) : undefined),
  };
};

const MAX_TAG = 256;

/** A reader of tags. Which tag it was is the vendor's word of the press. */
export const tag: PartMaker = (config, place, deps) => {
  if (textIn(config, 'topic') === undefined) throw syntaxFault('the topic is missing');
  const read = readingOf(config, 'value_template', { ...deps, keepsOnError: true });
  return {
    feature: wordFeature('button', place.component, { source: place.shown.source, name: 'Tag', options: ['scan'] }),
    listens: listening(config, 'topic', (message) => {
      const raw = (read(message) ?? '').trim();
      return raw === '' ? undefined : { occurrence: { action: 'scan', raw: raw.slice(0, MAX_TAG) } };
    }),
  };
};

/** Where a person or thing is; coordinates stay out of the hub. */
export const deviceTracker: EntityMaker = (config, place, deps) => {
  const { component } = place;
  if (textIn(config, 'state_topic') === undefined) throw syntaxFault('it tells nothing but coordinates');
  const [home, away] = [textIn(config, 'payload_home') ?? 'home', textIn(config, 'payload_not_home') ?? 'not_home'];
  const reset = textIn(config, 'payload_reset') ?? UNKNOWN;
  const read = readingOf(config, 'value_template', deps);
  const heard = (report: (location: string | null) => Report): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const text = read(message) ?? '';
      if (text.trim() === '') return undefined;
      if (text === reset) return report(null);
      if (isNoState(text)) return report(null);
      // A place of another name is taken as the message has it, and not as the template made it.
      if (text === home || text === away) return report(text === home ? 'home' : 'not_home');
      return message.text === undefined ? undefined : report(message.text.slice(0, 255));
    });
  return entityOf([
    {
      feature: wordFeature('presence', component, { ...place.shown, category: categoryOf(config) }),
      listens: heard((location) => ({ value: location === null ? null : location === 'home' })),
    },
    {
      feature: neighbourOf(place, ownFeature('location', component, { valueType: 'string', category: 'primary' })),
      listens: heard((location) => ({ value: location })),
    },
  ]);
};

const UPDATE_TEXTS = ['installed_version', 'latest_version', 'title', 'release_summary', 'release_url'];

/** Whether there is newer software for the device, and a press that installs it. */
export const update: EntityMaker = (config, place, deps) => {
  const { component } = place;
  const known: Record<string, JsonValue> = {};
  for (const name of ['title', 'release_summary', 'release_url']) {
    const said = textIn(config, name);
    if (said !== undefined) known[name] = said.slice(0, 255);
  }
  const read = readingOf(config, 'value_template', { ...deps, keepsOnError: true });
  const readLatest = readingOf(config, 'latest_version_template', deps);
  const report = (said: JsonObject): Report => {
    Object.assign(known, said);
    const { installed_version: installed, latest_version: latest, in_progress: progress } = known;
    const state =
      progress === true
        ? 'updating'
        : installed !== undefined && latest !== undefined && installed !== latest
          ? 'available'
          : 'idle';
    return { value: { ...known, state } };
  };
  const listens = merged(
    listening(config, 'state_topic', (message) => {
      const text = read(message) ?? '';
      if (text === '' || text === '{}') return undefined;
      const json = valueFromJson(text);
      if (json === undefined || !isKind(json, 'dict')) return report({ installed_version: text.slice(0, 255) });
      return report(membersOf(configOf(json)));
    }),
    listening(config, 'latest_version_topic', (message) => {
      const text = readLatest(message) ?? '';
      return text === '' ? undefined : report({ latest_version: text.slice(0, 255) });
    }),
  );
  const state: Part = {
    feature: wordFeature('update', component, { ...place.shown, category: 'diagnostic', readable: listens.size > 0 }),
    listens,
  };
  if (textIn(config, 'command_topic') === undefined) return entityOf([state]);
  const publication = publicationTo(config);
  const payload = textIn(config, 'payload_install');
  if (payload === undefined) return entityOf([state]);
  const press = pressOf(place, 'install', { name: 'Install', category: 'config' });
  return entityOf([state, { feature: press, listens: new Map(), publish: () => publication(payload) }]);
};

function membersOf(said: ReadonlyMap<string, Value>): JsonObject {
  const members: Record<string, JsonValue> = {};
  for (const name of UPDATE_TEXTS) {
    const text = textIn(said, name);
    if (text !== undefined) members[name] = text.slice(0, 255);
  }
  const percent = said.get('update_percentage');
  if (percent !== undefined) members['in_progress'] = percent !== null;
  if (typeof percent === 'bigint' || typeof percent === 'number') members['progress'] = Number(percent);
  const progress = said.get('in_progress');
  if (typeof progress === 'boolean') members['in_progress'] = progress;
  return members;
}
