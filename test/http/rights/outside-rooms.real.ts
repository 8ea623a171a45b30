import { expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import type { Role, User } from '#core/person/user.ts';
import { PLACE_SCOPES, TOKEN_SCOPES } from '#auth/scope.ts';
import { readContract } from '#test/support/daemon/contract-check.ts';
import { openWholeHub, type WholeHub } from '#test/support/hub/whole-hub.ts';

/*
 * A person who is limited to the kitchen names what is outside of it, in every place of every call of the OpenAPI
 * document where a name can stand. The answer must be the one for a name that does not exist. An unlimited person gets
 * another answer for the two names: that shows that the request reaches the place where the hub looks for the name.
 */

/** Calls that limited people may make and that name nothing of the home. Every other call must tell names apart. */
const NAMELESS = [
  'GET /health',
  'GET /hub',
  'GET /me',
  'GET /me/home',
  'GET /session',
  'GET /api_token',
  'GET /wall_request',
  'POST /wall_request/{digits}/refuse',
  'GET /vocabulary',
  'PATCH /me',
  'POST /presence/me',
  // Lists of what the caller sees.
  'GET /history/series',
  'GET /group',
  'GET /room',
  'GET /scene',
  // It keeps any id, and the answer has only what the caller sees: `test/http/user/home-view.test.ts`.
  'PUT /me/home',
  // They take ids of sessions and API tokens only.
  'DELETE /api_token/{id}',
  'DELETE /session/{id}',
  'GET /api_token/{id}',
];
/** Shows what the person has named. */
const OWN_WORDS = 'GET /api_token';
/** They end the session of the caller or are about its password. */
const LEFT_OUT = new Set(['POST /logout', 'DELETE /session', 'POST /me/password', 'POST /me/password/check']);

type Slot = readonly (string | number)[];
type Schema = {
  $ref?: string;
  type?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  enum?: unknown[];
} & {
  readonly anyOf?: readonly Schema[];
  readonly example?: unknown;
};
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Call = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly body: unknown;
  readonly slots: readonly Slot[];
};

const contract = readContract() as unknown as {
  paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: Body; security?: unknown[] }>>;
  components: Record<string, Record<string, unknown>>;
};
type Body = { content: Record<string, { schema: Schema; example?: unknown }> };

function resolved<Found extends { $ref?: string }>(given: Found): Found {
  if (given.$ref === undefined) return given;
  const [, , group = '', name = ''] = given.$ref.split('/');
  return contract.components[group]?.[name] as Found;
}

/** The places in a body where a text or a list of texts may stand. */
function slotsOf(given: Schema, at: Slot = []): readonly Slot[] {
  const schema = resolved(given);
  if (at.length > 5) return [];
  const options = (schema.anyOf ?? []).flatMap((one) => slotsOf(one, at));
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => slotsOf(one, [...at, name]));
  const items = schema.items === undefined ? [] : slotsOf(schema.items, [...at, 0]);
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined;
  return [...(isText ? [at] : []), ...options, ...members, ...items];
}

function withName(body: unknown, [first, ...rest]: Slot, name: string): unknown {
  if (first === undefined) return name;
  if (typeof first === 'number') return [withName(Array.isArray(body) ? body[0] : undefined, rest, name)];
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...object, [first]: withName((object as Record<string, unknown>)[first], rest, name) };
}

function callsOf(): readonly Call[] {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, security }]) => {
      if (!path.startsWith('/api/v1/') || security?.length === 0) return [];
      const named = (place: string): string[] =>
        parameters.map(resolved).flatMap((one) => (one.in === place ? [one.name] : []));
      const json = requestBody?.content['application/json'];
      const slots = json === undefined ? [] : slotsOf(json.schema);
      const short = path.replace('/api/v1', '');
      const body = json === undefined ? undefined : (json.example ?? {});
      const name = `${method.toUpperCase()} ${short}`;
      return [{ name, method: method.toUpperCase(), path, params: named('path'), query: named('query'), body, slots }];
    }),
  );
}

/** Something outside of the rooms, and a name of the same form that does not exist. */
type Pair = { readonly outside: string; readonly absent: string };
type Asker = {
  readonly name: string;
  readonly token: string;
  /** Given to a device outside in another login of the person, before the person was limited. */
  readonly command: string;
};
type Scene = {
  readonly hub: WholeHub;
  readonly limited: readonly Asker[];
  readonly unlimited: Asker;
  readonly pairs: readonly Pair[];
  /** Ids and selectors of all devices and rooms outside. */
  readonly secrets: readonly string[];
  /** Before the first event that a limited person must not get. */
  readonly cursor: string;
  readonly nextRequest: () => void;
};

const ABSENT = '0198f1c2-0000-7000-8000-00000000beef';

