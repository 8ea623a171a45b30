import { array, assert, asyncProperty, constantFrom, integer, nat, oneof, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createBatchReader, createEventFeed, type EventFeed, type FeedStart } from '#http/event/feed.ts';
import { createEventSelector } from '#http/event/filter.ts';
import { createHomeSnapshots } from '#http/event/snapshot.ts';
import { roomJson } from '#http/room/json.ts';
import { createFrameReader, type Frame } from '#test/support/daemon/event-client.ts';
import { comparableDevices, createHomeMirror, type DeviceJson } from '#test/support/daemon/home-mirror.ts';
import { lightOf, openTestHome, type TestHome } from '#test/support/hub/http-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** Enough devices for a snapshot of several parts. */
const LAMPS = 45;
const CLIENTS = 3;

type Hub = TestHome & { openFeed: (start: FeedStart) => EventFeed };

/** Stores that answer one turn later, so that other things happen during the write of an identity. */
async function openHub(capacity: number): Promise<Hub> {
  const save = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const names = Array.from({ length: LAMPS }, (_, index) => `Lamp ${index}`);
  const home = await openTestHome(names, { capacity, save });
  const monotonicMs = (): number => home.time.passedMs;
  const select = createEventSelector(home.events, monotonicMs);
  const readBatch = createBatchReader(select, monotonicMs);
  const snapshots = createHomeSnapshots({
    log: home.events,
    devices: home.registry.devices,
    rooms: home.rooms.rooms,
    scenes: () => [],
    deviceBytes: home.list.deviceBytes,
    monotonicMs,
  });
  const deps = { log: home.events, readBatch, snapshots, wallMs: () => 0 };
  return { ...home, openFeed: (start) => createEventFeed(deps, start, undefined) };
}

const HOME_ACTIONS: Record<string, (hub: Hub, device: number, value: number) => Promise<unknown> | void> = {
  report: (hub, device, value) =>
    hub.registry.reportsOf('zigbee2mqtt').reportValues(
      `0x${device}`,
      new Map([
        ['brightness', value],
        ['power', value],
      ]),
    ),
  availability: (hub, device, value) =>
    hub.registry
      .reportsOf('zigbee2mqtt')
      .reportAvailability(`0x${device}`, value % 2 === 0 ? 'offline' : 'online', null),
  rename: (hub, device, value) => updateDevice(hub, device, { ownName: value % 3 === 0 ? null : `Name ${value}` }),
  move: (hub, device, value) => updateDevice(hub, device, { roomId: hub.rooms.rooms()[value % 4]?.id ?? null }),
  describe: (hub, device, value) => {
    const { features, ...light } = lightOf(`0x${device}`, `Lamp ${device}`);
    return hub.registry
      .reportsOf('zigbee2mqtt')
      .describeDevice({ ...light, features: features.slice(0, 1 + (value % features.length)) });
  },
  remove: (hub, device) => hub.registry.reportsOf('zigbee2mqtt').removeDevice(`0x${device}`),
  addRoom: (hub, _device, value) => hub.rooms.addRoom(`Room ${value}`),
  renameRoom: (hub, device, value) => {
    const room = hub.rooms.rooms()[device % 4];
    return room && hub.rooms.updateRoom(room.id, { name: `Room ${value}` });
  },
  removeRoom: (hub, device) => {
    const room = hub.rooms.rooms()[device % 4];
    return room && hub.rooms.removeRoom(room.id);
  },
  revoke: (hub) => hub.events.append({ type: 'session.revoked', sessionId: 's', userId: 'u' }),
  wait: (hub, _device, value) => void (hub.time.passedMs += value * 300),
  turn: () => new Promise((resolve) => void setImmediate(resolve)),
};

function updateDevice(hub: Hub, device: number, change: Parameters<Hub['registry']['updateDevice']>[1]) {
  const found = hub.registry.findByExternalId('zigbee2mqtt', `0x${device}`);
  return found && hub.registry.updateDevice(found.id, change);
}

