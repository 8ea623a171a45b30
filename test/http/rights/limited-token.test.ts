import { OWNER } from '#test/support/hub/auth-harness.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewApiToken } from '#auth/token/api-tokens.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { PLACE_SCOPES, TOKEN_SCOPES, type TokenScope } from '#auth/scope.ts';
import { limitEvents } from '#http/event/filter.ts';
import { createHomeSnapshots } from '#http/event/snapshot.ts';
import { createHomeMirror, type DeviceJson, type HomeMirror, type RoomJson } from '#test/support/daemon/home-mirror.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';
import { lightOf } from '#test/support/hub/http-home.ts';

const SCOPES = TOKEN_SCOPES.filter((scope) => PLACE_SCOPES.has(scope));

let hub: HubApp;
beforeEach(async () => {
  hub = await openHubApp(['Attic lamp', 'Bath lamp', 'Kitchen fan', 'Kitchen lamp']);
  await hub.home.rooms.addRoom('Bath');
  const lock = { ...lightOf('0x9', 'Kitchen door'), type: 'door_lock' as const };
  await hub.home.registry.reportsOf('zigbee2mqtt').describeDevice(lock);
  hub.home.registry.reportsOf('zigbee2mqtt').reportAvailability('0x9', 'online', null);
  for (const name of ['kitchen-fan', 'kitchen-lamp', 'kitchen-door']) await move(name, 'kitchen');
  await move('bath-lamp', 'bath');
});

