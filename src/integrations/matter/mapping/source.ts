import { snakeOf } from '#integrations/peer/snake-word.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import type { Source as PeerSource } from '#integrations/peer/source.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { numberBetween, numberIn as peerNumber } from '#core/feature/peer-value.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import type { MatterAsk } from '#integrations/matter/matter-node.ts';

/** An attribute, event or command of an endpoint: `onOff.onOff`. */
export type Place = `${string}.${string}`;

/** The present value of an attribute of the endpoint; `undefined` while nobody knows it, `null` where the node says so. */
export type Look = (place: Place) => JsonValue | undefined;

/** A command asks for this beside the value that is being written. */
export type Wish = {
  /** The value that the same command sets for another capability of the component. */
  readonly also: (capability: string) => JsonValue | undefined;
  readonly look: Look;
  /** In tenths of a second; 0 is at once. */
  readonly transition: number;
};

/** A feature with its place in an endpoint. Its `write` throws HubError where the command lacks something. */
export type Source = PeerSource<Look, (value: JsonValue, wish: Wish) => readonly MatterAsk[]> & {
  readonly endpoint: number;
  /** Attributes that it reads. */
  readonly from: readonly Place[];
  /** The readers of an event, by the events that it is made of. */
  readonly happens?: ReadonlyMap<Place, (data: JsonObject, look: Look) => Occurrence | undefined>;
};

/** A source before it has its endpoint. */
export type Plan = Omit<Source, 'endpoint' | 'from'> & { readonly from?: readonly Place[] };

/** One endpoint while its features are made. */
export type Part = {
  readonly component: string;
  readonly number: number;
  readonly types: ReadonlySet<number>;
  /** An attribute that decides what the features are, such as a limit: they show it. */
  readonly find: Look;
  readonly has: (place: Place) => boolean;
  readonly hasCluster: (cluster: string) => boolean;
  readonly takes: (place: Place) => boolean;
  /** Whether the cluster says that it has this function. */
  readonly can: (cluster: string, flag: string) => boolean;
  /** Adds a feature; these attributes are shown by it. */
  readonly add: (plan: Plan, ...shown: readonly Place[]) => void;
  /** Keeps attributes from being shown by themselves. */
  readonly hide: (...places: readonly Place[]) => void;
};

export function invoke(
  { number: endpoint }: Pick<Part, 'number'>,
  place: Place,
  { fields = {}, timed = false }: { readonly fields?: JsonObject; readonly timed?: boolean } = {},
): MatterAsk {
  const [cluster = '', command = ''] = place.split('.');
  return { endpoint, cluster, command, fields, timed };
}

export function write({ number: endpoint }: Pick<Part, 'number'>, place: Place, value: JsonValue): MatterAsk {
  const [cluster = '', attribute = ''] = place.split('.');
  return { endpoint, cluster, write: attribute, value };
}

/** A finite number, and never -0; one of 64 bits may be a text of digits. */
export function numberFrom(value: JsonValue | undefined): number | undefined {
  const number = peerNumber(value);
  return number === undefined ? undefined : number + 0;
}

/** A number between two ends, both included. */
export function numberIn(value: JsonValue | undefined, ends: readonly [number, number]): number | undefined {
  const number = numberBetween(value, ends);
  return number === undefined ? undefined : number + 0;
}

/** Whether a flag of a bitmap is set; `undefined` where the value is no bitmap. */
export function flagIn(value: JsonValue | undefined, flag: string): boolean | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.hasOwn(value, flag) && (value[flag] === true || value[flag] === 1);
}

export function clamp(value: number, [min, max]: readonly [number, number]): number {
  // Without -0.
  return Math.min(max, Math.max(min, value)) + 0;
}

/** To a whole number, without -0. */
export function rounded(value: number): number {
  return Math.round(value) + 0;
}

/** A feature of a word that an attribute says by itself. */
export function reading(
  feature: Feature,
  place: Place,
  read: (value: JsonValue | undefined) => JsonValue | undefined,
): Plan {
  return { feature, from: [place], read: (look) => read(look(place)) };
}

