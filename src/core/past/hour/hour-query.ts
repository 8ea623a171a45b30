import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { type BucketEdges, createBucketEdges } from '#core/past/history/bucket-edges.ts';
import { AREA_SCALE, bucketStarts, type GaugeBucket, meanAbove } from '#core/past/history/bucket-totals.ts';
import { readHistory, type Rows, type SeriesHistory, type SeriesQuery } from '#core/past/history/history-query.ts';
import { createM4, type Summary } from '#core/past/history/chart.ts';
import { isGap, type Point, type SampleValue } from '#core/past/history/sample.ts';
import type { Hour, HourOf } from './hour.ts';
import { type HourPartsDeps, readHourParts } from './hour-parts.ts';

export type TieredHistory = SeriesHistory & {
  /** What the rows were made of: `hour` if any of them come from hours. */
  readonly tier: 'raw' | 'hour';
  /** Only hours tell of the part of the range before; `null` if there are samples of all of it. */
  readonly samplesFromMs: number | null;
};

/**
 * Points that each stand for so long are made of hours: a year of a meter has two million samples, and what the time of a
 * point is off is a twelfth of what the point stands for.
 */
const COARSE_MS = 12 * 3_600_000;
const HOURS_AT_ONCE = 512;
const OF_NUMBERS: ReadonlySet<string> = new Set(['gauge', 'counter']);
const OF_HOURS: ReadonlySet<string> = new Set(['1h', '1d', '1w', '1mo']);

/**
 * Reads one series: buckets of an hour and more, and points that are far apart, from hours as far as these are made; everything
 * else from the samples. Where these are gone, a point stands for an hour: its mean, the value that held longest, or the
 * greatest reading of a counter.
 */
export async function readTieredHistory(deps: HourPartsDeps, query: SeriesQuery): Promise<TieredHistory> {
  const { fromMs, toMs, detail } = query;
  if (detail.type === 'buckets' && OF_HOURS.has(detail.bucket)) return readBuckets(deps, query);
  const samplesFromMs = await deps.hours.readSamplesFrom(query.series);
  const isWhole = samplesFromMs <= fromMs;
  const columns = detail.type === 'points' ? Math.max(1, Math.floor(detail.points / 4)) : 1;
  const isCoarse = OF_NUMBERS.has(query.kind) && (toMs - fromMs) / columns >= COARSE_MS;
  if (detail.type !== 'points' || (isWhole && !isCoarse)) {
    const found = await readHistory(deps.history, query);
    return { ...found, tier: 'raw', samplesFromMs: isWhole ? null : samplesFromMs };
  }
  const endMs = isCoarse ? toMs : Math.min(toMs, samplesFromMs);
  const parts = await readHourParts(deps, { ...query, toMs: endMs, zone: detail.zone });
  const rest =
    endMs < toMs
      ? await readHistory(deps.history, { ...query, fromMs: endMs })
      : { rows: { type: 'values', points: [] } as const, gaps: [], summary: NOTHING };
  const thinned = createM4(fromMs, toMs, columns);
  let summary = NOTHING;
  for (let at = 0; at < parts.hours.length; at += HOURS_AT_ONCE) {
    const hours = parts.hours.slice(at, at + HOURS_AT_ONCE);
    for (const point of hours.flatMap(isCoarse ? extremesIn : pointOf)) {
      thinned.add(point.atMs < fromMs ? { ...point, atMs: fromMs } : point);
    }
    summary = joinedSummary(summary, summaryOf(hours));
    await turnOfOthers();
  }
  for (const point of rest.rows.type === 'values' ? rest.rows.points : []) thinned.add(point);
  return {
    rows: { type: 'values', points: thinned.end() },
    before: await beforeOf(deps, query),
    gaps: [...parts.gaps, ...rest.gaps],
    summary: joinedSummary(summary, rest.summary),
    nextMs: null,
    tier: parts.isFromHours ? 'hour' : 'raw',
    samplesFromMs: isWhole ? null : samplesFromMs,
  };
}

