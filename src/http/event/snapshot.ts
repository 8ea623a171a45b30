import type { Device } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { Activity, Scene } from '#core/scene/scene.ts';
import { sceneReferenceJson } from '#http/scene/json.ts';
import { roomJson } from '#http/room/json.ts';
import type { EventFilter } from './filter.ts';
import { FRAME_END, frameHead } from './frame.ts';

export type SnapshotReader = {
  /** The snapshot shows the home right after this event. */
  readonly sequence: number;
  /** The next part as a frame; `done` after the last, `expired` if the hub has dropped the snapshot meanwhile. */
  readonly next: () => Buffer | 'done' | 'expired';
  /** To call when the client reads no further. */
  readonly close: () => void;
};

export type HomeSnapshots = ReturnType<typeof createHomeSnapshots>;

export type HomeSnapshotDeps = {
  readonly log: Pick<EventLog, 'lastSequence' | 'oldestPosition' | 'cursorAt'>;
  readonly devices: () => readonly Device[];
  readonly rooms: () => readonly Room[];
  readonly scenes: () => readonly (readonly [Scene, Activity])[];
  /** From a cache: nothing may write to it. */
  readonly deviceBytes: (device: Device) => Buffer;
  readonly monotonicMs: () => number;
};

type Item = {
  readonly kind: 'room' | 'scene' | 'device';
  readonly bytes: Buffer;
  readonly isWanted: (filter: EventFilter) => boolean;
};
type Part = { readonly frame: Buffer; readonly end: number };
type Snapshot = {
  readonly sequence: number;
  readonly cursor: string;
  readonly madeMs: number;
  /** `undefined` once the hub has dropped the snapshot, so that remaining readers keep nothing in memory. */
  items: readonly Item[] | undefined;
  /** Parts for clients without a filter, by the place of their first item. */
  readonly parts: Map<number, Part>;
  readers: number;
};

const MAX_PART_BYTES = 64 * 1024;
/** Bytes for all of a part except its items. */
const ENVELOPE_BYTES = 256;
const REUSED_MS = 1_000;
/** A limit on what slow readers keep in memory, because each snapshot may hold every device as it was then. */
const MAX_ALIVE = 4;

/**
 * Makes snapshots of the home. All clients that ask within a second share one. Each client gets it as its socket
 * drains, and then the events since.
 */
export function createHomeSnapshots(deps: HomeSnapshotDeps) {
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
    open: (filter: EventFilter | undefined): SnapshotReader => {
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
  const scenes = home.scenes().map(([scene, activity]): Item => {
    const bytes = Buffer.from(JSON.stringify(sceneReferenceJson(scene, activity)));
    return { kind: 'scene', bytes, isWanted: (filter) => filter.wantsScene(scene) };
  });
  const sequence = log.lastSequence();
  return {
    sequence,
    cursor: log.cursorAt(sequence),
    madeMs: monotonicMs(),
    items: [...rooms, ...scenes, ...devices],
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
  const parts: Record<Item['kind'], Buffer[]> = { room: [], scene: [], device: [] };
  let count = 0;
  let size = ENVELOPE_BYTES;
  let end = start;
  for (const item of items.slice(start)) {
    if (filter === undefined || item.isWanted(filter)) {
      size += item.bytes.length + 1;
      // An item that is larger than a part has a part of its own.
      if (size > MAX_PART_BYTES && count > 0) break;
      parts[item.kind].push(item.bytes);
      count += 1;
    }
    end += 1;
  }
  const last = end === items.length;
  const frame = Buffer.concat([
    Buffer.from(`${frameHead('hub.snapshot', last ? cursor : undefined)}{"cursor":"${cursor}","part":${part},`),
    Buffer.from(`"last":${last},"rooms":[`),
    ...separated(parts.room),
    Buffer.from('],"scenes":['),
    ...separated(parts.scene),
    Buffer.from('],"devices":['),
    ...separated(parts.device),
    Buffer.from(`]}${FRAME_END}`),
  ]);
  return { frame, end };
}

const COMMA = Buffer.from(',');

function separated(items: readonly Buffer[]): Buffer[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
}
