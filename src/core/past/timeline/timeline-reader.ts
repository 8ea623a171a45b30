import { AVAILABILITY_STATES, type DeviceId } from '#core/device/device.ts';
import type { HistoryStore, SampleRange } from '#core/past/history/history-store.ts';
import { isGap, type SampleValue } from '#core/past/history/sample.ts';
import type { HouseNoun } from '#core/past/history/house-series.ts';
import type { UserId } from '#core/person/user.ts';
import { PRESENCE_STATES } from '#core/presence/presence.ts';
import { entryFromText, type TimelineEntry } from './timeline-line.ts';

export type TimelineLine = {
  /** `null`: about the home. */
  readonly device: DeviceId | null;
  readonly atMs: number;
  readonly entry: TimelineEntry;
};

/** A series of samples, and how they become lines. */
export type TimelineSource = { readonly series: string; readonly device: DeviceId | null } & (
  | { readonly type: 'stored' | 'availability' }
  | { readonly type: 'state' | 'event' | HouseNoun; readonly key: string }
);

/** The place after a line: lines of the same time count from the newest on. */
export type TimelinePlace = { readonly atMs: number; readonly count: number };

type TimelineQuery = {
  readonly sources: readonly TimelineSource[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly after: TimelinePlace | null;
  readonly limit: number;
  readonly isWanted: (line: TimelineLine) => boolean;
};

type Store = Pick<HistoryStore, 'readSlice' | 'findBefore'>;

/** How far the first look goes back; each further one goes back four times as far. */
const FIRST_WINDOW_MS = 6 * 3_600_000;
const WIDER = 4;
/** A look that finds this many is wide enough. */
const MANY = 5_000;
/** One answer looks at no more lines than this, whether they are shown or not. */
const MAX_LINES = 50_000;
/** A change that a command caused is a sample and a stored line, at nearly the same time. */
const SAME_MS = 2_000;

/** The newest lines first. */
export async function readTimeline(
  store: Store,
  { sources, fromMs, toMs, after, limit, isWanted }: TimelineQuery,
): Promise<{ readonly lines: readonly TimelineLine[]; readonly next: TimelinePlace | null }> {
  const found: TimelineLine[] = [];
  let endMs = after === null ? toMs : Math.min(toMs, after.atMs + 1);
  let place = after ?? { atMs: Infinity, count: 0 };
  let passed = after?.count ?? 0;
  let seen = 0;
  for (let windowMs = FIRST_WINDOW_MS; endMs > fromMs;) {
    const startMs = Math.max(fromMs, endMs - windowMs);
    const lines = await readWindow(store, sources, { fromMs: startMs, toMs: endMs });
    for (const line of lines) {
      if (line.atMs === after?.atMs && passed > 0) {
        passed -= 1;
        continue;
      }
      if (found.length >= limit || seen >= MAX_LINES) return { lines: found, next: place };
      place = { atMs: line.atMs, count: line.atMs === place.atMs ? place.count + 1 : 1 };
      seen += 1;
      if (isWanted(line)) found.push(line);
    }
    endMs = startMs;
    if (lines.length < MANY) windowMs *= WIDER;
  }
  return { lines: found, next: null };
}

type Range = Omit<SampleRange, 'series'>;

async function readWindow(
  store: Store,
  sources: readonly TimelineSource[],
  { fromMs, toMs }: Range,
): Promise<readonly TimelineLine[]> {
  const stored: TimelineLine[] = [];
  const derived: TimelineLine[] = [];
  for (const source of sources) {
    if (source.type === 'stored') {
      // A little more, so that the sample of a stored line is found on the other side of an edge.
      stored.push(...(await readStored(store, source, { fromMs: fromMs - SAME_MS, toMs: toMs + SAME_MS })));
    } else derived.push(...(await readDerived(store, source, { fromMs, toMs })));
  }
  const causes = createCauses(stored);
  const lines = [
    ...stored.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
    ...derived.filter((line) => !causes.has(line)),
  ];
  // Lines of one time stay in the order of their sources, the later of a source first: each look puts them the same way.
  return lines.toReversed().toSorted((left, right) => right.atMs - left.atMs);
}

/** Which changes have a stored line too, which says more. */
function createCauses(stored: readonly TimelineLine[]): { readonly has: (line: TimelineLine) => boolean } {
  const times = new Map<string, number[]>();
  const nameOf = ({ device, entry }: TimelineLine): string | undefined =>
    entry.type === 'feature.changed' ? JSON.stringify([device, entry.key, entry.value]) : undefined;
  for (const line of stored) {
    const name = nameOf(line);
    if (name === undefined) continue;
    const known = times.get(name);
    if (known === undefined) times.set(name, [line.atMs]);
    else known.push(line.atMs);
  }
  return {
    has: (line) => {
      const known = times.get(nameOf(line) ?? '') ?? [];
      // All are of one series, so they are in order. A lamp may have been commanded a hundred thousand times.
      const next = known[firstFrom(known, line.atMs - SAME_MS)];
      return next !== undefined && next <= line.atMs + SAME_MS;
    },
  };
}

/** The place of the first of these times that is not before a moment. */
function firstFrom(timesMs: readonly number[], fromMs: number): number {
  let start = 0;
  let end = timesMs.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((timesMs[middle] ?? Infinity) < fromMs) start = middle + 1;
    else end = middle;
  }
  return start;
}

