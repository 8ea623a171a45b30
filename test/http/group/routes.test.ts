import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { openGroups } from '#core/group/groups.ts';
import { openSceneRegistry } from '#core/scene/scene-registry.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { groupRoutes } from '#http/group/routes.ts';
import { sceneRoutes } from '#http/scene/routes.ts';
import { describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

type Json = Record<string, unknown> & {
  readonly id: string;
  readonly revision: number;
  readonly results: readonly { readonly device: string; readonly key: string; readonly status: string }[];
  readonly active: { readonly state: string; readonly of: number };
};

const LOCK = createFeature('locked', { capability: 'locked' });

async function openApp(names: readonly string[] = ['lamp', 'strip', 'plug']) {
  const home = await openCommandHome([
    ...names.map((name) => describeDevice(name)),
    describeDevice('lock', { type: 'door_lock', features: [LOCK] }),
    describeDevice('bell', { features: [createFeature('open', { capability: 'open', writable: false })] }),
  ]);
  const listeners = new Set<(event: HomeEvent) => void>();
  const push = home.events.push.bind(home.events);
  home.events.push = (...events) => {
    const length = push(...events);
    for (const event of events) for (const listener of listeners) listener(event);
    return length;
  };
  let ids = 0;
  const shared = {
    devices: home.registry,
    subscribe: (listener: (event: HomeEvent) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    newId: () => `0198f1c2-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`,
    ...home.time,
    log: home.log,
  };
  const groups = openGroups(shared);
  const scenes = await openSceneRegistry({
    ...shared,
    store: { loadScenes: async () => [], saveScene: async () => undefined, deleteScene: async () => undefined },
    emit: (event) => void home.events.push(event),
  });
  const audited: AuditEvent[] = [];
  const deps = {
    audit: { record: async (event: AuditEvent) => void audited.push(event) },
    commands: home.commands,
    registry: home.registry,
    findRoom: home.rooms.findRoom,
    eventCursor: () => 'run-1',
    wallMs: home.time.clock.wallMs,
    groups,
    scenes,
    removeDevice: (device: { readonly id: string }) => home.registry.removeDevice(device.id as never),
  };
  const { request } = createTestApp([...groupRoutes(deps), ...sceneRoutes(deps), ...commandRoutes(deps)]);
  const ask = (line: string, body?: unknown, more: Record<string, string> = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { Authorization: 'Bearer owner', Prefer: 'wait=0', ...more };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const typed = body === undefined ? headers : { 'Content-Type': 'application/json', ...headers };
    return request(`/api/v1${path}`, { method, headers: typed, ...init });
  };
  const call = async (...given: Parameters<typeof ask>) => {
    const answer = await ask(...given);
    await home.time.advance(200);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  home.radio.send = async ({ externalId, set }) => {
    home.reports.reportValues(externalId, set);
    return 'transport_ack';
  };
  const add = (name: string, members: readonly string[], more: object = {}) =>
    call('POST /group', { name, members, ...more });
  return { ...home, ask, call, add, audited };
}

describe('/group', () => {
  test('shows a group and its members, and changes both', async () => {
    const { call, add, reports } = await openApp();
    const { status, headers, json } = await add('Lamps', ['lamp', 'strip', 'lamp']);
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([
      201,
      '/api/v1/group/lamps',
      expect.stringMatching(/^"1-/),
    ]);
    expect(json).toMatchObject({
      name: 'Lamps',
      room: null,
      members: [
        { selector: 'lamp', name: 'LAMP', state: 'ok' },
        { selector: 'strip', state: 'ok' },
      ],
    });
    expect((await call('GET /group')).json).toEqual([json]);
    const patch = { name: 'Plugs', members: ['plug', 'strip'] };
    expect((await call('PATCH /group/lamps', patch, { 'If-Match': '"7"' })).status).toBe(412);
    const tag = headers.get('etag') ?? '';
    expect((await call('PATCH /group/lamps', patch, { 'If-Match': tag })).json).toMatchObject({
      name: 'Plugs',
      selector: 'lamps',
      revision: 2,
      members: [{ selector: 'plug' }, { selector: 'strip' }],
    });
    await reports.removeDevice('plug');
    expect((await call('GET /group/lamps')).json['members']).toMatchObject([
      { selector: 'plug', name: 'plug', state: 'missing' },
      { state: 'ok' },
    ]);
    expect((await call('PATCH /group/lamps', { members: ['plug', 'lamp'] })).status).toBe(200);
    expect((await call('DELETE /group/lamps')).status).toBe(204);
    expect((await call('GET /group/lamps')).status).toBe(404);
    expect((await call('GET /group/strip')).status).toBe(404);
  });

  test('refuses a group that contains itself or another, what is unknown, and rooms of others', async () => {
    const { call, add, rooms } = await openApp();
    await rooms.addRoom('Kitchen');
    await add('Lamps', ['lamp']);
    const refused = async (line: string, body: object) => {
      const { status, json } = await call(line, body);
      return [status, (json['errors'] as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer)];
    };
    expect(await refused('PATCH /group/lamps', { members: ['strip', 'lamps'] })).toEqual([422, ['/members/1']]);
    expect(await refused('POST /group', { name: 'All', members: ['lamps', 'nothing'] })).toEqual([
      422,
      ['/members/0', '/members/1'],
    ]);
    expect(await refused('POST /group', { name: 'None', members: [] })).toEqual([422, ['/members']]);
    expect(await refused('POST /group', { name: 'K', members: ['lamp'], room: 'kitchen' })).toEqual([422, ['/room']]);
    expect(await refused('POST /group', { name: 'K', members: ['lamp'], room: 'attic' })).toEqual([422, ['/room']]);
    const names = Array.from({ length: 101 }, (_, index) => `n${index}`);
    expect((await call('POST /group', { name: 'Many', members: names })).status).toBe(422);
  });
});

describe('a command to a group', () => {
  test('is one command for its members, each with what it can', async () => {
    const { call, add, sent, takeEvents, report } = await openApp();
    await add('Mixed', ['lamp', 'strip', 'bell']);
    report('lamp', { on: false });
    takeEvents();
    const given = await call('POST /device/mixed/command', { set: { on: true, brightness: 40 } });
    expect(given.status).toBe(202);
    const { json } = await call(`GET /command/${given.json.id}`);
    expect([json['device'], json['status']]).toEqual([null, 'confirmed']);
    expect(json.results.map(({ device, key, status: one }) => `${device} ${key} ${one}`)).toEqual([
      'lamp on confirmed',
      'lamp brightness confirmed',
      'strip on confirmed',
      'strip brightness confirmed',
    ]);
    expect(sent()).toEqual(['lamp on=true brightness=40', 'strip on=true brightness=40']);
    expect((await call('POST /device/mixed/command', { do: 'toggle' })).status).toBe(202);
    expect(sent().slice(2)).toEqual(['lamp on=false', 'strip on=false']);
    expect((await call('POST /device/mixed/command', { set: { 'x.all_on': true, brightness: 101 } })).status).toBe(422);
  });

  test('that toggles what another one has just toggled goes back', async () => {
    const { ask, call, add, sent, report, time } = await openApp();
    await add('Lamps', ['lamp', 'strip']);
    report('lamp', { on: true });
    await call('GET /device/lamps');
    // The last one comes before the group shows what the second one did.
    for (let times = 0; times < 3; times += 1) {
      await ask('POST /device/lamps/command', { do: 'toggle' });
      await time.advance(1);
    }
    expect(sent().map((one) => one.replace('strip', 'lamp'))).toEqual(
      [false, false, true, true, false, false].map((on) => `lamp on=${on}`),
    );
  });

  test('sends a word only to the members that know it', async () => {
    const { call, add, sent, reports } = await openApp();
    for (const [name, options] of [
      ['plug', ['eco', 'boost']],
      ['strip', ['day', 'night']],
    ] as const) {
      const features = [
        createFeature('x.program', { capability: 'x.program', valueType: 'enum', options: [...options] }),
      ];
      await reports.describeDevice(describeDevice(name, { features }));
    }
    await add('Mixed', ['plug', 'strip']);
    expect((await call('POST /device/mixed/command', { set: { 'x.program': 'eco' } })).status).toBe(202);
    expect(sent()).toEqual(['plug x.program="eco"']);
    expect((await call('POST /device/mixed/command', { set: { 'x.program': 'day' } })).status).toBe(422);
  });

  test('is undone as one', async () => {
    const { call, add, sent, report } = await openApp();
    await add('Lamps', ['lamp', 'strip']);
    report('lamp', { on: false });
    report('strip', { on: true });
    const { json } = await call('POST /device/lamps/command', { set: { on: true } });
    await call(`POST /command/${json.id}/undo`, undefined);
    expect(sent().slice(2)).toEqual(['lamp on=false']);
  });

  test('sends one payload to a device that is named twice', async () => {
    const { call, add, sent, registry, rooms, device } = await openApp();
    const kitchen = await rooms.addRoom('Kitchen');
    for (const id of ['lamp', 'strip']) await registry.updateDevice(device(id).id, { roomId: kitchen.id });
    await add('Lamps', ['lamp', 'strip'], { room: 'kitchen' });
    await add('More', ['strip', 'plug']);
    await call('POST /command', { targets: { room: 'kitchen' }, set: { on: true } });
    expect(sent().splice(0).toSorted()).toEqual(['lamp on=true', 'strip on=true']);
    await call('POST /command', { targets: { devices: ['lamps', 'more', 'plug'] }, set: { on: false } });
    expect(sent().slice(2)).toEqual(['lamp on=false', 'strip on=false', 'plug on=false']);
    await call('POST /command', {
      wishes: [
        { device: 'strip', set: { brightness: 7 } },
        { device: 'lamps', set: { on: true, brightness: 50 } },
        { device: 'more', set: { brightness: 9 } },
      ],
    });
    expect(sent().slice(5)).toEqual(['strip on=true brightness=7', 'lamp on=true brightness=50', 'plug brightness=9']);
    await call('POST /scene/all-off/activate');
    expect(sent().slice(8).toSorted()).toEqual(['lamp on=false', 'strip on=false']);
  });

  test('goes to locks only for people who may open doors, and is noted for each', async () => {
    const { call, add, sent, audited } = await openApp();
    await add('Doors', ['lock', 'lamp']);
    const guest = { Authorization: 'Bearer guest' };
    const refused = await call('POST /device/doors/command', { set: { locked: false } }, guest);
    expect([refused.status, String(refused.json['detail'])]).toEqual([403, expect.stringContaining('lock')]);
    expect((await call('POST /device/doors/command', { set: { on: true } }, guest)).status).toBe(202);
    expect(sent()).toEqual(['lamp on=true']);
    await call('POST /device/doors/command', { set: { locked: false } });
    expect(sent().slice(1)).toEqual(['lock locked=false']);
    expect(audited).toMatchObject([{ type: 'command.given', detail: 'locked=false lock' }]);
  });

  test('is refused if its members are more than a command may have', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `lamp-${index}`);
    const { call, add, sent } = await openApp(names);
    for (const start of [0, 100, 200]) await add(`G${start}`, names.slice(start, start + 100));
    const targets = { devices: ['g0', 'g100', 'g200'] };
    expect((await call('POST /command', { targets, set: { on: true } })).status).toBe(422);
    expect(sent()).toEqual([]);
    const wide = ['g0', 'g100', 'g200'].map((device) => ({ device, set: { on: true } }));
    expect((await call('POST /scene', { name: 'Wide', targets: wide })).status).toBe(422);
  });
});

describe('a scene with a group', () => {
  test('is active by what each member reports, and sends each what it does not show', async () => {
    const { call, add, sent, report } = await openApp();
    await add('Lamps', ['lamp', 'strip']);
    const targets = [
      { device: 'strip', set: { brightness: 5 } },
      { device: 'lamps', set: { on: true, brightness: 60 } },
    ];
    expect((await call('POST /scene', { name: 'Evening', targets })).status).toBe(201);
    report('lamp', { on: true, brightness: 60 });
    const { json } = await call('POST /scene/evening/activate');
    expect(json.results.map(({ device, key }) => `${device} ${key}`).toSorted()).toEqual([
      'lamp brightness',
      'lamp on',
      'strip brightness',
      'strip on',
    ]);
    expect(sent()).toEqual(['strip on=true brightness=5']);
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'active', of: 2, differences: [] });
    report('strip', { on: false });
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'partly', of: 2 });
    await call('PATCH /group/lamps', { members: ['lamp', 'strip', 'plug'] });
    report('strip', { on: true });
    report('plug', { on: true, brightness: 60 });
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'active', of: 3 });
    await call('DELETE /group/lamps');
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'active', of: 1 });
  });

  test('counts a member again that returns', async () => {
    const { call, add, report, reports } = await openApp();
    await add('Lamps', ['lamp', 'strip', 'plug']);
    await reports.removeDevice('strip');
    const targets = [{ device: 'lamps', set: { on: true } }];
    expect((await call('POST /scene', { name: 'Evening', targets })).status).toBe(201);
    report('lamp', { on: true });
    report('plug', { on: true });
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'active', of: 2 });
    await reports.describeDevice(describeDevice('strip'));
    reports.reportAvailability('strip', 'online', null);
    report('strip', { on: false });
    expect((await call('GET /scene/evening')).json.active).toMatchObject({ state: 'partly', of: 3 });
  });

  test('captures the members of a group, and not the group', async () => {
    const { call, add, report } = await openApp();
    await add('Lamps', ['lamp', 'strip']);
    report('lamp', { on: false });
    report('strip', { on: true, brightness: 12 });
    const { json } = await call('POST /scene', { name: 'Now', capture: { devices: ['lamps'] } });
    expect(json['targets']).toMatchObject([
      { device: { selector: 'lamp' }, set: { on: false } },
      { device: { selector: 'strip' }, set: { on: true, brightness: 12 } },
    ]);
  });

  test('with a lock needs the right to locks', async () => {
    const { call, add, sent } = await openApp();
    await add('Doors', ['lock']);
    await call('POST /scene', { name: 'Shut', targets: [{ device: 'doors', set: { locked: true } }] });
    expect((await call('GET /scene/shut')).json['sensitive']).toBe(true);
    expect((await call('POST /scene/shut/activate', {}, { Authorization: 'Bearer guest' })).status).toBe(403);
    expect(sent()).toEqual([]);
  });
});

