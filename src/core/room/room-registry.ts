import { compareNamed } from '#core/records/compare-named.ts';
import type { Clock } from '#base/time/clock.ts';
import { HubError, requireThing } from '#base/hub-error.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { iconForRoom, type Room, type RoomId } from './room.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createSelectorSource } from '#core/records/selector.ts';

export type RoomChange = { readonly name?: string; readonly icon?: string | null };

/** The rooms of the home. Changes are on disk before they are visible. */
export type RoomRegistry = {
  /** By name, then id. */
  readonly rooms: () => readonly Room[];
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  /** The room that keeps `addRoom` from taking this name. */
  readonly findRoomNamed: (name: string) => Room | undefined;
  /** Throws HubError NAME_TAKEN, LIMIT_REACHED and, as every change here, what `authorize` throws. */
  readonly addRoom: (name: string, terms?: Pick<ChangeTerms, 'authorize'>) => Promise<Room>;
  /** Throws HubError NOT_FOUND, PRECONDITION_FAILED, NAME_TAKEN. */
  readonly updateRoom: (id: RoomId, change: RoomChange, terms?: ChangeTerms) => Promise<Room>;
  /** Its devices stay and lose their room. Throws HubError NOT_FOUND. */
  readonly removeRoom: (id: RoomId, terms?: ChangeTerms) => Promise<void>;
};

/** Keeps the room registry's data. A resolved promise means: on disk. `Row`: a device, as the disk has it. */
export type RoomStore<Row> = {
  readonly loadRooms: () => Promise<readonly Room[]>;
  readonly saveRoom: (room: Room) => Promise<void>;
  /** Deletes the room and saves the devices that were in it, in one transaction. */
  readonly deleteRoom: (id: RoomId, devices: readonly Row[]) => Promise<void>;
};

/** The devices of rooms, which know their room by its id. */
export type RoomDevices<Row> = {
  /**
   * Takes all devices, hidden ones too, out of the room. `commit` writes them to disk together with the room's removal. To
   * call in the turn of the room registry.
   */
  readonly leaveRoom: (id: RoomId, commit: (rows: readonly Row[]) => Promise<void>) => Promise<void>;
  /** After a room's name changed: its devices show the name. */
  readonly touchRoom: (id: RoomId) => void;
};

type RoomRegistryDeps<Row> = {
  readonly store: RoomStore<Row>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly emit: (event: HomeEvent) => void;
  readonly turn: TurnQueue;
  /** A function, because the device registry is made later: it needs this one to check whether a room exists. */
  readonly devices: () => RoomDevices<Row>;
};

/** A limit, because names are searched one by one and every client gets all rooms. */
const MAX_ROOMS = 1_000;

export async function openRoomRegistry<Row>(deps: RoomRegistryDeps<Row>): Promise<RoomRegistry> {
  const { clock, emit, store, turn } = deps;
  const selectors = createSelectorSource('room');
  const byId = new Map<RoomId, Room>();
  for (const room of await store.loadRooms()) {
    byId.set(room.id, room);
    selectors.reserve(room.selector);
  }
  const findRoom = (idOrSelector: string): Room | undefined =>
    byId.get(idOrSelector as RoomId) ?? [...byId.values()].find((room) => room.selector === idOrSelector);
  const roomOf = (id: RoomId, { ifRevision, authorize }: ChangeTerms = {}): Room => {
    authorize?.();
    const room = requireThing(byId.get(id), 'room');
    if (ifRevision !== undefined && ifRevision !== room.revision) {
      throw new HubError('PRECONDITION_FAILED', `The room is at revision ${room.revision}.`);
    }
    return room;
  };
  const findRoomNamed = (name: string): Room | undefined =>
    [...byId.values()].find((room) => nameKey(room.name) === nameKey(name));
  const refuseTaken = (name: string, self?: RoomId): void => {
    const taken = findRoomNamed(name);
    if (taken !== undefined && taken.id !== self) throw new HubError('NAME_TAKEN', 'Another room has this name.');
  };
  return {
    rooms: () => [...byId.values()].sort(compareNamed),
    findRoom,
    findRoomNamed,
    addRoom: (name, terms = {}) =>
      turn(async () => {
        terms.authorize?.();
        refuseTaken(name);
        if (byId.size >= MAX_ROOMS) throw new HubError('LIMIT_REACHED', `There can be ${MAX_ROOMS} rooms.`);
        const nowMs = clock.wallMs();
        const selector = selectors.take([name]);
        const id = deps.newId() as RoomId;
        const icon = iconForRoom(name);
        const room: Room = { id, selector, name, icon, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
        try {
          await store.saveRoom(room);
        } catch (cause) {
          selectors.giveBack([selector]);
          throw cause;
        }
        byId.set(id, room);
        emit({ type: 'room.added', room });
        return room;
      }),
    updateRoom: (id, change, terms) =>
      turn(async () => {
        const old = roomOf(id, terms);
        const { name = old.name, icon = old.icon ?? null } = change;
        if (name === old.name && icon === (old.icon ?? null)) return old;
        refuseTaken(name, id);
        const room = { ...old, name, icon, revision: old.revision + 1, updatedAtMs: clock.wallMs() };
        await store.saveRoom(room);
        byId.set(id, room);
        emit({ type: 'room.changed', room });
        if (name !== old.name) deps.devices().touchRoom(id);
        return room;
      }),
    removeRoom: (id, terms) =>
      turn(async () => {
        const room = roomOf(id, terms);
        await deps.devices().leaveRoom(id, (rows) => store.deleteRoom(id, rows));
        byId.delete(id);
        selectors.giveBack([room.selector]);
        emit({ type: 'room.removed', room });
      }),
  };
}

function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
