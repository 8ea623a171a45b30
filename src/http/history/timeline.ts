import * as z from 'zod/mini';
import { fieldError, HubError } from '#base/hub-error.ts';
import { type Caller, canCaller } from '#auth/caller.ts';
import { maySeeCommand, visibilityFor } from '#auth/visibility.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { AVAILABILITY, seriesOf } from '#core/past/history/recorder.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { Room } from '#core/room/room.ts';
import { HOME_TIMELINE, timelineOf } from '#core/past/history/sample.ts';
import { TIMELINE_TYPES, type TimelineType } from '#core/past/timeline/timeline-line.ts';
import {
  readTimeline,
  type TimelineLine,
  type TimelinePlace,
  type TimelineSource,
} from '#core/past/timeline/timeline-reader.ts';
import {
  type House,
  type HouseNoun,
  houseSeriesOf,
  type HouseValue,
  houseValues,
} from '#core/past/history/house-series.ts';
import { described, wordOf } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { seesHouse } from '#http/series/named-series.ts';
import * as notes from './notes.ts';
import type { QueryQueue } from './query-queue.ts';
import { type FindIssuer, timelineLineJson, timelineSchema } from './timeline-json.ts';
import { faultWords } from '#words/faults.ts';

export type TimelineRouteDeps = {
  readonly history: Pick<HistoryStore, 'readSlice' | 'findBefore' | 'listSeries'>;
  /** Hub time. */
  readonly nowMs: () => number;
  readonly registry: {
    readonly devices: () => readonly Device[];
    readonly findDevice: (idOrSelector: string) => Device | undefined;
  };
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly house: House;
  readonly automations: Pick<AutomationRegistry, 'find' | 'findInTrash'>;
  readonly accounts: { readonly findUser: (id: UserId) => Pick<User, 'id' | 'name'> | undefined };
};

const RIGHT = 'history:read';
const USUAL_LINES = 100;
const FIRST_MS = 0;
const FEW_SOURCES = 50;

const momentSchema = z.string().check(z.maxLength(40));
const nameSchema = z.string().check(z.minLength(1), z.maxLength(200));
const querySchema = z.strictObject({
  device: described('Only of this device: its selector or id.', z.optional(nameSchema)),
  room: described('Only of the devices that are in this room now: its selector or id.', z.optional(nameSchema)),
  from: described(
    'RFC 3339, or before now as `-7d`. As far back as there is anything if absent.',
    z.optional(momentSchema),
  ),
  to: described('Now if absent.', z.optional(momentSchema)),
  types: described(
    'Only lines of these types.',
    z.optional(
      z.array(wordOf('TimelineType', TIMELINE_TYPES)).check(z.minLength(1), z.maxLength(TIMELINE_TYPES.length)),
    ),
  ),
  limit: described('100 if absent.', z.optional(z.int().check(z.minimum(1), z.maximum(1000)))),
  cursor: described('`next` of the answer before.', z.optional(z.string().check(z.maxLength(100)))),
});
type TimelineQuery = z.infer<typeof querySchema>;
type TimelineRequest = RouteRequest<TimelineQuery, unknown>;

/** The logbook of the home. */
export function timelineRoute(deps: TimelineRouteDeps, queue: QueryQueue): Route {
  return defineRoute({
    id: 'listTimelineLines',
    method: 'GET',
    path: '/api/v1/history/timeline',
    summary: 'Show what happened in the home',
    tag: 'History',
    note: notes.listTimelineLines,
    access: RIGHT,
    query: querySchema,
    answers: { 200: timelineSchema },
    handle: (request) => {
      const range = rangeOf(request.query, deps.nowMs());
      const devices = devicesOf(deps, request);
      return queue(callerOf(request).user.id, () => answerTimeline(deps, request, { ...range, devices }));
    },
  });
}

function rangeOf({ from, to }: TimelineQuery, nowMs: number) {
  const toMs = to === undefined ? nowMs : Math.min(nowMs, readMoment(to, 'to', nowMs));
  const fromMs = from === undefined ? FIRST_MS : readMoment(from, 'from', nowMs);
  if (fromMs < toMs) return { fromMs, toMs };
  throw new HubError('HISTORY_RANGE', 'The range ends before it begins, or begins in the future.');
}

function devicesOf({ registry, findRoom }: TimelineRouteDeps, request: TimelineRequest): readonly Device[] {
  const { device: name, room: roomName } = request.query;
  const { seesDevice, seesRoom } = visibilityFor(callerOf(request), RIGHT);
  const room = roomName === undefined ? undefined : findRoom(roomName);
  if (roomName !== undefined && (room === undefined || !seesRoom(room.id))) {
    throw new HubError('NOT_FOUND', 'There is no such room.');
  }
  const device = name === undefined ? undefined : registry.findDevice(name);
  if (name !== undefined && (device === undefined || !seesDevice(device))) {
    throw new HubError('NOT_FOUND', 'There is no such device.');
  }
  // What a group shows, its members have said.
  const all = (): readonly Device[] => registry.devices().filter((one) => seesDevice(one) && !isGroup(one));
  const some = device === undefined ? all() : [device];
  return room === undefined ? some : some.filter(({ roomId }) => roomId === room.id);
}

type Asked = { readonly fromMs: number; readonly toMs: number; readonly devices: readonly Device[] };

