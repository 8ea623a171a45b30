import { beforeEach, expect, test } from 'vitest';
import { PRESETS, type TokenScope } from '#auth/scope.ts';
import type { RoomId } from '#core/room/room.ts';
import type { Role, UserId } from '#core/person/user.ts';
import { OWNER, PEER } from '#test/support/hub/auth-harness.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

const PASSWORD = 'pebble window 9';

let hub: HubApp;
const tokens = new Map<string, string>();
const ids = new Map<string, UserId>();

beforeEach(async () => {
  hub = await openHubApp(['Kitchen lamp', 'Attic lamp']);
  const kitchen = hub.home.rooms.findRoom('kitchen');
  const lamp = hub.home.registry.findDevice('kitchen-lamp');
  if (kitchen === undefined || lamp === undefined) throw new Error('the home is not furnished');
  await hub.home.registry.updateDevice(lamp.id, { roomId: kitchen.id });
  tokens.set('owner', hub.accessToken);
  for (const role of ['admin', 'resident', 'guest'] satisfies Role[]) {
    const email = `${role}@home.test`;
    const user = await hub.auth.accounts.addUser(
      { email, name: role, role, password: PASSWORD },
      { peer: PEER, pointer: '' },
    );
    ids.set(role, user.id);
    tokens.set(role, (await hub.auth.logIn({ email, password: PASSWORD })).accessToken);
  }
});

async function addToken(name: string, scopes: readonly TokenScope[], roomIds: readonly RoomId[] | null = null) {
  const userId = hub.auth.accounts.findUserByEmail(OWNER.email)?.id;
  if (userId === undefined) throw new Error('there is no owner');
  const rest = { deviceIds: null, networks: null, provider: null, expiresInS: null };
  tokens.set(name, (await hub.auth.apiTokens.addToken({ userId, name, scopes, roomIds, ...rest })).text);
}

