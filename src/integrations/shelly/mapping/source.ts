import { neat } from '#core/feature/measure.ts';
import { type JsonObject, type JsonValue, listOf, objectOf } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { mapNumber, mapNumberBetween } from '#core/feature/peer-value.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';

export type Request = { readonly method: string; readonly params: JsonObject };

/** `from` is the component as the device names it: `switch:0`. */
export type Source = PeerSource<JsonObject, (value: JsonValue) => Request> & {
  readonly from: string;
  /** Reads an event of the component; `undefined` if it is none of this feature. */
  readonly readEvent?: (event: string, details: JsonObject) => Occurrence | undefined;
};

/** The sources of one component at the device, with `name` as the component at the hub. */
export type Part = {
  readonly name: string;
  readonly key: string;
  readonly id: number;
  readonly config: JsonObject;
  readonly status: JsonObject;
};

type Read = NonNullable<Source['read']>;

/** Detectors of Shelly warn of these. */
const DETECTORS: ReadonlySet<string> = new Set<VocabularyWord>(['smoke', 'water_leak']);

/** A reading with a word of the vocabulary, if the component has it. */
export function reading(part: Part, word: VocabularyWord, read: Read): Source[] {
  if (read(part.status) === undefined) return [];
  return [{ from: part.key, feature: wordFeature(word, part.name), read }];
}

/** A reading that the vocabulary has no word for, if the component has it. */
export function ownReading(
  part: Part,
  read: Read,
  { own, ...details }: Partial<Feature> & Pick<Feature, 'valueType'> & { readonly own: string },
): Source[] {
  if (read(part.status) === undefined) return [];
  return [{ from: part.key, feature: ownFeature(own, part.name, details), read }];
}

/** Reads a number of the status, `undefined` where it has none; `factor` turns it into the vocabulary's unit. */
export function numberAt(path: string, factor = 1): Read {
  const names = path.split('.');
  return (status) => {
    const value = names.reduce<JsonValue | undefined>((object, name) => memberOf(objectOf(object), name), status);
    return mapNumber(value, (number) => neat(number * factor));
  };
}

/** As `numberAt`, within 0 to 100: a device that has just begun to measure may say anything. */
export function percentAt(path: string): Read {
  const read = numberAt(path);
  return (status) => mapNumberBetween(read(status), [0, 100]);
}

export function booleanAt(name: string): Read {
  return ({ [name]: value }) => (typeof value === 'boolean' || value === null ? value : undefined);
}

export function textAt(name: string, most = 255): Read {
  return ({ [name]: value }) => (typeof value === 'string' ? value.slice(0, most) : value === null ? null : undefined);
}

/**
 * Hides readings that the device itself calls wrong: a sensor that is not plugged in says -275 °C, and that this is an
 * error. A detector that raises its alarm is believed, whatever is wrong with it.
 */
export function unlessWrong(sources: readonly Source[]): Source[] {
  return sources.map((source) => {
    const { feature, read, write } = source;
    if (read === undefined || write !== undefined) return source;
    const sureRead: Read = (status) => {
      const value = read(status);
      const isAlarm = value === true && DETECTORS.has(feature.capability);
      return listOf(status['errors']).length > 0 && !isAlarm ? null : value;
    };
    return { ...source, read: sureRead };
  });
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
