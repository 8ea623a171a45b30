import type { SessionId } from '#auth/session/session.ts';
import type { StoredValue } from '#core/device/device.ts';
import type { Segment } from '#storage/samples/segment.ts';
import type { SessionTouch } from '#storage/tables/stored-noun.ts';
import { seriesNameOf } from './journal-merge.ts';
import type { JournalRow, RowSample } from './journal-row.ts';
import type { StoredRow } from './journal-tables.ts';
import type { SeriesNames } from './series-names.ts';

/** The next flush writes this row: the last of each kind, and all samples. */
export type WaitingRow = {
  readonly addSample: (segment: Segment, sample: RowSample) => void;
  readonly addValue: (value: StoredValue) => void;
  readonly addTouches: (touches: readonly SessionTouch[]) => void;
  readonly forgetTouches: (ids: readonly SessionId[]) => void;
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  readonly forgetMeta: () => void;
  readonly meta: () => ReadonlyMap<string, string>;
  /** Meta alone is no reason to write. */
  readonly isEmpty: () => boolean;
  /** About how many bytes it takes. */
  readonly bytes: () => number;
  /** Forgets all, and returns how much that is: it is never written. */
  readonly drop: () => number;
  readonly clear: () => void;
  /** A row for each segment; the last one holds everything else. None where nothing waits. */
  readonly rows: (after: number) => StoredRow[];
};

type Unflushed = { readonly segment: Segment; readonly sample: RowSample };

/** About what a sample, and what a last value without one, takes in the journal beside its text. */
const SAMPLE_BYTES = 6;
const VALUE_BYTES = 12;

function textBytes(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

export function createWaitingRow(series: Pick<SeriesNames, 'takeOfFew'>): WaitingRow {
  const samples: Unflushed[] = [];
  let texts = 0;
  const values = new Map<string, StoredValue>();
  const touches = new Map<SessionId, SessionTouch>();
  const meta = new Map<string, string>();
  const clear = (): void => {
    samples.length = 0;
    texts = 0;
    for (const each of [values, touches, meta]) each.clear();
  };
  const isEmpty = (): boolean => samples.length === 0 && values.size === 0 && touches.size === 0;
  const bySegment = (): Map<Segment | null, RowSample[]> => {
    const found = new Map<Segment | null, RowSample[]>();
    for (const { segment, sample } of samples) {
      const before = found.get(segment);
      if (before === undefined) found.set(segment, [sample]);
      else before.push(sample);
    }
    return found.size > 0 ? found : found.set(null, []);
  };
  return {
    addSample: (segment, sample) => {
      samples.push({ segment, sample });
      texts += textBytes(sample.value);
    },
    addValue: (value) => void values.set(seriesNameOf(value), value),
    addTouches: (touched) => {
      for (const touch of touched) touches.set(touch.id, touch);
    },
    forgetTouches: (ids) => {
      for (const id of ids) touches.delete(id);
    },
    addMeta: (entries) => {
      for (const [key, value] of entries) meta.set(key, value);
    },
    forgetMeta: () => meta.clear(),
    meta: () => meta,
    isEmpty,
    bytes: () => samples.length * SAMPLE_BYTES + values.size * VALUE_BYTES + texts,
    drop: () => {
      const count = samples.length + values.size + touches.size;
      clear();
      return count;
    },
    clear,
    rows: (after) => {
      if (isEmpty()) return [];
      const others: Omit<JournalRow, 'samples'> = {
        values: [...values].map(([name, { value, observedAtMs, changedAtMs }]) => ({
          series: series.takeOfFew(name)?.number ?? name,
          value,
          observedAtMs,
          changedAtMs,
        })),
        touches: [...touches.values()],
        meta,
      };
      const groups = [...bySegment()];
      return groups.map(([segment, ofSegment], index) => ({
        number: after + 1 + index,
        segment,
        row: {
          samples: ofSegment.toSorted((left, right) => left.tick - right.tick),
          ...(index === groups.length - 1 ? others : { values: [], touches: [], meta: new Map() }),
        },
      }));
    },
  };
}
