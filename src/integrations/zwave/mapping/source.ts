import { snakeOf } from '#integrations/peer/snake-word.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import type { JsonValue } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { converted, toUnitOf } from '#core/feature/measure.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import {
  type DeviceClass,
  keyOf,
  type NodeValue,
  type Property,
  type ValueId,
} from '#integrations/zwave/zwave-message.ts';

/** The present value under a key, `undefined` while nobody knows it. */
export type Look = (key: string) => JsonValue | undefined;

/** The server gets a value, or another command about the node. */
export type Sending =
  | {
      readonly id: ValueId;
      readonly value: JsonValue;
      readonly canFade: boolean;
      /** The value that shows what came of it, if that is another one, and how it then reads. */
      readonly shownBy?: { readonly id: ValueId; readonly value: JsonValue };
    }
  | { readonly command: string };

/** A feature with its place among the values of a node. It writes with what else the command sets. */
export type Source = PeerSource<
  Look,
  (value: JsonValue, command: ReadonlyMap<string, JsonValue>) => readonly Sending[]
> & {
  /** Keys of the values that it reads. */
  readonly from: readonly string[];
  /** Reads an event of a value that has no state. */
  readonly happen?: (value: JsonValue) => Occurrence | undefined;
};

/** One endpoint of a node while its features are made. */
export type Part = {
  readonly component: string;
  readonly endpoint: number;
  readonly deviceClass: DeviceClass;
  readonly values: readonly NodeValue[];
  readonly find: (commandClass: number, property: Property, key?: Property) => NodeValue | undefined;
  readonly list: (commandClass: number) => readonly NodeValue[];
  /** Adds a feature unless there is one of its key, and keeps these values from being shown a second time. */
  readonly add: (source: Source | undefined, ...shown: readonly (NodeValue | undefined)[]) => boolean;
  readonly has: (word: VocabularyWord) => boolean;
};

/** A feature that reads one value. */
export function reading(feature: Feature, value: NodeValue, read: (value: JsonValue) => JsonValue | undefined): Source {
  return {
    feature,
    from: [value.key],
    read: (look) => {
      const found = look(value.key);
      return found === undefined ? null : read(found);
    },
  };
}

/** A feature that reads a value and writes another one. */
export function control(
  feature: Feature,
  { shown, target }: { readonly shown: NodeValue; readonly target: NodeValue | undefined },
  {
    read,
    write,
  }: {
    readonly read: (value: JsonValue) => JsonValue | undefined;
    readonly write: (value: JsonValue) => JsonValue;
  },
): Source {
  if (target?.metadata.writeable !== true) return reading({ ...feature, writable: false }, shown, read);
  return {
    ...reading({ ...feature, writable: true }, shown, read),
    write: (value) => [sendingOf(target, write(value), shown)],
  };
}

/** `shown` is the value in which the result can be seen. */
export function sendingOf(target: NodeValue, value: JsonValue, shown?: NodeValue): Sending {
  return {
    id: target.id,
    value,
    canFade: target.metadata.canFade,
    ...(shown === undefined || keyOf(shown.id) === keyOf(target.id) ? {} : { shownBy: { id: shown.id, value } }),
  };
}

/** Spellings of the server that others do not have. */
const UNITS: Readonly<Record<string, string>> = {
  Lux: 'lx',
  dBA: 'dB',
  kVar: 'kvar',
  'bq/m³': 'Bq/m3',
  'l/h': 'L/h',
  l: 'L',
  gallon: 'gal',
  Mph: 'mph',
};

export function unitOf({ metadata: { unit } }: NodeValue): string | null {
  return unit === null ? null : Object.hasOwn(UNITS, unit) ? (UNITS[unit] ?? null) : unitFromSpelling(unit);
}

/** A number with a word of the vocabulary, in its unit; `undefined` if the value measures something else. */
export function measured(
  part: Part,
  value: NodeValue,
  { word, writable = false }: { readonly word: VocabularyWord; readonly writable?: boolean },
): Source | undefined {
  const linear = toUnitOf(word, unitOf(value));
  if (linear === undefined) return undefined;
  const bound = (limit: number | null): number | null => (limit === null ? null : converted(limit, linear));
  const range = writable ? { min: bound(value.metadata.min), max: bound(value.metadata.max) } : {};
  return control(
    wordFeature(word, part.component, range),
    { shown: value, target: writable ? value : undefined },
    {
      read: (raw) => mapNumber(raw, (number) => converted(number, linear)),
      write: (wanted) => Number(((Number(wanted) - linear.offset) / linear.factor).toFixed(2)),
    },
  );
}

/** The value itself, of a feature that has it as the server does: `readFeature` refuses what the feature cannot have. */
export const asSaid = (value: JsonValue): JsonValue => value;

/** A level or a state of a notification that the node does not know. */
const UNKNOWN_STATE = 254;
/** The state of a notification that has ended. */
const IDLE = 0;

export function isAboveZero(value: JsonValue): boolean | null | undefined {
  return mapNumber(value, (number) => (number === UNKNOWN_STATE ? null : number > 0));
}

/** Whether a state means yes; `null` for one of neither list: nobody knows what it means. */
export function isOneOf(yes: readonly number[], no: readonly number[] = [IDLE]) {
  return (value: JsonValue): boolean | null | undefined =>
    mapNumber(value, (number) => (yes.includes(number) ? true : no.includes(number) ? false : null));
}

const MAX_WORD = 60;

/** The words for the states of a value, each once. */
export function wordsOf(
  { metadata: { states } }: NodeValue,
  own: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const taken = new Set<string>();
  for (const [raw, label] of states) {
    const plain = (Object.hasOwn(own, raw) ? own[raw] : undefined) ?? (snakeOf(label) || `state_${snakeOf(raw)}`);
    const word = taken.has(plain) ? `${plain}_${snakeOf(raw)}` : plain;
    taken.add(word);
    words.set(raw, word);
  }
  return words;
}

/** A choice between the states of a value. What the list does not have is shown as it came. */
export function choice(
  feature: Feature,
  ends: { readonly shown: NodeValue; readonly target: NodeValue | undefined },
  words: ReadonlyMap<string, string>,
): Source {
  return control({ ...feature, options: [...new Set(words.values())] }, ends, {
    read: (raw) => {
      if (typeof raw === 'object') return null;
      // Not even a server of the future means 1e999.
      if (typeof raw === 'number' && !Number.isFinite(raw)) return raw;
      return words.get(String(raw)) ?? String(raw).slice(0, MAX_WORD);
    },
    write: (word) => {
      for (const [raw, one] of words) if (one === word) return rawOf(raw);
      return null;
    },
  });
}

function rawOf(raw: string): JsonValue {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  const number = Number(raw);
  return Number.isFinite(number) ? number : raw;
}
