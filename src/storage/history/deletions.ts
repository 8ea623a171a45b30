import { HubError } from '#base/hub-error.ts';
import type { DeletionRange, SampleRange, SampleSlice } from '#core/history/history-store.ts';
import type { GapMark, Sample, SampleValue } from '#core/history/sample.ts';
import type { Database } from '#storage/engine/database.ts';
import type { Month } from './segment.ts';
import { columnsOf } from './sample-reader.ts';

/** A stretch of a series that a person deleted. Nobody reads it from its commit on; its bytes go later. */
export type Deletion = DeletionRange & {
  readonly number: number;
  /** What held at its end: the time after it was not deleted. `null` if nothing was known. */
  readonly held: SampleValue | GapMark | null;
  readonly isErased: boolean;
};

export type NewDeletion = Pick<Deletion, 'series' | 'fromMs' | 'toMs' | 'held'>;

/**
 * What was deleted, in the journal's file. A deletion stays after its bytes are gone: without it, the value before it would
 * seem to hold through it.
 */
export type Deletions = {
  readonly ofSeries: (series: string) => readonly Deletion[];
  /** All of them or none, in the transaction that `commit` makes. Throws HubError if there would be too many. */
  readonly add: (deletions: readonly NewDeletion[], commit: (write: () => void) => void) => void;
  /** Those whose bytes may still be there. */
  readonly pending: () => readonly Deletion[];
  /** The months in which it is erased already, to be added to. */
  readonly monthsDone: (deletion: Deletion) => Set<Month>;
  readonly noteErased: (deletion: Deletion) => void;
};

/** About 5 MB of memory. A deletion that covers others takes their place. */
const MAX_DELETIONS = 20_000;

export function openDeletions(file: Database): Deletions {
  const bySeries = new Map<string, Deletion[]>();
  const done = new Map<number, Set<Month>>();
  let count = 0;
  const put = (deletion: Deletion): void => {
    const others = bySeries.get(deletion.series);
    if (others === undefined) bySeries.set(deletion.series, [deletion]);
    else others.push(deletion);
    count += 1;
  };
  const drop = (dropped: readonly Deletion[]): void => {
    for (const { series, number } of dropped) {
      const left = (bySeries.get(series) ?? []).filter((one) => one.number !== number);
      if (left.length === 0) bySeries.delete(series);
      else bySeries.set(series, left);
    }
    count -= dropped.length;
  };
  for (const row of file.all('SELECT number, series, from_ms, to_ms, held, erased FROM deletion ORDER BY number')) {
    put({
      number: Number(row['number']),
      series: JSON.parse(String(row['series'])) as string,
      fromMs: Number(row['from_ms'] ?? -Infinity),
      toMs: Number(row['to_ms'] ?? Infinity),
      held: JSON.parse(String(row['held'])) as Deletion['held'],
      isErased: row['erased'] === 1,
    });
  }
  let last = [...bySeries.values()].flat().reduce((most, { number }) => Math.max(most, number), 0);
  return {
    ofSeries: (series) => bySeries.get(series) ?? [],
    add: (added, commit) => {
      if (count + added.length > MAX_DELETIONS) {
        throw new HubError('LIMIT_REACHED', `At most ${MAX_DELETIONS} times of series can be deleted.`);
      }
      const numbered = added.map((deletion, index) => ({ ...deletion, number: last + index + 1, isErased: false }));
      const covered = numbered.flatMap((deletion) =>
        (bySeries.get(deletion.series) ?? []).filter((one) => isCovered(one, deletion)),
      );
      commit(() => {
        for (const { number } of covered) file.run('DELETE FROM deletion WHERE number = ?', [number]);
        for (const { number, series, fromMs, toMs, held } of numbered) {
          file.run('INSERT INTO deletion (number, series, from_ms, to_ms, held, erased) VALUES (?, ?, ?, ?, ?, 0)', [
            number,
            JSON.stringify(series),
            Number.isFinite(fromMs) ? fromMs : null,
            Number.isFinite(toMs) ? toMs : null,
            JSON.stringify(held),
          ]);
        }
      });
      last += added.length;
      drop(covered);
      for (const deletion of numbered) put(deletion);
    },
    pending: () => [...bySeries.values()].flat().filter(({ isErased }) => !isErased),
    monthsDone: ({ number }) => {
      const months = done.get(number) ?? new Set<Month>();
      done.set(number, months);
      return months;
    },
    noteErased: (deletion) => {
      done.delete(deletion.number);
      file.run('UPDATE deletion SET erased = 1 WHERE number = ?', [deletion.number]);
      drop([deletion]);
      put({ ...deletion, isErased: true });
    },
  };
}

