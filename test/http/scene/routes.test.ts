import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Scene, SceneId } from '#core/scene/scene.ts';
import { openSceneRegistry } from '#core/scene/scene-registry.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { sceneRoutes } from '#http/scene/routes.ts';
import { BRIGHTNESS, describeDevice, LAMP_FEATURES, openCommandHome } from '#test/support/hub/command-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

type Result = { readonly device: string; readonly key: string; readonly status: string; readonly reason?: string };
/** What the answers have in which these tests look. */
type Json = {
  readonly id: string;
  readonly selector: string;
  readonly status: string;
  readonly code: string;
  readonly detail: string | undefined;
  readonly room: unknown;
  readonly active: { readonly state: string };
  readonly targets: readonly { readonly device: { readonly selector: string }; readonly set: object }[] | undefined;
  readonly skipped: readonly { readonly reason: string }[] | undefined;
  readonly results: readonly Result[];
  readonly errors: readonly { readonly pointer: string }[];
};
type Answer = { readonly status: number; readonly headers: Headers; readonly json: Json };

const LOCK = createFeature('locked', { capability: 'locked' });
const COLOR = createFeature('color', { capability: 'color', valueType: 'color' });
const KELVIN = createFeature('color_temperature', { capability: 'color_temperature', valueType: 'number', unit: 'K' });
const MANY = Array.from({ length: 200 }, (_, index) => `lamp-${index}`);

async function openApp(names: readonly string[] = ['lamp', 'strip', 'plug']) {
  const home = await openCommandHome([
    ...names.map((name) => describeDevice(name)),
    describeDevice('lock', { type: 'door_lock', features: [LOCK] }),
  ]);
  const kitchen = await home.rooms.addRoom('Kitchen');
  const listeners = new Set<(event: HomeEvent) => void>();
  /** Events reach the watch over scenes as they do in the hub. */
  const pass = (event: HomeEvent): void => listeners.forEach((listener) => listener(event));
  const push = home.events.push.bind(home.events);
  home.events.push = (...events) => {
    const length = push(...events);
    events.forEach(pass);
    return length;
  };
  const stored = new Map<SceneId, Scene>();
  const open = () =>
    openSceneRegistry({
      store: {
        loadScenes: async () => [...stored.values()],
        saveScene: async (scene) => void stored.set(scene.id, structuredClone(scene)),
        deleteScene: async (id) => void stored.delete(id),
      },
      devices: home.registry,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      emit: (event) => void home.events.push(event),
      newId: () => `0198f1c2-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`,
      clock: home.time.clock,
      startTimer: home.time.startTimer,
    });
  let ids = 0;
  const scenes = await open();
  const audited: AuditEvent[] = [];
  const deps = {
    audit: { record: async (event: AuditEvent) => void audited.push(event) },
    commands: home.commands,
    registry: home.registry,
    findRoom: home.rooms.findRoom,
  };
  const { request } = createTestApp([
    ...sceneRoutes({ ...deps, scenes, eventCursor: () => 'run-1', wallMs: home.time.clock.wallMs }),
    ...commandRoutes(deps),
  ]);
  const call = async (line: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> => {
    const [method = '', path = ''] = line.split(' ');
    const headers = {
      Authorization: 'Bearer owner',
      Prefer: 'wait=0',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...more,
    };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await request(`/api/v1${path}`, { method, headers, ...init });
    await home.time.advance(0);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      json: text === '' ? ({} as Json) : (JSON.parse(text) as Json),
    };
  };
  const obey = (): void => {
    home.radio.send = async ({ externalId, set }) => {
      home.reports.reportValues(externalId, set);
      return 'transport_ack';
    };
  };
  const add = (targets: readonly object[], more: object = {}): Promise<Answer> =>
    call('POST /scene', { name: 'Movie night', targets, ...more });
  const list = async (): Promise<readonly Json[]> => (await call('GET /scene')).json as unknown as Json[];
  const active = async (): Promise<Json['active']> => (await call('GET /scene/movie-night')).json.active;
  return { home, kitchen, scenes, call, obey, add, list, active, audited, reopen: open };
}

const LIT = [
  { device: 'lamp', set: { on: true, brightness: 15 } },
  { device: 'strip', set: { on: false } },
];
const AS = (role: string) => ({ Authorization: `Bearer ${role}` });

