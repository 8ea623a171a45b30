import type { SessionId } from '#auth/session/session.ts';
import { parseJson, type JsonValue } from '#base/json.ts';
import { GAP_REASONS, isGap, type GapMark, type SampleValue } from '#core/history/sample.ts';
import {
  BadBytesError,
  checkedBody,
  createByteSink,
  createByteSource,
  decodeSafely,
  withChecksum,
  type ByteSink,
  type ByteSource,
} from '#storage/history/bytes.ts';
import type { SessionTouch } from '#storage/tables/stored-noun.ts';

/** What one flush writes. Series are named by their numbers in the journal. */
export type JournalRow = {
  /** Sorted by tick. */
  readonly samples: readonly RowSample[];
  readonly values: readonly RowValue[];
  readonly touches: readonly SessionTouch[];
  readonly meta: ReadonlyMap<string, string>;
};

/** A tick is a tenth of a second since 1970, as the epoch of the sample's segment counts it. */
export type RowSample = { readonly series: number; readonly tick: number; readonly value: SampleValue | GapMark };

export type RowValue = {
  readonly series: number;
  readonly value: JsonValue;
  readonly observedAtMs: number | null;
  readonly changedAtMs: number | null;
};

export function encodeJournalRow({ samples, values, touches, meta }: JournalRow): Buffer {
  const sink = createByteSink();
  sink.varint(samples.length);
  let tick = 0;
  for (const sample of samples) {
    sink.varint(sample.series);
    sink.varint(sample.tick - tick);
    writeSample(sink, sample.value);
    tick = sample.tick;
  }
  sink.varint(values.length);
  let ms = 0;
  for (const { series, value, observedAtMs, changedAtMs } of values) {
    sink.varint(series);
    writeValue(sink, value);
    writeTime(sink, observedAtMs, ms);
    ms = wholeOr(observedAtMs, ms);
    writeTime(sink, changedAtMs, ms);
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
    let tick = 0;
    const samples = readList(source, (): RowSample => {
      const series = source.varint();
      tick += source.varint();
      return { series, tick, value: readSample(source) };
    });
    let ms = 0;
    const values = readList(source, (): RowValue => {
      const series = source.varint();
      const value = readValue(source, source.byte());
      const observedAtMs = readTime(source, ms);
      ms = wholeOr(observedAtMs, ms);
      return { series, value, observedAtMs, changedAtMs: readTime(source, ms) };
    });
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
const MAX_DECIMALS = 4;
const MAX_SCALED = 2 ** 52;

function writeSample(sink: ByteSink, value: SampleValue | GapMark): void {
  if (!isGap(value)) return writeValue(sink, value);
  sink.byte(value.isUncertain === true ? FORM.uncertainGap : FORM.gap);
  sink.byte(GAP_REASONS.indexOf(value.gap));
}

function readSample(source: ByteSource): SampleValue | GapMark {
  const form = source.byte();
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

function writeValue(sink: ByteSink, value: JsonValue): void {
  if (value === null) return sink.byte(FORM.null);
  if (value === false || value === true) return sink.byte(value ? FORM.true : FORM.false);
  if (typeof value === 'number') return writeNumber(sink, value);
  // UTF-8 has no halves of surrogate pairs; JSON escapes them.
  const isText = typeof value === 'string' && !/\p{Surrogate}/u.test(value);
  sink.byte(isText ? FORM.text : FORM.json);
  sink.text(isText ? value : JSON.stringify(value));
}

function writeNumber(sink: ByteSink, value: number): void {
  const decimals = findDecimals(value);
  if (decimals === undefined) {
    sink.byte(FORM.float64);
    return sink.float64(value);
  }
  sink.byte(decimals);
  sink.zigzag(Math.round(value * 10 ** decimals));
}

/** The fewest decimals with which a number can be written as a whole number and comes back exactly. */
export function findDecimals(value: number): number | undefined {
  if (Object.is(value, -0)) return undefined;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1) {
    const scaled = Math.round(value * 10 ** decimals);
    if (Math.abs(scaled) < MAX_SCALED && scaled / 10 ** decimals === value) return decimals;
  }
  return undefined;
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

/** What the next difference is counted from. */
function wholeOr(timeMs: number | null, otherMs: number): number {
  return timeMs !== null && Number.isSafeInteger(timeMs) && Math.abs(timeMs) <= MAX_SCALED / 4 ? timeMs : otherMs;
}