async function readBuckets(deps: HourPartsDeps, query: SeriesQuery): Promise<TieredHistory> {
  const { kind, fromMs, detail } = query;
  if (detail.type !== 'buckets') throw new Error('only buckets are read from hours');
  const { zone, bucket } = detail;
  const { hours, gaps, isFromHours, samplesFromMs } = await readHourParts(deps, { ...query, zone });
  const edges = createBucketEdges(bucket, zone);
  const ofKind = hours.filter((hour) => hour.kind === kind);
  return {
    rows: rowsOf(query, ofKind, edges),
    before: await beforeOf(deps, query),
    gaps,
    summary: summaryOf(ofKind),
    nextMs: null,
    tier: isFromHours ? 'hour' : 'raw',
    samplesFromMs: samplesFromMs <= fromMs ? null : samplesFromMs,
  };
}

async function beforeOf({ history }: HourPartsDeps, { series, kind, fromMs }: SeriesQuery): Promise<Point | null> {
  const before = kind === 'event' ? null : await history.findBefore(series, fromMs);
  return before === null || isGap(before.value) ? null : { atMs: before.atMs, value: before.value };
}

function rowsOf({ kind, fromMs, toMs }: SeriesQuery, hours: readonly Hour[], edges: BucketEdges): Rows {
  const starts = bucketStarts(edges, fromMs, toMs);
  const ofBucket = new Map<number, Hour[]>();
  for (const hour of hours) {
    const start = edges.startOf(hour.fromMs);
    const others = ofBucket.get(start);
    if (others === undefined) ofBucket.set(start, [hour]);
    else others.push(hour);
  }
  const hoursAt = <Kind extends Hour['kind']>(atMs: number): readonly HourOf<Kind>[] =>
    (ofBucket.get(atMs) ?? []) as HourOf<Kind>[];
  switch (kind) {
    case 'gauge':
      return { type: 'gauge', buckets: starts.map((atMs) => ({ atMs, ...gaugeOf(hoursAt<'gauge'>(atMs)) })) };
    case 'counter':
      return {
        type: 'counter',
        buckets: starts.map((atMs) => {
          const counted = hoursAt<'counter'>(atMs);
          const { min, max } = extremesOf(counted);
          const [increase, inGap, resets] = [sum(counted, 'increase'), sum(counted, 'inGap'), sum(counted, 'resets')];
          return { atMs, ...heldOf(counted), min, max, increase, inGap, resets };
        }),
      };
    case 'state':
      return {
        type: 'state',
        buckets: starts.map((atMs) => {
          const held = hoursAt<'state'>(atMs);
          const heldMs = held.length === 0 ? null : added(held.map((hour) => hour.heldMs));
          return { atMs, ...heldOf(held), heldMs, changes: sum(held, 'changes') };
        }),
      };
    default:
      return {
        type: 'event',
        buckets: starts.map((atMs) => ({ atMs, counts: added(hoursAt<'event'>(atMs).map(({ counts }) => counts)) })),
      };
  }
}

function sum<Key extends string>(hours: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return hours.reduce((all, hour) => all + hour[key], 0);
}

function heldOf(hours: readonly Hour[]): { readonly knownMs: number; readonly samples: number } {
  return { knownMs: sum(hours, 'knownMs'), samples: sum(hours, 'samples') };
}

function extremesOf(hours: readonly (HourOf<'gauge'> | HourOf<'counter'>)[]) {
  const least = hours.reduce((one, { min }) => Math.min(one, min ?? Infinity), Infinity);
  const greatest = hours.reduce((one, { max }) => Math.max(one, max ?? -Infinity), -Infinity);
  return least <= greatest ? { min: least, max: greatest } : { min: null, max: null };
}

