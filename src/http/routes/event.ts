import { z } from 'zod/mini';
import type { Authenticate } from '#auth/authenticate.ts';
import { callerId, hasSameRights } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { CURSOR } from '#core/event-log.ts';
import { callerOf } from '#http/caller-of.ts';
import { type EventFilter, type EventFilterDeps, eventFilterShape, readEventFilter } from '#http/event-filter.ts';
import { eventPageSchema } from '#http/event-page-schema.ts';
import { type EventSightDeps, limitEvents, seesAllEvents } from '#http/event-sight.ts';
import type { EventStreams } from '#http/event-streams.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/route.ts';
import { findDeviceIn, findRoomIn, sightFor } from '#http/sight.ts';

export type EventRoutesDeps = Pick<EventFilterDeps, 'findRoom'> & {
  readonly registry: Pick<EventSightDeps, 'findDevice' | 'devices'>;
  readonly eventStreams: Pick<EventStreams, 'refuseExcess' | 'open' | 'poll'>;
  readonly authenticate: Authenticate;
};

const querySchema = z.strictObject({
  ...eventFilterShape,
  /** Cursor after which to begin; `Last-Event-ID` takes precedence. */
  since: z.optional(z.string().check(z.regex(CURSOR))),
  /** Begin with the home as it is, where no cursor says from where to go on. */
  snapshot: z.optional(z.boolean()),
  /** Of a long poll alone: seconds to wait for the first event. */
  wait: z._default(z.int().check(z.gte(0), z.lte(60)), 25),
  /** Of a long poll alone: most events in one answer. */
  limit: z._default(z.int().check(z.gte(1), z.lte(1_000)), 1_000),
});
type Query = z.infer<typeof querySchema>;

/**
 * What happens in the home, as it happens. As `text/event-stream` unless the client accepts JSON alone: frames of `id`
 * (a cursor), `event` (the type) and `data`. The first frame is a heartbeat. A stream ends when its access token does,
 * when its session or API token is revoked and when its user's role changes; a client that comes back with `Last-Event-ID` misses
 * nothing. As `application/json` it is a long poll, where a gap is the event `hub.gap` in the page: list the devices
 * then, and go on from the list's `Event-Cursor`.
 */
export function eventRoutes(deps: EventRoutesDeps): readonly Route[] {
  const { eventStreams } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/event',
      summary: 'Follow what happens, as a stream or a long poll',
      access: 'event:read',
      query: querySchema,
      answers: { 200: eventPageSchema },
      handle: async (request) => {
        const { query, header } = request;
        const ownId = callerId(callerOf(request));
        const cursor = header('last-event-id') || query.since;
        const listener = { callerId: ownId, filter: filterOf(deps, request), ...accessOf(request, deps) };
        eventStreams.refuseExcess(ownId);
        if (!isPoll(header('accept'))) {
          return {
            status: 200,
            headers: { 'Content-Type': 'text/event-stream', Connection: 'close' },
            takeOver: (outgoing) => eventStreams.open(outgoing, listener, { cursor, snapshot: query.snapshot }),
          };
        }
        if (query.snapshot === true) throw noSnapshot();
        const { wait, limit } = query;
        const polling = { ...listener, signal: request.signal() };
        const page = await eventStreams.poll(polling, { cursor, limit, waitMs: wait * 1000 });
        return { status: 200, bytes: Buffer.from(page), headers: { 'Content-Type': 'application/json' } };
      },
    }),
  ];
}

/** Whether the stream may go on: with the rights with which it began, for what it shows follows from them. */
function accessOf(request: RouteRequest<Query, unknown>, { authenticate }: EventRoutesDeps) {
  const { peer } = request;
  const caller = callerOf(request);
  const authorization = request.header('authorization') ?? '';
  const isRefused = (cause: unknown): false => {
    if (cause instanceof HubError) return false;
    throw cause;
  };
  return {
    mayRead: (): boolean => {
      try {
        return hasSameRights(caller.current(), caller);
      } catch (cause) {
        return isRefused(cause);
      }
    },
    isStillAllowed: async (): Promise<boolean> => {
      try {
        return hasSameRights(await authenticate([authorization], peer), caller);
      } catch (cause) {
        return isRefused(cause);
      }
    },
  };
}

/** What the client wants of what the caller may see. */
function filterOf(deps: EventRoutesDeps, request: RouteRequest<Query, unknown>): EventFilter | undefined {
  const { registry, findRoom } = deps;
  const caller = callerOf(request);
  const sight = sightFor(caller, 'event:read');
  const filter = readEventFilter(request.query, {
    findDevice: findDeviceIn(sight, registry.findDevice),
    findRoom: findRoomIn(sight, findRoom),
  });
  const { devices, findDevice } = registry;
  return seesAllEvents(caller) ? filter : limitEvents({ caller, devices, findDevice }, filter);
}

/** A client that names neither, as curl does, wants the stream. */
function isPoll(accept = ''): boolean {
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/event-stream\b/i.test(accept);
}

function noSnapshot(): HubError {
  return new HubError('INVALID_QUERY', 'A long poll has no snapshot: list the devices and use their Event-Cursor.', {
    errors: [{ pointer: '?snapshot', code: 'INVALID_VALUE', message: 'is for streams alone' }],
  });
}
