import type { SessionId } from '#auth/session/session.ts';
import { parseJson, type JsonValue } from '#base/json.ts';
import { GAP_REASONS, isGap, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import {
  BadBytesError,
  checkedBody,
  createByteSink,
  createByteSource,
  decodeSafely,
  findDecimals,
  MAX_DECIMALS,
  withChecksum,
  type ByteSink,
  type ByteSource,
} from '#storage/engine/bytes.ts';
import { TICK_MS } from '#storage/samples/segment.ts';
import type { SessionTouch } from '#storage/tables/stored-noun.ts';

/** One flush writes one row. Series are named by their numbers in the journal. */
export type JournalRow = {
  /** Sorted by tick. */
  readonly samples: readonly RowSample[];
  /** Last values. One that equals the last sample of its series costs a byte or two. */
  readonly values: readonly RowValue[];
  readonly touches: readonly SessionTouch[];
  readonly meta: ReadonlyMap<string, string>;
};

/** A tick is a tenth of a second since 1970, as the epoch of the sample's segment counts it. */
export type RowSample = { readonly series: number; readonly tick: number; readonly value: SampleValue | GapMark };

type RowValue = {
  /** The name of a series that has no number. */
  readonly series: number | string;
  readonly value: JsonValue;
  readonly observedAtMs: number | null;
  readonly changedAtMs: number | null;
};

export function encodeJournalRow({ samples, values, touches, meta }: JournalRow): Buffer {
  const sink = createByteSink();
  const riding = findRiding(samples, values);
  sink.varint(samples.length);
  let tick = 0;
  for (const sample of samples) {
    sink.varint(sample.series);
    sink.varint(sample.tick - tick);
    const value = riding.get(sample);
    writeSample(sink, sample.value, value === undefined ? 0 : RIDES);
    tick = sample.tick;
    if (value !== undefined) writeTimes(sink, value, TICK_MS * tick);
  }
  const ridden = new Set(riding.values());
  const others = values.filter((value) => !ridden.has(value));
  sink.varint(others.length);
  let ms = 0;
  for (const value of others) {
    writeSeries(sink, value.series);
    writeValue(sink, value.value);
    ms = writeTimes(sink, value, ms);
  }
  sink.varint(touches.length);
  for (const { id, lastUsedAtMs, address } of touches) {
    sink.text(id);
    sink.float64(lastUsedAtMs);
    sink.text(address);
  }
  sink.varint(meta.size);
  for (const [key, value] of meta) {
    sink.text(key);
    sink.text(value);
  }
  return withChecksum(sink.take());
}

/** `undefined` for a row that is damaged. */
export function decodeJournalRow(bytes: Uint8Array): JournalRow | undefined {
  return decodeSafely(() => {
    const source = createByteSource(checkedBody(bytes));
    const values: RowValue[] = [];
    let tick = 0;
    const samples = readList(source, (): RowSample => {
      const series = source.varint();
      tick += source.varint();
      const form = source.byte();
      const value = readSample(source, form % RIDES);
      if (form >= RIDES) values.push({ series, value: asValue(value), ...readTimes(source, TICK_MS * tick) });
      return { series, tick, value };
    });
    let ms = 0;
    const others = readList(source, (): RowValue => {
      const number = source.varint();
      const series = number === 0 ? readName(source) : number;
      const value = readValue(source, source.byte());
      const times = readTimes(source, ms);
      ms = wholeOr(times.observedAtMs, ms);
      return { series, value, ...times };
    });
    values.push(...others);
    const touches = readList(source, () => ({
      id: source.text() as SessionId,
      lastUsedAtMs: source.float64(),
      address: source.text(),
    }));
    const meta = new Map(readList(source, (): [string, string] => [source.text(), source.text()]));
    return { samples, values, touches, meta };
  });
}

function readList<Item>(source: ByteSource, read: () => Item): Item[] {
  const items: Item[] = [];
  for (let left = source.varint(); left > 0; left -= 1) items.push(read());
  return items;
}

/** How a value is written. Numbers with up to `MAX_DECIMALS` decimals have the number of decimals as their form. */
const FORM = { float64: 5, false: 6, true: 7, text: 8, gap: 9, uncertainGap: 10, json: 11, null: 12 } as const;
/** Added to the form of a sample that is the last value too; the times of the value follow. */
const RIDES = 16;
const MAX_SCALED = 2 ** 52;

/** The last values that are the same as the last sample of their series. */
function findRiding(samples: readonly RowSample[], values: readonly RowValue[]): ReadonlyMap<RowSample, RowValue> {
  const lastOf = new Map<number | string, RowSample>(samples.map((sample) => [sample.series, sample]));
  const riding = new Map<RowSample, RowValue>();
  for (const value of values) {
    const sample = lastOf.get(value.series);
    if (sample !== undefined && Object.is(sample.value, value.value)) riding.set(sample, value);
  }
  return riding;
}

/** Numbers of series begin with 1. */
function writeSeries(sink: ByteSink, series: number | string): void {
  if (typeof series === 'number') return sink.varint(series);
  sink.varint(0);
  sink.jsonText(series);
}

function readName(source: ByteSource): string {
  return source.jsonText();
}

function asValue(value: SampleValue | GapMark): SampleValue {
  if (isGap(value)) throw new BadBytesError();
  return value;
}

function writeSample(sink: ByteSink, value: SampleValue | GapMark, flags: number): void {
  if (!isGap(value)) return writeValue(sink, value, flags);
  sink.byte(value.isUncertain === true ? FORM.uncertainGap : FORM.gap);
  sink.byte(GAP_REASONS.indexOf(value.gap));
}

function readSample(source: ByteSource, form: number): SampleValue | GapMark {
  if (form === FORM.gap) return readGap(source);
  if (form === FORM.uncertainGap) return { ...readGap(source), isUncertain: true };
  const value = readValue(source, form);
  if (value === null || typeof value === 'object') throw new BadBytesError();
  return value;
}

function readGap(source: ByteSource): GapMark {
  const gap = GAP_REASONS[source.byte()];
  if (gap === undefined) throw new BadBytesError();
  return { gap };
}

function writeValue(sink: ByteSink, value: JsonValue, flags = 0): void {
  if (value === null) return sink.byte(FORM.null + flags);
  if (value === false || value === true) return sink.byte((value ? FORM.true : FORM.false) + flags);
  if (typeof value === 'number') return writeNumber(sink, value, flags);
  // UTF-8 has no halves of surrogate pairs; JSON escapes them.
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value);
  sink.byte((isText ? FORM.text : FORM.json) + flags);
  sink.text(isText ? value : JSON.stringify(value));
}

