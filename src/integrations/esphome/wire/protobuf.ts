/*
 * Protocol Buffers as far as the ESPHome API uses them. Reading costs a time linear in the bytes, and keeps no more than
 * these bytes.
 */

/** The fields of a message. What is absent reads as its default, as the format wants it. */
export type Message = {
  /** The number of its bytes. */
  readonly size: number;
  readonly has: (field: number) => boolean;
  /** The value of an unsigned field. */
  readonly number: (field: number) => number;
  readonly signed: (field: number) => number;
  readonly flag: (field: number) => boolean;
  readonly float: (field: number) => number;
  readonly text: (field: number) => string;
  readonly bytes: (field: number) => Uint8Array;
  /** At most so many of a repeated field. */
  readonly texts: (field: number, most: number) => readonly string[];
  readonly numbers: (field: number, most: number) => readonly number[];
  /** What is no message is left out. */
  readonly messages: (field: number, most: number) => readonly Message[];
};

/** A number has its lowest 32 bits: nothing in this API has more. */
type Value = number | Uint8Array;

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
const MAX_VARINT_BYTES = 10;

/** `undefined` if the bytes are no message. */
export function readMessage(bytes: Uint8Array): Message | undefined {
  const fields = new Map<number, Value[]>();
  for (let at = 0; at < bytes.length;) {
    const tag = readVarint(bytes, at);
    if (tag === undefined) return undefined;
    const field = tag.value >>> 3;
    const read = readValue(bytes, tag.next, tag.value & 7);
    if (field === 0 || read === undefined) return undefined;
    at = read.next;
    if (read.value === undefined) continue;
    const values = fields.get(field);
    if (values === undefined) fields.set(field, [read.value]);
    else values.push(read.value);
  }
  return messageOf(fields, bytes.length);
}

type Read<Result> = { readonly value: Result; readonly next: number };

/** Without a value where the API has no such kind of field. */
function readValue(bytes: Uint8Array, at: number, wire: number): Read<Value | undefined> | undefined {
  switch (wire) {
    case VARINT:
      return readVarint(bytes, at);
    case FIXED_64:
      return at + 8 > bytes.length ? undefined : { value: undefined, next: at + 8 };
    case BYTES: {
      const length = readVarint(bytes, at);
      if (length === undefined || length.value > bytes.length - length.next) return undefined;
      const next = length.next + length.value;
      return { value: bytes.subarray(length.next, next), next };
    }
    case FIXED_32: {
      if (at + 4 > bytes.length) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
      return { value: (a | (b << 8) | (c << 16) | (d << 24)) >>> 0, next: at + 4 };
    }
    default:
      return undefined;
  }
}

/** Reads a number of up to ten bytes, of which the lowest 32 bits count; `undefined` if the bytes end before it does. */
export function readVarint(bytes: Uint8Array, at: number): Read<number> | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    if (index < 5) value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value: value >>> 0, next: at + index + 1 };
  }
  return undefined;
}

function messageOf(fields: ReadonlyMap<number, readonly Value[]>, size: number): Message {
  const last = (field: number): Value | undefined => fields.get(field)?.at(-1);
  const number = (field: number): number => {
    const value = last(field);
    return typeof value === 'number' ? value : 0;
  };
  const bytes = (field: number): Uint8Array => {
    const value = last(field);
    return typeof value === 'object' ? value : NOTHING;
  };
  const all = (field: number, most: number): readonly Value[] => fields.get(field)?.slice(0, most) ?? [];
  const parts = (field: number, most: number): readonly Uint8Array[] =>
    all(field, most).filter((value) => typeof value === 'object');
  return {
    size,
    has: (field) => fields.has(field),
    number,
    signed: (field) => number(field) | 0,
    flag: (field) => number(field) !== 0,
    float: (field) => floatFromBits(number(field)),
    text: (field) => textFrom(bytes(field)),
    bytes,
    texts: (field, most) => parts(field, most).map(textFrom),
    numbers: (field, most) => {
      const list = all(field, most).flatMap((value) => (typeof value === 'number' ? [value] : packed(value, most)));
      return list.slice(0, most);
    },
    messages: (field, most) => parts(field, most).flatMap((part) => readMessage(part) ?? []),
  };
}

const NOTHING = new Uint8Array();

function packed(bytes: Uint8Array, most: number): readonly number[] {
  const list: number[] = [];
  for (let at = 0; at < bytes.length && list.length < most;) {
    const read = readVarint(bytes, at);
    if (read === undefined) return list;
    list.push(read.value);
    at = read.next;
  }
  return list;
}

function textFrom(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function floatFromBits(bits: number): number {
  const value = new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;
  // A device has seven digits: 21.4 is 21.4 and not 21.399999618530273.
  return Number.isFinite(value) ? Number(value.toPrecision(7)) : value;
}

/** A message to send, in any order of its fields. A field that is set again has its last value. */
export type Draft = Map<number, Uint8Array>;

export function putNumber(draft: Draft, field: number, value: number): void {
  draft.set(field, join(varint((field << 3) | VARINT), varint(value)));
}

export function putFlag(draft: Draft, field: number, value: boolean): void {
  putNumber(draft, field, value ? 1 : 0);
}

/** `sint32`: small numbers stay short, whatever their sign. */
export function putZigzag(draft: Draft, field: number, value: number): void {
  putNumber(draft, field, ((value << 1) ^ (value >> 31)) >>> 0);
}

export function putFixed(draft: Draft, field: number, value: number): void {
  const bits = new Uint8Array(new Uint32Array([value]).buffer);
  draft.set(field, join(varint((field << 3) | FIXED_32), bits));
}

export function putFloat(draft: Draft, field: number, value: number): void {
  draft.set(field, join(varint((field << 3) | FIXED_32), new Uint8Array(new Float32Array([value]).buffer)));
}

export function putBytes(draft: Draft, field: number, ...values: readonly Uint8Array[]): void {
  const parts = values.map((value) => join(varint((field << 3) | BYTES), varint(value.length), value));
  draft.set(field, join(...parts));
}

export function putText(draft: Draft, field: number, ...values: readonly string[]): void {
  putBytes(draft, field, ...values.map((value) => Buffer.from(value, 'utf8')));
}

export function bytesOf(draft: Draft): Uint8Array {
  return join(...draft.values());
}

/** Takes whole numbers from 0 to 2^32 - 1. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.of(...bytes, rest);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
