import type { JsonValue } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';
import { ownAction, ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { FeatureCategory } from '#core/feature/value-type.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import {
  type Draft,
  type Message,
  putFlag,
  putFloat,
  putNumber,
  putText,
} from '#integrations/esphome/wire/protobuf.ts';

/** A node listed this entity. */
export type Listed = {
  readonly kind: EntityKind;
  /** The id of the part of the node that it belongs to, 0 for the node itself. */
  readonly deviceId: number;
  /** Unique in that part. */
  readonly key: number;
  /** `null` if it has the name of the device. */
  readonly name: string | null;
  /** The name as a part of a feature's key. */
  readonly slug: string;
  readonly category: FeatureCategory;
  readonly message: Message;
};

/** A feature with its place in the messages of an entity: of its state, and in the draft of a command. */
export type Source = PeerSource<Message, (value: JsonValue, draft: Draft) => void> & {
  readonly happen?: (event: Message) => Occurrence | undefined;
};

/** Where the features of an entity go. */
export type Place = { readonly component: string; readonly slug: string; readonly category: FeatureCategory };

export type EntityKind = {
  readonly word: string;
  /** Outputs come first where two entities could be the main one of a device. */
  readonly rank: 'output' | 'sensor' | 'other';
  /** The type of the message that lists it, with the fields that differ from kind to kind. */
  readonly listed: { readonly type: number; readonly category: number; readonly device: number };
  readonly state?: { readonly type: number; readonly device: number };
  readonly command?: { readonly type: number; readonly device: number };
  readonly make: (listed: Message, place: Place) => readonly Source[];
};

type Details = Parameters<typeof wordFeature>[2];

/** A feature with a word of the vocabulary, in the category that the node gave the entity. */
export function word({ component, category }: Place, name: VocabularyWord, details: Details = {}): Feature {
  const feature = wordFeature(name, component, details);
  return category === 'primary' ? feature : { ...feature, category };
}

/** A feature that the vocabulary has no word for, under the name of the entity or another one. */
export function own(
  { component, category, slug }: Place,
  details: Parameters<typeof ownFeature>[2],
  name = slug,
): Feature {
  return ownFeature(name, component, { category, ...details });
}

/** Something that can only be set off. */
export function action(place: Place, name = place.slug): Feature {
  return ownAction(name, place.component, place.category);
}

/** An entity that only guesses what state it has takes commands, and shows nothing that nobody knows. */
export function unlessAssumed(isAssumed: boolean, sources: readonly Source[]): readonly Source[] {
  if (!isAssumed) return sources;
  return sources.flatMap(({ feature, write }) =>
    write === undefined ? [] : [{ write, feature: { ...feature, readable: false } }],
  );
}

const MAX_OPTIONS = 64;
const MAX_OPTION_LENGTH = 100;

/** The texts of a list that people choose from, each once. */
export function optionsIn(message: Message, field: number): readonly string[] {
  const texts = message.texts(field, MAX_OPTIONS).map((text) => text.slice(0, MAX_OPTION_LENGTH));
  return [...new Set(texts)];
}

/** `undefined` for what is no number. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** A part of one as percent. */
export function percentOf(share: number): number | undefined {
  return share >= 0 && share <= 1 ? Math.round(share * 1_000) / 10 : undefined;
}

function shareOf(percent: JsonValue): number {
  return Math.min(100, Math.max(0, Number(percent))) / 100;
}

/** The text of a value that was checked to be one. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : '';
}

/** The name that stands for a number of the API, and back. */
export type Names = ReadonlyMap<number, string>;

/** Where a command has a value. Flags say that it is there; one may have a flag of its own beside `has`, as to switch on. */
type Field = { readonly has: number; readonly value: number; readonly also?: readonly number[] };
type PutValue = (draft: Draft, field: number, value: JsonValue) => void;

function writing(put: PutValue) {
  return ({ has, value: field, also = [] }: Field): NonNullable<Source['write']> =>
    (value, draft) => {
      for (const flag of [...also, has]) putFlag(draft, flag, true);
      put(draft, field, value);
    };
}

export const writeFlag = writing((draft, field, value) => putFlag(draft, field, value === true));
export const writeShare = writing((draft, field, percent) => putFloat(draft, field, shareOf(percent)));
export const writeText = writing((draft, field, text) => putText(draft, field, textOf(text)));
export const writeName = (names: Names) =>
  writing((draft, field, name) => putNumber(draft, field, numberOf(names, name) ?? 0));

export function numberOf(names: Names, name: JsonValue): number | undefined {
  for (const [number, one] of names) if (one === name) return number;
  return undefined;
}
