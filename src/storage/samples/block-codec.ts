import { bytesOf, GAP_REASONS, isGap, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import {
  BadBytesError,
  checkedBody,
  createByteSink,
  createByteSource,
  decodeSafely,
  deflated,
  findCommonDecimals,
  inflated,
  MAX_DECIMALS,
  withChecksum,
  type ByteSink,
  type ByteSource,
} from '#storage/engine/bytes.ts';
import type { Samples } from './segment.ts';

/** How the values of a block are written. Blocks on disk have these numbers. */
const CODEC = { decimals: 1, float64: 2, texts: 3, booleans: 4 } as const;
type Codec = (typeof CODEC)[keyof typeof CODEC];

/** More samples make a block no smaller. */
export const MAX_BLOCK_SAMPLES = 8_192;
/** Reading a block takes all of its texts into memory. */
const MAX_BLOCK_BYTES = 262_144;

export type EncodedBlock = {
  readonly codec: number;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly count: number;
  readonly data: Buffer;
};

/** The samples as blocks: a new one begins where the type of the values changes, and where one is full. */
export function encodeBlocks(samples: Samples): EncodedBlock[] {
  return splitByType(samples).map(encodeBlock);
}

function encodeBlock({ type, ticks, values }: TypedSamples): EncodedBlock {
  const body = createByteSink(4 * ticks.length + 16);
  writeGaps(body, values);
  writeTicks(body, ticks);
  const known = values.filter((value) => !isGap(value)) as SampleValue[];
  const codec = writeValues(body, type, known);
  const plain = body.take();
  // Deflate gains nothing where there are only times.
  const whole = codec === CODEC.booleans ? plain : deflated(plain);
  return {
    codec,
    firstTick: ticks[0] ?? 0,
    lastTick: ticks.at(-1) ?? 0,
    count: ticks.length,
    data: withChecksum(whole),
  };
}

/** The samples of a block; `undefined` if it is damaged. */
export function decodeBlock({
  codec,
  firstTick,
  count,
  data,
}: Omit<EncodedBlock, 'lastTick' | 'data'> & { data: Uint8Array }): Samples | undefined {
  return decodeSafely(() => {
    const body = checkedBody(data);
    const source = createByteSource(codec === CODEC.booleans ? body : inflated(body));
    // Each sample takes a byte or more, so that no damaged count makes long lists.
    if (count > source.left()) throw new BadBytesError();
    const gaps = readGaps(source, count);
    const ticks = readTicks(source, firstTick, count);
    const known = readValues(source, codec, count - gaps.size);
    if (source.left() > 0) throw new BadBytesError();
    if (gaps.size === 0) return { ticks, values: known };
    let next = 0;
    return { ticks, values: ticks.map((_, index) => gaps.get(index) ?? known[next++] ?? LOST) };
  });
}

const LOST: GapMark = { gap: 'lost' };
type ValueType = 'number' | 'string' | 'boolean';
type TypedSamples = Samples & { readonly type: ValueType };

/** Gaps belong to the values before them. */
function splitByType({ ticks, values }: Samples): TypedSamples[] {
  const parts: { type: ValueType | undefined; ticks: number[]; values: (SampleValue | GapMark)[] }[] = [];
  let bytes = 0;
  for (const [index, value] of values.entries()) {
    const type = isGap(value) ? undefined : (typeof value as ValueType);
    let part = parts.at(-1);
    const fits = type === undefined || part?.type === undefined || part.type === type;
    if (part === undefined || !fits || part.ticks.length >= MAX_BLOCK_SAMPLES || bytes >= MAX_BLOCK_BYTES) {
      bytes = 0;
      part = { type, ticks: [], values: [] };
      parts.push(part);
    }
    part.type ??= type;
    part.ticks.push(ticks[index] ?? 0);
    part.values.push(value);
    bytes += bytesOf(value);
  }
  return parts.map((part) => ({ ...part, type: part.type ?? 'boolean' }));
}

const UNCERTAIN = 0x80;

function writeGaps(sink: ByteSink, values: Samples['values']): void {
  const gaps = [...values.entries()].flatMap(([index, value]) => (isGap(value) ? [{ index, value }] : []));
  sink.varint(gaps.length);
  let last = 0;
  for (const { index, value } of gaps) {
    sink.varint(index - last);
    sink.byte(GAP_REASONS.indexOf(value.gap) + (value.isUncertain === true ? UNCERTAIN : 0));
    last = index;
  }
}

function readGaps(source: ByteSource, count: number): ReadonlyMap<number, GapMark> {
  const gaps = new Map<number, GapMark>();
  let index = 0;
  for (let left = source.varint(); left > 0; left -= 1) {
    index += source.varint();
    const code = source.byte();
    const gap = GAP_REASONS[code % UNCERTAIN];
    if (gap === undefined || index >= count) throw new BadBytesError();
    gaps.set(index, code >= UNCERTAIN ? { gap, isUncertain: true } : { gap });
  }
  return gaps;
}

/** The first tick stands beside the block; then come the differences of the differences. */
function writeTicks(sink: ByteSink, ticks: readonly number[]): void {
  let last = ticks[0] ?? 0;
  let step = 0;
  for (const tick of ticks) {
    sink.zigzag(tick - last - step);
    step = tick - last;
    last = tick;
  }
}

function readTicks(source: ByteSource, firstTick: number, count: number): number[] {
  const ticks: number[] = [];
  let last = firstTick;
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    step += source.zigzag();
    last += step;
    if (step < 0 || !Number.isSafeInteger(last)) throw new BadBytesError();
    ticks.push(last);
  }
  return ticks;
}

