import { dataOf, type EventLog, type KeptEvent } from '#core/event/event-log.ts';
import type { EventFilter, EventLimits, SelectEvents } from './filter.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import * as z from 'zod/mini';
import { CONTROL_SCHEMAS } from './json.ts';
import { described, limited, madeOnce, named, SCHEMAS } from '#http/note/described.ts';
import { eventSchemas } from '#http/answer/home-events.ts';

/** `device.added` → `DeviceAdded`. */
function nameOfType(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The schema of each type of event. Events of the stream itself have no cursor. The type has a name because a generated
 * client in Go checks an enum only if it has a name, and some events differ only in their type.
 */
function schemaOf(type: string, data: z.ZodMiniType, isControl: boolean) {
  const name = nameOfType(type);
  return named(
    `${name}Event`,
    z.object({
      id: isControl ? z.optional(z.string()) : z.string(),
      type: described('What happened.', named(`${name}Type`, z.enum([type]))),
      data: named(`${name}Data`, data),
    }),
  );
}

/**
 * Streams, polls and webhooks send these pages. They are made for the first route, because they need what all nouns
 * declare.
 */
export const eventPageSchemas = madeOnce(() => {
  const events = [
    ...[...eventSchemas()].map(([type, data]) => schemaOf(type, data, false)),
    ...Object.entries(CONTROL_SCHEMAS).map(([type, data]) => schemaOf(type, data, true)),
  ];
  // The test event of a webhook is sent on request.
  const test = schemaOf('hub.test', z.object({ at: timeSchema }), false);
  named(
    'KnownEvent',
    described(
      'The events of this version, each with its data. Only streams have `hub.heartbeat` and `hub.snapshot`, only webhooks get `hub.test`.',
      z.discriminatedUnion('type', [...events, test] as unknown as [typeof test, ...(typeof test)[]]),
    ),
  );
  const eventSchema = named(
    'Event',
    limited(
      { 'x-known': { $ref: `${SCHEMAS}KnownEvent` } },
      described(
        'An event of a long poll or of a delivery to a webhook. In a stream these are the fields of a frame: `id`, `event`, here `type`, and `data`. Read `data` by its type as `KnownEvent` has it, and leave out types that you do not know: there will be more.',
        z.object({
          id: z.string(),
          type: z.enum([...events, test].flatMap(({ shape }) => shape.type.options)),
          data: z.record(z.string(), z.unknown()),
        }),
      ),
    ),
  );
  return {
    poll: named(
      'EventPage',
      z.object({
        events: described(
          'In the order in which they happened; none if nothing happened within the wait.',
          z.array(eventSchema),
        ),
        cursor: described('Send it as `since` to go on from here.', z.string()),
      }),
    ),
    delivery: named(
      'DeliveryBody',
      described(
        'What a webhook gets: the body of the long poll, with `hub.test` among its events.',
        z.object({
          events: described('In the order in which they happened.', z.array(eventSchema)),
          cursor: described('The hub has looked at every event up to here.', z.string()),
        }),
      ),
    ),
  };
});

/** Several events as one JSON text: `{"events":[…],"cursor":"…"}`. */
type EventPage = {
  readonly json: string;
  readonly count: number;
  /** The hub has checked all events up to this one. */
  readonly to: number;
};

type Gap = { readonly from: string | null; readonly to: number; readonly reason: string };

type EventPagesDeps = {
  readonly log: Pick<EventLog, 'oldestPosition' | 'cursorAt'>;
  readonly select: SelectEvents;
  readonly wallMs: () => number;
};

/** Makes pages for long polls and webhooks, which take one page at a time. */
export function createEventPages({ log, select, wallMs }: EventPagesDeps) {
  const pageOf = (entries: readonly string[], to: number): EventPage => ({
    json: `{"events":[${entries.join(',')}],"cursor":"${log.cursorAt(to)}"}`,
    count: entries.length,
    to,
  });
  const entryOf = (event: KeptEvent): string => entry(log.cursorAt(event.sequence), event.type, dataOf(event));
  const single = (type: string, data: Readonly<Record<string, unknown>>, to: number): EventPage =>
    pageOf([entry(log.cursorAt(to), type, JSON.stringify({ ...data, at: timeJson(wallMs()) }))], to);
  return {
    /** The events after a position, or `lost` if the log no longer has them. */
    read: (position: number, filter: EventFilter | undefined, limits: EventLimits): EventPage | 'lost' => {
      if (position < log.oldestPosition(filter?.kinds)) return 'lost';
      const { events, to } = select(position, filter, limits);
      return pageOf(events.map(entryOf), to);
    },
    empty: (position: number): EventPage => pageOf([], position),
    gap: ({ from, to, reason }: Gap): EventPage => single('hub.gap', { from, to: log.cursorAt(to), reason }, to),
    /** A page of events that the caller has already read. */
    of: (events: readonly KeptEvent[], to: number): EventPage => pageOf(events.map(entryOf), to),
    /** One event that the log does not keep. It gets the log's present cursor and the present time. */
    single,
  };
}

function entry(cursor: string, type: string, data: string): string {
  return `{"id":"${cursor}","type":"${type}","data":${data}}`;
}
