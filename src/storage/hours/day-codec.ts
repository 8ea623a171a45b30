import { parseJson } from '#base/json.ts';
import type { Gap } from '#core/past/history/history-store.ts';
import { GAP_REASONS, type SampleValue, type SeriesKind } from '#core/past/history/sample.ts';
import type { Hour, HourOf } from '#core/past/hour/hour.ts';
import type { DayOfSeries } from '#core/past/hour/hour-store.ts';
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

/** The form of the bytes. Days on disk have this number. */
const FORM = 1;
const KINDS: readonly SeriesKind[] = ['gauge', 'counter', 'state', 'event'];
/** In place of the decimals of a column. */
const FLOAT64 = 255;
/** A day keeps this many different values: those that held longest or came most often. */
const MAX_VALUES = 64;

type Packed = Pick<DayOfSeries, 'kind' | 'hours' | 'gaps'>;

/** Column by column, as neighbours in a column are alike. Times are whole milliseconds. */
export function encodeDay(fromMs: number, { kind, hours, gaps }: Packed): Buffer {
  const sink = createByteSink();
  sink.byte(FORM);
  sink.byte(KINDS.indexOf(kind));
  sink.varint(hours.length);
  let endMs = fromMs;
  for (const hour of hours) {
    sink.zigzag(Math.round(hour.fromMs - endMs));
    endMs = hour.toMs;
  }
  for (const hour of hours) sink.varint(Math.round(hour.toMs - hour.fromMs));
  for (const hour of hours) sink.varint(Math.max(0, Math.round(hour.toMs - hour.fromMs - hour.knownMs)));
  for (const hour of hours) sink.varint(hour.samples);
  if (kind === 'gauge') writeGauges(sink, hours as readonly HourOf<'gauge'>[]);
  else if (kind === 'counter') writeCounters(sink, hours as readonly HourOf<'counter'>[]);
  else writeValues(sink, hours as readonly (HourOf<'state'> | HourOf<'event'>)[]);
  sink.varint(gaps.length);
  endMs = fromMs;
  for (const { fromMs: from, toMs, reason, isUncertain } of gaps) {
    sink.zigzag(Math.round(from - endMs));
    sink.varint(Math.round(toMs - from));
    sink.byte(2 * GAP_REASONS.indexOf(reason) + (isUncertain ? 1 : 0));
    endMs = toMs;
  }
  return withChecksum(deflated(sink.take()));
}

/** `undefined` if the bytes are damaged. */
export function decodeDay(fromMs: number, data: Uint8Array): Packed | undefined {
  return decodeSafely(() => {
    const source = createByteSource(inflated(checkedBody(data)));
    const form = source.byte();
    const kind = KINDS[source.byte()];
    const count = source.varint();
    // Each hour takes a byte or more, so that no damaged count makes long lists.
    if (form !== FORM || kind === undefined || count > source.left()) throw new BadBytesError();
    const spans = readSpans(source, fromMs, count);
    const hours = readHours(source, kind, spans);
    const gaps = readGaps(source, fromMs);
    if (source.left() > 0) throw new BadBytesError();
    return { kind, hours, gaps };
  });
}

type Span = Pick<Hour, 'fromMs' | 'toMs' | 'knownMs' | 'samples'>;

function readSpans(source: ByteSource, fromMs: number, count: number): Span[] {
  const begins = readColumn(count, source.zigzag);
  const lengths = readColumn(count, source.varint);
  const unknown = readColumn(count, source.varint);
  const samples = readColumn(count, source.varint);
  let endMs = fromMs;
  return begins.map((begin, index) => {
    const length = lengths[index] ?? 0;
    const from = endMs + begin;
    endMs = from + length;
    return { fromMs: from, toMs: endMs, knownMs: length - (unknown[index] ?? 0), samples: samples[index] ?? 0 };
  });
}

/** A year has three thousand of them: `Array.from` takes several times as long. */
function readColumn(count: number, read: () => number): number[] {
  const column: number[] = [];
  for (let index = 0; index < count; index += 1) column.push(read());
  return column;
}

function readHours(source: ByteSource, kind: SeriesKind, spans: readonly Span[]): Hour[] {
  if (kind === 'gauge') return readGauges(source, spans);
  if (kind === 'counter') return readCounters(source, spans);
  const amounts = readValues(source, spans.length);
  if (kind === 'event') {
    return spans.map((span, index) => ({ kind, ...span, counts: amounts[index] ?? new Map<SampleValue, number>() }));
  }
  const changes = spans.map(() => source.varint());
  return spans.map((span, index) => ({
    kind,
    ...span,
    heldMs: amounts[index] ?? new Map<SampleValue, number>(),
    changes: changes[index] ?? 0,
  }));
}

function readGaps(source: ByteSource, fromMs: number): Gap[] {
  const gaps: Gap[] = [];
  let endMs = fromMs;
  for (let left = source.varint(); left > 0; left -= 1) {
    const from = endMs + source.zigzag();
    endMs = from + source.varint();
    const code = source.byte();
    const reason = GAP_REASONS[code >> 1];
    if (reason === undefined) throw new BadBytesError();
    gaps.push({ fromMs: from, toMs: endMs, reason, isUncertain: code % 2 === 1 });
  }
  return gaps;
}

function writeNumbers(sink: ByteSink, values: readonly number[]): void {
  const decimals = findCommonDecimals(values);
  sink.byte(decimals ?? FLOAT64);
  let last = 0;
  for (const value of values) {
    if (decimals === undefined) sink.float64(value);
    else {
      const scaled = Math.round(value * 10 ** decimals);
      sink.zigzag(scaled - last);
      last = scaled;
    }
  }
}