async function openScene(): Promise<Scene> {
  // Each request is a minute after the last one, so that no ration ends.
  let jumpMs = 0;
  const hub = await openWholeHub({ clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + jumpMs } });
  const { devices, rooms, accounts } = hub.home;
  const lock = devices.findDevice('front-door-lock');
  const [hallway, kitchen] = [rooms.findRoom('hallway'), rooms.findRoom('kitchen')];
  if (lock === undefined || hallway === undefined || kitchen === undefined)
    throw new Error('the home is not furnished');
  const outside = devices.devices().filter(({ roomId }) => roomId !== kitchen.id);
  const lamp = outside.find(({ features }) => features.some(({ key, writable }) => key === 'brightness' && writable));
  const owner = await hub.addPerson('ada', 'owner');
  const addPerson = async (name: string, role: Role, roomIds: User['roomIds']): Promise<Asker & { user: User }> => {
    const before = await hub.addPerson(name, role);
    const given = await hub.call(`POST /device/${lamp?.selector}/command`, {
      token: before.token,
      body: { set: { on: true } },
    });
    expect(given.status).toBeLessThan(300);
    await accounts.updateUser(before.user.id, { roomIds });
    const { user, token } = await hub.logIn(before.user.email);
    return { name, token, user, command: String(given.json['id']) };
  };
  const notified = await hub.call('POST /notification', {
    token: owner.token,
    body: { title: 'Jammed', device: lock.selector, to: ['role:owner', 'role:resident', 'role:guest'] },
  });
  expect(notified.status).toBe(201);
  await hub.call('POST /notification', { token: owner.token, body: { title: `About ${lock.id}` } });
  const barred = await hub.call('POST /scene', {
    token: owner.token,
    body: { name: 'Barred', targets: [{ device: lock.selector, set: { locked: true } }] },
  });
  expect(barred.status).toBe(201);
  const guarded = await hub.call('POST /automation', {
    token: owner.token,
    body: {
      name: 'Guarded',
      room: 'hallway',
      labels: ['no-such-thing'],
      triggers: [{ type: 'feature', device: lock.selector, key: 'locked', to: false }],
      steps: [],
    },
  });
  expect(guarded.status).toBe(201);
  const doors = await hub.call('POST /group', {
    token: owner.token,
    body: { name: 'Doors', members: [lock.selector], room: 'hallway' },
  });
  expect(doors.status).toBe(201);
  const guest = await addPerson('guest', 'guest', new Set([kitchen.id]));
  const resident = await addPerson('resident', 'resident', new Set([kitchen.id]));
  const homeless = await addPerson('resident of no room', 'resident', new Set());
  const scopes = TOKEN_SCOPES.filter((scope) => PLACE_SCOPES.has(scope));
  const script = await hub.addToken(resident.user, { scopes });
  const wider = await hub.addToken(resident.user, { scopes, roomIds: [hallway.id], deviceIds: [lock.id] });
  const cursor = hub.home.events.cursor();
  devices.reportsOf('simulated-home').reportValues(lock.externalId, new Map([['locked', false]]));
  return {
    hub,
    limited: [
      guest,
      resident,
      homeless,
      { ...resident, name: 'script of the resident', token: script },
      { ...resident, name: 'script for a device outside', token: wider },
    ],
    unlimited: await addPerson('unlimited resident', 'resident', null),
    pairs: [
      { outside: lock.selector, absent: 'no-such-thing' },
      { outside: lock.id, absent: ABSENT },
      { outside: hallway.selector, absent: 'no-such-room' },
      { outside: hallway.id, absent: ABSENT },
      { outside: 'barred', absent: 'no-such-scene' },
      { outside: String(barred.json['id']), absent: ABSENT },
      { outside: 'guarded', absent: 'no-such-automation' },
      { outside: String(guarded.json['id']), absent: ABSENT },
      { outside: 'doors', absent: 'no-such-group' },
      { outside: String(doors.json['id']), absent: ABSENT },
      { outside: `${lock.selector}/locked`, absent: 'no-such-thing/locked' },
      { outside: String(notified.json['id']), absent: ABSENT },
    ],
    secrets: [
      '"barred"',
      '"guarded"',
      '"doors"',
      String(doors.json['id']),
      ...[...outside, ...rooms.rooms().filter(({ id }) => id !== kitchen.id)].flatMap(({ id, selector }) => [
        id,
        `"${selector}"`,
      ]),
    ],
    cursor,
    nextRequest: () => void (jumpMs += 60_000),
  };
}

type Naming = { readonly call: Call; readonly place?: Slot | string; readonly name?: string };
type Answer = { readonly text: string; readonly status: number; readonly isChange: boolean };

