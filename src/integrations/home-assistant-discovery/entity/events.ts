import type { Occurrence } from '#core/feature/feature.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { isKind } from '#integrations/home-assistant-discovery/template/value.ts';
import { configOf, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import { categoryOf, listening, type PartMaker } from './building.ts';
import { slugOf, type Report } from './entity.ts';
import { readingOf } from './incoming.ts';

/** The words of Home Assistant's triggers, in those of the vocabulary. */
const ACTIONS: Readonly<Record<string, string>> = {
  button_short_press: 'single',
  button_double_press: 'double',
  button_triple_press: 'triple',
  button_long_press: 'hold',
  button_short_release: 'release',
  button_long_release: 'release',
};

function occurrenceOf(raw: string): Occurrence {
  const known = Object.hasOwn(ACTIONS, raw) ? ACTIONS[raw] : undefined;
  return { action: known ?? (slugOf(raw) || 'other'), raw: raw.slice(0, 256) };
}

const NOTHING = new Set(['', 'None', '{}']);

export const event: PartMaker = (config, place, deps) => {
  const types = textsIn(config, 'event_types');
  if (types === undefined || types.length === 0) throw syntaxFault('the event_types are missing');
  if (textIn(config, 'state_topic') === undefined) throw syntaxFault('the state_topic is missing');
  const read = readingOf(config, 'value_template', { ...deps, keepsOnError: true });
  const report = (text: string | undefined): Report => {
    if (text === undefined || NOTHING.has(text)) return undefined;
    const said = valueFromJson(text) ?? null;
    const type = isKind(said, 'dict') ? textIn(configOf(said), 'event_type') : undefined;
    return type === undefined || !types.includes(type) ? undefined : { occurrence: occurrenceOf(type) };
  };
  return {
    feature: wordFeature('button', place.component, {
      ...place.shown,
      category: categoryOf(config),
      options: [...new Set(types.map((type) => occurrenceOf(type).action))],
    }),
    listens: listening(config, 'state_topic', (message) => report(read(message))),
  };
};

/** A trigger of a device: a press that has a message of its own. */
export const deviceTrigger: PartMaker = (config, place, deps) => {
  const [type, subtype] = [textIn(config, 'type'), textIn(config, 'subtype')];
  if (textIn(config, 'automation_type') !== 'trigger' || type === undefined || subtype === undefined)
    throw syntaxFault('it is no trigger with a type and a subtype');
  if (textIn(config, 'topic') === undefined) throw syntaxFault('the topic is missing');
  const payload = textIn(config, 'payload');
  const read = readingOf(config, 'value_template', deps);
  const occurrence = occurrenceOf(type);
  return {
    feature: wordFeature('button', place.component, { source: place.shown.source, options: [occurrence.action] }),
    listens: listening(config, 'topic', (message) => {
      const text = read(message);
      return text === undefined || (payload !== undefined && text !== payload) ? undefined : { occurrence };
    }),
  };
};