/** Adds a word that reads one attribute, where the endpoint has that. */
export function addReading(
  part: Part,
  word: VocabularyWord,
  { place, read }: { readonly place: Place; readonly read: (value: JsonValue | undefined) => JsonValue | undefined },
): boolean {
  if (!part.has(place)) return false;
  part.add(reading(wordFeature(word, part.component), place, read), place);
  return true;
}

export function booleanFrom(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** An enum has 8 or 16 bits. */
const MOST_ENUM = 0xffff;

/**
 * The words for the numbers of an enum. Each such list of the mapping is that of Matter 1.6, as @matter/model 0.17.9 has it
 * (`test/integrations/matter/lists.test.ts`).
 */
export type Words = ReadonlyMap<number, string>;

export function wordsFrom(words: Readonly<Record<number, string>>): Words {
  return new Map(Object.entries(words).map(([number, word]) => [Number(number), word]));
}

/** The word for a number of an enum; one that the standard does not have is shown by its number. */
export function wordOf(words: Words, value: JsonValue | undefined, otherwise = 'value'): string | undefined {
  const number = numberIn(value, [0, MOST_ENUM]);
  if (number === undefined || !Number.isInteger(number)) return undefined;
  return words.get(number) ?? `${otherwise}_${number}`;
}

/** Translates a number of an enum; `null` for one that the standard does not have: nobody knows what it says. */
export function meaningOf<Meaning extends JsonValue>(
  meanings: ReadonlyMap<number, Meaning>,
  value: JsonValue | undefined,
): Meaning | null | undefined {
  const number = numberIn(value, [0, MOST_ENUM]);
  return number === undefined || !Number.isInteger(number) ? undefined : (meanings.get(number) ?? null);
}

export function numberOf(words: Words, word: JsonValue): number | undefined {
  for (const [number, one] of words) if (one === word) return number;
  return undefined;
}

/** A feature whose attribute is an enum, and is written as such where the standard lets it. */
export function choice(
  part: Part,
  feature: Feature,
  { place, words, writable = false }: { readonly place: Place; readonly words: Words; readonly writable?: boolean },
): Plan {
  const plan = reading({ ...feature, writable, options: [...new Set(words.values())] }, place, (value) =>
    wordOf(words, value),
  );
  if (!writable) return plan;
  return {
    ...plan,
    write: (wanted) => {
      const number = numberOf(words, wanted);
      return number === undefined ? [] : [write(part, place, number)];
    },
  };
}

/** How it is written, of a feature that can be. */
export function whereWritable(writable: boolean, write: NonNullable<Source['write']>): Pick<Source, 'write'> {
  return writable ? { write } : {};
}

/** One value for the flags of a bitmap that mean that something is wrong; the bitmap itself stays visible. */
export function addFaults(part: Part, place: Place, flags: readonly string[]): void {
  if (!part.has(place)) return;
  part.add(
    reading(wordFeature('problem', part.component), place, (value) =>
      typeof value === 'object' && value !== null ? flags.some((flag) => flagIn(value, flag) === true) : undefined,
    ),
  );
}

/** A time in seconds. */
export function addSeconds(
  part: Part,
  name: string,
  { place, writable = false }: { readonly place: Place; readonly writable?: boolean },
): void {
  if (!part.has(place)) return;
  const details = { valueType: 'number', unit: 's', min: writable ? 1 : 0, step: 1, writable } as const;
  part.add(
    {
      ...reading(ownFeature(name, part.component, details), place, (value) => numberIn(value, [0, 0xffff_fffe])),
      ...whereWritable(writable, (seconds) => [write(part, place, rounded(Number(seconds)))]),
    },
    place,
  );
}

const MAX_OPTIONS = 255;

/** Words for a list that the device names itself: each once, and of what has no readable name its number. */
export function namedWords(named: Iterable<readonly [number: number, label: string]>, otherwise: string): Words {
  const words = new Map<number, string>();
  const taken = new Set<string>();
  for (const [number, label] of named) {
    if (words.size === MAX_OPTIONS) break;
    if (words.has(number)) continue;
    const plain = snakeOf(label) || `${otherwise}_${number}`;
    const word = taken.has(plain) ? `${plain}_${number}` : plain;
    if (taken.has(word)) continue;
    taken.add(word);
    words.set(number, word);
  }
  return words;
}
