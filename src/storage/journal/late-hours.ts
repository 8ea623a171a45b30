import { type TimeSpan, without } from '#core/past/hour/time-span.ts';
import type { Database } from '#storage/engine/database.ts';
import { putAbout, readAbout } from './journal-tables.ts';

/**
 * Remembers, in the journal's file, up to where hours are made and for which times samples came later or went. It is written
 * in the transaction that writes those samples, so that no power cut forgets it.
 */
export type LateHours = {
  /** Cheap where the time is not made yet, as for nearly all samples. Written with the next `write`. */
  readonly note: (fromMs: number) => void;
  readonly spans: () => readonly TimeSpan[];
  /** Changes with each note. */
  readonly version: () => number;
  /** Whether nothing before this time is still to be made. */
  readonly isMade: (toMs: number) => boolean;
  /** Writes what is new inside the caller's transaction. */
  readonly write: () => void;
  /** Call it once that is committed. */
  readonly noteWritten: () => void;
  /** Notes that these days were made, in a transaction of its own. */
  readonly finish: (spans: readonly TimeSpan[]) => void;
  /** Before this time samples were removed. */
  readonly wholeFromMs: () => number;
  /** Inside the caller's transaction. */
  readonly noteRemovedTo: (ms: number) => void;
};

const LATE = 'hours_late';
const MADE_TO = 'hours_made_to';
const WHOLE_FROM = 'samples_whole_from';
/** More join into one: so much is made anew in one go anyway. */
const MAX_SPANS = 32;

export function openLateHours(file: Database): LateHours {
  let spans = readSpans(file);
  let madeToMs = Number(readAbout(file, MADE_TO) ?? 0);
  // Not kept in memory: the caller's transaction may fail.
  const wholeFromMs = (): number => Number(readAbout(file, WHOLE_FROM) ?? 0);
  let version = 0;
  let isDirty = false;
  return {
    note: (fromMs) => {
      if (fromMs >= madeToMs) return;
      version += 1;
      // The value holds on, so that everything after it may be another one.
      const [first] = spans;
      if (first !== undefined && first.fromMs <= fromMs && first.toMs >= madeToMs) return;
      spans = joined([...spans, { fromMs: Math.max(0, fromMs), toMs: madeToMs }]);
      isDirty = true;
    },
    spans: () => spans,
    version: () => version,
    isMade: (ms) => ms <= madeToMs && !spans.some(({ fromMs, toMs }) => fromMs < ms && toMs > wholeFromMs()),
    write: () => {
      if (isDirty) putAbout(file, LATE, JSON.stringify(spans));
    },
    noteWritten: () => {
      isDirty = false;
    },
    finish: (made) => {
      const toMs = made.reduce((most, span) => Math.max(most, span.toMs), madeToMs);
      const left = made.reduce((late, span) => without(late, span), spans);
      file.transaction(() => {
        putAbout(file, LATE, JSON.stringify(left));
        putAbout(file, MADE_TO, String(toMs));
      });
      isDirty = false;
      spans = left;
      madeToMs = toMs;
    },
    wholeFromMs,
    noteRemovedTo: (ms) => {
      if (ms > wholeFromMs()) putAbout(file, WHOLE_FROM, String(ms));
    },
  };
}

function readSpans(file: Database): readonly TimeSpan[] {
  return JSON.parse(readAbout(file, LATE) ?? '[]') as readonly TimeSpan[];
}

function joined(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const sorted: TimeSpan[] = [];
  for (const span of spans.toSorted((left, right) => left.fromMs - right.fromMs)) {
    const last = sorted.at(-1);
    const joins = last !== undefined && (span.fromMs <= last.toMs || sorted.length >= MAX_SPANS);
    if (joins) sorted[sorted.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    else sorted.push(span);
  }
  return sorted;
}