function isCovered(inner: DeletionRange, outer: DeletionRange): boolean {
  return outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs;
}

/** The deletion in which this moment is. */
export function deletionAt(deletions: readonly Deletion[], atMs: number): Deletion | undefined {
  return deletions.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}

const DELETED: GapMark = { gap: 'deleted' };

/** What stands in the place of deleted samples: a gap, and at its end what held there. In order of time. */
export function edgesOf(deletions: readonly Deletion[]): readonly Sample[] {
  const gaps = new Set(deletions.map(({ fromMs }) => fromMs).filter(Number.isFinite));
  const isInside = (atMs: number): boolean => deletions.some(({ fromMs, toMs }) => fromMs < atMs && atMs < toMs);
  const ends = deletions.flatMap(({ toMs, held }) =>
    held === null || !Number.isFinite(toMs) || deletionAt(deletions, toMs) !== undefined
      ? []
      : [{ atMs: toMs, value: held }],
  );
  return [...[...gaps].filter((atMs) => !isInside(atMs)).map((atMs) => ({ atMs, value: DELETED })), ...ends].toSorted(
    (left, right) => left.atMs - right.atMs,
  );
}

type Source = {
  readonly readSlice: (range: SampleRange, afterMs: number | null) => SampleSlice;
  readonly findBefore: (series: string, atMs: number) => Sample | null;
};

/** Reads as if what was deleted had never been there, but for a gap in its place. */
export function withoutDeleted(source: Source, deletions: Pick<Deletions, 'ofSeries'>): Source {
  return {
    readSlice: (range, afterMs) => {
      const ofSeries = deletions.ofSeries(range.series);
      const slice = source.readSlice(range, afterMs);
      const isTouched = ofSeries.some(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs < range.toMs);
      return isTouched ? visibleSlice(slice, ofSeries, { ...range, afterMs }) : slice;
    },
    findBefore: (series, atMs) => {
      const ofSeries = deletions.ofSeries(series);
      let found = source.findBefore(series, atMs);
      for (;;) {
        const hiding = found === null ? undefined : deletionAt(ofSeries, found.atMs);
        if (hiding === undefined) break;
        found = source.findBefore(series, hiding.fromMs);
      }
      const edge = edgesOf(ofSeries).findLast((one) => one.atMs < atMs);
      return edge !== undefined && (found === null || edge.atMs > found.atMs) ? edge : found;
    },
  };
}

type Asked = SampleRange & { readonly afterMs: number | null };

function visibleSlice(
  { timesMs, values, gaps, next }: SampleSlice,
  deletions: readonly Deletion[],
  { fromMs, toMs, afterMs }: Asked,
): SampleSlice {
  // A slice ends with the moment from which the next one goes on.
  const isCovered = (atMs: number): boolean =>
    atMs >= fromMs && (afterMs === null || atMs > afterMs) && (next === null ? atMs < toMs : atMs <= next);
  const kept = values.flatMap((value, index): Sample[] => {
    const atMs = timesMs[index] ?? 0;
    const known = value ?? gaps.get(index);
    return known === undefined || deletionAt(deletions, atMs) !== undefined ? [] : [{ atMs, value: known }];
  });
  const times = new Set(kept.map(({ atMs }) => atMs));
  const edges = edgesOf(deletions).filter(({ atMs }) => isCovered(atMs) && !times.has(atMs));
  const samples = [...edges, ...kept].toSorted((left, right) => left.atMs - right.atMs);
  return { ...columnsOf(samples), next };
}
