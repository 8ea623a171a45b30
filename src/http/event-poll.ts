import type { EventLog, KeptEvent } from '#core/event-log.ts';
import type { StartTimer } from '#base/timer.ts';
import type { EventClient } from './event-client.ts';
import type { EventFilter } from './event-filter.ts';
import { dataOfFrame } from './event-frame.ts';
import type { SelectEvents } from './event-selection.ts';
import { timeJson } from './time-json.ts';

export type PollQuery = {
  readonly cursor: string | undefined;
  readonly filter: EventFilter | undefined;
  readonly limit: number;
  readonly waitMs: number;
};

export type EventPollDeps = Pick<EventClient, 'sessionId' | 'isStillAllowed'> & {
  readonly log: Pick<EventLog, 'lastSequence' | 'oldestPosition' | 'cursorAt' | 'locate'>;
  readonly select: SelectEvents;
  readonly wallMs: () => number;
  readonly startTimer: StartTimer;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  readonly onOpen: (client: EventClient) => void;
  readonly onClose: (client: EventClient) => void;
};

const MAX_PAGE_BYTES = 256 * 1024;

/** The next page of events, as soon as there is one or the wait is over. A gap is an event in it, `hub.gap`. */
export function pollEvents(deps: EventPollDeps, query: PollQuery): Promise<string> {
  const { log, select } = deps;
  const found = query.cursor === undefined ? log.lastSequence() : log.locate(query.cursor);
  if (typeof found !== 'number') {
    return Promise.resolve(gapPage(deps, found === 'unknown_cursor' ? null : query.cursor, found));
  }
  let position = found;
  const readPage = (): string | undefined => {
    if (position < log.oldestPosition()) return gapPage(deps, log.cursorAt(position), 'overrun');
    const { events, to } = select(position, query.filter, { maxBytes: MAX_PAGE_BYTES, maxEvents: query.limit });
    position = to;
    return events.length === 0
      ? undefined
      : page(
          events.map((event) => entryOf(log, event)),
          log.cursorAt(to),
        );
  };
  const emptyPage = (): string => page([], log.cursorAt(position));

  return new Promise((resolve) => {
    const first = readPage();
    if (first !== undefined || query.waitMs === 0) {
      resolve(first ?? emptyPage());
      return;
    }
    const close = (answer: string): void => {
      cancel();
      deps.signal.removeEventListener('abort', leave);
      deps.onClose(client);
      resolve(answer);
    };
    const leave = (): void => close(emptyPage());
    const cancel = deps.startTimer(query.waitMs, leave);
    const client: EventClient = {
      sessionId: deps.sessionId,
      isStillAllowed: deps.isStillAllowed,
      pump: () => {
        const next = readPage();
        if (next !== undefined) close(next);
      },
      beat: () => undefined,
      watch: () => undefined,
      end: (last) => close(last === undefined ? emptyPage() : page([entryOf(log, last)], log.cursorAt(position))),
    };
    deps.onOpen(client);
    if (deps.signal.aborted) leave();
    else deps.signal.addEventListener('abort', leave);
  });
}

function page(entries: readonly string[], cursor: string): string {
  return `{"events":[${entries.join(',')}],"cursor":"${cursor}"}`;
}

function entryOf(log: EventPollDeps['log'], { sequence, type, bytes }: KeptEvent): string {
  return entry(log.cursorAt(sequence), type, dataOfFrame(bytes).toString());
}

function entry(cursor: string, type: string, data: string): string {
  return `{"id":"${cursor}","type":"${type}","data":${data}}`;
}

function gapPage(deps: EventPollDeps, from: string | null | undefined, reason: string): string {
  const { log } = deps;
  const to = log.cursorAt(log.lastSequence());
  const data = JSON.stringify({ from: from ?? null, to, reason, at: timeJson(deps.wallMs()) });
  return page([entry(to, 'hub.gap', data)], to);
}
