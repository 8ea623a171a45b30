import type * as z from 'zod/mini';
import type { CONTROL_SCHEMAS } from '#http/event/json.ts';
import type { deviceSchema } from '#http/device/json.ts';
import type { roomSchema } from '#http/room/json.ts';
import type { Frame } from './event-client.ts';

type DataOf<Schema extends z.ZodMiniType> = z.infer<Schema>;
export type DeviceJson = z.infer<typeof deviceSchema>;
export type RoomJson = z.infer<typeof roomSchema>;

/** A home as a client knows it that gets a list and applies events to it as the contract says. */
export type HomeMirror = {
  readonly fold: (frame: Pick<Frame, 'type' | 'data'>) => void;
  readonly setHome: (home: { devices: readonly DeviceJson[]; rooms: readonly RoomJson[] }) => void;
  /** The devices as in the list, without the times that move without an event. */
  readonly devices: () => unknown[];
  readonly rooms: () => unknown[];
};

export function createHomeMirror(): HomeMirror {
  const devices = new Map<string, DeviceJson>();
  const rooms = new Map<string, RoomJson>();
  let parts: { devices: DeviceJson[]; rooms: RoomJson[] } = { devices: [], rooms: [] };

  const setHome: HomeMirror['setHome'] = (home) => {
    devices.clear();
    rooms.clear();
    for (const device of home.devices) devices.set(device.id, device);
    for (const room of home.rooms) rooms.set(room.id, room);
  };
  const change = (id: string, update: (device: DeviceJson) => DeviceJson): void => {
    const device = devices.get(id);
    if (device !== undefined) devices.set(id, update(device));
  };
  const folds: Record<string, (data: unknown) => void> = {
    'hub.snapshot': (data) => {
      const part = data as DataOf<(typeof CONTROL_SCHEMAS)['hub.snapshot']>;
      if (part.part === 1) parts = { devices: [], rooms: [] };
      parts.devices.push(...part.devices);
      parts.rooms.push(...part.rooms);
      if (part.last) setHome(parts);
    },
    'device.added': (data) => {
      const { device } = data as { device: DeviceJson };
      devices.set(device.id, device);
    },
    'device.changed': (data) => {
      const { device } = data as { device: DeviceJson };
      devices.set(device.id, device);
    },
    'device.removed': (data) => void devices.delete((data as { device: DeviceJson }).device.id),
    'room.added': (data) => {
      const { room } = data as { room: RoomJson };
      rooms.set(room.id, room);
    },
    'room.changed': (data) => {
      const { room } = data as { room: RoomJson };
      rooms.set(room.id, room);
      const { id, selector, name } = room;
      for (const device of devices.values()) {
        if (device.room?.id === id) devices.set(device.id, { ...device, room: { id, selector, name } });
      }
    },
    'room.removed': (data) => void rooms.delete((data as { room: RoomJson }).room.id),
    'availability.changed': (data) => {
      const { device, availability } = data as { device: DeviceJson; availability: DeviceJson['availability'] };
      change(device.id, (known) => ({ ...known, availability }));
    },
    'feature.changed': (data) => {
      const { device, feature } = data as { device: DeviceJson; feature: DeviceJson['features'][number] };
      change(device.id, (known) => ({
        ...known,
        features: known.features.map((one) => (one.key === feature.key ? { ...one, ...feature } : one)),
      }));
    },
  };
  return {
    setHome,
    fold: ({ type, data }) => folds[type]?.(data),
    devices: () => comparableDevices([...devices.values()]),
    rooms: () => [...rooms.values()].sort(byNameThenId),
  };
}

/** The list without `last_seen_at` and `observed_at`, which move without an event. */
export function comparableDevices(devices: readonly DeviceJson[]): unknown[] {
  return devices.toSorted(byNameThenId).map((device) => ({
    ...device,
    availability: { ...device.availability, last_seen_at: null },
    features: device.features.map((feature) => ({ ...feature, observed_at: null })),
  }));
}

function byNameThenId(left: { name: string; id: string }, right: { name: string; id: string }): number {
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}
