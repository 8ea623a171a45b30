import type { JsonValue } from '#base/json.ts';
import { systemRandom } from '#base/random.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import { createSentValues } from '#core/command/sent-values.ts';
import type { Device, DeviceDescription, DeviceId, DeviceRecord, StoredValue } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { type DeviceRegistry, openDeviceRegistry } from '#core/device/device-registry.ts';
import type { DeviceStore } from '#core/device/device-store.ts';
import { openRoomRegistry, type RoomRegistry, type RoomStore } from '#core/room/room-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createFeature, describeLight } from './feature.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from './recording-log.ts';

/** A disk for devices and rooms that outlives the registries on it and keeps the rules of the real tables. */
export function createDeviceDisk() {
  const devices = new Map<DeviceId, DeviceRecord>();
  const rooms = new Map<RoomId, Room>();
  const values = new Map<string, StoredValue>();
  const disk: { failWith: Error | undefined; devices: typeof devices; rooms: typeof rooms; values: typeof values } = {
    failWith: undefined,
    devices,
    rooms,
    values,
  };
  const counts = { commits: 0, values: 0 };
  /** Writes some time after the call, all or nothing. */
  const commit = async (change: () => void): Promise<void> => {
    await Promise.resolve();
    if (disk.failWith !== undefined) throw disk.failWith;
    counts.commits += 1;
    change();
  };
  const assertSound = (saved: readonly DeviceRecord[], without?: RoomId): void => {
    const all = new Map([...devices.values(), ...saved].map((record) => [record.id, record]));
    for (const { roomId } of saved) {
      if (roomId !== null && (!rooms.has(roomId) || roomId === without))
        throw new Error('FOREIGN KEY constraint failed');
    }
    if (new Set([...all.values()].map(({ selector }) => selector)).size !== all.size) {
      throw new Error('UNIQUE constraint failed: device.selector');
    }
  };
  const save = (saved: readonly DeviceRecord[]): void => {
    // A copy, because a real disk shares no objects with the caller either.
    for (const record of saved) devices.set(record.id, structuredClone(record));
  };
  const deviceStore: DeviceStore = {
    // test/storage/tables/device-excess.test.ts proves what a real disk forgets, and in which order.
    limitDevices: async () => 0,
    forgetDevices: async (keep) => {
      const hidden = [...devices.values()].filter(({ removedAtMs }) => removedAtMs !== null);
      const ids = hidden.slice(0, Math.max(0, hidden.length - keep)).map(({ id }) => id);
      await commit(() => ids.forEach((id) => devices.delete(id)));
      return ids;
    },
    forgetDevicesOf: async (integration) => {
      const hidden = [...devices.values()].filter((one) => one.removedAtMs !== null && one.integration === integration);
      const ids = hidden.map(({ id }) => id);
      await commit(() => ids.forEach((id) => devices.delete(id)));
      return ids;
    },
    loadDevices: async () => structuredClone([...devices.values()]),
    saveDevices: (saved) =>
      commit(() => {
        assertSound(saved);
        save(saved);
      }),
    loadValues: async () => structuredClone([...values.values()]),
    saveValue: (value) => {
      counts.values += 1;
      values.set(`${value.deviceId} ${value.key}`, structuredClone(value));
    },
  };
  const roomStore: RoomStore<DeviceRecord> = {
    loadRooms: async () => [...rooms.values()],
    saveRoom: (room) =>
      commit(() => {
        const isTaken = [...rooms.values()].some(({ id, selector }) => id !== room.id && selector === room.selector);
        if (isTaken) throw new Error('UNIQUE constraint failed: room.selector');
        rooms.set(room.id, room);
      }),
    deleteRoom: (id, saved) =>
      commit(() => {
        assertSound(saved, id);
        save(saved);
        rooms.delete(id);
        for (const record of devices.values()) {
          if (record.roomId === id) devices.set(record.id, { ...record, roomId: null });
        }
      }),
  };
  return Object.assign(disk, { counts, deviceStore, roomStore });
}

export type DeviceDisk = ReturnType<typeof createDeviceDisk>;

export const TEMPERATURE = createFeature('temperature', {
  capability: 'temperature',
  valueType: 'number',
  unit: 'celsius',
  writable: false,
});
export const BUTTON = createFeature('button', { capability: 'button', kind: 'event', valueType: 'object' });

export function lamp(externalId: string, details: Partial<DeviceDescription> = {}): DeviceDescription {
  return describeLight(externalId, { features: [createFeature('on'), TEMPERATURE, BUTTON], ...details });
}

/** The real registries over a disk, with the integration `radio` reporting to them. */
export async function openDeviceHome(
  disk: DeviceDisk = createDeviceDisk(),
  time = createManualTime(),
  limits = DEVICE_LIMITS,
) {
  const { log, lines } = createRecordingLog();
  const events: HomeEvent[] = [];
  const changes: string[] = [];
  const newId = createUuidSource(time.clock.wallMs, systemRandom);
  const shared = {
    clock: time.clock,
    newId,
    emit: (event: HomeEvent) => void events.push(event),
    turn: createTurnQueue(),
  };
  const sentValues = createSentValues(time.clock);
  const rooms: RoomRegistry = await openRoomRegistry({
    ...shared,
    store: disk.roomStore,
    devices: () => registry,
  });
  const registry: DeviceRegistry = await openDeviceRegistry({
    ...shared,
    store: disk.deviceStore,
    roomExists: (id) => rooms.findRoom(id) !== undefined,
    findCause: sentValues.findCause,
    limits,
    log,
  });
  registry.onChange((kind, device) => void changes.push(`${kind} ${device.externalId}`));
  const reports = registry.reportsOf('radio');
  const find = (externalId: string): Device | undefined => registry.findByExternalId('radio', externalId);
  return {
    disk,
    time,
    log,
    lines,
    events,
    changes,
    registry,
    sentValues,
    rooms,
    reports,
    find,
    device: (externalId: string): Device => {
      const found = find(externalId);
      if (found === undefined) throw new Error(`there is no ${externalId}`);
      return found;
    },
    report: (externalId: string, values: Record<string, JsonValue>): void =>
      reports.reportValues(externalId, new Map(Object.entries(values))),
    /** Value and quality that a client sees. */
    shown: (externalId: string, key: string): string => {
      const state = find(externalId)?.states.get(key);
      return `${JSON.stringify(state?.value ?? null)} ${state?.quality ?? 'none'}`;
    },
    /** Types of the events since the last call. */
    takeEvents: (): string[] => events.splice(0).map(({ type }) => type),
  };
}

export type DeviceHome = Awaited<ReturnType<typeof openDeviceHome>>;