function readNumbers(source: ByteSource, count: number): number[] {
  const decimals = source.byte();
  if (decimals === FLOAT64) return readColumn(count, source.float64);
  if (decimals > MAX_DECIMALS) throw new BadBytesError();
  const scale = 10 ** decimals;
  let last = 0;
  return readColumn(count, () => {
    last += source.zigzag();
    return last / scale;
  });
}

const MAX_AREA = 2 ** 50;
const COLUMNS = ['min', 'max', 'first', 'last'] as const;

/**
 * A mean is kept as what it adds to the least value in the time in which one was known: a whole number of milliseconds times
 * the last digit of the values, and one digit more for values in between.
 */
function writeGauges(sink: ByteSink, hours: readonly HourOf<'gauge'>[]): void {
  for (const column of COLUMNS) {
    writeNumbers(
      sink,
      hours.map((hour) => hour[column]),
    );
  }
  const decimals = findCommonDecimals(hours.flatMap((hour) => COLUMNS.map((column) => hour[column])));
  const scale = 10 ** ((decimals ?? 0) + 1);
  const areas = hours.map(({ mean, min, knownMs }) => Math.max(0, Math.round((mean - min) * knownMs * scale)));
  const isWhole = decimals !== undefined && areas.every((area) => area < MAX_AREA);
  sink.byte(isWhole ? decimals : FLOAT64);
  for (const [index, area] of areas.entries()) {
    if (isWhole) sink.varint(area);
    else sink.float64(hours[index]?.mean ?? 0);
  }
}

function readGauges(source: ByteSource, spans: readonly Span[]): HourOf<'gauge'>[] {
  const [min = [], max = [], first = [], last = []] = COLUMNS.map(() => readNumbers(source, spans.length));
  const decimals = source.byte();
  if (decimals > MAX_DECIMALS && decimals !== FLOAT64) throw new BadBytesError();
  const scale = 10 ** (decimals + 1);
  const meanOf = (at: number, knownMs: number): number => {
    if (decimals === FLOAT64) return source.float64();
    const area = source.varint() / scale;
    return knownMs === 0 ? (last[at] ?? 0) : Math.min(max[at] ?? 0, (min[at] ?? 0) + area / knownMs);
  };
  return spans.map(({ fromMs, toMs, knownMs, samples }, at) => ({
    kind: 'gauge',
    fromMs,
    toMs,
    knownMs,
    samples,
    min: min[at] ?? 0,
    max: max[at] ?? 0,
    mean: meanOf(at, knownMs),
    first: first[at] ?? 0,
    last: last[at] ?? 0,
  }));
}

function writeCounters(sink: ByteSink, hours: readonly HourOf<'counter'>[]): void {
  // Without the noise of binary fractions, 128.401 - 128.4 is 0.001.
  for (const column of ['increase', 'inGap'] as const) {
    writeNumbers(
      sink,
      hours.map((hour) => Number(hour[column].toPrecision(12))),
    );
  }
  for (const { resets } of hours) sink.varint(resets);
  for (const { min } of hours) sink.byte(min === null ? 0 : 1);
  for (const column of ['min', 'max'] as const) {
    writeNumbers(
      sink,
      hours.flatMap((hour) => hour[column] ?? []),
    );
  }
}

function readCounters(source: ByteSource, spans: readonly Span[]): HourOf<'counter'>[] {
  const increase = readNumbers(source, spans.length);
  const inGap = readNumbers(source, spans.length);
  const resets = spans.map(() => source.varint());
  const isRead = spans.map(() => source.byte() === 1);
  const count = isRead.filter(Boolean).length;
  const min = readNumbers(source, count);
  const max = readNumbers(source, count);
  let next = 0;
  return spans.map((span, index) => {
    const at = isRead[index] === true ? next++ : -1;
    const counted = { increase: increase[index] ?? 0, inGap: inGap[index] ?? 0, resets: resets[index] ?? 0 };
    return { kind: 'counter', ...span, ...counted, min: min[at] ?? null, max: max[at] ?? null };
  });
}

/** Times of states in milliseconds, or counts of events. */
function writeValues(sink: ByteSink, hours: readonly (HourOf<'state'> | HourOf<'event'>)[]): void {
  const amountsOf = (hour: (typeof hours)[number]): ReadonlyMap<SampleValue, number> =>
    hour.kind === 'state' ? hour.heldMs : hour.counts;
  const totals = new Map<SampleValue, number>();
  for (const hour of hours) {
    for (const [value, amount] of amountsOf(hour)) totals.set(value, (totals.get(value) ?? 0) + amount);
  }
  const kept = [...totals].toSorted(([, left], [, right]) => right - left).slice(0, MAX_VALUES);
  const places = new Map(kept.map(([value], index) => [value, index]));
  sink.varint(places.size);
  // JSON may contain any character and has no halves of surrogate pairs.
  for (const value of places.keys()) sink.text(JSON.stringify(value));
  for (const hour of hours) {
    const amounts = [...amountsOf(hour)].filter(([value]) => places.has(value));
    sink.varint(amounts.length);
    for (const [value, amount] of amounts) {
      sink.varint(places.get(value) ?? 0);
      sink.varint(Math.round(amount));
    }
  }
  for (const hour of hours) if (hour.kind === 'state') sink.varint(hour.changes);
}

function readValues(source: ByteSource, count: number): Map<SampleValue, number>[] {
  const values: SampleValue[] = [];
  for (let left = source.varint(); left > 0; left -= 1) {
    const value = parseJson(source.text());
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw new BadBytesError();
    values.push(value);
  }
  return Array.from({ length: count }, () => {
    const amounts = new Map<SampleValue, number>();
    for (let left = source.varint(); left > 0; left -= 1) {
      const value = values[source.varint()];
      if (value === undefined) throw new BadBytesError();
      amounts.set(value, source.varint());
    }
    return amounts;
  });
}
