import * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import { folded } from '#core/records/selector.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { Scene } from '#core/scene/scene.ts';
import { roomReferenceSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { Note } from '#http/note/note.ts';
import { callerOf } from '#http/rights/access.ts';
import { roomReferenceExample } from '#http/room/notes.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { shownTo } from '#http/scene/shown.ts';

type FindDeps = {
  readonly registry: {
    readonly devices: () => readonly Device[];
    readonly findDevice: (idOrSelector: string) => Device | undefined;
  };
  readonly rooms: { readonly rooms: () => readonly Room[] };
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly scenes: { readonly scenes: () => readonly Scene[] };
  readonly automations: { readonly automations: () => readonly AutomationRecord[] };
  readonly monotonicMs: () => number;
};

/** In the order of equal matches: kinds of which a home has few come first. */
const KINDS = ['room', 'scene', 'automation', 'group', 'device'] as const;
type Kind = (typeof KINDS)[number];
const MOST = 20;
const MAX_LENGTH = 100;

const querySchema = z.strictObject({
  q: described(
    'Words of people. Case, accents and the order of the words do not matter: `kuche decke` finds `Decke (Küche)`.',
    z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_LENGTH)),
  ),
  kind: described('Only these kinds of things.', z.optional(z.array(wordOf('MatchKind', KINDS)))),
});

const matchSchema = named(
  'Match',
  z.object({
    kind: described(
      'The noun under whose path the thing stands: `device` in `/device/{selector}`.',
      wordOf('MatchKind', KINDS),
    ),
    selector: described('Its name for programs.', z.string()),
    name: described('As people call it.', z.string()),
    room: described('Its room; `null` without one, and of a room.', z.nullable(roomReferenceSchema)),
  }),
);

const listMatches: Note = () => ({
  description:
    'Finds rooms, scenes, automations, groups and devices of which the caller sees each: automations need `automation:read`, all others `device:read`. Each word of `q` stands somewhere in the name, the selector or the name of the room, of a device also in its manufacturer or model, of an automation also in a label. The best come first: the whole name, its beginning, beginnings of its words, parts of it, all else. `X-Total-Count` says how many match; of more than 20 each kind keeps its best. Words of the page and of people are not looked at.',
  answerHeaders: { 200: ['X-Total-Count'] },
  answerExample: [
    { kind: 'device', selector: 'kitchen-ceiling', name: 'Kitchen ceiling', room: roomReferenceExample() },
  ],
});

type Match = z.infer<typeof matchSchema>;
type Thing = Pick<Match, 'kind' | 'selector' | 'name'> & {
  readonly roomId: RoomId | null;
  /** Words beside its name, selector and room. */
  readonly more: readonly (string | null | undefined)[];
  readonly isSeenBy: (caller: Caller) => boolean;
};

/** Finds what the caller sees in the home by the words of a person. Each call reads the names of the whole home once. */
export function findRoutes(deps: FindDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listMatches',
      method: 'GET',
      path: '/api/v1/find',
      summary: 'Find rooms, scenes, automations, groups and devices by the words of a person',
      tag: 'Reference',
      note: listMatches,
      access: 'device:read',
      query: querySchema,
      answers: { 200: z.array(matchSchema) },
      handle: async (request) => {
        const { q, kind: kinds = KINDS } = request.query;
        const asked = callerOf(request);
        const matches = createMatches(q);
        const things = thingsOf(deps, new Set(kinds));
        await eachInSlices(things, deps.monotonicMs, (thing) => {
          const text = [thing.name, thing.selector, roomOf(deps, thing)?.name, ...thing.more].join(' ');
          const rank = matches.rankOf(thing.name, text);
          if (rank !== undefined && thing.isSeenBy(asked)) matches.add(thing, rank);
        });
        const now = request.authorize();
        const json = matches.best().flatMap((thing) => (thing.isSeenBy(now) ? [matchJson(deps, thing)] : []));
        return { status: 200, json, headers: { 'X-Total-Count': String(matches.count()) } };
      },
    }),
  ];
}