async function readStored(store: Store, { series, device }: TimelineSource, range: Range): Promise<TimelineLine[]> {
  const lines: TimelineLine[] = [];
  for await (const { atMs, value } of samplesOf(store, { series, ...range })) {
    const entry = value === null ? undefined : entryFromText(value);
    if (entry !== undefined) lines.push({ device, atMs, entry });
  }
  return lines;
}

/** The lines that samples are without a word more: each is a change, but for one that is the same after a gap as before. */
async function readDerived(store: Store, source: TimelineSource, range: Range): Promise<TimelineLine[]> {
  const lines: TimelineLine[] = [];
  const { series, device } = source;
  let last: SampleValue | null | undefined;
  for await (const { atMs, value } of samplesOf(store, { series, ...range })) {
    if (value === null) continue;
    const entry = entryFromSample(source, value);
    if (source.type !== 'event') {
      if (last === undefined) last = await findKnownBefore(store, series, atMs);
      // Nothing is known to have changed by the first value of all.
      const isSame = last === null || last === value;
      last = value;
      if (isSame) continue;
    }
    if (entry !== undefined) lines.push({ device, atMs, entry });
  }
  return lines;
}

function entryFromSample(source: TimelineSource, value: SampleValue): TimelineEntry | undefined {
  switch (source.type) {
    case 'state':
      return { type: 'feature.changed', key: source.key, value, cause: null, by: null };
    case 'event':
      return { type: 'feature.occurred', key: source.key, action: String(value) };
    case 'mode':
      return { type: 'mode.changed', key: source.key, value };
    case 'variable':
      return { type: 'variable.changed', key: source.key, value };
    case 'presence': {
      const state = PRESENCE_STATES.find((known) => known === value);
      return state && { type: 'presence.changed', user: source.key as UserId, state };
    }
    default: {
      const state = AVAILABILITY_STATES.find((known) => known === value);
      return state === undefined || state === 'unknown' ? undefined : { type: 'availability.changed', state };
    }
  }
}

/** A value of before this many gaps is too old to compare with. */
const MAX_GAPS = 8;

async function findKnownBefore(store: Store, series: string, atMs: number): Promise<SampleValue | null> {
  let beforeMs = atMs;
  for (let gaps = 0; gaps < MAX_GAPS; gaps += 1) {
    const sample = await store.findBefore(series, beforeMs);
    if (sample === null) return null;
    if (!isGap(sample.value)) return sample.value;
    beforeMs = sample.atMs;
    // The value may have come at the very moment at which the gap began.
    let atOnce: SampleValue | null = null;
    for await (const { value } of samplesOf(store, { series, fromMs: beforeMs, toMs: beforeMs + 1 })) {
      atOnce = value ?? atOnce;
    }
    if (atOnce !== null) return atOnce;
  }
  return null;
}

/** `null` where a gap begins. */
async function* samplesOf(
  { readSlice }: Store,
  range: SampleRange,
): AsyncGenerator<{ readonly atMs: number; readonly value: SampleValue | null }, void> {
  for (let after: number | null = null; ;) {
    const slice = await readSlice(range, after);
    for (const [index, value] of slice.values.entries()) yield { atMs: slice.timesMs[index] ?? 0, value };
    if (slice.next === null) return;
    after = slice.next;
  }
}
