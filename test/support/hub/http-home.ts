import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceDescription } from '#core/device/device.ts';
import type { Room } from '#core/room/room.ts';
import { type Groups, openGroups } from '#core/group/groups.ts';
import { openSceneRegistry, type SceneRegistry } from '#core/scene/scene-registry.ts';
import { createSentValues, type SentValues } from '#core/command/sent-values.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { openDeviceRegistry } from '#core/device/device-registry.ts';
import { createEventLog } from '#core/event/event-log.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { Feature } from '#core/feature/feature.ts';
import { openRoomRegistry } from '#core/room/room-registry.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import type { DeviceList } from '#http/device/list.ts';
import { rightOfEvent } from '#http/answer/home-events.ts';
import { createDeviceList } from '#http/device/list.ts';
import type { EventStreams } from '#http/event/streams.ts';
import { createEventStreams } from '#http/event/streams.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { ManualTime } from '#test/support/machine/manual-time.ts';
import { createTestEncoder } from './http-app.ts';
import { createFeature, describeLight } from './feature.ts';
import { createRecordingLog } from './recording-log.ts';

export type TestHome = {
  registry: DeviceRegistry;
  sentValues: SentValues;
  rooms: RoomRegistry;
  groups: Groups;
  scenes: SceneRegistry;
  events: EventLog;
  list: DeviceList;
  eventStreams: EventStreams;
  /** Milliseconds since the start, on both clocks. */
  time: { passedMs: number };
};

const FEATURES: readonly [capability: Feature['capability'], Partial<Feature>][] = [
  ['on', { valueType: 'boolean', writable: true }],
  ['brightness', { unit: 'percent', min: 0, max: 100, step: 1, writable: true }],
  ['color_temperature', { unit: 'K', min: 2200, max: 4000, writable: true }],
  ['effect', { valueType: 'enum', options: ['blink', 'breathe', 'okay', 'channel_change'], writable: true }],
  ['power', { unit: 'W' }],
  ['energy', { unit: 'kWh' }],
  ['x.power_on_behavior', { valueType: 'enum', options: ['off', 'on', 'toggle', 'previous'], category: 'config' }],
  ['x.linkquality', { unit: 'lqi', category: 'diagnostic', description: 'Link quality (signal strength)' }],
];

/** A light with eight features. */
export function lightOf(externalId: string, name: string): DeviceDescription {
  return describeLight(externalId, {
    name,
    type: 'color_temperature_light',
    manufacturer: 'IKEA',
    model: 'LED1624G9',
    features: FEATURES.map(([capability, details]) =>
      createFeature(capability, { capability, valueType: 'number', writable: false, ...details }),
    ),
  });
}

type GivenParts = Partial<Pick<ManualTime, 'clock' | 'startTimer'>> & {
  /** Events that the log keeps. */
  capacity?: number;
  epoch?: string;
  /** A write to the disk waits for this. */
  save?: () => Promise<void>;
};

/** The real registries over stores without a disk, with a light for each of these names. */
export async function openTestHome(names: readonly string[], given: GivenParts = {}): Promise<TestHome> {
  const time = { passedMs: 0 };
  const {
    clock = { wallMs: () => Date.UTC(2026, 0, 1) + time.passedMs, monotonicMs: () => time.passedMs },
    startTimer = startSystemTimer,
    capacity = 100,
    epoch = 'run1',
    save = async () => undefined,
  } = given;
  const size = { capacity, maxBytes: 32 * 1024 * 1024 };
  let ids = 0;
  const newId = (): string => `0198f1c2-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const turn = createTurnQueue();
  const { log } = createRecordingLog();
  const late: { rooms?: RoomRegistry } = {};
  const findRoom = (id: string): Room | undefined => late.rooms?.findRoom(id);
  const events = createEventLog({
    startLater: (run) => void setImmediate(run),
    epoch,
    sizes: { feature: size, inventory: size, passing: size, asked: size },
    monotonicMs: clock.monotonicMs,
    log,
    rightOf: rightOfEvent,
    encode: createTestEncoder({ findRoom, wallMs: clock.wallMs }),
  });
  const emit = events.append;
  const sentValues = createSentValues(clock);
  const registry = await openDeviceRegistry({
    store: {
      limitDevices: async () => 0,
      forgetDevices: async () => [],
      forgetDevicesOf: async () => [],
      loadDevices: async () => [],
      saveDevices: save,
      loadValues: async () => [],
      saveValue: () => undefined,
    },
    clock,
    newId,
    emit,
    turn,
    roomExists: (id) => findRoom(id) !== undefined,
    findCause: sentValues.findCause,
    limits: DEVICE_LIMITS,
    log,
  });
  const rooms = await openRoomRegistry({
    store: { loadRooms: async () => [], saveRoom: save, deleteRoom: save },
    clock,
    newId,
    emit,
    turn,
    devices: () => registry,
  });
  late.rooms = rooms;
  const list = createDeviceList({ registry, findRoom, monotonicMs: clock.monotonicMs, epoch });
  const reports = registry.reportsOf('zigbee2mqtt');
  await reports.syncDevices(names.map((name, index) => lightOf(`0x${index}`, name)));
  for (let index = 0; index < names.length; index += 1) {
    reports.reportAvailability(`0x${index}`, 'online', null);
    reports.reportValues(
      `0x${index}`,
      new Map<string, boolean | number>([
        ['on', true],
        ['brightness', 50],
        ['power', 4.2],
      ]),
    );
  }
  const scenes = await openSceneRegistry({
    store: { loadScenes: async () => [], saveScene: save, deleteScene: save },
    devices: registry,
    subscribe: events.subscribe,
    emit,
    newId,
    clock,
    startTimer,
  });
  const groups = openGroups({ devices: registry, subscribe: events.subscribe, newId, clock, startTimer, log });
  const eventStreams = createEventStreams({
    events,
    devices: registry.devices,
    rooms: rooms.rooms,
    scenes: () => scenes.scenes().map((scene) => [scene, scenes.activityOf(scene)] as const),
    deviceBytes: list.deviceBytes,
    clock,
    startTimer,
    log: createRecordingLog().log,
  });
  return { registry, sentValues, rooms, groups, scenes, events, list, eventStreams, time };
}
