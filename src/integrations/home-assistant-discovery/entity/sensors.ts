import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { momentFromText } from '#integrations/home-assistant-discovery/template/moment.ts';
import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { numberIn, textIn, textsIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import { categoryOf, listening, type EntityMaker, type Place } from './building.ts';
import { readingOf, type Incoming } from './incoming.ts';
import { binaryWord, converted, sensorWord, toUnitOf } from '#core/feature/measure.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import {
  entityOf,
  type Entity,
  type EntityDeps,
  isNoState,
  numberReport,
  type Part,
  refused,
  type Report,
} from './entity.ts';

/** Longer states are none in Home Assistant. */
const MAX_STATE = 255;
const NO_NUMBER = new Set(['date', 'enum', 'timestamp']);

/** A sensor keeps what it had where a message says nothing that it understands. */
export const sensor: EntityMaker = (config, place, deps) => {
  const deviceClass = (textIn(config, 'device_class') ?? '').toLowerCase();
  const unit = unitFromSpelling(textIn(config, 'unit_of_measurement') ?? '');
  const options = textsIn(config, 'options');
  const isNumeric =
    !NO_NUMBER.has(deviceClass) &&
    (deviceClass !== '' || unit !== null || config.has('state_class') || config.has('suggested_display_precision'));
  const read = readingOf(config, 'value_template', { ...deps, keepsOnError: true });
  if (isNumeric) return numericSensor(config, place, { word: wordOf(deviceClass, unit), unit, read, deps });
  const valueType = deviceClass === 'timestamp' ? 'timestamp' : options === undefined ? 'string' : 'enum';
  const feature = ownFeature(place.name, place.component, {
    valueType,
    ...place.shown,
    category: categoryOf(config),
    options: options ?? null,
  });
  const report = (text: string | undefined): Report => {
    if (text === undefined) return undefined;
    if (isNoState(text)) return { value: null };
    if (text.length > MAX_STATE || options?.includes(text) === false) return refused(text);
    return deviceClass === 'timestamp' ? timestampReport(text) : { value: text };
  };
  const listens = listening(config, 'state_topic', (message) => report(read(message)));
  return expiring({ feature, listens }, config, deps);
};

function wordOf(deviceClass: string, unit: string | null): VocabularyWord | undefined {
  if (deviceClass === '' && unit === 'lqi') return 'link_quality';
  const word = sensorWord(deviceClass);
  return word !== undefined && toUnitOf(word, unit) !== undefined ? word : undefined;
}

type Numeric = {
  readonly word: VocabularyWord | undefined;
  readonly unit: string | null;
  readonly read: ReturnType<typeof readingOf>;
  readonly deps: EntityDeps;
};

function numericSensor(config: Config, place: Place, { word, unit, read, deps }: Numeric): Entity {
  const scale = (word === undefined || word === 'link_quality' ? undefined : toUnitOf(word, unit)) ?? {
    factor: 1,
    offset: 0,
  };
  const feature =
    word === undefined
      ? ownFeature(place.name, place.component, {
          valueType: 'number',
          ...place.shown,
          unit,
          category: categoryOf(config),
        })
      : wordFeature(word, place.component, { ...place.shown, category: categoryOf(config) });
  const report = (text: string | undefined): Report => {
    if (text !== undefined && isNoState(text)) return { value: null };
    return numberReport(text, (number) => converted(number, scale));
  };
  const listens = listening(config, 'state_topic', (message) => report(read(message)));
  return expiring({ feature, listens }, config, deps);
}

/** Any message of its topic starts the time anew, also one that says nothing. */
function expiring({ feature, listens }: Part, config: Config, deps: EntityDeps): Entity {
  const seconds = numberIn(config, 'expire_after') ?? 0;
  if (seconds <= 0) return entityOf([{ feature, listens }]);
  const restarting = (take: (message: Incoming) => Report) => (message: Incoming) => {
    deps.delay(feature.key, 'stale', seconds * 1_000);
    return take(message);
  };
  const own = new Map([...listens].map(([topic, take]) => [topic, restarting(take)]));
  return entityOf([{ feature, listens: own }], { delays: ['stale'] });
}

function timestampReport(text: string): Report {
  try {
    const moment = momentFromText(text);
    return moment === undefined || moment.offsetMin === null
      ? refused(text)
      : { value: new Date(moment.epochUs / 1_000).toISOString() };
  } catch (cause) {
    if (cause instanceof TemplateFault) return refused(text);
    throw cause;
  }
}

export const binarySensor: EntityMaker = (config, place, deps) => {
  const word = binaryWord(textIn(config, 'device_class') ?? '');
  const read = readingOf(config, 'value_template', deps);
  const [on, off] = [textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF'];
  const offDelay = numberIn(config, 'off_delay');
  const details = { ...place.shown, category: categoryOf(config) };
  const feature =
    word === undefined
      ? ownFeature(place.name, place.component, { valueType: 'boolean', ...details })
      : wordFeature(word, place.component, details);
  const report = (text: string | undefined): Report => {
    if (text === undefined) return undefined;
    const value = text === on ? true : text === off ? false : isNoState(text) ? null : undefined;
    if (value === undefined) return refused(text);
    if (offDelay !== undefined) deps.delay(feature.key, 'off', value === true ? offDelay * 1_000 : null);
    return { value };
  };
  const listens = listening(config, 'state_topic', (message) => report(read(message)));
  const entity = expiring({ feature, listens }, config, deps);
  return offDelay === undefined ? entity : { ...entity, delays: [...entity.delays, 'off'] };
};