function gaugeOf(hours: readonly HourOf<'gauge'>[]): Omit<GaugeBucket, 'atMs'> {
  const { min, max } = extremesOf(hours);
  const { knownMs, samples } = heldOf(hours);
  const first = hours[0]?.first ?? null;
  const last = hours.at(-1)?.last ?? null;
  if (min === null || max === null) return { knownMs, samples, min, max, mean: null, first, last };
  // Differences from the least value, so that small changes of a great one keep their digits.
  const area = hours.reduce((all, hour) => all + (hour.mean * AREA_SCALE - min * AREA_SCALE) * hour.knownMs, 0);
  const mean = knownMs === 0 ? last : meanAbove(area, { min, max, knownMs });
  return { knownMs, samples, min, max, mean, first, last };
}

function added(amounts: readonly ReadonlyMap<SampleValue, number>[]): ReadonlyMap<SampleValue, number> {
  const total = new Map<SampleValue, number>();
  for (const each of amounts) for (const [value, amount] of each) total.set(value, (total.get(value) ?? 0) + amount);
  return total;
}

const NOTHING: Summary = { min: null, max: null, mean: null, knownMs: 0, changes: 0 };

function summaryOf(hours: readonly Hour[]): Summary {
  const gauges = hours.filter((hour) => hour.kind === 'gauge');
  const counters = hours.filter((hour) => hour.kind === 'counter');
  const { mean, knownMs: gaugeMs } = gaugeOf(gauges);
  const { knownMs, samples } = heldOf(hours);
  return { ...extremesOf([...gauges, ...counters]), mean: gaugeMs === 0 ? null : mean, knownMs, changes: samples };
}

function joinedSummary(one: Summary, other: Summary): Summary {
  const knownMs = one.knownMs + other.knownMs;
  const both = [one, other];
  const least = Math.min(...both.map(({ min }) => min ?? Infinity));
  const greatest = Math.max(...both.map(({ max }) => max ?? -Infinity));
  const means = both.filter(({ mean }) => mean !== null);
  const area = means.reduce((all, { mean, knownMs: ms }) => all + (mean ?? 0) * AREA_SCALE * ms, 0);
  const ms = sum(means, 'knownMs');
  return {
    min: least === Infinity ? null : least,
    max: greatest === -Infinity ? null : greatest,
    mean: ms === 0 ? null : Math.min(greatest, Math.max(least, area / ms / AREA_SCALE)),
    knownMs,
    changes: one.changes + other.changes,
  };
}

function pointOf(hour: Hour): readonly Point[] {
  const { fromMs: atMs } = hour;
  if (hour.kind === 'gauge') return [{ atMs, value: hour.mean }];
  if (hour.kind === 'counter') return hour.max === null ? [] : [{ atMs, value: hour.max }];
  const amounts = hour.kind === 'state' ? hour.heldMs : hour.counts;
  const [most] = [...amounts].toSorted(([, left], [, right]) => right - left);
  return most === undefined ? [] : [{ atMs, value: most[0] }];
}

/** Draws an hour in a much longer part: its line goes from the first to the last value over the extremes. */
function extremesIn(hour: Hour): readonly Point[] {
  const { fromMs, toMs } = hour;
  const middleMs = (fromMs + toMs) / 2;
  if (hour.kind === 'gauge') {
    const { first, min, max, last } = hour;
    return [
      { atMs: fromMs, value: first },
      { atMs: middleMs, value: min },
      { atMs: middleMs, value: max },
      { atMs: toMs - 1, value: last },
    ];
  }
  if (hour.kind !== 'counter' || hour.min === null || hour.max === null) return [];
  const rising = [hour.min, hour.max] as const;
  // A counter that was reset began high and ended low.
  const [begin, end] = hour.resets === 0 ? rising : rising.toReversed();
  return [
    { atMs: fromMs, value: begin ?? hour.min },
    { atMs: toMs - 1, value: end ?? hour.max },
  ];
}