describe('a person with limits', () => {
  test('neither sees nor reaches through a group what is in other rooms', async () => {
    const hub = await openWholeHub();
    const { token: owner } = await hub.addPerson('ada', 'owner');
    const kitchen = hub.home.rooms.findRoom('kitchen');
    if (kitchen === undefined) throw new Error('there is no kitchen');
    const post = (body: object) => hub.call('POST /group', { token: owner, body });
    expect((await post({ name: 'Inside', members: ['kitchen-ceiling'], room: 'kitchen' })).status).toBe(201);
    expect((await post({ name: 'Across', members: ['kitchen-ceiling', 'living-room-lamp'] })).status).toBe(201);
    const { user } = await hub.addPerson('gus', 'guest');
    await hub.home.accounts.updateUser(user.id, { roomIds: new Set([kitchen.id]) });
    const { token } = await hub.logIn(user.email);
    const listed = (await hub.call('GET /group', { token })).json as unknown as readonly { selector: string }[];
    expect(listed.map(({ selector }) => selector)).toEqual(['inside']);
    const command = (selector: string) =>
      hub.call(`POST /device/${selector}/command`, { token, body: { set: { on: false } } });
    expect((await command('inside')).status).toBeLessThan(300);
    expect((await command('across')).status).toBe(404);
    const moved = await hub.call('PATCH /device/across', { token: owner, body: { room: 'kitchen' } });
    expect(moved.status).toBe(422);
  });

  test('reaches only the members that its API token names', async () => {
    const hub = await openWholeHub();
    const { token: owner, user } = await hub.addPerson('ada', 'owner');
    const across = await hub.call('POST /group', {
      token: owner,
      body: { name: 'Across', members: ['kitchen-ceiling', 'living-room-lamp', 'front-door-lock'] },
    });
    const { devices } = hub.home;
    const ids = ['across', 'kitchen-ceiling'].flatMap((selector) => devices.findDevice(selector)?.id ?? []);
    const token = await hub.addToken(user, {
      scopes: ['device:read', 'device:control', 'device:manage'],
      deviceIds: ids,
    });
    const shown = await hub.call('GET /group/across', { token });
    expect(shown.json['members']).toMatchObject([{ selector: 'kitchen-ceiling' }]);
    const given = await hub.call('POST /device/across/command', { token, body: { set: { on: false } } });
    expect(given.json['results']).toMatchObject([{ device: 'kitchen-ceiling' }]);
    expect((await hub.call('POST /device/across/command', { token, body: { set: { locked: false } } })).status).toBe(
      404,
    );
    const body = { members: ['kitchen-ceiling'] };
    expect((await hub.call('PATCH /group/across', { token, body, type: 'application/merge-patch+json' })).status).toBe(
      403,
    );
    expect(across.status).toBe(201);
  });
});
