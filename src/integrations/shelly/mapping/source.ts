import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';

/** A request that a device takes. */
export type Request = { readonly method: string; readonly params: JsonObject };

/** Where a feature comes from, and where its commands go. */
export type Source = {
  /** As the device names it: `switch:0`. */
  readonly from: string;
  readonly feature: Feature;
  /** `null` for what the device does not know, `undefined` where it says nothing of it. */
  readonly read: (status: JsonObject) => JsonValue | undefined;
  readonly write?: (value: JsonValue) => Request;
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

type Read = Source['read'];

/** What detectors of Shelly warn of. */
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
    let value: JsonValue | undefined = status;
    for (const name of names) value = memberOf(value, name);
    return mapNumber(value, (number) => tidy(number * factor));
  };
}

/** As `numberAt`, within 0 to 100: a device that has just begun to measure may say anything. */
export function percentAt(path: string): Read {
  const read = numberAt(path);
  return (status) => {
    const value = read(status);
    if (value === null) return null;
    return typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
  };
}

export function booleanAt(name: string): Read {
  return ({ [name]: value }) => (typeof value === 'boolean' || value === null ? value : undefined);
}

export function textAt(name: string, most = 255): Read {
  return ({ [name]: value }) => (typeof value === 'string' ? value.slice(0, most) : value === null ? null : undefined);
}

/**
 * What a device itself calls wrong is not known: a sensor that is not plugged in says -275 °C, and that this is an error.
 * A detector that raises its alarm is believed, whatever is wrong with it.
 */
export function unlessWrong(sources: readonly Source[]): Source[] {
  return sources.map((source) => (source.write === undefined ? { ...source, read: sureRead(source) } : source));
}

function sureRead({ feature, read }: Source): Read {
  return (status) => {
    const { errors } = status;
    const value = read(status);
    const isAlarm = value === true && DETECTORS.has(feature.capability);
    return Array.isArray(errors) && errors.length > 0 && !isAlarm ? null : value;
  };
}

/** Without the noise of binary fractions. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = value as JsonObject;
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
