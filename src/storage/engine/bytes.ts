import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '#base/json.ts';

/** Bytes that are not what was written. Decoding catches it: it never leaves this folder. */
export class BadBytesError extends Error {
  constructor() {
    super('these bytes are damaged');
    this.name = 'BadBytesError';
  }
}

/** Appends numbers and texts in their shortest form. */
export type ByteSink = {
  readonly byte: (value: number) => void;
  /** A whole number from 0 to 2^53. */
  readonly varint: (value: number) => void;
  /** A whole number from -2^52 to 2^52. */
  readonly zigzag: (value: number) => void;
  readonly float64: (value: number) => void;
  /** The text and its length. It must have no halves of surrogate pairs. */
  readonly text: (value: string) => void;
  /** The same for any text. */
  readonly jsonText: (value: string) => void;
  readonly bytes: (value: Uint8Array) => void;
  readonly length: () => number;
  /** All that was appended; later appends do not change it. */
  readonly take: () => Buffer;
};

export function createByteSink(size = 1024): ByteSink {
  let buffer = Buffer.allocUnsafe(size);
  let at = 0;
  const reserve = (more: number): void => {
    if (at + more <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, at + more));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  const varint = (value: number): void => {
    reserve(8);
    let rest = value;
    // Bit operations work on 32 bits only.
    for (; rest >= 0x80000000; rest = Math.floor(rest / 128)) buffer[at++] = (rest % 128) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) buffer[at++] = (rest & 0x7f) | 0x80;
    buffer[at++] = rest;
  };
  const bytes = (value: Uint8Array): void => {
    reserve(value.length);
    buffer.set(value, at);
    at += value.length;
  };
  const text = (value: string): void => {
    const encoded = Buffer.from(value, 'utf8');
    varint(encoded.length);
    bytes(encoded);
  };
  return {
    byte: (value) => {
      reserve(1);
      buffer[at++] = value;
    },
    varint,
    zigzag: (value) => varint(value < 0 ? -2 * value - 1 : 2 * value),
    float64: (value) => {
      reserve(8);
      at = buffer.writeDoubleLE(value, at);
    },
    text,
    jsonText: (value) => text(JSON.stringify(value)),
    bytes,
    length: () => at,
    take: () => Buffer.from(buffer.subarray(0, at)),
  };
}

/** Reads what a sink wrote. Every call throws BadBytesError where the bytes end or cannot be what it wrote. */
export type ByteSource = {
  readonly byte: () => number;
  readonly varint: () => number;
  readonly zigzag: () => number;
  readonly float64: () => number;
  readonly text: () => string;
  readonly jsonText: () => string;
  readonly bytes: (length: number) => Uint8Array;
  readonly left: () => number;
};

export function createByteSource(from: Uint8Array): ByteSource {
  const buffer = Buffer.from(from.buffer, from.byteOffset, from.byteLength);
  let at = 0;
  const need = (length: number): void => {
    if (length > buffer.length - at) throw new BadBytesError();
  };
  const byte = (): number => {
    need(1);
    return buffer[at++] ?? 0;
  };
  const varint = (): number => {
    let value = byte();
    // Nearly all of a block's differences.
    if (value < 0x80) return value;
    value &= 0x7f;
    for (let scale = 128; ; scale *= 128) {
      const next = byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) break;
      if (scale > Number.MAX_SAFE_INTEGER) throw new BadBytesError();
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new BadBytesError();
    return value;
  };
  const bytes = (length: number): Uint8Array => {
    need(length);
    at += length;
    return buffer.subarray(at - length, at);
  };
  const text = (): string => Buffer.from(bytes(varint())).toString('utf8');
  return {
    byte,
    varint,
    zigzag: () => {
      const value = varint();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    float64: () => {
      need(8);
      at += 8;
      return buffer.readDoubleLE(at - 8);
    },
    text,
    jsonText: () => {
      const value = parseJson(text());
      if (typeof value !== 'string') throw new BadBytesError();
      return value;
    },
    bytes,
    left: () => buffer.length - at,
  };
}

/** The result of decoding, or `undefined` where the bytes are damaged. */
export function decodeSafely<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof BadBytesError) return undefined;
    throw cause;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Node has its own from 20.15 on only. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const CRC_BYTES = 4;

/** The bytes with their checksum in front. */
export function withChecksum(body: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(CRC_BYTES + body.length);
  whole.writeUInt32LE(crc32(body), 0);
  whole.set(body, CRC_BYTES);
  return whole;
}

/** The bytes behind their checksum. Throws BadBytesError where it does not fit them. */
export function checkedBody(whole: Uint8Array): Uint8Array {
  if (whole.length < CRC_BYTES) throw new BadBytesError();
  const body = whole.subarray(CRC_BYTES);
  const sum = Buffer.from(whole.buffer, whole.byteOffset, CRC_BYTES).readUInt32LE(0);
  if (sum !== crc32(body)) throw new BadBytesError();
  return body;
}

const MAX_BODY_BYTES = 8 * 1_048_576;

/** The bytes deflated, behind their length. */
export function deflated(plain: Uint8Array): Buffer {
  const sink = createByteSink(plain.length + 8);
  sink.varint(plain.length);
  sink.bytes(deflateRawSync(plain));
  return sink.take();
}

/** Inflates a body. Throws BadBytesError where it is damaged. */
export function inflated(body: Uint8Array): Uint8Array {
  const source = createByteSource(body);
  const length = source.varint();
  if (length > MAX_BODY_BYTES) throw new BadBytesError();
  let plain: Buffer;
  try {
    plain = inflateRawSync(source.bytes(source.left()), { maxOutputLength: length + 1 });
  } catch {
    // Only what zlib says about the bytes comes here.
    throw new BadBytesError();
  }
  if (plain.length !== length) throw new BadBytesError();
  return plain;
}

export const MAX_DECIMALS = 4;
const MAX_SCALED = 2 ** 50;

/** The fewest decimals with which a number can be written as a whole number and comes back exactly. */
export function findDecimals(value: number): number | undefined {
  if (Object.is(value, -0)) return undefined;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1) {
    const scaled = Math.round(value * 10 ** decimals);
    if (Math.abs(scaled) < MAX_SCALED && scaled / 10 ** decimals === value) return decimals;
  }
  return undefined;
}

/** The fewest decimals with which all of these are whole numbers and come back exactly. */
export function findCommonDecimals(values: readonly number[]): number | undefined {
  let decimals = 0;
  for (const value of values) {
    const needed = findDecimals(value);
    if (needed === undefined) return undefined;
    if (needed > decimals) decimals = needed;
  }
  const scale = 10 ** decimals;
  // A value with few decimals may lose its exactness in the scale that another one needs.
  const isExact = (value: number): boolean => {
    const scaled = Math.round(value * scale);
    return Math.abs(scaled) < MAX_SCALED && Object.is(scaled / scale, value);
  };
  return values.every(isExact) ? decimals : undefined;
}