describe('a scene', () => {
  test('is kept as it was written, and found after a restart', async () => {
    const { home, list, add, reopen } = await openApp();
    const { status, headers, json } = await add(LIT, { icon: 'film', transition_ms: 1500 });
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/scene/movie-night']);
    expect(json).toMatchObject({
      selector: 'movie-night',
      builtin: false,
      transition_ms: 1500,
      sensitive: false,
      skipped: [],
      targets: [
        { device: { selector: 'lamp' }, set: { on: true, brightness: 15 }, state: 'ok' },
        { device: { selector: 'strip' }, set: { on: false } },
      ],
      created_by: { type: 'session', id: 'session-of-owner' },
    });
    const again = (await reopen()).findScene('movie-night');
    expect(again?.targets[0]).toMatchObject({ deviceId: home.device('lamp').id, set: { on: true, brightness: 15 } });
    expect((await list()).map(({ selector }) => selector)).toEqual(['all-off', 'movie-night']);
  });

  test.each([
    ['an unknown device', [{ device: 'nobody', set: { on: true } }], '/targets/0/device'],
    ['a device twice', [LIT[0], LIT[0]], '/targets/1/device'],
    ['a value out of range', [LIT[1], { device: 'lamp', set: { brightness: 900 } }], '/targets/1/set/brightness'],
    ['an unknown feature', [{ device: 'lamp', set: { volume: 3 } }], '/targets/0/set/volume'],
    ['no values', [{ device: 'lamp', set: {} }], '/targets/0/set'],
  ])('is refused with the place of the fault: %s', async (_, targets, pointer) => {
    const { add, list } = await openApp();
    const { status, json } = await add(targets as object[]);
    expect([status, json.errors.map(({ pointer }) => pointer)]).toEqual([422, [pointer]]);
    expect(await list()).toHaveLength(1);
  });

  test('needs targets, or devices to capture', async () => {
    const { add, call } = await openApp();
    expect((await add([])).json.code).toBe('SCENE_EMPTY');
    expect((await call('POST /scene', { name: 'x' })).json.errors[0]?.pointer).toBe('/targets');
    expect((await call('POST /scene', { name: 'x', room: 'attic' })).json.code).toBe('ROOM_NOT_FOUND');
  });

  test('can be changed at the revision that the caller knows, and removed', async () => {
    const { add, call, home } = await openApp();
    const { headers } = await add(LIT);
    const tag = { 'If-Match': headers.get('etag') ?? '' };
    expect((await call('PATCH /scene/movie-night', { name: 'Film', room: 'kitchen' }, tag)).json).toMatchObject({
      name: 'Film',
      selector: 'movie-night',
      room: { selector: 'kitchen' },
      revision: 2,
    });
    expect((await call('PATCH /scene/movie-night', { name: 'x' }, tag)).status).toBe(412);
    expect((await call('DELETE /scene/movie-night')).status).toBe(204);
    expect((await call('GET /scene/movie-night')).status).toBe(404);
    const types = home.events.map(({ type }) => type).filter((type) => type.startsWith('scene.'));
    expect(types).toEqual(['scene.added', 'scene.changed', 'scene.removed']);
  });

  test('has a bounded number of others beside it', async () => {
    const { scenes, home, add } = await openApp();
    const { id: deviceId } = home.device('lamp');
    const target = { deviceId, selector: 'lamp', name: 'lamp', set: { on: true }, transitionMs: null };
    const details = { roomId: null, icon: null, transitionMs: null, createdBy: null as never };
    for (let count = 0; count < 200; count += 1) await scenes.addScene({ ...details, name: 'x', targets: [target] });
    expect((await add(LIT)).json.code).toBe('LIMIT_REACHED');
  });
});

