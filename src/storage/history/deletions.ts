import { HubError } from '#base/hub-error.ts';
import type { DeletionRange, SampleRange, SampleSlice } from '#core/past/history/history-store.ts';
import type { GapMark, Sample, SampleValue } from '#core/past/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';
import type { Month } from '#storage/samples/segment.ts';
import { createColumns, type SlicePlace } from './sample-reader.ts';

/** A stretch of a series that a person deleted. Nobody reads it from its commit on; its bytes go later. */
type Deletion = DeletionRange & {
  readonly number: number;
  /** What held at its end: the time after it was not deleted. `null` if nothing was known. */
  readonly held: SampleValue | GapMark | null;
  readonly isErased: boolean;
};

type NewDeletion = Pick<Deletion, 'series' | 'fromMs' | 'toMs' | 'retires' | 'held'>;

/**
 * The deletions stand in the journal's file. Each stays after its bytes are gone: without it, the value before it would
 * seem to hold through it.
 */
export type Deletions = ReturnType<typeof openDeletions>;

/** The deletions of a series as a reader needs them: looking something up costs little, however many there are. */
type Cover = {
  /** When all that was deleted begins that this moment belongs to; `undefined` if it is not deleted. */
  readonly beginOf: (atMs: number) => number | undefined;
  /** Whether something from the range is deleted, or ends where the range begins. */
  readonly touches: (range: Pick<SampleRange, 'fromMs' | 'toMs'>) => boolean;
  /** What stands in the place of deleted samples: a gap, and at its end what held there. In order of time. */
  readonly edges: readonly Sample[];
  /** The last edge before this moment. */
  readonly edgeBefore: (atMs: number) => Sample | undefined;
};

/** About 5 MB of memory. A deletion that covers others takes their place. */
const MAX_DELETIONS = 20_000;

export function openDeletions(file: Database) {
  const bySeries = new Map<string, Deletion[]>();
  const covers = new Map<string, Cover>();
  const done = new Map<number, Set<Month>>();
  let count = 0;
  const put = (deletion: Deletion): void => {
    covers.delete(deletion.series);
    const others = bySeries.get(deletion.series);
    if (others === undefined) bySeries.set(deletion.series, [deletion]);
    else others.push(deletion);
    count += 1;
  };
  const drop = (dropped: readonly Deletion[]): void => {
    const numbers = new Set(dropped.map(({ number }) => number));
    for (const series of new Set(dropped.map((one) => one.series))) {
      const left = (bySeries.get(series) ?? []).filter(({ number }) => !numbers.has(number));
      covers.delete(series);
      if (left.length === 0) bySeries.delete(series);
      else bySeries.set(series, left);
    }
    count -= dropped.length;
  };
  for (const deletion of loadDeletions(file)) put(deletion);
  let last = [...bySeries.values()].flat().reduce((most, { number }) => Math.max(most, number), 0);
  return {
    ofSeries: (series: string): readonly Deletion[] => bySeries.get(series) ?? [],
    /** How they look together. */
    coverOf: (series: string): Cover => {
      const deletions = bySeries.get(series);
      if (deletions === undefined) return NO_COVER;
      const cover = covers.get(series) ?? createCover(deletions);
      covers.set(series, cover);
      return cover;
    },
    /** All of them or none, in the transaction that `commit` makes. Throws HubError if there would be too many. */
    add: (added: readonly NewDeletion[], commit: (write: () => void) => void): void => {
      const numbered = added.map((deletion, index) => ({ ...deletion, number: last + index + 1, isErased: false }));
      const covered = numbered.flatMap((deletion) =>
        (bySeries.get(deletion.series) ?? []).filter((one) => isCovered(one, deletion)),
      );
      if (count + added.length - new Set(covered).size > MAX_DELETIONS) {
        throw new HubError('LIMIT_REACHED', `At most ${MAX_DELETIONS} times of series can be deleted.`);
      }
      commit(() => {
        for (const { number } of covered) file.run('DELETE FROM deletion WHERE number = ?', [number]);
        for (const { number, series, fromMs, toMs, retires = null, held } of numbered) {
          file.run(
            'INSERT INTO deletion (number, series, from_ms, to_ms, retires, held, erased) VALUES (?, ?, ?, ?, ?, ?, 0)',
            [
              number,
              JSON.stringify(series),
              Number.isFinite(fromMs) ? fromMs : null,
              Number.isFinite(toMs) ? toMs : null,
              retires,
              JSON.stringify(held),
            ],
          );
        }
      });
      last += added.length;
      drop(covered);
      for (const deletion of numbered) put(deletion);
    },
    /** The deletions whose bytes may still be there. */
    pending: (): readonly Deletion[] => [...bySeries.values()].flat().filter(({ isErased }) => !isErased),
    /** The months in which it is erased already, to be added to. */
    monthsDone: ({ number }: Deletion): Set<Month> => {
      const months = done.get(number) ?? new Set<Month>();
      done.set(number, months);
      return months;
    },
    noteErased: (deletion: Deletion): void => {
      done.delete(deletion.number);
      file.run('UPDATE deletion SET erased = 1 WHERE number = ?', [deletion.number]);
      drop([deletion]);
      put({ ...deletion, isErased: true });
    },
  };
}