function* thingsOf(deps: FindDeps, kinds: ReadonlySet<Kind>): Generator<Thing> {
  if (kinds.has('room')) {
    for (const { id, selector, name } of deps.rooms.rooms()) {
      const isSeenBy = (caller: Caller): boolean => visibilityFor(caller, 'device:read').seesRoom(id);
      yield { kind: 'room', selector, name, roomId: null, more: [], isSeenBy };
    }
  }
  if (kinds.has('scene')) {
    for (const scene of deps.scenes.scenes()) {
      const isSeenBy = (caller: Caller): boolean =>
        shownTo(deps, visibilityFor(caller, 'device:read'), scene) !== undefined;
      yield { kind: 'scene', selector: scene.selector, name: scene.name, roomId: scene.roomId, more: [], isSeenBy };
    }
  }
  if (kinds.has('automation')) {
    const isSeenBy = (caller: Caller): boolean => canCaller(caller, 'automation:read');
    for (const { selector, name, roomId, labels } of deps.automations.automations()) {
      yield { kind: 'automation', selector, name, roomId, more: labels, isSeenBy };
    }
  }
  if (!kinds.has('group') && !kinds.has('device')) return;
  for (const device of deps.registry.devices()) {
    const kind = isGroup(device) ? 'group' : 'device';
    if (!kinds.has(kind)) continue;
    const { selector, roomId, manufacturer, model } = device;
    const isSeenBy = (caller: Caller): boolean => visibilityFor(caller, 'device:read').seesDevice(device);
    yield { kind, selector, name: deviceName(device), roomId, more: [manufacturer, model], isSeenBy };
  }
}

/** Keeps the best of each kind, so that a home of many lamps does not crowd out the scene of that name. */
function createMatches(q: string) {
  const whole = folded(q);
  const words = [...new Set(whole.split(/\s+/).filter(Boolean))];
  const best = new Map<Kind, Thing[][]>();
  let count = 0;

  const rankOf = (name: string, text: string): number | undefined => {
    const all = folded(text);
    if (words.length === 0 || !words.every((word) => all.includes(word))) return undefined;
    const own = folded(name);
    if (own === whole) return 0;
    if (own.startsWith(whole)) return 1;
    const begins = ` ${own.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
    if (words.every((word) => begins.includes(` ${word}`))) return 2;
    return words.every((word) => own.includes(word)) ? 3 : 4;
  };
  const add = (thing: Thing, rank: number): void => {
    count += 1;
    const ranks = best.get(thing.kind) ?? [[], [], [], [], []];
    best.set(thing.kind, ranks);
    const equal = ranks[rank];
    if (equal !== undefined && equal.length < MOST) equal.push(thing);
  };
  return {
    rankOf,
    add,
    count: (): number => count,
    /** Takes the next of each kind in turn, then puts them in the order of their match and kind. */
    best: (): readonly Thing[] => {
      const rows = KINDS.map((kind) =>
        (best.get(kind) ?? []).flatMap((all, rank) => all.map((thing) => ({ thing, rank }))),
      );
      const turns = Array.from({ length: MOST }, (_, turn) => rows.flatMap((row) => row[turn] ?? []));
      return turns
        .flat()
        .slice(0, MOST)
        .toSorted((left, right) => left.rank - right.rank || placeOf(left.thing) - placeOf(right.thing))
        .map(({ thing }) => thing);
    },
  };
}

function placeOf({ kind }: Thing): number {
  return KINDS.indexOf(kind);
}

function roomOf({ findRoom }: FindDeps, { roomId }: Thing): Room | undefined {
  return roomId === null ? undefined : findRoom(roomId);
}

function matchJson(deps: FindDeps, thing: Thing): Match {
  const { kind, selector, name } = thing;
  const room = roomOf(deps, thing);
  return {
    kind,
    selector,
    name,
    room: room === undefined ? null : { id: room.id, selector: room.selector, name: room.name },
  };
}