function createClient(hub: Hub) {
  const mirror = createHomeMirror();
  const events: string[] = [];
  let lastEventId: string | undefined;
  let feed: EventFeed | undefined;
  const onFrame = (frame: Frame): void => {
    mirror.fold(frame);
    if (frame.id !== undefined) lastEventId = frame.id;
    if (frame.id !== undefined && !frame.type.startsWith('hub.')) events.push(frame.id);
  };
  const connect = (start: FeedStart): void => {
    feed?.close();
    feed = hub.openFeed(start);
  };
  const read = (): boolean => {
    const bytes = feed?.next();
    if (bytes !== undefined) createFrameReader(onFrame)(bytes);
    return bytes !== undefined;
  };
  return {
    mirror,
    events,
    /** Lists the devices and follows the events after the list's cursor. */
    list: () => {
      lastEventId = hub.events.cursor();
      const devices = JSON.parse(hub.list.allBytes().toString()) as DeviceJson[];
      mirror.setHome({ devices, rooms: hub.rooms.rooms().map(roomJson) });
      connect({ cursor: lastEventId });
    },
    snapshot: () => {
      lastEventId = undefined;
      connect({ snapshot: true });
    },
    /** Cuts the connection at any point; the client reconnects as an EventSource does. */
    reconnect: () => connect({ cursor: lastEventId, snapshot: true }),
    read,
    readAll: () => {
      if (feed === undefined) connect({ snapshot: true });
      while (read());
    },
  };
}

const step = oneof(
  {
    weight: 4,
    arbitrary: record({ kind: constantFrom(...Object.keys(HOME_ACTIONS)), device: nat(LAMPS), value: nat(9) }),
  },
  { weight: 2, arbitrary: record({ kind: constantFrom('report' as const), device: nat(LAMPS), value: nat(99) }) },
  {
    weight: 8,
    arbitrary: record({
      kind: constantFrom('list', 'snapshot', 'reconnect', 'reconnect', 'read', 'read', 'read'),
      device: nat(CLIENTS - 1),
      value: nat(0),
    }),
  },
);

test('a list or snapshot with the events after its cursor is the present home, after any changes in between', async () => {
  let gaps = 0;
  await assert(
    asyncProperty(integer({ min: 3, max: 20 }), array(step, { maxLength: 80 }), async (capacity, steps) => {
      const hub = await openHub(capacity);
      const clients = Array.from({ length: CLIENTS }, () => createClient(hub));
      const running: Promise<unknown>[] = [];
      for (const { kind, device, value } of steps) {
        if (kind === 'list' || kind === 'snapshot' || kind === 'reconnect' || kind === 'read')
          clients[device]?.[kind]();
        else {
          const done = Promise.resolve(HOME_ACTIONS[kind]?.(hub, device, value)).catch(() => undefined);
          if (kind === 'turn') await done;
          else running.push(done);
        }
      }
      await Promise.all(running);
      hub.time.passedMs += 120_000;
      const listed = comparableDevices(JSON.parse(hub.list.allBytes().toString()) as DeviceJson[]);
      for (const { mirror, readAll } of clients) {
        readAll();
        expect(mirror.devices()).toEqual(listed);
        expect(mirror.rooms()).toEqual(hub.rooms.rooms().map(roomJson));
      }
      gaps += Number(hub.events.oldestPosition() > 0);
    }),
    searchOf(200),
  );
  expect(gaps).toBeGreaterThan(0);
});

test('a client that is cut off during its snapshot gets the gap and the snapshot again', async () => {
  const hub = await openHub(3);
  for (const cutAfter of [0, 1, 2]) {
    const client = createClient(hub);
    client.list();
    for (let count = 0; count < 5; count += 1) void HOME_ACTIONS['report']?.(hub, count, cutAfter);
    // The client has read the gap and the first part.
    client.reconnect();
    for (let count = 0; count < cutAfter; count += 1) client.read();
    client.reconnect();
    client.readAll();
    expect(client.mirror.devices()).toEqual(
      comparableDevices(JSON.parse(hub.list.allBytes().toString()) as DeviceJson[]),
    );
  }
});

test('a client that often reconnects gets each event once and in order', async () => {
  await assert(
    asyncProperty(array(constantFrom('report', 'read', 'reconnect'), { maxLength: 200 }), async (steps) => {
      const hub = await openHub(1_000);
      const client = createClient(hub);
      const first = hub.events.lastSequence();
      client.list();
      for (const [index, kind] of steps.entries()) {
        if (kind === 'report') void HOME_ACTIONS['report']?.(hub, index % 30, index % 100);
        else client[kind === 'read' ? 'read' : 'reconnect']();
      }
      client.readAll();
      const count = hub.events.lastSequence() - first;
      expect(client.events).toEqual(Array.from({ length: count }, (_, index) => `run1-${first + index + 1}`));
    }),
    searchOf(50),
  );
});
