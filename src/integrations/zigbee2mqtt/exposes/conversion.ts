import { isJsonObject, isSameJson, type JsonValue } from '#base/json.ts';
import { snakeCase } from './action-words.ts';
import { converted, neat } from '#core/feature/measure.ts';
import { mapNumber, numberIn } from '#core/feature/peer-value.ts';
import type { Linear } from '#core/feature/units.ts';

/** How to convert between a payload property and a feature value. */
export type Conversion =
  | { readonly kind: 'as_is' }
  | { readonly kind: 'number'; readonly map: Linear; readonly wholeWire: boolean }
  /** 0…`max` on the wire is 0…100 percent. */
  | { readonly kind: 'percent'; readonly max: number }
  | { readonly kind: 'mired' }
  /** `isLock`: one that is in another state than these two is not known to be in either. */
  | { readonly kind: 'boolean'; readonly on: JsonValue; readonly off: JsonValue; readonly isLock?: boolean }
  /** An enum whose words are false or true; of another word nobody knows which. */
  | {
      readonly kind: 'truth';
      readonly words: ReadonlyMap<string, boolean>;
      readonly on: JsonValue;
      readonly off: JsonValue;
    }
  | { readonly kind: 'enum'; readonly words: EnumWords; readonly snake: boolean }
  | { readonly kind: 'text' }
  | { readonly kind: 'color' }
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'trigger'; readonly wire: JsonValue }
  | { readonly kind: 'occurrence' };

/** Upstream's values of an enum, each with the hub's word for it. */
export type EnumWords = readonly (readonly [wire: JsonValue, word: string])[];

/** The value of a 16-bit Zigbee attribute without a value. `color_temp_startup` uses it for "as before". */
const NO_VALUE_16_BIT = 0xffff;

/** 153 mired ↔ 6536 K; the same rule in both directions. */
export function reciprocalOf(value: number): number {
  return Math.round(1_000_000 / value);
}

/** Rounds small values up to 1, not to 0, because a dim light is on: only 0 becomes 0 percent, and the reverse. */
const scaled = (value: number, from: number, to: number): number =>
  value <= 0 ? 0 : Math.max(1, Math.round((value * to) / from));

/** The feature's value of a payload value; `null` if that says that there is none. `undefined` for a wrong type. */
export function valueFromWire(conversion: Conversion, wire: JsonValue): JsonValue | undefined {
  switch (conversion.kind) {
    case 'as_is':
      return typeof wire === 'number' ? numberIn(wire) : wire;
    case 'number':
      return mapNumber(wire, (number) => converted(neat(number), conversion.map));
    case 'percent':
      return mapNumber(wire, (number) => Math.min(100, scaled(number, conversion.max, 100)));
    case 'mired':
      return mapNumber(wire, (number) => (number <= 0 || number === NO_VALUE_16_BIT ? null : reciprocalOf(number)));
    case 'boolean':
      if (isSameJson(wire, conversion.on)) return true;
      if (isSameJson(wire, conversion.off)) return false;
      return conversion.isLock === true && typeof wire === 'string' ? null : undefined;
    case 'truth':
      return typeof wire === 'string' ? (conversion.words.get(wire) ?? null) : undefined;
    case 'enum':
      return wordFromWire(conversion.words, conversion.snake, wire);
    case 'text':
      return typeof wire === 'string' ? wire : undefined;
    case 'color':
      return colorFromWire(wire);
    case 'timestamp':
      return timestampFromWire(wire);
    default:
      return undefined;
  }
}

/** The value for a set payload. `undefined` if the feature cannot have this value. */
export function wireFromValue(conversion: Conversion, value: JsonValue): JsonValue | undefined {
  const number = typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  switch (conversion.kind) {
    case 'as_is':
      return value === null || (typeof value === 'number' && number === undefined) ? undefined : value;
    case 'number': {
      if (number === undefined) return undefined;
      const wire = neat((number - conversion.map.offset) / conversion.map.factor);
      return conversion.wholeWire ? Math.round(wire) : wire;
    }
    case 'percent':
      return number === undefined || number < 0 || number > 100 ? undefined : scaled(number, 100, conversion.max);
    case 'mired':
      return number === undefined || number <= 0 ? undefined : reciprocalOf(number);
    case 'boolean':
    case 'truth':
      if (typeof value !== 'boolean') return undefined;
      return value ? conversion.on : conversion.off;
    case 'enum':
      return conversion.words.find(([, word]) => word === value)?.[0];
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'color':
      return colorFromWire(value);
    case 'trigger':
      return conversion.wire;
    default:
      return undefined;
  }
}

/** The longest word of a real device has 103 characters. */
const MAX_WORD = 256;

function wordFromWire(words: EnumWords, snake: boolean, wire: JsonValue): string | undefined {
  const known = words.find(([value]) => isSameJson(value, wire));
  if (known !== undefined) return known[1];
  if (typeof wire !== 'string' && typeof wire !== 'number' && typeof wire !== 'boolean') return undefined;
  const word = String(wire);
  if (word.length > MAX_WORD) return undefined;
  return snake ? snakeCase(word) : word;
}

/** `{x, y}` if both are present, otherwise `{hue, saturation}`. The shapes are the same in both directions. */
function colorFromWire(wire: JsonValue): JsonValue | undefined {
  if (!isJsonObject(wire)) return undefined;
  const [x, y] = [numberIn(wire['x'] ?? null), numberIn(wire['y'] ?? null)];
  if (x !== undefined && y !== undefined) return inRange(x, 1) && inRange(y, 1) ? { x, y } : undefined;
  const [hue, saturation] = [numberIn(wire['hue'] ?? null), numberIn(wire['saturation'] ?? null)];
  if (hue === undefined || saturation === undefined) return undefined;
  return inRange(hue, 360) && inRange(saturation, 100) ? { hue, saturation } : undefined;
}

const inRange = (value: number, max: number): boolean => value >= 0 && value <= max;

const MAX_TIME = 64;

/** ISO 8601 or epoch milliseconds, as in `last_seen`. `undefined` if it is no time of this century. */
export function timeFromWire(wire: JsonValue): number | undefined {
  const ms = typeof wire === 'string' ? Date.parse(wire.slice(0, MAX_TIME)) : numberIn(wire);
  if (ms === undefined || !(ms >= Date.UTC(2000, 0) && ms < Date.UTC(2100, 0))) return undefined;
  return ms;
}

function timestampFromWire(wire: JsonValue): string | undefined {
  const ms = timeFromWire(wire);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
