import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { SessionCaller } from '#auth/caller.ts';
import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import { createLog } from '#base/log.ts';
import { CONTROL_SCHEMAS } from '#http/event/json.ts';
import { eventSchemas } from '#http/answer/home-events.ts';
import { eventRoutes } from '#http/event/routes.ts';
import { hurryClients } from '#test/http/server/hurried-server.ts';
import { createHttpServer } from '#http/server/server.ts';
import { openStreamClient, type StreamClient, type StreamRequest } from '#test/support/daemon/event-client.ts';
import { authenticateByRole, callerOf, createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

type Options = { names?: string[]; capacity?: number; epoch?: string; isHurried?: boolean };

async function openHub({ names = ['Lamp'], isHurried = false, ...options }: Options = {}) {
  const time = createManualTime();
  const home = await openTestHome(names, { ...time, capacity: 1_000, ...options });
  const access = { role: undefined as 'guest' | undefined, isRevoked: false };
  const authenticate = (values: readonly string[]): SessionCaller => {
    if (access.isRevoked) throw new HubError('INVALID_TOKEN', 'the access token is not valid');
    // Each token is a session: `owner-1` and `owner-2` are two sessions of the owner.
    const byRole = authenticateByRole(values.map((value) => value.split('-')[0] ?? ''));
    const caller = { ...byRole, current: () => authenticate(values) };
    if (values[0]?.includes('-') === true) return { ...caller, sessionId: values[0] as SessionId };
    return access.role === undefined ? caller : { ...caller, user: { ...caller.user, role: access.role } };
  };
  const routes = eventRoutes({ ...home, findRoom: home.rooms.findRoom, authenticate });
  const log = createLog({ level: 'error', write: () => undefined, journal: true, wallMs: () => 0 });
  const server: Server = createHttpServer(createTestApp(routes, { authenticate }).app, log);
  if (isHurried) hurryClients(server);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => void sockets.add(socket));
  const port = await listenOnLoopback(server);
  const clients: StreamClient[] = [];
  cleanups.push(() => {
    for (const client of clients) client.close();
    server.closeAllConnections();
    server.close();
  });
  const open = async (request: StreamRequest = {}): Promise<StreamClient> => {
    const client = await openStreamClient(port, request);
    clients.push(client);
    return client;
  };
  const reports = home.registry.reportsOf('zigbee2mqtt');
  let value = 0;
  const change = (device = 0): void =>
    reports.reportValues(`0x${device}`, new Map([['brightness', (value = (value + 1) % 101)]]));
  return { ...home, time, port, open, reports, change, access, sockets };
}

const sequenceOf = (id: string | undefined): number => Number(id?.split('-')[1]);