describe('a capture', () => {
  test('takes what is certain, and says what it left out', async () => {
    const { home, call } = await openApp();
    home.report('lamp', { on: true, brightness: 40 });
    home.report('strip', { on: false, brightness: 70 });
    home.report('lock', { locked: true });
    home.reports.reportAvailability('plug', 'offline', 'gone');
    const { json } = await call('POST /scene', {
      name: 'Now',
      capture: { devices: ['lamp', 'strip', 'plug', 'lock'] },
    });
    const sets = json.targets?.map(({ device, set }) => [device.selector, set]);
    expect(sets).toEqual([
      ['lamp', { on: true, brightness: 40 }],
      ['strip', { on: false }],
    ]);
    expect(json.skipped).toEqual([
      { device: 'plug', key: 'on', reason: 'offline' },
      { device: 'plug', key: 'brightness', reason: 'offline' },
    ]);
    expect(json.active).toMatchObject({ state: 'active', matched: 2, of: 2 });
  });

  test('takes what was only sent for 5 s, and what is stale or never came not at all', async () => {
    const { home, call } = await openApp();
    await home.reports.describeDevice(describeDevice('strip', { staleAfterMs: 1_000 }));
    home.report('strip', { on: true });
    const capture = async () => {
      const { json } = await call('POST /scene', { name: 'x', capture: { devices: ['lamp', 'strip'], keys: ['on'] } });
      return [json.targets?.length ?? json.code, json.skipped?.map(({ reason }) => reason)];
    };
    await call('POST /command', { targets: { devices: ['lamp'] }, set: { on: true } });
    await home.time.advance(5_000);
    home.registry.markStale();
    expect(await capture()).toEqual([1, ['stale']]);
    await home.time.advance(1);
    expect(await capture()).toEqual(['SCENE_EMPTY', undefined]);
  });

  test('of a room alone takes the devices in it; of two colors the one that changed last', async () => {
    const { home, kitchen, call } = await openApp();
    await home.reports.describeDevice(describeDevice('lamp', { features: [...LAMP_FEATURES, COLOR, KELVIN] }));
    await home.registry.updateDevice(home.device('lamp').id, { roomId: kitchen.id });
    home.report('lamp', { on: true, color: { x: 0.5, y: 0.4 } });
    await home.time.advance(10);
    home.report('lamp', { color_temperature: 2700 });
    const { json } = await call('POST /scene', { name: 'Kitchen', room: 'kitchen' });
    expect(json.targets?.map(({ set }) => set)).toEqual([{ on: true, color_temperature: 2700 }]);
    expect(json.room).toMatchObject({ selector: 'kitchen' });
  });

  test('into an existing scene replaces what is certain, and keeps the rest and the lock', async () => {
    const { home, add, call } = await openApp();
    await add([...LIT, { device: 'lock', set: { locked: true } }]);
    home.report('lamp', { on: true, brightness: 80 });
    home.report('strip', { on: true });
    home.report('lock', { locked: false });
    home.reports.reportAvailability('strip', 'offline', 'gone');
    const { json } = await call('POST /scene/movie-night/capture');
    expect(json.targets?.map(({ set }) => set)).toEqual([
      { on: true, brightness: 80 },
      { on: false },
      { locked: true },
    ]);
    expect(json.skipped).toContainEqual({ device: 'strip', key: 'on', reason: 'offline' });
  });
});