const device = (name: string): Device => {
  const found = hub.home.registry.findDevice(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};
const room = (name: string): Room => {
  const found = hub.home.rooms.findRoom(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};
async function move(name: string, to: string | null): Promise<void> {
  await hub.home.registry.updateDevice(device(name).id, { roomId: to === null ? null : room(to).id });
}
const ofRoom = (...names: string[]): { roomIds: RoomId[] } => ({ roomIds: names.map((name) => room(name).id) });
const ofDevice = (...names: string[]): { deviceIds: DeviceId[] } => ({
  deviceIds: names.map((name) => device(name).id),
});

/** A token of the owner with every scope that can be limited. */
async function makeToken(change: Partial<NewApiToken>): Promise<string> {
  const [user] = hub.auth.accounts.users();
  if (user === undefined) throw new Error('the hub has no owner');
  const whole = { roomIds: null, deviceIds: null, networks: null, provider: null, expiresInS: null };
  const fresh = { userId: user.id, name: 'script', scopes: SCOPES, ...whole, ...change };
  return (await hub.auth.apiTokens.addToken(fresh)).text;
}

const call = (token: string, line: string, body?: unknown) => send(token, line, { body });
const get = (token: string, path: string, headers: Record<string, string>) => send(token, `GET ${path}`, { headers });

type Ask = { body?: unknown; headers?: Record<string, string> };

async function send(token: string, line: string, { body, headers = {} }: Ask) {
  const [method = '', path = ''] = line.split(' ');
  const request = new Request(`http://hub.local/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Prefer: 'wait=0',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await hub.app.fetch(request);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: (text === '' ? null : JSON.parse(text)) as never };
}
const selectorsOf = (list: readonly { selector: string }[]): string[] => list.map(({ selector }) => selector);
const listed = async (token: string, query = ''): Promise<string[]> =>
  selectorsOf((await call(token, `GET /device${query}`)).json);

describe('a token that is limited to rooms or devices', () => {
  test('does not get the e-mail address of its person', async () => {
    const limited = await makeToken(ofRoom('kitchen'));
    expect((await call(limited, 'GET /me')).json).toMatchObject({ email: '', role: 'owner' });
    expect((await call(await makeToken({}), 'GET /me')).json).toMatchObject({ email: OWNER.email });
  });

  test('reads in its account what it may do, which is what its person may in that part', async () => {
    const rightsOf = async (token: string) => ((await call(token, 'GET /me')).json as { rights: string[] }).rights;
    const few: TokenScope[] = ['device:read', 'notification:read'];
    expect((await rightsOf(await makeToken({ scopes: few }))).toSorted()).toEqual(few.toSorted());
    expect(await rightsOf(await makeToken({ ...ofRoom('kitchen'), scopes: ['device:read', 'user:manage'] }))).toEqual([
      'device:read',
    ]);
  });

  test('lists only what it sees, with a total and an ETag for that', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), ...ofDevice('bath-lamp') });
    expect(await listed(token)).toEqual(['bath-lamp', 'kitchen-door', 'kitchen-fan', 'kitchen-lamp']);
    expect(await listed(token, '?room=bath')).toEqual(['bath-lamp']);
    expect(await listed(token, '?search=attic')).toEqual([]);
    expect(await listed(token, '?limit=1')).toEqual(['bath-lamp']);
    const own = await call(token, 'GET /device');
    const whole = await call(hub.accessToken, 'GET /device');
    expect([own.headers.get('x-total-count'), whole.headers.get('x-total-count')]).toEqual(['4', '5']);
    const etag = own.headers.get('etag') ?? '';
    expect(whole.headers.get('etag')).not.toBe(etag);
    expect((await get(token, '/device', { 'If-None-Match': etag })).status).toBe(304);
    const other = await makeToken(ofRoom('bath'));
    expect((await get(other, '/device', { 'If-None-Match': etag })).status).toBe(200);
  });

  test('finds nothing else by selector or id', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    for (const name of ['bath-lamp', 'attic-lamp', device('bath-lamp').id, 'nothing']) {
      for (const line of [`GET /device/${name}`, `GET /device/${name}/td`, `DELETE /device/${name}?force=true`]) {
        expect([line, (await call(token, line)).status]).toEqual([line, 404]);
      }
      expect((await call(token, `PATCH /device/${name}`, { name: 'Mine' })).status).toBe(404);
      expect((await call(token, `POST /device/${name}/command`, { set: { on: false } })).status).toBe(404);
    }
    expect((await call(token, 'GET /device/kitchen-lamp')).status).toBe(200);
    expect((await call(token, 'PATCH /device/kitchen-lamp', { name: 'Mine' })).status).toBe(200);
  });

  test('sees only its rooms', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    expect(selectorsOf((await call(token, 'GET /room')).json)).toEqual(['kitchen']);
    expect((await call(token, 'GET /room/kitchen')).status).toBe(200);
    expect((await call(token, 'GET /room/bath')).status).toBe(404);
    expect((await call(token, `GET /room/${room('bath').id}`)).status).toBe(404);
    expect((await call(await makeToken(ofDevice('bath-lamp')), 'GET /room')).json).toEqual([]);
  });

  test('no longer sees a device that has left its rooms', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    await move('kitchen-lamp', 'bath');
    expect((await call(token, 'GET /device/kitchen-lamp')).status).toBe(404);
    await move('attic-lamp', 'kitchen');
    expect((await call(token, 'GET /device/attic-lamp')).status).toBe(200);
  });

  test('cannot move a device to a room that it does not see', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), ...ofDevice('attic-lamp') });
    const refused = await call(token, 'PATCH /device/kitchen-lamp', { room: 'bath' });
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([422, 'ROOM_NOT_FOUND']);
    expect((await call(token, 'PATCH /device/kitchen-lamp', { room: null })).status).toBe(403);
    expect(device('kitchen-lamp').roomId).toBe(room('kitchen').id);
    expect((await call(token, 'PATCH /device/attic-lamp', { room: 'kitchen' })).status).toBe(200);
    expect((await call(token, 'PATCH /device/attic-lamp', { room: null })).status).toBe(200);
  });

  test.each(['GET /integration', 'GET /integration/zigbee2mqtt', 'DELETE /integration/zigbee2mqtt/pairing'])(
    'is refused what is about the whole home: %s',
    async (line) => {
      const { status, headers } = await call(await makeToken(ofRoom('kitchen')), line);
      expect([status, headers.get('www-authenticate')]).toEqual([403, expect.stringContaining('insufficient_scope')]);
      expect((await call(await makeToken({}), line)).status).not.toBe(403);
    },
  );
});

describe('commands of a limited token', () => {
  const off = { set: { on: false } };
  const deviceNames = (json: unknown): string[] =>
    (json as { results: { device: string }[] }).results.map((result) => result.device).sort();

  test('to a room reach the devices that it sees there, and no device in a room that it does not see', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), ...ofDevice('bath-lamp') });
    const { status, json } = await call(token, 'POST /command', { targets: { room: 'kitchen' }, ...off });
    expect([status, deviceNames(json)]).toEqual([202, ['kitchen-door', 'kitchen-fan', 'kitchen-lamp']]);
    const refused = await call(token, 'POST /command', { targets: { room: 'bath' }, ...off });
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([422, 'ROOM_NOT_FOUND']);
  });

  test('to named devices are refused as a whole if it does not see one of them', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    const before = hub.home.events.lastSequence();
    const targets = { devices: ['kitchen-lamp', 'bath-lamp', device('attic-lamp').id] };
    const { status, json } = await call(token, 'POST /command', { targets, ...off });
    expect(status).toBe(422);
    expect((json as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual([
      '/targets/devices/1',
      '/targets/devices/2',
    ]);
    expect(hub.home.events.lastSequence()).toBe(before);
  });

  test('are visible to it; commands of others only if it sees all their devices', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    const place = async (by: string, devices: string[]): Promise<string> => {
      const { json } = await call(by, 'POST /command', { targets: { devices }, ...off });
      return (json as { id: string }).id;
    };
    const own = await place(token, ['kitchen-fan']);
    const within = await place(hub.accessToken, ['kitchen-lamp']);
    const beyond = await place(hub.accessToken, ['kitchen-lamp', 'bath-lamp']);
    const statusOf = async (id: string): Promise<number> => (await call(token, `GET /command/${id}`)).status;
    expect([await statusOf(own), await statusOf(within), await statusOf(beyond)]).toEqual([200, 200, 404]);
    await move('kitchen-fan', 'bath');
    await move('kitchen-lamp', 'bath');
    expect([await statusOf(own), await statusOf(within)]).toEqual([200, 404]);
    expect((await call(token, `GET /command/${own}`)).json).toMatchObject({ created_by: { type: 'api_token' } });
  });

  test.each([
    ['POST /device/kitchen-door/command', { set: { on: true } }],
    ['POST /command', { targets: { devices: ['kitchen-lamp', 'kitchen-door'] }, set: { on: true } }],
    ['POST /device/kitchen-door/command', { do: 'toggle' }],
    ['POST /command', { targets: { devices: ['kitchen-door'] }, do: 'toggle' }],
  ])('for a lock need the right that names it: %s %j', async (line, body) => {
    const limits = ofRoom('kitchen');
    const { status, headers } = await call(await makeToken({ ...limits, scopes: ['device:control'] }), line, body);
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="device:control_sensitive"'),
    ]);
    const scopes = ['device:control', 'device:control_sensitive'] as const;
    expect((await call(await makeToken({ ...limits, scopes }), line, body)).status).toBe(202);
  });

  test('for a whole room skip the lock without the right to it', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), scopes: ['device:control'] });
    const { json } = await call(token, 'POST /command', { targets: { room: 'kitchen' }, set: { on: true } });
    expect(deviceNames(json)).toEqual(['kitchen-fan', 'kitchen-lamp']);
  });
});

type Entry = { id: string; type: string; data: never };

/** The events after this cursor that the token gets. */
async function eventsFor(token: string, cursor: string, query = ''): Promise<Entry[]> {
  const path = `/event?since=${cursor}&wait=0${query}`;
  const { status, json } = await get(token, path, { Accept: 'application/json' });
  expect(status).toBe(200);
  return (json as { events: Entry[] }).events;
}
const namesOf = (events: readonly Entry[]): string[] =>
  events.map(({ type, data }) => {
    const { device: one, room: place } = data as { device?: { selector: string }; room?: { selector: string } };
    return [type, one?.selector ?? place?.selector ?? ''].join(' ').trim();
  });

describe('events of a limited token', () => {
  test('are about what it sees; a device that comes or goes is added or removed', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    const cursor = hub.home.events.cursor();
    const reports = hub.home.registry.reportsOf('zigbee2mqtt');
    reports.reportValues('0x1', new Map([['brightness', 7]]));
    reports.reportValues('0x3', new Map([['brightness', 7]]));
    reports.reportAvailability('0x0', 'offline', 'no_report');
    await move('kitchen-lamp', 'bath');
    reports.reportValues('0x3', new Map([['brightness', 8]]));
    await move('kitchen-lamp', null);
    await move('attic-lamp', 'kitchen');
    await hub.home.rooms.addRoom('Cellar');
    await hub.home.rooms.updateRoom(room('bath').id, { name: 'Bathroom' });
    await hub.home.rooms.updateRoom(room('kitchen').id, { name: 'Big kitchen' });
    hub.home.events.append({ type: 'pairing.changed', integration: 'z', pairing: PAIRING });
    await hub.home.registry.removeDevice(device('kitchen-fan').id);
    await hub.home.registry.removeDevice(device('bath-lamp').id);
    expect(namesOf(await eventsFor(token, cursor))).toEqual([
      'feature.changed kitchen-lamp',
      'device.removed kitchen-lamp',
      'device.added attic-lamp',
      'room.changed kitchen',
      'device.removed kitchen-fan',
    ]);
    expect(namesOf(await eventsFor(token, cursor, '&types=device.added'))).toEqual(['device.added attic-lamp']);
    expect(await eventsFor(token, cursor, `&room=${room('bath').id}`)).toEqual([]);
    expect(JSON.stringify(await eventsFor(token, cursor))).not.toMatch(/bath/i);
  });

  test('follow a listed device to any room, and have the new name of its room', async () => {
    const token = await makeToken(ofDevice('bath-lamp'));
    const cursor = hub.home.events.cursor();
    await hub.home.rooms.updateRoom(room('bath').id, { name: 'Bathroom' });
    await hub.home.rooms.updateRoom(room('kitchen').id, { name: 'Big kitchen' });
    expect(namesOf(await eventsFor(token, cursor))).toEqual(['room.changed bath']);
    await move('bath-lamp', null);
    expect(namesOf(await eventsFor(token, cursor))).toEqual(['device.changed bath-lamp']);
  });

  test('have each of its own commands, and no other that reaches beyond what it sees', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    const cursor = hub.home.events.cursor();
    const off = { set: { on: false } };
    await call(hub.accessToken, 'POST /command', { targets: { devices: ['kitchen-lamp', 'bath-lamp'] }, ...off });
    await call(hub.accessToken, 'POST /device/attic-lamp/command', off);
    await call(token, 'POST /device/kitchen-fan/command', off);
    const commands = (await eventsFor(token, cursor)).filter(({ type }) => type === 'command.changed');
    const devices = commands.map(({ data }) => (data as { command: { device: string } }).command.device);
    expect(new Set(devices)).toEqual(new Set(['kitchen-fan']));
  });

  test('begin, on request, with the part of the home that it sees', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), ...ofDevice('bath-lamp') });
    const caller = await hub.auth.authenticate([`Bearer ${token}`], '192.168.1.2');
    const { registry, rooms, events, list } = hub.home;
    const { devices, findDevice } = registry;
    const filter = limitEvents({ caller, devices, findDevice }, undefined, events.cursorAt);
    const { deviceBytes } = list;
    const home = { log: events, devices, rooms: rooms.rooms, scenes: () => [], deviceBytes, monotonicMs: () => 0 };
    const part = createHomeSnapshots(home).open(filter).next();
    const data = JSON.parse(/^data: (.*)$/m.exec(String(part))?.[1] ?? '') as { rooms: Room[]; devices: Device[] };
    expect(selectorsOf(data.rooms)).toEqual(['kitchen']);
    expect(selectorsOf(data.devices)).toEqual(['bath-lamp', 'kitchen-door', 'kitchen-fan', 'kitchen-lamp']);
  });

  test('have the frame of what the caller sees: a device that leaves is removed, without what else it is', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    const caller = await hub.auth.authenticate([`Bearer ${token}`], '192.168.1.2');
    const { events, registry } = hub.home;
    const { devices, findDevice } = registry;
    const filter = limitEvents({ caller, devices, findDevice }, undefined, events.cursorAt);
    const position = events.lastSequence();
    const { id } = findDevice('kitchen-fan') ?? {};
    await call(hub.accessToken, 'PATCH /device/kitchen-fan', { room: 'bath' });
    const frames = [...events.after(position)].flatMap((event) => filter.show(event)?.frame.toString() ?? []);
    const cursor = events.cursorAt(position + 1);
    expect(frames).toEqual([
      expect.stringMatching(
        new RegExp(
          `^id: ${cursor}\nevent: device.removed\ndata: \\{"device":\\{"id":"${id}","selector":"kitchen-fan"\\},"at":"[^"]+"\\}\n\n$`,
        ),
      ),
    ]);
    await call(hub.accessToken, 'PATCH /device/kitchen-fan', { room: 'kitchen' });
  });

  test('cannot be filtered by something that it does not see', async () => {
    const token = await makeToken(ofRoom('kitchen'));
    for (const query of ['?room=bath', '?device=bath-lamp', '?device=nothing']) {
      const { status } = await get(token, `/event${query}`, { Accept: 'application/json' });
      expect([query, status]).toEqual([query, 400]);
    }
  });

  test('fold into its list, after any moves of devices', async () => {
    const token = await makeToken({ ...ofRoom('kitchen'), ...ofDevice('attic-lamp') });
    const cursor = hub.home.events.cursor();
    const home = async () => ({
      devices: (await call(token, 'GET /device')).json as DeviceJson[],
      rooms: (await call(token, 'GET /room')).json as RoomJson[],
    });
    const mirror: HomeMirror = createHomeMirror();
    mirror.setHome(await home());
    const names = ['attic-lamp', 'bath-lamp', 'kitchen-fan', 'kitchen-lamp'];
    const places = ['kitchen', 'bath', null];
    for (let step = 0; step < 60; step += 1) {
      const name = names[(step * 7) % names.length] ?? '';
      await move(name, places[(step * 5 + (step >> 2)) % places.length] ?? null);
      hub.home.registry.reportsOf('zigbee2mqtt').reportValues(`0x${step % 4}`, new Map([['brightness', step]]));
    }
    for (const { type, data } of await eventsFor(token, cursor)) mirror.fold({ type, data });
    const truth = createHomeMirror();
    truth.setHome(await home());
    expect(mirror.devices()).toEqual(truth.devices());
    expect(mirror.rooms()).toEqual(truth.rooms());
  });
});

const PAIRING = { step: 'opened', externalId: null, deviceId: null, seconds: 60, detail: null } as const;