async function ask(scene: Scene, { token }: Asker, { call, place, name = '' }: Naming): Promise<Answer> {
  scene.nextRequest();
  const path = call.params.reduce(
    (line, param) => {
      return line.replace(`{${param}}`, place === param ? encodeURIComponent(name) : usual(call, param));
    },
    call.path.replace('{digits}', place === 'digits' ? '{digits}' : await digitsOf(scene, call)),
  );
  const query = new URLSearchParams(call.name === 'GET /event' ? { wait: '0', since: scene.cursor } : {});
  if (typeof place === 'string' && call.query.includes(place)) query.set(place, name);
  const body = typeof place === 'object' ? withName(call.body, place, name) : call.body;
  const request = new Request(`http://hub.local${path}?${query.toString()}`, {
    method: call.method,
    headers: {
      Authorization: `Bearer ${token}`,
      Prefer: 'wait=0',
      Accept: 'application/json',
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await scene.hub.fetch(request);
  return { status: answer.status, text: await answer.text(), isChange: call.method !== 'GET' };
}

/** The digits of a screen on the wall that has just asked. */
async function digitsOf({ hub }: Scene, { params }: Call): Promise<string> {
  if (!params.includes('digits')) return '';
  const { status, json } = await hub.call('POST /wall_request', { body: { name: 'Tablet' } });
  expect(status).toBe(201);
  return String(json['code']);
}

/** What stands in a place that is not asked about. */
function usual({ path }: Call, param: string): string {
  if (param === 'key') return 'locked';
  return path.startsWith('/api/v1/room') ? 'kitchen' : 'x';
}

/** The answer without what differs between any two requests. Of a change that was made, its status alone. */
function gist({ status, text, isChange }: Answer, name: string): string {
  if (status < 300 && isChange) return String(status);
  const shown = text.replace(/"request_id":"[^"]*"/, '').replace(/\/\d{6}\//, '/');
  return shown.replaceAll(name, '§').replaceAll(encodeURIComponent(name), '§');
}

/** Whether the caller may not make the call at all. */
const isRefused = ({ status, text }: Answer): boolean => status === 403 && !text.includes(' for front-door-lock');

const isRemoval = ({ method }: Call): boolean => method === 'DELETE';

/** The places of the call where the caller gets another answer for what is outside than for what does not exist. */
async function placesThatTell(scene: Scene, asker: Asker, call: Call): Promise<readonly string[]> {
  const told: string[] = [];
  const pairs = [...scene.pairs, { outside: asker.command, absent: ABSENT }];
  // A list that shows what the person has named shows it whatever is asked.
  const gistOf = (answer: Answer, name: string) => gist(answer, call.name === OWN_WORDS ? ABSENT : name);
  for (const place of [...call.params, ...call.query, ...call.slots]) {
    for (const { outside, absent } of pairs) {
      const one = await ask(scene, asker, { call, place, name: outside });
      const other = await ask(scene, asker, { call, place, name: absent });
      if (gistOf(one, outside) === gistOf(other, absent)) continue;
      // The home goes on meanwhile: a list that has changed since the first answer tells nothing of the name.
      const again = one.isChange ? one : await ask(scene, asker, { call, place, name: outside });
      if (gistOf(again, outside) === gistOf(one, outside)) told.push(`${String(place)}=${outside}: ${one.status}`);
    }
  }
  return told;
}

test('what is outside of a person’s rooms is, in every place of every call, like what does not exist', async () => {
  const scene = await openScene();
  const { limited, unlimited, secrets } = scene;
  const told: string[] = [];
  const allowed = new Set<Call>();
  const shown: string[] = [];
  for (const call of callsOf().filter(({ name }) => !LEFT_OUT.has(name))) {
    for (const asker of limited) {
      const plain = await ask(scene, asker, { call });
      if (isRefused(plain)) continue;
      allowed.add(call);
      for (const place of await placesThatTell(scene, asker, call)) told.push(`${call.name} ${place} by ${asker.name}`);
      const found = secrets.filter((secret) => plain.status < 300 && plain.text.includes(secret));
      if (found.length > 0 && call.name !== OWN_WORDS) shown.push(`${call.name} by ${asker.name}: ${found.join(' ')}`);
    }
  }
  expect([told, shown]).toEqual([[], []]);
  const nameless: string[] = [];
  // What is removed cannot be named any more.
  const inOrder = [...allowed].toSorted((left, right) => Number(isRemoval(left)) - Number(isRemoval(right)));
  for (const call of inOrder) {
    // What this person adds under a name that does not exist would exist from then on.
    const slots = call.slots.filter((slot) => slot.join() !== 'name');
    if ((await placesThatTell(scene, unlimited, { ...call, slots })).length === 0) nameless.push(call.name);
  }
  // The instrument: an unlimited person does get another answer, so the requests reach what decides.
  expect(nameless.toSorted()).toEqual(NAMELESS.toSorted());
});