function loadDeletions(file: Database): Deletion[] {
  const rows = file.all('SELECT number, series, from_ms, to_ms, retires, held, erased FROM deletion ORDER BY number');
  return rows.map((row) => ({
    number: Number(row['number']),
    series: JSON.parse(String(row['series'])) as string,
    fromMs: Number(row['from_ms'] ?? -Infinity),
    toMs: Number(row['to_ms'] ?? Infinity),
    ...(row['retires'] !== null && { retires: row['retires'] as 'samples' | 'all' }),
    held: JSON.parse(String(row['held'])) as Deletion['held'],
    isErased: row['erased'] === 1,
  }));
}

function isCovered(inner: Deletion, outer: DeletionRange): boolean {
  // The hours of what a person deleted must go too.
  if (outer.retires === 'samples' && inner.retires !== 'samples' && !inner.isErased) return false;
  return outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs;
}

/** Before it, only hours tell of the series. */
export function retiredToMs(deletions: readonly Deletion[]): number {
  return deletions.reduce(
    (most, { retires, toMs }) => (retires === 'samples' ? Math.max(most, toMs) : most),
    -Infinity,
  );
}

const DELETED: GapMark = { gap: 'deleted' };
const NO_COVER = createCover([]);

type Span = { readonly fromMs: number; readonly toMs: number };

function createCover(deletions: readonly Deletion[]): Cover {
  const sorted = deletions.toSorted((left, right) => left.fromMs - right.fromMs);
  const spans: Span[] = [];
  const gaps: Sample[] = [];
  for (const { fromMs, toMs } of sorted) {
    const last = spans.at(-1);
    // A gap inside another one is none of its own.
    const isInside = last !== undefined && fromMs < last.toMs;
    if (Number.isFinite(fromMs) && !isInside) gaps.push({ atMs: fromMs, value: DELETED });
    if (last === undefined || fromMs > last.toMs) spans.push({ fromMs, toMs });
    else spans[spans.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, toMs) };
  }
  const spanAt = (atMs: number): Span | undefined => {
    const span = lastBefore(spans, ({ fromMs }) => fromMs <= atMs);
    return span !== undefined && atMs < span.toMs ? span : undefined;
  };
  const ends = deletions.flatMap(({ toMs, held }) =>
    held === null || !Number.isFinite(toMs) || spanAt(toMs) !== undefined ? [] : [{ atMs: toMs, value: held }],
  );
  const edges = [...gaps, ...ends].toSorted((left, right) => left.atMs - right.atMs);
  return {
    beginOf: (atMs) => spanAt(atMs)?.fromMs,
    touches: ({ fromMs, toMs }) => (lastBefore(spans, (span) => span.fromMs < toMs)?.toMs ?? -Infinity) >= fromMs,
    edges,
    edgeBefore: (atMs) => lastBefore(edges, (edge) => edge.atMs < atMs),
  };
}

/** The last item that is early, of items of which the early ones come first. */
function lastBefore<Item>(items: readonly Item[], isEarly: (item: Item) => boolean): Item | undefined {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isEarly(item)) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
}

type Source = {
  readonly readSlice: (range: SampleRange, place: SlicePlace) => SampleSlice;
  readonly findBefore: (series: string, atMs: number) => Sample | null;
};

/** Reads as if what was deleted had never been there, but for a gap in its place. */
export function withoutDeleted(source: Source, deletions: Pick<Deletions, 'coverOf'>): Source {
  return {
    readSlice: (range, place) => {
      const cover = deletions.coverOf(range.series);
      const slice = source.readSlice(range, place);
      return cover.touches(range) ? visibleSlice(slice, cover, { ...range, ...place }) : slice;
    },
    findBefore: (series, atMs) => {
      const cover = deletions.coverOf(series);
      let found = source.findBefore(series, atMs);
      for (;;) {
        const beginMs = found === null ? undefined : cover.beginOf(found.atMs);
        if (beginMs === undefined) break;
        found = source.findBefore(series, beginMs);
      }
      const edge = cover.edgeBefore(atMs);
      return edge !== undefined && (found === null || edge.atMs > found.atMs) ? edge : found;
    },
  };
}

type Asked = SampleRange & SlicePlace;

function visibleSlice(
  { timesMs, values, gaps, next }: SampleSlice,
  cover: Cover,
  { fromMs, toMs, afterMs }: Asked,
): SampleSlice {
  // A slice ends with the moment from which the next one goes on.
  const isCovered = (atMs: number): boolean =>
    atMs >= fromMs && (afterMs === null || atMs > afterMs) && (next === null ? atMs < toMs : atMs <= next);
  const kept = values.flatMap((value, index): Sample[] => {
    const atMs = timesMs[index] ?? 0;
    const known = value ?? gaps.get(index);
    return known === undefined || cover.beginOf(atMs) !== undefined ? [] : [{ atMs, value: known }];
  });
  const times = new Set(kept.map(({ atMs }) => atMs));
  const edges = cover.edges.filter(({ atMs }) => isCovered(atMs) && !times.has(atMs));
  const samples = [...edges, ...kept].toSorted((left, right) => left.atMs - right.atMs);
  const columns = createColumns();
  for (const { atMs, value } of samples) columns.add(atMs, value);
  return { ...columns.end(), next };
}
