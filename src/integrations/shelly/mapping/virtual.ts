import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import { readName } from '#core/integration/read-name.ts';
import { objectOf } from './components.ts';
import type { Part, Source } from './source.ts';

type Details = Partial<Feature> & Pick<Feature, 'valueType'>;

const MAX_TEXT = 255;
const MAX_OPTIONS = 64;

/** What an owner made on the device: values for its scripts and its own page. */
export function virtualSources(type: string, part: Part): Source[] {
  const made = MAKERS.get(type)?.(part.config);
  if (made === undefined) return [];
  const { method, ...details } = made;
  const name = readName(part.config['name']);
  const feature = ownFeature('value', part.name, {
    ...details,
    category: 'primary',
    ...(name === null ? {} : { name }),
  });
  return [
    {
      from: part.key,
      feature,
      read: ({ value }) => (value === null ? undefined : value),
      ...(method === undefined ? {} : { write: (value: JsonValue) => ({ method, params: { id: part.id, value } }) }),
    },
  ];
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
    min: numberOf(min),
    max: numberOf(max),
    step: numberOf(step),
    unit: typeof unit === 'string' && unit !== '' ? unit.slice(0, 20) : null,
    method: 'Number.Set',
  };
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function optionsOf(value: JsonValue | undefined): readonly string[] {
  const options = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return options.flatMap((one) => (typeof one === 'string' ? one.slice(0, 64) : [])).slice(0, MAX_OPTIONS);
}

/** What is of no known type: each plain value of its status, so that nothing is lost. */
export function unknownSources(part: Part): Source[] {
  return Object.entries(part.status)
    .filter(([name, value]) => NAME.test(name) && name !== 'id' && !isJsonObject(value) && !Array.isArray(value))
    .slice(0, MAX_UNKNOWN)
    .map(([name]) => ({
      from: part.key,
      feature: ownFeature(name.toLowerCase(), part.name, { valueType: 'any' }),
      read: (status) => {
        const value = status[name];
        return value === null || typeof value === 'object' ? undefined : value;
      },
    }));
}

const NAME = /^[a-z][a-zA-Z0-9_]{0,30}$/;
const MAX_UNKNOWN = 16;