async function ask(who: string, line: string, body?: unknown) {
  const [method = '', path = ''] = line.split(' ');
  const request = new Request(`http://hub.local/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${tokens.get(who)}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await hub.app.fetch(request);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: (text === '' ? null : JSON.parse(text)) as never };
}
const send = (body: unknown, who = 'owner') => ask(who, 'POST /notification', body);
async function titlesOf(who: string, query = ''): Promise<readonly string[]> {
  const { json } = await ask(who, `GET /notification${query}`);
  return titlesIn(json);
}

const titlesIn = (json: unknown): readonly string[] =>
  (json as { notifications: { title: string }[] }).notifications.map(({ title }) => title);

test('a notification is sent, listed, acknowledged and over', async () => {
  const sent = await send({
    title: ' The washing machine is done ',
    key: 'washing',
    text: 'After 90 min.\nAll of it.',
  });
  expect([sent.status, sent.json]).toMatchObject([
    201,
    { title: 'The washing machine is done', severity: 'info', state: 'open', key: 'washing', source: { kind: 'user' } },
  ]);
  const { id } = sent.json as { id: string };
  expect(sent.headers.get('location')).toBe(`/api/v1/notification/${id}`);
  expect((await ask('owner', `GET /notification/${id}`)).json).toEqual(sent.json);
  expect((await ask('resident', `POST /notification/${id}/acknowledge`)).json).toMatchObject({
    state: 'acknowledged',
    acknowledged_by: ids.get('resident'),
  });
  expect(await titlesOf('owner', '?open=true')).toEqual([]);
  expect(await titlesOf('owner', '?open=false')).toEqual(['The washing machine is done']);
  expect(await send({ resolve_key: 'washing' })).toMatchObject({ status: 200, json: { state: 'resolved' } });
  expect((await send({ resolve_key: 'washing' })).status).toBe(204);
  expect((await send({ title: 'The door is closed', resolve_key: 'door' })).status).toBe(201);
  expect((await ask('owner', 'POST /notification/0198f1c2-7d6e-7000-8000-000000000000/acknowledge')).status).toBe(404);
});

test('what comes too often is answered 202, and a replaced one 200', async () => {
  await send({ title: 'one', key: 'door' });
  expect((await send({ title: 'two', key: 'door' })).status).toBe(202);
  await hub.notifications.time.advance(20_000);
  expect(await send({ title: 'three', key: 'door' })).toMatchObject({
    status: 200,
    json: { title: 'three', count: 3 },
  });
});

test.each([
  ['no title', {}],
  ['a text alone', { text: 'x' }],
  ['a resolve_key and a text', { resolve_key: 'x', text: 'y' }],
  ['a title of two lines', { title: 'a\nb' }],
  ['an invisible title', { title: '\u200b' }],
  ['a title that is too long', { title: 'x'.repeat(201) }],
  ['a text that is too long', { title: 'x', text: 'y'.repeat(2_001) }],
  ['a text with control characters', { title: 'x', text: '\u0007' }],
  ['an unknown severity', { title: 'x', severity: 'fatal' }],
  ['nobody', { title: 'x', to: [] }],
  ['an unknown role', { title: 'x', to: ['role:king'] }],
  ['an unknown person', { title: 'x', to: ['user:0198f1c2-7d6e-7000-8000-000000000000'] }],
  ['an unknown channel', { title: 'x', to: ['channel:0198f1c2-7d6e-7000-8000-000000000000'] }],
  ['a recipient of no kind', { title: 'x', to: ['ada'] }],
  ["one of the hub's own keys", { title: 'x', key: 'hub:water:1' }],
  ['an unknown device', { title: 'x', device: 'nothing' }],
  ['a repetition each second', { title: 'x', severity: 'critical', repeat_s: 1 }],
  ['an unknown field', { title: 'x', sound: 'loud' }],
])('422 for %s', async (_what, body) => {
  expect((await send(body)).status).toBe(422);
  expect(hub.notifications.all()).toEqual([]);
});

test('a guest gets what names the guest or the role, and nothing else, in the list and as events', async () => {
  const cursor = hub.home.events.cursor();
  await send({ title: 'for the home' });
  await send({ title: 'for guests', to: ['role:guest'] });
  await send({ title: 'for this guest', to: [`user:${ids.get('guest')}`] });
  await send({ title: 'for the admin', to: [`user:${ids.get('admin')}`] });
  expect(await titlesOf('guest')).toEqual(['for this guest', 'for guests']);
  expect(await titlesOf('resident')).toHaveLength(4);
  const { json } = await ask('guest', `GET /event?since=${cursor}&wait=0&types=notification.added`);
  const { events } = json as { events: { data: { notification: { title: string } } }[] };
  expect(events.map(({ data }) => data.notification.title)).toEqual(['for guests', 'for this guest']);
  const hidden = hub.notifications.all().find(({ title }) => title === 'for the home');
  expect((await ask('guest', `GET /notification/${hidden?.id}`)).status).toBe(404);
  expect((await ask('guest', `POST /notification/${hidden?.id}/acknowledge`)).status).toBe(404);
  expect((await send({ title: 'from a guest' }, 'guest')).status).toBe(403);
  expect((await send({ title: 'from a resident' }, 'resident')).status).toBe(403);
});

test('the id of a notification that a guest may not see is, as a cursor, like one that does not exist', async () => {
  await send({ title: 'for guests', to: ['role:guest'] });
  await hub.notifications.time.advance(1_000);
  await send({ title: 'for the home' });
  await hub.notifications.time.advance(1_000);
  await send({ title: 'later, for guests', to: ['role:guest'] });
  const hidden = hub.notifications.all().find(({ title }) => title === 'for the home');
  for (const cursor of [hidden?.id, '0198f1c2-0000-7000-8000-00000000beef']) {
    const { json } = await ask('guest', `GET /notification?cursor=${cursor}`);
    expect(titlesIn(json)).toEqual(['later, for guests', 'for guests']);
  }
});

test('a token needs the right to read them, also as events, and one for a room sees those about its devices', async () => {
  const [kitchen] = hub.home.rooms.rooms();
  const cursor = hub.home.events.cursor();
  await send({ title: 'The lamp is broken', device: 'kitchen-lamp' });
  await addToken('events', ['event:read', 'device:read']);
  await addToken('reader', ['event:read', 'device:read', 'notification:read']);
  await addToken('kitchen', ['event:read', 'device:read', 'notification:read'], [kitchen?.id as never]);
  const eventsOf = async (who: string) => {
    const { json } = await ask(who, `GET /event?since=${cursor}&wait=0&types=notification.added`);
    return (json as { events: unknown[] }).events.length;
  };
  expect([await eventsOf('events'), await eventsOf('reader'), await eventsOf('kitchen')]).toEqual([0, 1, 1]);
  expect((await ask('events', 'GET /notification')).status).toBe(403);
  await send({ title: 'Somebody is at the door' });
  expect(await titlesOf('kitchen')).toEqual(['The lamp is broken']);
  expect(await titlesOf('reader')).toEqual(['Somebody is at the door', 'The lamp is broken']);
  await addToken('sender', ['notification:manage']);
  expect(await send({ title: 'by script', device: 'kitchen-lamp' }, 'sender')).toMatchObject({ status: 422 });
  expect(await send({ title: 'by script' }, 'sender')).toMatchObject({
    status: 201,
    json: { source: { kind: 'api_token' } },
  });
});

test('the list comes in pages, which go on where one was acknowledged meanwhile', async () => {
  for (const title of ['a', 'b', 'c', 'd', 'e']) {
    await send({ title });
    await hub.notifications.time.advance(1_000);
  }
  const first = await ask('owner', 'GET /notification?open=true&limit=2');
  const { notifications: shown, next } = first.json as { notifications: { id: string }[]; next: string };
  expect([titlesIn(first.json), first.headers.get('x-total-count')]).toEqual([['e', 'd'], '5']);
  await ask('owner', `POST /notification/${shown[1]?.id}/acknowledge`);
  const page = async (cursor: string) =>
    (await ask('owner', `GET /notification?open=true&limit=2&cursor=${cursor}`)).json;
  const second = await page(next);
  expect(titlesIn(second)).toEqual(['c', 'b']);
  expect(await page((second as { next: string }).next)).toMatchObject({ notifications: [{ title: 'a' }], next: null });
  expect(await titlesOf('owner', '?limit=500')).toHaveLength(5);
});

const idOf = (json: unknown): string => (json as { id: string }).id;

test('a notification has buttons: a scene or a command each, which name things by their ids', async () => {
  const made = await ask('owner', 'POST /scene', {
    name: 'Leaving',
    targets: [{ device: 'kitchen-lamp', set: { on: false } }],
  });
  const scene = made.json as { id: string };
  const command = { targets: { room: 'kitchen' }, set: { on: false } };
  const [kitchen, lamp] = await Promise.all(
    ['GET /room/kitchen', 'GET /device/kitchen-lamp'].map(async (call) => (await ask('owner', call)).json),
  );
  const sent = await send({
    title: 'Everybody has left',
    actions: [
      { label: 'Leave', scene: 'leaving' },
      { label: ' Kitchen off ', command },
      { label: 'Lamp', command: { targets: { devices: ['kitchen-lamp'] }, set: { on: true } } },
    ],
  });
  const actions = [
    { label: 'Leave', scene: scene.id, command: null },
    { label: 'Kitchen off', scene: null, command: { ...command, targets: { room: idOf(kitchen) } } },
    { label: 'Lamp', scene: null, command: { targets: { devices: [idOf(lamp)] }, set: { on: true } } },
  ];
  expect([sent.status, sent.json]).toEqual([201, expect.objectContaining({ actions })]);
  const listed = await ask('resident', 'GET /notification');
  expect(listed.json).toMatchObject({ notifications: [{ title: 'Everybody has left', actions }] });
  const wishes = [{ device: 'kitchen-lamp', set: { on: true } }];
  expect((await send({ title: 'On', actions: [{ label: 'Lamp', command: { wishes } }] })).json).toMatchObject({
    actions: [{ command: { wishes: [{ device: idOf(lamp), set: { on: true } }] } }],
  });
  // What is sent without buttons has none.
  expect((await send({ title: 'Plain' })).json).toMatchObject({ actions: [] });
});

test.each([
  ['nothing to do', { label: 'Go' }, '/actions/0'],
  ['two things to do', { label: 'Go', scene: 'all-off', command: { targets: { room: 'kitchen' } } }, '/actions/0'],
  ['an unknown scene', { label: 'Go', scene: 'nowhere' }, '/actions/0/scene'],
  ['no device', { label: 'Go', command: { set: { on: true } } }, '/actions/0/command'],
  [
    'an unknown device',
    { label: 'Go', command: { targets: { devices: ['nothing'] }, set: { on: true } } },
    '/actions/0/command/targets/devices/0',
  ],
  [
    'an unknown device with values of its own',
    { label: 'Go', command: { wishes: [{ device: 'nothing', set: { on: true } }] } },
    '/actions/0/command/wishes/0/device',
  ],
  ['an unknown room', { label: 'Go', command: { targets: { room: 'cellar' } } }, '/actions/0/command/targets/room'],
  [
    'too long a command',
    { label: 'Go', command: { targets: { room: 'kitchen' }, set: { x: 'a'.repeat(2_000) } } },
    '/actions/0/command',
  ],
  ['too long a label', { label: 'a'.repeat(101), scene: 'all-off' }, '/actions/0/label'],
])('a button with %s is refused', async (_name, action, pointer) => {
  const refused = await send({ title: 'x', actions: [action] });
  expect([refused.status, refused.json]).toEqual([
    422,
    expect.objectContaining({ errors: expect.arrayContaining([expect.objectContaining({ pointer })]) }),
  ]);
});

test('a script that is limited to a room gets nothing about another one, also if its person is named', async () => {
  const kitchen = hub.home.rooms.findRoom('kitchen');
  await addToken('script', ['notification:read', 'device:read'], kitchen === undefined ? [] : [kitchen.id]);
  const owner = hub.auth.accounts.findUserByEmail(OWNER.email)?.id;
  const to = [`user:${owner}`];
  await send({ title: 'of the attic', device: 'attic-lamp', to });
  await send({ title: 'of nothing', to });
  await send({ title: 'of the kitchen', device: 'kitchen-lamp', to });
  expect(await titlesOf('script')).toEqual(['of the kitchen']);
  expect(await titlesOf('owner')).toHaveLength(3);
});

test('a script offers no button that opens what it may not open itself, whatever its label says', async () => {
  await addToken('script', PRESETS.everything_but_doors);
  await addToken('keeper', [...PRESETS.everything_but_doors, 'device:control_sensitive']);
  expect((await ask('owner', 'PATCH /device/kitchen-lamp', { sensitive: true })).status).toBe(200);
  const targets = [{ device: 'kitchen-lamp', set: { on: true } }];
  expect((await ask('owner', 'POST /scene', { name: 'Door', targets })).status).toBe(201);
  const set = { on: true };
  const offers = [
    { command: { targets: { devices: ['kitchen-lamp'] }, set } },
    { command: { targets: { room: 'kitchen' }, set } },
    { command: { wishes: targets } },
    { scene: 'door' },
  ];
  for (const offer of offers) {
    const body = { title: 'Somebody has left a light on', actions: [{ label: 'Light off', ...offer }] };
    const refused = await send(body, 'script');
    expect([offer, refused.status, refused.json]).toMatchObject([offer, 403, { code: 'FORBIDDEN' }]);
    expect([offer, (await send(body, 'keeper')).status]).toEqual([offer, 201]);
  }
  const attic = { label: 'Attic', command: { targets: { devices: ['attic-lamp'] }, set } };
  expect((await send({ title: 'Attic', actions: [attic] }, 'script')).status).toBe(201);
});
