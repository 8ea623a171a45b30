import * as notes from './notes.ts';
import * as z from 'zod/mini';
import type { Authenticate } from '#auth/authenticate.ts';
import { type Caller, callerId, hasSameRights, isKeeper } from '#auth/caller.ts';
import { fieldError, HubError } from '#base/hub-error.ts';
import { CURSOR, type EventLog } from '#core/event/event-log.ts';
import { callerOf } from '#http/rights/access.ts';
import type { DeviceList } from '#http/device/list.ts';
import {
  type EventFilter,
  type EventFilterDeps,
  eventFilterShape,
  type EventQuery,
  limitEvents,
  readEventFilter,
} from './filter.ts';
import type { EventClientOwner } from './stream.ts';
import { eventPageSchemas } from './page.ts';
import { type EventViewer, findDeviceIn, findRoomIn, seesAllEvents, visibilityFor } from '#auth/visibility.ts';
import type { EventStreams, Listener } from './streams.ts';
import { described } from '#http/note/described.ts';
import { rationName } from '#http/routing/rations.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { faultWords } from '#words/faults.ts';

export type EventRoutesDeps = Pick<EventFilterDeps, 'findRoom'> & {
  readonly registry: Pick<EventViewer, 'findDevice' | 'devices'>;
  readonly eventStreams: Pick<EventStreams, 'makeRoomFor' | 'open' | 'poll'>;
  readonly list: Pick<DeviceList, 'prepare'>;
  readonly authenticate: Authenticate;
  readonly events: Pick<EventLog, 'cursorAt' | 'viewSince'>;
};

const pageShape = {
  since: described(
    'Begin after this cursor; `Last-Event-ID` takes precedence.',
    z.optional(z.string().check(z.regex(CURSOR))),
  ),
  lastEventId: described(
    'The same as `since`, and before it: as `Last-Event-ID` for clients that go on after a break by the address alone.',
    z.optional(z.string().check(z.regex(CURSOR))),
  ),
  snapshot: described('Begin with the whole home, unless a cursor says where to go on.', z.optional(z.boolean())),
  wait: described(
    'Makes it a long poll: seconds to wait for the first event, by default 25.',
    z.optional(z.int().check(z.gte(0), z.lte(60))),
  ),
  limit: described(
    'Makes it a long poll: the most events in one answer, by default 1,000.',
    z.optional(z.int().check(z.gte(1), z.lte(1_000))),
  ),
};
type Query = EventQuery & z.infer<z.ZodMiniObject<typeof pageShape>>;
const USUAL_WAIT_S = 25;
const USUAL_LIMIT = 1_000;

/**
 * The events of the home, as they happen. The answer is a stream unless the client accepts only JSON or the query has
 * `wait` or `limit`: then it is a long poll. The first frame of a stream is a heartbeat. A stream ends when its access
 * token expires, its session or API token is revoked or the rights of its person change. The next one then begins anew. After a `hub.gap` in a poll, a client
 * lists the devices and goes on from the list's `Event-Cursor`.
 */
export function eventRoutes(deps: EventRoutesDeps): readonly Route[] {
  const { eventStreams } = deps;
  return [
    defineRoute({
      id: 'followEvents',
      method: 'GET',
      path: '/api/v1/event',
      summary: 'Follow events, as a stream or by long poll',
      tag: 'Event',
      note: notes.followEvents,
      access: 'event:read',
      query: z.strictObject({ ...eventFilterShape(), ...pageShape }),
      answers: { 200: eventPageSchemas().poll },
      handle: async (request) => {
        const { query, header } = request;
        const cursor = header('last-event-id') || query.lastEventId || query.since;
        const listener = listenerOf(deps, request, query);
        const { owner } = listener;
        const viewSince = deps.events.viewSince(callerOf(request).user.id);
        if (!isPoll(query, header('accept'))) {
          // The stream may begin with a snapshot of all devices.
          await deps.list.prepare();
          eventStreams.makeRoomFor(owner, 'stream');
          return {
            status: 200,
            headers: { 'Content-Type': 'text/event-stream', Connection: 'close' },
            takeOver: (outgoing) =>
              eventStreams.open(outgoing, listener, { cursor, viewSince, snapshot: query.snapshot }),
          };
        }
        if (query.snapshot === true) throw noSnapshot();
        const { wait = USUAL_WAIT_S, limit = USUAL_LIMIT } = query;
        eventStreams.makeRoomFor(owner, 'poll');
        const polling = { ...listener, signal: request.signal() };
        const page = await eventStreams.poll(polling, { cursor, viewSince, limit, waitMs: wait * 1000 });
        return { status: 200, bytes: Buffer.from(page), headers: { 'Content-Type': 'application/json' } };
      },
    }),
  ];
}

/** The caller as a listener, with its filter limited to what it may see. */
export function listenerOf(
  deps: EventRoutesDeps,
  request: RouteRequest<unknown, unknown>,
  wanted: EventQuery,
): Listener {
  return { owner: ownerOf(callerOf(request)), filter: filterOf(deps, request, wanted), ...accessOf(request, deps) };
}

/** Whether the stream may go on. It ends if the caller's rights change, because its filter follows from them. */
function accessOf(request: RouteRequest<unknown, unknown>, { authenticate }: EventRoutesDeps) {
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

/** The filter of the query, limited to what the caller may see. */
function filterOf(
  deps: EventRoutesDeps,
  request: RouteRequest<unknown, unknown>,
  wanted: EventQuery,
): EventFilter | undefined {
  const { registry, findRoom } = deps;
  const caller = callerOf(request);
  const visibility = visibilityFor(caller, 'event:read');
  const filter = readEventFilter(wanted, {
    findDevice: findDeviceIn(visibility, registry.findDevice),
    findRoom: findRoomIn(visibility, findRoom),
  });
  const { devices, findDevice } = registry;
  if (seesAllEvents(caller)) return filter;
  return limitEvents({ caller, devices, findDevice }, filter, deps.events.cursorAt);
}

function ownerOf(caller: Caller): EventClientOwner {
  return {
    callerId: callerId(caller),
    userId: caller.user.id,
    rationName: rationName(caller),
    isKeeper: isKeeper(caller),
  };
}

/** A client that names neither type and sends no wait, as curl does, gets the stream. */
function isPoll({ wait, limit }: Query, accept = '*/*'): boolean {
  const json = preferenceFor('application/json', accept);
  const stream = preferenceFor('text/event-stream', accept);
  if (wait !== undefined || limit !== undefined) return json.quality > 0 || stream.quality === 0;
  if (json.quality !== stream.quality) return json.quality > stream.quality;
  return json.isNamed && !stream.isNamed;
}

/** How much a client prefers a media type, by the most specific range that fits it (RFC 9110 section 12.5.1). */
function preferenceFor(type: string, accept: string): { readonly quality: number; readonly isNamed: boolean } {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return { name, quality: Number.isNaN(quality) ? 1 : quality };
  });
  for (const name of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find((range) => range.name === name);
    if (found !== undefined) return { quality: found.quality, isNamed: name === type };
  }
  return { quality: 0, isNamed: false };
}

function noSnapshot(): HubError {
  return new HubError('INVALID_QUERY', 'A long poll has no snapshot: list the devices and use their Event-Cursor.', {
    errors: [fieldError('?snapshot', 'INVALID_VALUE', ...faultWords('only_in_stream'))],
  });
}
