import type { JsonValue } from '#base/json.ts';
import { mapNumber, mapNumberBetween } from '#core/feature/peer-value.ts';

/** Turns what a peer has for a value into the value of a feature, and back. */
export type Codec = {
  /** `null` stays what it is; `undefined` for what says nothing. */
  readonly read: (raw: JsonValue | undefined) => JsonValue | undefined;
  /** Gets a value that fits the feature. */
  readonly write: (value: JsonValue) => JsonValue;
};

export const AS_IS: Codec = { read: (raw) => raw, write: (value) => value };

/** A whole number between two ends, both included. */
export function wholeBetween(min: number, max: number): Codec {
  return { read: (raw) => mapNumberBetween(raw, [min, max]), write: (value) => Math.round(Number(value)) };
}

/** A name of the list by its number. `otherwise` is what a number without a name means. */
export function namedNumber(names: ReadonlyMap<number, string>, otherwise: (number: number) => string | null): Codec {
  const numberOf = new Map<JsonValue, number>([...names].map(([number, name]) => [name, number]));
  return {
    read: (raw) => mapNumber(raw, (number) => names.get(number) ?? otherwise(number)),
    write: (name) => numberOf.get(name) ?? 0,
  };
}

export const percentFromByte = (byte: number): number => Number(((100 * byte) / 255).toFixed(1));
export const byteFromPercent = (percent: JsonValue): number => Math.round((Number(percent) * 255) / 100);
