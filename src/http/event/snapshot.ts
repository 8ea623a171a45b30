import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { roomJson } from '#http/room/json.ts';
import type { EventFilter } from './filter.ts';
import { FRAME_END, frameHead } from './frame.ts';

/** One client's way through a snapshot. */
export type SnapshotReader = {
  /** The snapshot shows the home right after this event. */
  readonly sequence: number;
  /** The next part as a frame; `done` after the last, `expired` where the snapshot was given up meanwhile. */
  readonly next: () => Buffer | 'done' | 'expired';
  /** To call when it is not read any further. */
  readonly close: () => void;
};

export type HomeSnapshots = { readonly open: (filter: EventFilter | undefined) => SnapshotReader };

export type HomeSnapshotDeps = {
  readonly log: Pick<EventLog, 'lastSequence' | 'oldestPosition' | 'cursorAt'>;
  readonly devices: () => readonly Device[];
  readonly rooms: () => readonly Room[];
  /** Cached: never to be written to. */
  readonly deviceBytes: (device: Device) => Buffer;
  readonly monotonicMs: () => number;
};

type Item = {
  readonly kind: 'room' | 'device';
  readonly bytes: Buffer;
  readonly isWanted: (filter: EventFilter) => boolean;
};
type Part = { readonly frame: Buffer; readonly end: number };
type Snapshot = {
  readonly sequence: number;
  readonly cursor: string;
  readonly madeMs: number;
  /** `undefined` once it was given up, so that readers that still refer to it keep nothing in memory. */
  items: readonly Item[] | undefined;
  /** Parts for those without a filter, by the place of their first item. */
  readonly parts: Map<number, Part>;
  readers: number;
};

const MAX_PART_BYTES = 64 * 1024;
/** Room for all of a part but its items. */
const ENVELOPE_BYTES = 256;
const REUSED_MS = 1_000;
/** Each may hold every device as it was then: this bounds what slow readers can keep in memory. */
const MAX_ALIVE = 4;

/**
 * The home at one moment, shared by all who ask within a second: it is sent as their sockets drain, and what happened
 * since follows as events.
 */
export function createHomeSnapshots(deps: HomeSnapshotDeps): HomeSnapshots {
  const { log, monotonicMs } = deps;
  const alive: Snapshot[] = [];

  const giveUp = (snapshot: Snapshot): void => {
    alive.splice(alive.indexOf(snapshot), 1);
    snapshot.items = undefined;
    snapshot.parts.clear();
  };
  const take = (): Snapshot => {
    const newest = alive.at(-1);
    const isReplayable = newest !== undefined && newest.sequence >= log.oldestPosition();
    const isYoung = newest !== undefined && monotonicMs() - newest.madeMs < REUSED_MS;
    if (newest !== undefined && isReplayable && (isYoung || alive.length >= MAX_ALIVE)) return newest;
    const [oldest] = alive;
    if (oldest !== undefined && alive.length >= MAX_ALIVE) giveUp(oldest);
    const made = takeSnapshot(deps);
    alive.push(made);
    return made;
  };

  return {
    open: (filter) => {
      const snapshot = take();
      snapshot.readers += 1;
      let start = 0;
      let part = 0;
      let isOpen = true;
      return {
        sequence: snapshot.sequence,
        next: () => {
          if (snapshot.items === undefined) return 'expired';
          if (part > 0 && start >= snapshot.items.length) return 'done';
          part += 1;
          const { frame, end } = readPart(snapshot, { start, part }, filter);
          start = end;
          return frame;
        },
        close: () => {
          if (!isOpen) return;
          isOpen = false;
          snapshot.readers -= 1;
          if (snapshot.readers === 0 && snapshot.items !== undefined) giveUp(snapshot);
        },
      };
    },
  };
}

function takeSnapshot({ log, monotonicMs, ...home }: HomeSnapshotDeps): Snapshot {
  const rooms = home.rooms().map((room): Item => {
    const { id } = room;
    const bytes = Buffer.from(JSON.stringify(roomJson(room)));
    return { kind: 'room', bytes, isWanted: (filter) => filter.wantsRoom(id) };
  });
  const devices = home.devices().map((device): Item => {
    const { id, roomId } = device;
    return { kind: 'device', bytes: home.deviceBytes(device), isWanted: (filter) => filter.wantsDevice(id, roomId) };
  });
  const sequence = log.lastSequence();
  return {
    sequence,
    cursor: log.cursorAt(sequence),
    madeMs: monotonicMs(),
    items: [...rooms, ...devices],
    parts: new Map(),
    readers: 0,
  };
}

type Place = { readonly start: number; readonly part: number };

function readPart(snapshot: Snapshot, place: Place, filter: EventFilter | undefined): Part {
  if (filter !== undefined) return joinPart(snapshot, place, filter);
  const known = snapshot.parts.get(place.start);
  if (known !== undefined) return known;
  const made = joinPart(snapshot, place, undefined);
  snapshot.parts.set(place.start, made);
  return made;
}

function joinPart({ items = [], cursor }: Snapshot, { start, part }: Place, filter: EventFilter | undefined): Part {
  const rooms: Buffer[] = [];
  const devices: Buffer[] = [];
  let size = ENVELOPE_BYTES;
  let end = start;
  for (const item of items.slice(start)) {
    if (filter === undefined || item.isWanted(filter)) {
      size += item.bytes.length + 1;
      // One that is larger than a part goes alone.
      if (size > MAX_PART_BYTES && rooms.length + devices.length > 0) break;
      (item.kind === 'room' ? rooms : devices).push(item.bytes);
    }
    end += 1;
  }
  const last = end === items.length;
  const frame = Buffer.concat([
    Buffer.from(`${frameHead('hub.snapshot', last ? cursor : undefined)}{"cursor":"${cursor}","part":${part},`),
    Buffer.from(`"last":${last},"rooms":[`),
    ...separated(rooms),
    Buffer.from('],"devices":['),
    ...separated(devices),
    Buffer.from(`]}${FRAME_END}`),
  ]);
  return { frame, end };
}

const COMMA = Buffer.from(',');

function separated(items: readonly Buffer[]): Buffer[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
}
