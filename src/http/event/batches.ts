import type { EventFilter } from './filter.ts';
import type { SelectEvents } from './selection.ts';

/** Frames of several events in one buffer, shared by all who stand at the same place. */
export type EventBatch = {
  readonly bytes: Buffer;
  /** Number of the last event in it; `undefined` where there is none. */
  readonly lastSequence: number | undefined;
  /** Everything up to here was looked at. */
  readonly to: number;
};

export type ReadBatch = (position: number, filter: EventFilter | undefined) => EventBatch;

const LIMITS = { maxBytes: 64 * 1024, maxEvents: Number.POSITIVE_INFINITY };
const REMEMBERED = 8;
const REMEMBERED_MS = 1_000;

/** Clients without a filter mostly stand at the same place: what was joined for one of them serves the others. */
export function createBatchReader(select: SelectEvents, monotonicMs: () => number): ReadBatch {
  const remembered = new Map<number, { readonly batch: EventBatch; readonly madeMs: number }>();

  const joinAfter: ReadBatch = (position, filter) => {
    const { events, to } = select(position, filter, LIMITS);
    const [first] = events;
    const bytes =
      events.length === 1 && first !== undefined ? first.bytes : Buffer.concat(events.map((one) => one.bytes));
    return { bytes, lastSequence: events.at(-1)?.sequence, to };
  };
  return (position, filter) => {
    if (filter !== undefined) return joinAfter(position, filter);
    const known = remembered.get(position);
    const nowMs = monotonicMs();
    if (known !== undefined && nowMs - known.madeMs < REMEMBERED_MS) return known.batch;
    const batch = joinAfter(position, undefined);
    remembered.delete(position);
    if (batch.to > position) remembered.set(position, { batch, madeMs: nowMs });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= REMEMBERED) break;
      remembered.delete(oldest);
    }
    return batch;
  };
}