async function answerTimeline(
  { history, registry, house, accounts, automations }: TimelineRouteDeps,
  request: TimelineRequest,
  { fromMs, toMs, devices }: Asked,
): Promise<RouteAnswer> {
  const { device, room, types, limit = USUAL_LINES, cursor } = request.query;
  const isWhole = (caller: Caller): boolean => visibilityFor(caller, RIGHT).isWhole;
  const isHome = device === undefined && room === undefined && isWhole(callerOf(request));
  const wanted = types && new Set<string>(types);
  const seesIssuer = (caller: Caller, id: DeviceId, issuer: Parameters<typeof maySeeCommand>[1]['issuer']): boolean =>
    maySeeCommand(caller, { issuer, deviceIds: [id] }, { right: RIGHT, findDevice: registry.findDevice });
  /** As of now: rights and devices may change while the lines are read. */
  const isWanted = ({ device: id, entry }: TimelineLine): boolean => {
    const caller = request.authorize();
    if (wanted !== undefined && !wanted.has(entry.type)) return false;
    const noun = nounOf(entry.type);
    if (noun !== undefined) return seesHouse(caller, noun);
    if (id === null)
      return isWhole(caller) && (entry.type !== 'automation.run' || canCaller(caller, 'automation:read', 'home'));
    const found = registry.findDevice(id);
    if (found === undefined || !visibilityFor(caller, RIGHT).seesDevice(found)) return false;
    return entry.type !== 'command.finished' || seesIssuer(caller, id, entry.by);
  };
  const home: readonly TimelineSource[] = isHome
    ? [{ type: 'stored', series: HOME_TIMELINE, device: null }, ...houseValues(house).map(sourceOf)]
    : [];
  const { lines, next } = await readTimeline(readFor(request, history), {
    sources: await presentSources(history, [...home, ...devices.flatMap(sourcesOf)], fromMs),
    fromMs,
    toMs,
    after: cursor === undefined ? null : readCursor(cursor),
    limit,
    isWanted,
  });
  const caller = request.authorize();
  const findAutomation = (id: string) => automations.find(id) ?? automations.findInTrash(id);
  const json = lines.map((line) => {
    const id = line.device;
    const shown = id === null ? undefined : registry.findDevice(id);
    const findIssuer: FindIssuer = (issuer) =>
      id !== null && seesIssuer(caller, id, issuer) ? { user: accounts.findUser(issuer.userId) ?? null } : null;
    return timelineLineJson(line, shown ?? null, { findIssuer, findUser: accounts.findUser, findAutomation });
  });
  return { status: 200, json: { lines: json, next: next && cursorText(next) } };
}

const NOUN_OF = { 'mode.changed': 'mode', 'variable.changed': 'variable', 'presence.changed': 'presence' } as const;

/** Names the part of the home itself that a line is about; `undefined` for any other line. */
function nounOf(type: TimelineType): HouseNoun | undefined {
  return type in NOUN_OF ? NOUN_OF[type as keyof typeof NOUN_OF] : undefined;
}

function sourceOf({ noun, key }: HouseValue): TimelineSource {
  return { type: noun, key, series: houseSeriesOf(noun, key), device: null };
}

function sourcesOf(device: Device): readonly TimelineSource[] {
  const { id } = device;
  const ofFeatures = device.features.flatMap((feature): readonly TimelineSource[] => {
    const kind = seriesKindOf(feature);
    const { key } = feature;
    return kind === 'state' || kind === 'event' ? [{ type: kind, key, series: seriesOf(device, key), device: id }] : [];
  });
  return [
    { type: 'stored', series: timelineOf(id), device: id },
    { type: 'availability', series: seriesOf(device, AVAILABILITY), device: id },
    ...ofFeatures,
  ];
}

/** Most sources of a home have nothing in the range: one list says which, instead of a question for each. */
async function presentSources(
  { listSeries }: TimelineRouteDeps['history'],
  sources: readonly TimelineSource[],
  fromMs: number,
): Promise<readonly TimelineSource[]> {
  if (sources.length <= FEW_SOURCES) return sources;
  const present = new Set<string>();
  for (let after: string | null = null; ;) {
    const page = await listSeries(after);
    for (const { name, lastMs } of page.series) if (lastMs >= fromMs) present.add(name);
    if (page.next === null) return sources.filter(({ series }) => present.has(series));
    after = page.next;
  }
}

const NOTHING = { timesMs: new Float64Array(), values: [], gaps: new Map(), next: null };

/** Reads as long as the caller may, and as long as somebody waits for the answer. */
function readFor({ authorize, signal }: TimelineRequest, { readSlice, findBefore }: TimelineRouteDeps['history']) {
  const read: HistoryStore['readSlice'] = async (range, afterMs) => {
    authorize();
    return signal().aborted ? NOTHING : readSlice(range, afterMs);
  };
  return { readSlice: read, findBefore };
}

function cursorText({ atMs, count }: TimelinePlace): string {
  return `${atMs}-${count}`;
}

function readCursor(text: string): TimelinePlace {
  const parts = /^(\d{1,15}(?:\.\d{1,15})?)-(\d{1,9})$/.exec(text);
  if (parts !== null) return { atMs: Number(parts[1]), count: Number(parts[2]) };
  throw new HubError('INVALID_QUERY', 'This hub did not make the cursor.', {
    errors: [fieldError('?cursor', 'INVALID_VALUE', ...faultWords('unknown_cursor'))],
  });
}
