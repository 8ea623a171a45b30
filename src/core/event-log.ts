import type { HomeEvent } from './event.ts';

/** One event with its place in the stream. */
export type LoggedEvent = { readonly sequence: number; readonly monotonicMs: number; readonly event: HomeEvent };

/** The events of this run of the hub, the newest of them kept for those who come back. */
export type EventLog = {
  readonly append: (event: HomeEvent) => void;
  /** Position after the newest event, as `<epoch>-<sequence>`. */
  readonly cursor: () => string;
  /** Every event after this cursor in order; `undefined` where the log cannot say (other epoch, too old, not a cursor). */
  readonly since: (cursor: string) => readonly LoggedEvent[] | undefined;
  /** Called synchronously with each event as it is appended. */
  readonly subscribe: (listener: (logged: LoggedEvent) => void) => () => void;
};

export type EventLogOptions = {
  /** Names this run; events of another run cannot be told from lost ones. Lower-case letters and digits. */
  readonly epoch: string;
  readonly capacity: number;
  readonly monotonicMs: () => number;
};

export function createEventLog(options: EventLogOptions): EventLog {
  const { epoch, capacity } = options;
  // A ring: the event with sequence n stands at n modulo the capacity.
  const ring: LoggedEvent[] = [];
  const listeners = new Set<(logged: LoggedEvent) => void>();
  let sequence = 0;
  return {
    append: (event) => {
      sequence += 1;
      const logged = { sequence, monotonicMs: options.monotonicMs(), event };
      ring[sequence % capacity] = logged;
      for (const listener of listeners) listener(logged);
    },
    cursor: () => `${epoch}-${sequence}`,
    since: (cursor) => {
      const after = readSequence(cursor, epoch);
      if (after === undefined || after > sequence || sequence - after > capacity) return undefined;
      const events: LoggedEvent[] = [];
      for (let next = after + 1; next <= sequence; next += 1) {
        const logged = ring[next % capacity];
        if (logged !== undefined) events.push(logged);
      }
      return events;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function readSequence(cursor: string, epoch: string): number | undefined {
  const match = /^([0-9a-z]+)-(\d{1,15})$/.exec(cursor);
  return match === null || match[1] !== epoch ? undefined : Number(match[2]);
}