describe('an activation', () => {
  test('is one command with a result for each value, and names the scene as its cause', async () => {
    const { home, add, call, obey } = await openApp();
    obey();
    const { json: scene } = await add(LIT, { transition_ms: 1500 });
    const { status, json } = await call('POST /scene/movie-night/activate', undefined, { Prefer: 'wait=1' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ device: null, status: 'confirmed', cause: { scene: scene.id, command: null } });
    expect(home.sent()).toEqual(['lamp on=true brightness=15', 'strip on=false']);
    expect(home.wire.map(({ transitionMs }) => transitionMs)).toEqual([1500, 1500]);
    const activated = home.events.filter(({ type }) => type === 'scene.activated');
    expect(activated).toMatchObject([{ command: json.id, by: { type: 'session', id: 'session-of-owner' } }]);
    const causes = home.events.flatMap((event) => (event.type === 'feature.changed' ? [event.cause?.scene] : []));
    expect(new Set(causes)).toEqual(new Set([scene.id]));
  });

  test('needs no body, also from a client that names a media type with every request', async () => {
    const { add, call, obey } = await openApp();
    obey();
    await add(LIT);
    const named = { 'Content-Type': 'application/json', Prefer: 'wait=1' };
    expect((await call('POST /scene/movie-night/activate', undefined, named)).status).toBe(200);
    // Clients in Go and Rust that generators made send this for a body that is left out.
    expect((await call('POST /scene/movie-night/activate', null, { Prefer: 'wait=1' })).status).toBe(200);
  });

  test('sends what goes dark last', async () => {
    const { home, add, call } = await openApp();
    await add([LIT[1] ?? {}, LIT[0] ?? {}]);
    await call('POST /scene/movie-night/activate');
    expect(home.sent()).toEqual(['lamp on=true brightness=15', 'strip on=false']);
  });

  test('sends nothing that is so already, unless it is forced or a command is under way', async () => {
    const { home, add, call } = await openApp();
    await add(LIT);
    home.report('lamp', { on: true, brightness: 16 });
    home.report('strip', { on: false });
    const { json } = await call('POST /scene/movie-night/activate');
    expect(json).toMatchObject({ status: 'confirmed', evidence: 'state_report' });
    expect(json.results[0]).toMatchObject({ status: 'confirmed', observed: true, reason: 'unchanged' });
    expect(home.sent()).toEqual([]);
    await call('POST /scene/movie-night/activate', { force: true, transition_ms: 300 });
    expect(home.sent()).toEqual(['lamp on=true brightness=15', 'strip on=false']);
    home.wire.length = 0;
    home.reports.reportAvailability('lamp', 'asleep', null);
    await call('POST /command', { targets: { devices: ['lamp'] }, set: { on: false } });
    const waiting = await call('POST /scene/movie-night/activate');
    expect(waiting.json.results[0]).toMatchObject({ status: 'queued' });
  });

  test('reaches the hundred of its two hundred devices that are there, and says why not the others', async () => {
    const { home, add, call, obey } = await openApp(MANY);
    obey();
    await add(MANY.map((device) => ({ device, set: { on: true } })));
    for (const [index, name] of MANY.entries()) {
      if (index % 4 === 0) home.reports.reportAvailability(name, 'offline', 'gone');
      if (index % 4 === 1) await home.reports.removeDevice(name);
    }
    const answering = call('POST /scene/movie-night/activate', undefined, { Prefer: 'wait=10' });
    await home.time.advance(1_000);
    const { status, json } = await answering;
    expect([status, json.status]).toEqual([200, 'failed']);
    const count = (word: string): number => json.results.filter(({ status }) => status === word).length;
    expect([count('confirmed'), count('failed'), home.wire.length]).toEqual([100, 100, 100]);
    const reasons = new Set(json.results.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set([undefined, 'The device is offline.', 'The device was removed.']));
  });

  test('with all devices gone is an answer with failures and no error', async () => {
    const { home, add, call } = await openApp();
    await add(LIT);
    for (const name of ['lamp', 'strip']) home.reports.reportAvailability(name, 'offline', 'gone');
    const { status, json } = await call('POST /scene/movie-night/activate');
    expect([status, json.status, json.results.length]).toEqual([200, 'failed', 3]);
  });

  test('of a device that lost a feature does the rest', async () => {
    const { home, add, call } = await openApp();
    await add(LIT);
    await home.reports.describeDevice(describeDevice('lamp', { features: [createFeature('on')] }));
    expect((await call('GET /scene/movie-night')).json.targets?.[0]).toMatchObject({ state: 'cannot' });
    const { json } = await call('POST /scene/movie-night/activate');
    expect(home.sent()).toEqual(['lamp on=true', 'strip on=false']);
    const failed = json.results.filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([
      { device: 'lamp', key: 'brightness', reason: expect.stringContaining('not a feature') },
    ]);
  });

  test('of two scenes at once on one lamp leaves it to the later one', async () => {
    const { home, add, call } = await openApp();
    await add(LIT);
    await call('POST /scene', { name: 'Bright', targets: [{ device: 'lamp', set: { on: true, brightness: 100 } }] });
    const first = await call('POST /scene/movie-night/activate');
    await call('POST /scene/bright/activate');
    home.report('strip', { on: false });
    home.report('lamp', { on: true, brightness: 100 });
    const { json } = await call(`GET /command/${first.json.id}`);
    expect(json.results.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'confirmed']);
    expect((await call('GET /scene/bright')).json.active.state).toBe('active');
    expect((await call('GET /scene/movie-night')).json.active).toMatchObject({ state: 'partly', matched: 1, of: 2 });
  });

  test('can be undone', async () => {
    const { home, add, call, obey } = await openApp();
    home.report('lamp', { on: true, brightness: 80 });
    home.report('strip', { on: true, brightness: 30 });
    obey();
    await add(LIT);
    const { json } = await call('POST /scene/movie-night/activate', undefined, { Prefer: 'wait=1' });
    home.wire.length = 0;
    await call(`POST /command/${json.id}/undo`);
    expect(home.sent()).toEqual(['lamp brightness=80', 'strip on=true']);
  });

  test('repeated with its key is one activation', async () => {
    const { home, add, call } = await openApp();
    await add(LIT);
    const key = { 'Idempotency-Key': 'tap' };
    const [first, again] = [
      await call('POST /scene/movie-night/activate', {}, key),
      await call('POST /scene/movie-night/activate', {}, key),
    ];
    expect(again.json.id).toBe(first.json.id);
    expect(home.events.filter(({ type }) => type === 'scene.activated')).toHaveLength(1);
  });
});

describe('a scene with a lock', () => {
  test('is made, changed and run only by those who may use locks, and the log has it', async () => {
    const { home, add, call, audited } = await openApp();
    const targets = [...LIT, { device: 'lock', set: { locked: true } }];
    await add(LIT);
    expect((await add(targets)).json).toMatchObject({ sensitive: true });
    expect((await call('POST /scene/movie-night/activate', undefined, AS('guest'))).status).toBe(202);
    const refused = await call('POST /scene/movie-night-2/activate', undefined, AS('guest'));
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining('for lock')]);
    expect(home.sent()).toEqual(['lamp on=true brightness=15', 'strip on=false']);
    expect((await call('POST /scene/movie-night-2/activate', undefined, AS('resident'))).status).toBe(202);
    expect(audited.map(({ detail }) => detail)).toEqual(['locked=true lock']);
  });
});

