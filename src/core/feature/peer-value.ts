import type { JsonValue } from '#base/json.ts';
import type { Feature } from './feature.ts';
import { isSaid } from './feature-value.ts';

/** This value was refused in the present reading of a feature; nothing else runs meanwhile. */
let refused: JsonValue | undefined;

const DECIMAL = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:e[+-]?\d{1,3})?$/i;
const LONGEST = 100;

/**
 * The number that a peer sends for one: also as a text, and the first of a list where one number was announced.
 * `undefined` for what is none, such as 1e999, which JSON.parse takes for Infinity.
 */
export function numberIn(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = plainNumber(Array.isArray(value) ? (value as readonly JsonValue[])[0] : value);
  if (number === undefined) refused = value;
  return number;
}

/** As `numberIn`, and no number beyond these ends, both included. */
export function numberBetween(
  value: JsonValue | undefined,
  [min, max]: readonly [min: number, max: number],
): number | undefined {
  const number = numberIn(value);
  if (number === undefined || (number >= min && number <= max)) return number;
  refused = value;
  return undefined;
}

function plainNumber(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' ? numberFromText(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function numberFromText(text: string): number | undefined {
  return text.length <= LONGEST && DECIMAL.test(text.trim()) ? Number(text) : undefined;
}

/** Maps the number. `null` stays what it is: the peer does not know. */
export function mapNumber<Made>(value: JsonValue | undefined, make: (number: number) => Made): Made | null | undefined {
  if (value === null) return null;
  const number = numberIn(value);
  return number === undefined ? undefined : make(number);
}

/** As `mapNumber`, of a number between these ends, both included; any other says nothing. */
export function mapNumberBetween(
  value: JsonValue | undefined,
  [min, max]: readonly [min: number, max: number],
  make = (number: number): number => number,
): number | null | undefined {
  return mapNumber(value, (number) => (number >= min && number <= max ? make(number) : undefined));
}

/** The item of a list; where a peer sends one value for a list, that is its first. */
export function itemIn(value: JsonValue | undefined, index: number): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[])[index];
  return index === 0 && typeof value !== 'object' ? value : undefined;
}

export type OnRefused = (key: string, value: JsonValue) => void;

/**
 * Reads a feature from a message: a value that the hub can keep, `null` for what the peer does not know, or `undefined`
 * for no news. A value that the feature cannot have is no news, and goes to `onRefused`.
 */
export function readFeature(
  feature: Feature,
  read: () => JsonValue | undefined,
  onRefused?: OnRefused,
): JsonValue | undefined {
  refused = undefined;
  const value = read();
  if (isSaid(feature, value)) return value;
  const wrong = value ?? refused;
  if (wrong !== undefined) onRefused?.(feature.key, wrong);
  return undefined;
}