describe('a live stream', () => {
  test('begins with a heartbeat that has its cursor, then sends each event once with its id and type', async () => {
    const hub = await openHub();
    const cursor = hub.events.cursor();
    const client = await hub.open();
    expect(client.status).toBe(200);
    expect(client.headers['content-type']).toBe('text/event-stream');
    expect(client.headers['cache-control']).toBe('no-store');
    await client.until(() => client.frames.length === 1);
    expect(client.frames[0]).toMatchObject({ type: 'hub.heartbeat', id: cursor });
    hub.change();
    await client.until(() => client.frames.length === 2);
    expect(client.frames[1]).toMatchObject({
      id: hub.events.cursor(),
      type: 'feature.changed',
      data: { device: { selector: 'lamp' }, feature: { key: 'brightness', value: 1, quality: 'confirmed' } },
    });
    eventSchemas().get('feature.changed')?.parse(client.frames[1]?.data);
  });

  test.each([
    ['application/json, text/plain, */*', '', 'application/json'],
    ['application/json;q=1, text/event-stream;q=0.5', '', 'application/json'],
    ['application/json;q=0.5, text/event-stream', '', 'text/event-stream'],
    ['application/json, text/event-stream', '', 'text/event-stream'],
    ['text/event-stream, */*;q=0.1', '', 'text/event-stream'],
    ['*/*', '', 'text/event-stream'],
    [null, '', 'text/event-stream'],
    ['text/html', '', 'text/event-stream'],
    ['*/*', '?wait=0', 'application/json'],
    [null, '?limit=5&wait=0', 'application/json'],
    ['application/json, text/event-stream', '?wait=0', 'application/json'],
    ['application/json;q=0, text/event-stream', '?wait=0', 'text/event-stream'],
    ['text/event-stream', '?wait=0', 'text/event-stream'],
  ])('RFC 9110 §12.5.1: who accepts %s and asks for %j gets %s', async (accept, query, type) => {
    const hub = await openHub();
    // A poll waits for the next event, unless a gap says that it missed some.
    const client = await hub.open({ accept, query: query || '?since=run0-1' });
    expect([client.status, client.headers['content-type']]).toEqual([200, type]);
  });

  test('has a heartbeat every 15 s, whose id also counts events that the filter dropped', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan'] });
    const client = await hub.open({ query: '?device=fan' });
    hub.change(0);
    await hub.time.advance(15_000);
    await client.until(() => client.frames.length === 2);
    await hub.time.advance(15_000);
    await client.until(() => client.frames.length === 3);
    expect(client.frames.map(({ type }) => type)).toEqual(['hub.heartbeat', 'hub.heartbeat', 'hub.heartbeat']);
    expect(client.frames[1]?.id).toBe(hub.events.cursor());
  });

  test('sends a client its position before events that its filter drops make this position too old', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan'], capacity: 1_500 });
    const client = await hub.open({ query: '?device=fan' });
    for (let count = 0; count < 2_200; count += 1) {
      hub.change(0);
      if (count % 400 === 0) await hub.time.advance(20);
    }
    await hub.time.advance(20);
    await client.until(() => client.frames.length > 1);
    const back = await hub.open({ query: '?device=fan', lastEventId: client.lastEventId() });
    hub.change(1);
    await hub.time.advance(20);
    await back.until(() => back.events().length > 0);
    expect(back.events().map(({ type }) => type)).toEqual(['feature.changed']);
  });

  test('a stream without events survives every time-out of the server', async () => {
    const hub = await openHub({ isHurried: true });
    const client = await hub.open();
    // Longer than the server's times for keep-alive and headers, and than two looks at its connections.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    hub.change();
    await client.until(() => client.events().length === 1);
    expect(client.isEnded()).toBe(false);
  });
});

describe('resuming', () => {
  test('replays every missed event once and in order, then goes on live', async () => {
    const hub = await openHub();
    const cursor = hub.events.cursor();
    for (let count = 0; count < 300; count += 1) hub.change();
    const client = await hub.open({ lastEventId: cursor });
    hub.change();
    await client.until(() => client.events().length === 301);
    const first = sequenceOf(cursor) + 1;
    expect(client.events().map(({ id }) => sequenceOf(id))).toEqual(Array.from({ length: 301 }, (_, i) => first + i));
  });

  test('Last-Event-ID takes precedence over since, because a client repeats its first query', async () => {
    const hub = await openHub();
    const since = hub.events.cursor();
    hub.change();
    const lastEventId = hub.events.cursor();
    hub.change();
    const client = await hub.open({ query: `?since=${since}&snapshot=1`, lastEventId });
    await client.until(() => client.events().length === 1);
    expect(client.events()[0]?.id).toBe(hub.events.cursor());
  });

  test.each([
    ['of another run', 'run0-5', { reason: 'restarted', from: 'run0-5' }],
    ['that is too old', 'run1-1', { reason: 'too_old', from: 'run1-1' }],
    ['from the future', 'run1-99999', { reason: 'unknown_cursor', from: null }],
    ['that is none', 'nonsense', { reason: 'unknown_cursor', from: null }],
  ])('a cursor %s is answered with one gap and a snapshot', async (_name, lastEventId, expected) => {
    const hub = await openHub({ capacity: 50 });
    for (let count = 0; count < 60; count += 1) hub.change();
    const client = await hub.open({ lastEventId });
    hub.change();
    await client.until(() => client.events().length === 3);
    const [gap, snapshot, live] = client.events();
    const cursor = `run1-${sequenceOf(hub.events.cursor()) - 1}`;
    expect(gap).toMatchObject({ type: 'hub.gap', id: undefined, data: { ...expected, to: cursor } });
    CONTROL_SCHEMAS['hub.gap'].parse(gap?.data);
    expect(snapshot).toMatchObject({ type: 'hub.snapshot', id: cursor, data: { cursor, part: 1, last: true } });
    CONTROL_SCHEMAS['hub.snapshot'].parse(snapshot?.data);
    expect(live).toMatchObject({ type: 'feature.changed', id: hub.events.cursor() });
  });

  test('a button press is replayed for 5 s and never later', async () => {
    const hub = await openHub();
    await hub.registry.reportsOf('buttons').syncDevices([buttonOf('b1')]);
    const cursor = hub.events.cursor();
    const press = (): void =>
      hub.registry.reportsOf('buttons').reportOccurrence('b1', 'press', { action: 'single', raw: 'single' });
    press();
    await hub.time.advance(4_000);
    press();
    await hub.time.advance(1_500);
    hub.change();
    const client = await hub.open({ lastEventId: cursor });
    await client.until(() => client.events().length === 2);
    const last = sequenceOf(hub.events.cursor());
    expect(client.events().map(({ id, type }) => [sequenceOf(id), type])).toEqual([
      [last - 1, 'feature.occurred'],
      [last, 'feature.changed'],
    ]);
  });
});