function writeNumber(sink: ByteSink, value: number, flags: number): void {
  const decimals = findDecimals(value);
  if (decimals === undefined) {
    sink.byte(FORM.float64 + flags);
    return sink.float64(value);
  }
  sink.byte(decimals + flags);
  sink.zigzag(Math.round(value * 10 ** decimals));
}

function readValue(source: ByteSource, form: number): JsonValue {
  if (form <= MAX_DECIMALS) return source.zigzag() / 10 ** form;
  switch (form) {
    case FORM.float64:
      return source.float64();
    case FORM.false:
      return false;
    case FORM.true:
      return true;
    case FORM.text:
      return source.text();
    case FORM.json:
      return readJson(source.text());
    case FORM.null:
      return null;
    default:
      throw new BadBytesError();
  }
}

function readJson(text: string): JsonValue {
  const value = parseJson(text);
  if (value === undefined) throw new BadBytesError();
  return value;
}

type Times = Pick<RowValue, 'observedAtMs' | 'changedAtMs'>;

/** Returns what the next times are counted from. */
function writeTimes(sink: ByteSink, { observedAtMs, changedAtMs }: Times, sinceMs: number): number {
  writeTime(sink, observedAtMs, sinceMs);
  const nextMs = wholeOr(observedAtMs, sinceMs);
  writeTime(sink, changedAtMs, nextMs);
  return nextMs;
}

function readTimes(source: ByteSource, sinceMs: number): Times {
  const observedAtMs = readTime(source, sinceMs);
  return { observedAtMs, changedAtMs: readTime(source, wholeOr(observedAtMs, sinceMs)) };
}

/** A time as its difference from another, or whole where it has fractions of a millisecond. */
function writeTime(sink: ByteSink, timeMs: number | null, sinceMs: number): void {
  if (timeMs === null) return sink.varint(0);
  if (!Number.isSafeInteger(timeMs) || Math.abs(timeMs) > MAX_SCALED / 4) {
    sink.varint(1);
    return sink.float64(timeMs);
  }
  const differenceMs = timeMs - sinceMs;
  sink.varint(2 + (differenceMs < 0 ? -2 * differenceMs - 1 : 2 * differenceMs));
}

function readTime(source: ByteSource, sinceMs: number): number | null {
  const code = source.varint();
  if (code === 0) return null;
  if (code === 1) return source.float64();
  const zigzag = code - 2;
  return sinceMs + (zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2);
}

/** Chooses the whole number that the next difference is counted from. */
function wholeOr(timeMs: number | null, otherMs: number): number {
  return timeMs !== null && Number.isSafeInteger(timeMs) && Math.abs(timeMs) <= MAX_SCALED / 4 ? timeMs : otherMs;
}
