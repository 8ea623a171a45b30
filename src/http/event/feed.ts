import type { EventLog, LostCursor } from '#core/event/event-log.ts';
import { eventFrame } from './frame.ts';
import type { HomeSnapshots, SnapshotReader } from './snapshot.ts';
import { timeJson } from '#http/answer/time-json.ts';
import type { EventFilter, SelectEvents } from './filter.ts';

export type FeedStart = {
  /** The position that the client sent. */
  readonly cursor?: string | undefined;
  /** A position before this one is of another part of the home than the client sees now. */
  readonly viewSince?: number;
  /** Without a position, begin with a snapshot. */
  readonly snapshot?: boolean | undefined;
};

/** The frames for one client, at the client's pace. Keeps no copies of events. */
export type EventFeed = ReturnType<typeof createEventFeed>;

type EventFeedDeps = {
  readonly log: Pick<EventLog, 'lastSequence' | 'oldestPosition' | 'cursorAt' | 'locate'>;
  readonly readBatch: ReadBatch;
  readonly snapshots: HomeSnapshots;
  readonly wallMs: () => number;
};

/** After so many events that its filter dropped, a client gets its position, which would otherwise become too old. */
const UNSENT_EVENTS = 1_000;

export function createEventFeed(deps: EventFeedDeps, start: FeedStart, filter: EventFilter | undefined) {
  const { log, readBatch, snapshots } = deps;
  const now = (): string => timeJson(deps.wallMs());
  let position = log.lastSequence();
  let sentPosition = position;
  let gap: { readonly from: string | null; readonly reason: LostView | 'overrun' } | undefined;
  let snapshot: SnapshotReader | undefined;

  const openSnapshot = (): void => {
    snapshot?.close();
    snapshot = snapshots.open(filter);
    position = snapshot.sequence;
  };
  const lose = (from: string | null, reason: LostView | 'overrun'): void => {
    openSnapshot();
    gap = { from, reason };
  };
  const heartbeat = (): Buffer => {
    // Between the parts of a snapshot, the client has no position from which it could resume.
    if (gap !== undefined || snapshot !== undefined) return eventFrame('hub.heartbeat', JSON.stringify({ at: now() }));
    sentPosition = position;
    return eventFrame('hub.heartbeat', JSON.stringify({ at: now() }), log.cursorAt(position));
  };

  const takeGap = (): Buffer | undefined => {
    if (gap === undefined) return undefined;
    const { from, reason } = gap;
    gap = undefined;
    // No id: a client that is cut off before the end of the snapshot must get the gap again.
    return eventFrame('hub.gap', JSON.stringify({ from, to: log.cursorAt(position), reason, at: now() }));
  };
  const takePart = (): Buffer | undefined => {
    const part = snapshot?.next() ?? 'done';
    if (typeof part === 'object') return part;
    snapshot?.close();
    snapshot = undefined;
    if (part === 'expired') lose(log.cursorAt(sentPosition), 'overrun');
    else sentPosition = position;
    return takeGap();
  };
  const takeBatch = (): Buffer | undefined => {
    if (position < log.oldestPosition(filter?.kinds)) {
      lose(log.cursorAt(position), 'overrun');
      return takeGap();
    }
    while (position < log.lastSequence()) {
      const { bytes, lastSequence, to } = readBatch(position, filter);
      position = to;
      if (lastSequence === undefined) continue;
      sentPosition = lastSequence;
      return bytes;
    }
    return position - sentPosition >= UNSENT_EVENTS ? heartbeat() : undefined;
  };

  const found = start.cursor === undefined ? undefined : locateInView(log, start.cursor, { ...start, filter });
  if (typeof found === 'number') position = sentPosition = found;
  else if (found !== undefined) lose(found === 'unknown_cursor' ? null : (start.cursor ?? null), found);
  else if (start.snapshot === true) openSnapshot();

  return {
    /** `undefined` if the client has everything for now. */
    next: (): Buffer | undefined => takeGap() ?? (snapshot === undefined ? undefined : takePart()) ?? takeBatch(),
    heartbeat,
    /** To call when the client has gone. */
    close: (): void => snapshot?.close(),
  };
}

type LostView = LostCursor | 'view_changed';

/** The position of a cursor, or why the events after it would not bring the client up to date. */
export function locateInView(
  log: Pick<EventLog, 'locate'>,
  cursor: string,
  { viewSince = 0, filter }: Pick<FeedStart, 'viewSince'> & { readonly filter: EventFilter | undefined },
): number | LostView {
  const found = log.locate(cursor, filter?.kinds);
  return typeof found === 'number' && found < viewSince ? 'view_changed' : found;
}

/** Frames of several events in one buffer, shared by all clients at the same position. */
type EventBatch = {
  readonly bytes: Buffer;
  /** Number of the last event in it; `undefined` if it has none. */
  readonly lastSequence: number | undefined;
  /** The hub has checked all events up to this one. */
  readonly to: number;
};

type ReadBatch = (position: number, filter: EventFilter | undefined) => EventBatch;

const LIMITS = { maxBytes: 64 * 1024, maxEvents: Number.POSITIVE_INFINITY };
const REMEMBERED = 8;
const REMEMBERED_MS = 1_000;

/** Clients without a filter are mostly at the same position, so one joined batch serves them all. */
export function createBatchReader(select: SelectEvents, monotonicMs: () => number): ReadBatch {
  const remembered = new Map<number, { readonly batch: EventBatch; readonly madeMs: number }>();

  const joinAfter: ReadBatch = (position, filter) => {
    const { events, to } = select(position, filter, LIMITS);
    const [first] = events;
    const bytes =
      events.length === 1 && first !== undefined ? first.frame : Buffer.concat(events.map(({ frame }) => frame));
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