function buttonOf(externalId: string) {
  const feature = {
    key: 'press',
    capability: 'x.action' as const,
    component: 'main',
    kind: 'event' as const,
    category: 'primary' as const,
    name: 'Press',
    description: null,
    valueType: 'enum' as const,
    readable: false,
    writable: false,
    unit: null,
    min: null,
    max: null,
    step: null,
    options: ['single'],
    schema: null,
  };
  return {
    externalId,
    name: 'Button',
    type: 'generic_switch' as const,
    manufacturer: null,
    model: null,
    firmware: null,
    features: [feature],
    staleAfterMs: null,
  };
}

describe('a snapshot', () => {
  test('comes in parts of at most 64 KiB with one cursor, and only the last part has an id', async () => {
    const hub = await openHub({ names: Array.from({ length: 200 }, (_, index) => `Lamp ${index}`) });
    await hub.rooms.addRoom('Kitchen');
    const cursor = hub.events.cursor();
    const client = await hub.open({ query: '?snapshot=1' });
    await client.until(() => client.frames.at(-1)?.id === cursor && client.events().length > 1);
    const parts = client
      .events()
      .map((frame) => ({ ...frame, data: CONTROL_SCHEMAS['hub.snapshot'].parse(frame.data) }));
    expect(parts.length).toBeGreaterThan(5);
    expect(Math.max(...parts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(64 * 1024);
    expect(parts.map(({ data }) => [data.part, data.last, data.cursor])).toEqual(
      parts.map((_, index) => [index + 1, index === parts.length - 1, cursor]),
    );
    expect(parts.filter(({ id }) => id !== undefined)).toHaveLength(1);
    expect(parts[0]?.data.rooms.map(({ name }) => name)).toEqual(['Kitchen']);
    expect(parts.flatMap(({ data }) => data.devices)).toEqual(JSON.parse(hub.list.allBytes().toString()));
  });

  test('has only what passes the filter', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan', 'Plug'] });
    const room = await hub.rooms.addRoom('Kitchen');
    await hub.rooms.addRoom('Attic');
    const fan = hub.registry.findDevice('fan');
    if (fan !== undefined) await hub.registry.updateDevice(fan.id, { roomId: room.id });
    const client = await hub.open({ query: '?snapshot=1&room=kitchen' });
    await client.until(() => client.events().length === 1);
    expect(client.events()[0]?.data).toMatchObject({ rooms: [{ name: 'Kitchen' }], devices: [{ name: 'Fan' }] });
  });

  test('of an empty home has one empty part', async () => {
    const hub = await openHub({ names: [] });
    const client = await hub.open({ query: '?snapshot=1' });
    await client.until(() => client.events().length === 1);
    expect(client.events()[0]?.data).toMatchObject({ part: 1, last: true, rooms: [], devices: [] });
  });
});

describe('filters', () => {
  test.each([
    ['?types=room.added', ['room.added']],
    ['?device=fan', ['feature.changed', 'device.changed', 'device.changed']],
    ['?room=kitchen', ['device.changed', 'device.changed']],
    ['?device=lamp,fan&types=feature.changed', ['feature.changed', 'feature.changed']],
  ])('%s', async (query, expected) => {
    const hub = await openHub({ names: ['Lamp', 'Fan'] });
    const room = await hub.rooms.addRoom('Kitchen');
    const client = await hub.open({ query });
    const all = await hub.open();
    hub.change(0);
    hub.change(1);
    await hub.rooms.addRoom('Attic');
    const fan = hub.registry.findDevice('fan');
    if (fan === undefined) throw new Error('no fan');
    await hub.registry.updateDevice(fan.id, { roomId: room.id });
    // A client that follows the room needs the event of the device that leaves it.
    await hub.registry.updateDevice(fan.id, { roomId: null });
    await hub.time.advance(20);
    await all.until(() => all.events().length === 5);
    await client.until(() => client.events().length >= expected.length);
    expect(client.events().map(({ type }) => type)).toEqual(expected);
  });

  test.each(['?types=nonsense', '?device=nobody', '?room=nowhere', '?since=nonsense', '?what=1'])(
    '%s is refused',
    async (query) => {
      const hub = await openHub();
      expect((await hub.open({ query })).status).toBe(400);
    },
  );
});

describe('X: clients that never read', () => {
  test('cost at most 256 KiB each, slow no other client, and are cut off after 30 s', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan'], capacity: 200 });
    const stuck = await Promise.all(Array.from({ length: 10 }, (_, index) => hub.open({ token: `owner-${index}` })));
    for (const client of stuck) client.pause();
    const healthy = await hub.open({ token: 'guest' });
    const pad = 'x'.repeat(40_000);
    const cost = (): number => Math.max(...[...hub.sockets].map((socket) => socket.writableLength));
    let costliest = 0;
    for (let count = 1; count <= 500; count += 1) {
      hub.reports.reportValues('0x0', new Map([['effect', `${count}${pad}`]]));
      await hub.time.advance(20);
      await healthy.until(() => healthy.events().length === count);
      costliest = Math.max(costliest, cost());
    }
    // The clients are behind. If the kernel had buffered everything, the test would prove nothing.
    expect(costliest).toBeGreaterThan(16 * 1024);
    expect(costliest).toBeLessThan(256 * 1024);
    expect(healthy.events().map(({ type }) => type)).not.toContain('hub.gap');
    await hub.time.advance(31_000);
    await healthy.until(() => hub.eventStreams.count() === 1);
  });

  test('get a gap and a snapshot when they read again', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan'], capacity: 200 });
    const client = await hub.open();
    client.pause();
    const pad = 'x'.repeat(40_000);
    for (let count = 1; count <= 600; count += 1) {
      hub.reports.reportValues('0x0', new Map([['effect', `${count}${pad}`]]));
      await hub.time.advance(20);
    }
    client.resume();
    await client.until(() => client.events().some(({ type }) => type === 'hub.snapshot'));
    const ids = client.events().map(({ id, type }) => (type === 'feature.changed' ? sequenceOf(id) : type));
    const gap = ids.indexOf('hub.gap');
    const before = ids.slice(0, gap).map(Number);
    expect(before).toEqual(Array.from(before, (_, index) => Number(before[0]) + index));
    expect(client.events()[gap]?.data).toMatchObject({ from: `run1-${before.at(-1)}`, reason: 'overrun' });
    hub.change(1);
    await hub.time.advance(20);
    await client.until(() => client.lastEventId() === hub.events.cursor());
  });
});

