import type { EventLog, KeptEvent } from '#core/event/event-log.ts';
import type { EventFilter } from './filter.ts';
import { dataOfFrame } from './frame.ts';
import type { EventLimits, SelectEvents } from './selection.ts';
import { timeJson } from '#http/answer/time-json.ts';

/** Several events as one JSON text: `{"events":[…],"cursor":"…"}`. */
export type EventPage = {
  readonly json: string;
  readonly count: number;
  /** Everything up to here was looked at. */
  readonly to: number;
};

export type Gap = { readonly from: string | null; readonly to: number; readonly reason: string };

export type EventPages = {
  /** The events after a position, or `lost` where they are no longer kept. */
  readonly read: (position: number, filter: EventFilter | undefined, limits: EventLimits) => EventPage | 'lost';
  readonly empty: (position: number) => EventPage;
  readonly gap: (gap: Gap) => EventPage;
  /** Events that were looked up already. */
  readonly of: (events: readonly KeptEvent[], to: number) => EventPage;
  /** One event that is not kept: it has the cursor of where the log stands, and its time. */
  readonly single: (type: string, data: Readonly<Record<string, unknown>>, to: number) => EventPage;
};

export type EventPagesDeps = {
  readonly log: Pick<EventLog, 'oldestPosition' | 'cursorAt'>;
  readonly select: SelectEvents;
  readonly wallMs: () => number;
};

/** Makes pages for who asks for one at a time: long polls and webhooks. */
export function createEventPages({ log, select, wallMs }: EventPagesDeps): EventPages {
  const pageOf = (entries: readonly string[], to: number): EventPage => ({
    json: `{"events":[${entries.join(',')}],"cursor":"${log.cursorAt(to)}"}`,
    count: entries.length,
    to,
  });
  const entryOf = ({ sequence, type, bytes }: KeptEvent): string =>
    entry(log.cursorAt(sequence), type, dataOfFrame(bytes).toString());
  const single: EventPages['single'] = (type, data, to) =>
    pageOf([entry(log.cursorAt(to), type, JSON.stringify({ ...data, at: timeJson(wallMs()) }))], to);
  return {
    read: (position, filter, limits) => {
      if (position < log.oldestPosition(filter?.kinds)) return 'lost';
      const { events, to } = select(position, filter, limits);
      return pageOf(events.map(entryOf), to);
    },
    empty: (position) => pageOf([], position),
    gap: ({ from, to, reason }) => single('hub.gap', { from, to: log.cursorAt(to), reason }, to),
    of: (events, to) => pageOf(events.map(entryOf), to),
    single,
  };
}

function entry(cursor: string, type: string, data: string): string {
  return `{"id":"${cursor}","type":"${type}","data":${data}}`;
}