describe('whether a scene is active', () => {
  test('follows the reports of its devices, with the differences', async () => {
    const { home, add, active } = await openApp();
    await add(LIT);
    expect(await active()).toMatchObject({ state: 'unknown', matched: 0, of: 2 });
    home.report('lamp', { on: true, brightness: 40 });
    home.report('strip', { on: true });
    expect(await active()).toMatchObject({ state: 'inactive', matched: 0, of: 2 });
    home.report('strip', { on: false });
    expect(await active()).toMatchObject({
      state: 'partly',
      differences: [{ device: 'lamp', key: 'brightness', wanted: 15, value: 40, quality: 'confirmed' }],
    });
    home.report('lamp', { brightness: 17 });
    expect(await active()).toMatchObject({ state: 'active', matched: 2, differences: [] });
    home.reports.reportAvailability('strip', 'offline', 'gone');
    expect(await active()).toMatchObject({ state: 'unknown', matched: 1, of: 2 });
  });

  test('is not decided by what was only sent', async () => {
    const { home, add, call, active } = await openApp();
    await add(LIT);
    home.report('strip', { on: false });
    home.report('lamp', { on: false, brightness: 15 });
    await call('POST /scene/movie-night/activate');
    expect(await active()).toMatchObject({
      state: 'partly',
      differences: [{ key: 'on', value: true, quality: 'assumed' }],
    });
    home.report('lamp', { on: true });
    expect((await active()).state).toBe('active');
  });

  test('is announced once a second at most', async () => {
    const { home, add } = await openApp();
    await add(LIT);
    home.report('strip', { on: false });
    await home.time.advance(5_000);
    home.events.length = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      home.report('lamp', { on: true, brightness: turn % 2 === 0 ? 15 : 90 });
      await home.time.advance(100);
    }
    const { length } = home.events.filter(({ type }) => type === 'scene.changed');
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(5);
  });
});

describe('the built-in "all off"', () => {
  test('turns off everything that has a switch, but what its owner left out and what guards the home', async () => {
    const { home, call } = await openApp();
    const relay = describeDevice('relay', { features: [createFeature('on')] });
    await home.reports.describeDevice(relay);
    await home.reports.describeDevice(
      describeDevice('heater', { type: 'thermostat', features: [createFeature('on')] }),
    );
    await home.reports.describeDevice(describeDevice('dimmer', { features: [BRIGHTNESS] }));
    for (const name of ['lamp', 'strip', 'plug', 'relay']) home.report(name, { on: true });
    for (const name of ['relay', 'heater', 'dimmer']) home.reports.reportAvailability(name, 'online', null);
    await home.registry.updateDevice(home.device('relay').id, { markedSensitive: true });
    await home.registry.updateDevice(home.device('plug').id, { isLeftOn: true });
    // At once: a fridge that is left on in this moment stays on.
    const { status } = await call('POST /scene/all-off/activate', undefined, AS('guest'));
    expect([status, home.sent().toSorted()]).toEqual([202, ['lamp on=false', 'strip on=false']]);
    for (const name of ['lamp', 'strip']) home.report(name, { on: false });
    await home.time.advance(1_000);
    expect((await call('GET /scene/all-off')).json).toMatchObject({
      builtin: true,
      targets: [],
      active: { state: 'active', matched: 2, of: 2 },
    });
  });

  test('its undo is silent about what was off before', async () => {
    const { home, call } = await openApp();
    home.report('lamp', { on: true });
    for (const name of ['strip', 'plug']) home.report(name, { on: false });
    const { json } = await call('POST /scene/all-off/activate');
    home.report('lamp', { on: false });
    await home.time.advance(1_000);
    const undone = await call(`POST /command/${json.id}/undo`);
    expect(undone.json.results).toMatchObject([{ device: 'lamp', key: 'on', requested: true }]);
  });

  test('cannot be changed or removed, and its name is taken', async () => {
    const { call, add } = await openApp();
    expect((await call('PATCH /scene/all-off', { name: 'x' })).status).toBe(403);
    expect((await call('DELETE /scene/all-off')).status).toBe(403);
    expect((await add(LIT, { name: 'All off' })).json.selector).toBe('all-off-2');
  });
});