describe('the right to listen', () => {
  test('A8: a revoked session gets the event and its streams end; others get no event and go on', async () => {
    const hub = await openHub();
    const [revoked, other] = [await hub.open({ token: 'resident' }), await hub.open({ token: 'guest' })];
    const { sessionId, user } = callerOf('resident');
    hub.events.append({ type: 'session.revoked', sessionId, userId: user.id });
    await revoked.until(revoked.isEnded);
    expect(revoked.events()).toMatchObject([{ type: 'session.revoked', data: { session: { id: sessionId } } }]);
    hub.change();
    await hub.time.advance(20);
    await other.until(() => other.events().length === 1);
    expect(other.events()[0]?.type).toBe('feature.changed');
  });

  test.each(['expired', 'another role'])('A8: the stream of a token that is %s ends within 5 s', async (kind) => {
    const hub = await openHub();
    const client = await hub.open();
    if (kind === 'expired') hub.access.isRevoked = true;
    else hub.access.role = 'guest';
    await hub.time.advance(4_000);
    await client.until(client.isEnded);
    expect(hub.eventStreams.count()).toBe(0);
  });

  test.each(['revoked', 'another role'])('A8: no event from after the token is %s is sent', async (kind) => {
    const hub = await openHub();
    const client = await hub.open();
    hub.change();
    await hub.time.advance(20);
    await client.until(() => client.events().length === 1);
    if (kind === 'revoked') hub.access.isRevoked = true;
    else hub.access.role = 'guest';
    hub.change();
    await hub.time.advance(20);
    await client.until(client.isEnded);
    expect(client.events()).toHaveLength(1);
  });

  test('a session may have 16 streams; the refusal of one more says when to try again', async () => {
    const hub = await openHub();
    for (let count = 0; count < 16; count += 1) await hub.open();
    const refused = await hub.open();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect((await hub.open({ token: 'admin' })).status).toBe(200);
  });

  test('1,000 streams leave nothing behind when their clients have gone', async () => {
    const hub = await openHub();
    for (let round = 0; round < 100; round += 1) {
      const clients = await Promise.all(Array.from({ length: 10 }, () => hub.open({ query: '?snapshot=1' })));
      for (const client of clients) client.close();
      await clients[0]?.until(() => hub.eventStreams.count() === 0);
    }
    await hub.time.advance(2_000);
    expect(hub.time.pendingMs()).toEqual([]);
  });

  test('an error in one stream ends only that stream', async () => {
    const hub = await openHub({ names: ['Lamp', 'Fan'] });
    const healthy = await hub.open({ token: 'guest' });
    hub.change(0);
    const lamp = hub.registry.findDevice('lamp');
    const availability = Object.defineProperty({}, 'state', {
      get: () => {
        throw new Error('broken');
      },
    });
    Object.assign(lamp ?? {}, { availability });
    const broken = await hub.open({ query: '?snapshot=1' });
    await broken.until(broken.isEnded);
    expect(broken.frames).toEqual([]);
    hub.change(1);
    await hub.time.advance(20);
    await healthy.until(() => healthy.events().length === 2);
    expect(hub.eventStreams.count()).toBe(1);
  });

  test('of several requests at once on one connection, only the first becomes a stream, which leaves nothing behind', async () => {
    const hub = await openHub();
    const socket = connect(hub.port, '127.0.0.1');
    const request = 'GET /api/v1/event HTTP/1.1\r\nHost: hub.local\r\nAuthorization: Bearer owner\r\n\r\n';
    socket.write(request.repeat(20));
    await expect.poll(() => hub.eventStreams.count()).toBe(1);
    for (let count = 0; count < 100; count += 1) hub.change();
    await hub.time.advance(1_000);
    expect(hub.eventStreams.count()).toBe(1);
    socket.destroy();
    await expect.poll(() => hub.eventStreams.count()).toBe(0);
  });

  test('a stop ends every stream and refuses new ones', async () => {
    const hub = await openHub();
    const client = await hub.open();
    hub.eventStreams.stop();
    await client.until(client.isEnded);
    expect((await hub.open()).status).toBe(503);
  });
});
