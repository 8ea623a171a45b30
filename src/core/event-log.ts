import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { HomeEvent } from './event.ts';
import { type EventSubject, subjectOf } from './event-subject.ts';

/** One event as it is kept: in bytes, for the devices and rooms that it tells of go on changing. */
export type KeptEvent = {
  readonly sequence: number;
  readonly monotonicMs: number;
  readonly type: HomeEvent['type'];
  readonly subject: EventSubject;
  /** Made once, shared by all who read: never to be written to. */
  readonly bytes: Buffer;
};

/** `restarted`: of another run; `too_old`: no longer kept; `unknown_cursor`: not given out by this hub. */
export type LostCursor = 'restarted' | 'too_old' | 'unknown_cursor';

/** The events of this run of the hub, numbered from 1 without a hole, the newest of them kept for those who come back. */
export type EventLog = {
  readonly append: (event: HomeEvent) => void;
  /** Position after the newest event, as `<epoch>-<sequence>`. */
  readonly cursor: () => string;
  readonly cursorAt: (sequence: number) => string;
  /** Number of the newest event; 0 before the first. */
  readonly lastSequence: () => number;
  /** Number after which every event is still kept. */
  readonly oldestPosition: () => number;
  /** The position that a cursor names, or why what came after it cannot be told. */
  readonly locate: (cursor: string) => number | LostCursor;
  /** `undefined` where it is not kept. */
  readonly find: (sequence: number) => KeptEvent | undefined;
  /** Called synchronously with each event once it is kept; what it throws is logged. */
  readonly subscribe: (listener: (event: HomeEvent, kept: KeptEvent) => void) => () => void;
};

export type EventLogOptions = {
  /** Names this run; events of another run cannot be told from lost ones. Lower-case letters and digits. */
  readonly epoch: string;
  readonly capacity: number;
  /** The oldest events go earlier than the capacity asks where all together are larger than this. */
  readonly maxBytes: number;
  readonly monotonicMs: () => number;
  /** The event as clients read it, with the cursor after it. Must not throw. */
  readonly encode: (event: HomeEvent, cursor: string) => Buffer;
  readonly log: Log;
};

/** A cursor of this or another run. */
export const CURSOR = /^([0-9a-z]{1,32})-(\d{1,15})$/;

export function createEventLog(options: EventLogOptions): EventLog {
  const { epoch, capacity, maxBytes } = options;
  // A ring: the event with sequence n stands at n modulo the capacity.
  const ring: (KeptEvent | undefined)[] = [];
  const subscribers = createSubscribers<[event: HomeEvent, kept: KeptEvent]>(options.log);
  let last = 0;
  let oldest = 0;
  let bytesKept = 0;

  const find = (sequence: number): KeptEvent | undefined =>
    sequence > oldest && sequence <= last ? ring[sequence % capacity] : undefined;
  const dropOldest = (): void => {
    bytesKept -= find(oldest + 1)?.bytes.length ?? 0;
    oldest += 1;
    ring[oldest % capacity] = undefined;
  };
  // The newest stays, however large.
  const isTooLarge = (): boolean => bytesKept > maxBytes && oldest < last - 1;
  const cursorAt = (sequence: number): string => `${epoch}-${sequence}`;

  return {
    append: (event) => {
      const sequence = last + 1;
      const bytes = options.encode(event, cursorAt(sequence));
      const kept = { sequence, monotonicMs: options.monotonicMs(), type: event.type, subject: subjectOf(event), bytes };
      if (sequence - oldest > capacity) dropOldest();
      last = sequence;
      ring[sequence % capacity] = kept;
      bytesKept += bytes.length;
      while (isTooLarge()) dropOldest();
      subscribers.tell(event, kept);
    },
    cursor: () => cursorAt(last),
    cursorAt,
    lastSequence: () => last,
    oldestPosition: () => oldest,
    locate: (cursor) => {
      const match = CURSOR.exec(cursor);
      if (match === null) return 'unknown_cursor';
      if (match[1] !== epoch) return 'restarted';
      const position = Number(match[2]);
      if (position > last) return 'unknown_cursor';
      return position < oldest ? 'too_old' : position;
    },
    find,
    subscribe: subscribers.add,
  };
}
