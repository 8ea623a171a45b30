import { isJsonObject, type JsonObject, type JsonValue, listOf, numberOf, objectOf } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import { readName } from '#core/integration/read-name.ts';
import type { Part, Source } from './source.ts';

type Details = Partial<Feature> & Pick<Feature, 'valueType'>;

const MAX_TEXT = 255;
const MAX_OPTIONS = 64;

/** Makes the values that an owner made on the device, for its scripts and its own page. */
export function virtualSources(type: string, part: Part): Source[] {
  const made = MAKERS.get(type)?.(part.config);
  if (made === undefined) return [];
  const { method: setter, ...plain } = made;
  const method = isWritable(part.config) ? setter : undefined;
  const details = { ...plain, writable: plain.writable === true && method !== undefined };
  const name = readName(part.config['name']);
  const shown = { ...details, category: 'primary' as const, ...(name === null ? {} : { name }) };
  const word = wordOfRole(part.config, details);
  const feature = word === undefined ? ownFeature('value', part.name, shown) : featureOf(word, shown);
  return [
    {
      from: part.key,
      feature,
      read: ({ value }) => value,
      ...(method === undefined ? {} : { write: (value: JsonValue) => ({ method, params: { id: part.id, value } }) }),
    },
  ];
}

/** `access` has `c` for who may change its settings, `r` and `w` for its value. Without one, a person made it to be set. */
function isWritable({ access }: JsonObject): boolean {
  return typeof access !== 'string' || access.includes('w');
}

/** Makers of devices "Powered by Shelly" call a part so, where the vocabulary has a word (Home Assistant 2025.11). */
const ROLES: ReadonlyMap<string, VocabularyWord> = new Map([
  ['target_temperature', 'target_temperature'],
  ['current_temperature', 'temperature'],
  ['current_humidity', 'humidity'],
  ['target_humidity', 'target_humidity'],
  ['child_lock', 'child_lock'],
]);

/** The word of a role that the value fits: with its type and unit. */
function wordOfRole({ role }: JsonObject, { valueType, unit }: Details): VocabularyWord | undefined {
  const word = typeof role === 'string' ? ROLES.get(role) : undefined;
  if (word === undefined || VOCABULARY[word].valueType !== valueType) return undefined;
  return valueType === 'number' && unit !== VOCABULARY[word].unit ? undefined : word;
}

function featureOf(word: VocabularyWord, details: Details): Feature {
  const { category } = VOCABULARY[word];
  return wordFeature(word, 'main', { ...details, category });
}

type Made = Details & { readonly method?: string };

const MAKERS: ReadonlyMap<string, (config: JsonObject) => Made> = new Map<string, (config: JsonObject) => Made>([
  ['boolean', () => ({ valueType: 'boolean', writable: true, method: 'Boolean.Set' })],
  ['number', madeNumber],
  [
    'text',
    () => ({
      valueType: 'string',
      writable: true,
      schema: { type: 'string', maxLength: MAX_TEXT },
      method: 'Text.Set',
    }),
  ],
  ['enum', ({ options }) => ({ valueType: 'enum', writable: true, options: optionsOf(options), method: 'Enum.Set' })],
  ['object', () => ({ valueType: 'any' })],
]);

function madeNumber({ min, max, meta }: JsonObject): Made {
  const { unit, step } = objectOf(objectOf(meta)['ui']);
  return {
    valueType: 'number',
    writable: true,
    min: numberOf(min) ?? null,
    max: numberOf(max) ?? null,
    step: numberOf(step) ?? null,
    unit: typeof unit === 'string' ? unitFromSpelling(unit) : null,
    method: 'Number.Set',
  };
}

function optionsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value)
    .flatMap((one) => (typeof one === 'string' ? one.slice(0, 64) : []))
    .slice(0, MAX_OPTIONS);
}

/** Makes a feature of each plain value in the status of a component of no known type, so that nothing is lost. */
export function unknownSources(part: Part): Source[] {
  return Object.entries(part.status)
    .filter(([name, value]) => NAME.test(name) && name !== 'id' && !isJsonObject(value) && !Array.isArray(value))
    .slice(0, MAX_UNKNOWN)
    .map(([name]) => ({
      from: part.key,
      feature: ownFeature(name.toLowerCase(), part.name, { valueType: 'any' }),
      read: (status) => {
        const value = status[name];
        return typeof value === 'object' && value !== null ? undefined : value;
      },
    }));
}

const NAME = /^[a-z][a-zA-Z0-9_]{0,30}$/;
const MAX_UNKNOWN = 16;
