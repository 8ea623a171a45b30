import type { Runtime } from '#base/time/runtime.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { EventClient } from './stream.ts';
import { locateInView } from './feed.ts';
import { createEventPages } from './page.ts';
import type { EventFilter, SelectEvents } from './filter.ts';

export type PollQuery = {
  readonly cursor: string | undefined;
  /** As `FeedStart` has it. */
  readonly viewSince?: number;
  readonly filter: EventFilter | undefined;
  readonly limit: number;
  readonly waitMs: number;
};

type EventPollDeps = Pick<Runtime, 'wallMs' | 'startTimer'> &
  Pick<EventClient, 'owner' | 'mayRead' | 'isStillAllowed'> & {
    readonly log: Pick<EventLog, 'lastSequence' | 'oldestPosition' | 'cursorAt' | 'locate'>;
    readonly select: SelectEvents;
    /** Aborts when the client goes away. */
    readonly signal: AbortSignal;
    readonly onOpen: (client: EventClient) => void;
    readonly onClose: (client: EventClient) => void;
  };

const MAX_PAGE_BYTES = 256 * 1024;

/** Resolves with the next page of events once there is an event or the wait is over. A gap is the event `hub.gap`. */
export function pollEvents(deps: EventPollDeps, query: PollQuery): Promise<string> {
  const { log } = deps;
  const pages = createEventPages(deps);
  const gapPage = (from: string | null | undefined, reason: string): string =>
    pages.gap({ from: from ?? null, to: log.lastSequence(), reason }).json;
  const found = query.cursor === undefined ? log.lastSequence() : locateInView(log, query.cursor, query);
  if (typeof found !== 'number') {
    return Promise.resolve(gapPage(found === 'unknown_cursor' ? null : query.cursor, found));
  }
  let position = found;
  const readPage = (): string | undefined => {
    const page = pages.read(position, query.filter, { maxBytes: MAX_PAGE_BYTES, maxEvents: query.limit });
    if (page === 'lost') return gapPage(log.cursorAt(position), 'overrun');
    position = page.to;
    return page.count === 0 ? undefined : page.json;
  };
  const emptyPage = (): string => pages.empty(position).json;

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
      owner: deps.owner,
      mayRead: deps.mayRead,
      isStillAllowed: deps.isStillAllowed,
      pump: () => {
        const next = deps.mayRead() ? readPage() : emptyPage();
        if (next !== undefined) close(next);
      },
      beat: () => undefined,
      watch: () => undefined,
      end: (last) => close(last === undefined ? emptyPage() : pages.of([last], position).json),
    };
    deps.onOpen(client);
    if (deps.signal.aborted) leave();
    else deps.signal.addEventListener('abort', leave);
  });
}
