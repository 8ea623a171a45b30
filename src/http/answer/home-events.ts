import * as z from 'zod/mini';
import type { EventRight, HomeEvent } from '#core/event/event.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { described } from '#http/note/described.ts';
import { timeSchema } from './time-json.ts';

type Type = HomeEvent['type'];

/** The JSON of an event needs these to know the home. */
export type EventDeps = {
  readonly findRoom: (id: RoomId) => Room | undefined;
  readonly wallMs: () => number;
};

type EventForm<Of extends Type> = {
  /** What clients read about it. */
  readonly about?: string;
  /** The fields of its data; the time, which every event has, comes last. */
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  readonly json: (event: Extract<HomeEvent, { readonly type: Of }>, deps: EventDeps) => Record<string, unknown>;
};

type Declared = EventForm<Type> & { readonly order: number; readonly right: EventRight | null };

const declared = new Map<Type, Declared>();
let inOrder: ReadonlyMap<Type, z.ZodMiniType> | undefined;

/**
 * Declares events, beside the JSON of their noun: nobody else has to know them. A client that folds them over a list of
 * devices has the list as it is now: `device.added` and `device.changed` have the whole device, the others only what
 * changed in it. After `room.changed`, the devices in that room show its new name without an event of their own. A change of
 * only `last_seen_at` or `observed_at` makes no event.
 *
 * `order`: where they stand in the document; lower numbers come first. `right`: the one in the whole home that the same thing
 * needs in an answer; `null` where the subject decides by itself: devices, rooms, scenes, commands, notifications, logins and
 * what every caller may ask for.
 */
export function declareEvents(
  order: number,
  right: EventRight | null,
  events: { readonly [Of in Type]?: EventForm<Of> },
): void {
  for (const [type, form] of Object.entries(events) as [Type, EventForm<Type>][]) {
    // A second right would take the place of the first.
    if (declared.has(type)) throw new Error(`two nouns declare the event ${type}`);
    if (inOrder !== undefined) throw new Error(`${type} is declared after the first route was made of all events`);
    declared.set(type, { ...form, order, right });
  }
}

/** Finds what its noun declared of a type of event; `undefined` for one of the stream itself. */
export function formOfEvent(type: string): Declared | undefined {
  return declared.get(type as Type);
}

/** The right without which callers get no events of this type; `null` where the subject of each decides. */
export function rightOfEvent(type: Type): EventRight | null {
  const form = declared.get(type);
  if (form === undefined) throw new Error(`no noun declares the event ${type}`);
  return form.right;
}

/** The schema of the data of each event, in the order of the document. No noun may be loaded after this. */
export function eventSchemas(): ReadonlyMap<Type, z.ZodMiniType> {
  const sorted = [...declared].toSorted(([, left], [, right]) => left.order - right.order);
  return (inOrder ??= new Map(sorted.map(([type, form]) => [type, schemaOf(form)])));
}

function schemaOf({ shape, about }: Declared): z.ZodMiniType {
  const schema = z.object({ ...shape, at: timeSchema });
  return about === undefined ? schema : described(about, schema);
}