function writeValues(sink: ByteSink, type: ValueType, values: readonly SampleValue[]): Codec {
  if (type === 'number') return writeNumbers(sink, values as readonly number[]);
  if (type === 'string') return writeTexts(sink, values as readonly string[]);
  for (let at = 0; at < values.length; at += 8) {
    sink.byte(values.slice(at, at + 8).reduce<number>((bits, value, bit) => bits | (value === true ? 1 << bit : 0), 0));
  }
  return CODEC.booleans;
}

function writeNumbers(sink: ByteSink, values: readonly number[]): Codec {
  const decimals = findCommonDecimals(values);
  if (decimals === undefined) {
    for (const value of values) sink.float64(value);
    return CODEC.float64;
  }
  const scale = 10 ** decimals;
  sink.byte(decimals);
  let last = 0;
  for (const value of values) {
    const scaled = Math.round(value * scale);
    sink.zigzag(scaled - last);
    last = scaled;
  }
  return CODEC.decimals;
}

function writeTexts(sink: ByteSink, values: readonly string[]): Codec {
  const places = new Map<string, number>();
  for (const value of values) if (!places.has(value)) places.set(value, places.size);
  sink.varint(places.size);
  for (const text of places.keys()) sink.jsonText(text);
  for (const value of values) sink.varint(places.get(value) ?? 0);
  return CODEC.texts;
}

function readValues(source: ByteSource, codec: number, count: number): SampleValue[] {
  switch (codec) {
    case CODEC.decimals:
      return readDecimals(source, count);
    case CODEC.float64:
      return Array.from({ length: count }, () => source.float64());
    case CODEC.texts:
      return readTexts(source, count);
    case CODEC.booleans: {
      const bits = source.bytes(Math.ceil(count / 8));
      return Array.from({ length: count }, (_, index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
    }
    default:
      throw new BadBytesError();
  }
}

function readDecimals(source: ByteSource, count: number): number[] {
  const decimals = source.byte();
  if (decimals > MAX_DECIMALS) throw new BadBytesError();
  const scale = 10 ** decimals;
  const values: number[] = [];
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    last += source.zigzag();
    values.push(last / scale);
  }
  return values;
}

function readTexts(source: ByteSource, count: number): string[] {
  const texts: string[] = [];
  for (let left = source.varint(); left > 0; left -= 1) texts.push(source.jsonText());
  return Array.from({ length: count }, () => {
    const text = texts[source.varint()];
    if (text === undefined) throw new BadBytesError();
    return text;
  });
}
