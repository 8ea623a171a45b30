import { beforeAll, expect, test } from 'vitest';
import type { TokenScope } from '#auth/scope.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Role } from '#core/person/user.ts';
import { OWNER, PEER } from '#test/support/hub/auth-harness.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

const PASSWORD = 'pebble window 9';
const CONTROL: readonly TokenScope[] = ['device:read', 'device:control', 'event:read'];

let hub: HubApp;
const tokens = new Map<string, string>();
/** Ids of commands by issuer: one for a lamp in the kitchen, one for that lamp and another in no room. */
const commands = new Map<string, { kitchen: string; both: string }>();
let cursor: string;

beforeAll(async () => {
  hub = await openHubApp(['Kitchen lamp', 'Attic lamp']);
  const lamp = hub.home.registry.findDevice('kitchen-lamp');
  const [kitchen] = hub.home.rooms.rooms();
  if (lamp === undefined || kitchen === undefined) throw new Error('the home is not furnished');
  await hub.home.registry.updateDevice(lamp.id, { roomId: kitchen.id });
  const addToken = async (
    name: string,
    email: string,
    more: { scopes?: readonly TokenScope[]; isLimited?: boolean },
  ) => {
    const userId = hub.auth.accounts.findUserByEmail(email)?.id;
    if (userId === undefined) throw new Error(`there is no ${email}`);
    const roomIds = more.isLimited === true ? [kitchen.id] : null;
    const rest = { userId, name, roomIds, deviceIds: null, networks: null, provider: null, expiresInS: null };
    tokens.set(name, (await hub.auth.apiTokens.addToken({ ...rest, scopes: more.scopes ?? CONTROL })).text);
  };
  tokens.set('owner', hub.accessToken);
  for (const role of ['admin', 'resident', 'guest'] satisfies Role[]) {
    const email = `${role}@home.test`;
    await hub.auth.accounts.addUser({ email, name: role, role, password: PASSWORD }, { peer: PEER, pointer: '' });
    tokens.set(role, (await hub.auth.logIn({ email, password: PASSWORD })).accessToken);
  }
  tokens.set('guest elsewhere', (await hub.auth.logIn({ email: 'guest@home.test', password: PASSWORD })).accessToken);
  await addToken('script of guest', 'guest@home.test', {});
  await addToken('script of owner', OWNER.email, {});
  await addToken('script of owner in the kitchen', OWNER.email, { isLimited: true });
  await addToken('script of admin in the kitchen', 'admin@home.test', { isLimited: true });
  const manage = [...CONTROL, 'device:manage' as const];
  await addToken('manager of admin in the kitchen', 'admin@home.test', { isLimited: true, scopes: manage });
  await addToken('manager of admin', 'admin@home.test', { scopes: manage });
  cursor = hub.home.events.cursor();
  for (const issuer of ['owner', 'resident', 'guest', 'script of guest']) {
    const [kitchenOnly, both] = await Promise.all([
      give(issuer, ['kitchen-lamp']),
      give(issuer, ['kitchen-lamp', 'attic-lamp']),
    ]);
    commands.set(issuer, { kitchen: kitchenOnly, both });
  }
});

async function ask(who: string, line: string, body?: unknown): Promise<{ status: number; json: never }> {
  const [method = '', path = ''] = line.split(' ');
  const headers = { Authorization: `Bearer ${tokens.get(who)}`, Accept: 'application/json', Prefer: 'wait=0' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const url = `http://hub.local/api/v1${path}`;
  const answer = await hub.app.fetch(new Request(url, { method, headers: { ...headers, ...type }, ...sent }));
  return { status: answer.status, json: (await answer.json()) as never };
}

async function give(who: string, devices: readonly string[]): Promise<string> {
  const { json } = await ask(who, 'POST /command', { targets: { devices }, set: { on: false } });
  return (json as { id: string }).id;
}

async function commandEventsOf(who: string): Promise<ReadonlySet<string>> {
  const { json } = await ask(who, `GET /event?since=${cursor}&wait=0&types=command.changed`);
  const { events } = json as { events: { data: { command: { id: string } } }[] };
  return new Set(events.map(({ data }) => data.command.id));
}

const ALL = ['owner', 'resident', 'guest', 'script of guest'].flatMap((issuer) => [
  `${issuer} kitchen`,
  `${issuer} both`,
]);
const EXPORTER = '0190a5a0-0000-7000-8000-000000000000';
const EXPORTERS = ['exporter.changed', 'exporter.gap'];
const ABOUT_THE_HOME: readonly HomeEvent[] = [
  { type: 'integration.changed', integration: 'z', status: { state: 'connected', sinceMs: 1, error: null } },
  {
    type: 'pairing.changed',
    integration: 'z',
    pairing: { step: 'closed', externalId: null, deviceId: null, seconds: null, detail: null },
  },
  { type: 'exporter.changed', exporter: EXPORTER, status: 'ok' },
  { type: 'exporter.gap', exporter: EXPORTER, samples: 1, fromMs: null },
];
const OF_GUEST = ALL.filter((name) => name.includes('guest'));

test.each<[string, readonly string[]]>([
  ['owner', ALL],
  ['admin', ALL],
  ['manager of admin', ALL],
  ['resident', ['resident kitchen', 'resident both']],
  ['guest', OF_GUEST],
  ['guest elsewhere', OF_GUEST],
  ['script of guest', OF_GUEST],
  ['script of owner', ['owner kitchen', 'owner both']],
  ['script of owner in the kitchen', ['owner kitchen']],
  ['script of admin in the kitchen', []],
  ['manager of admin in the kitchen', ALL.filter((name) => name.endsWith('kitchen'))],
])('A1: %s gets events of exactly the commands that it may read', async (who, expected) => {
  const received = await commandEventsOf(who);
  const seen: string[] = [];
  const shown: string[] = [];
  for (const [issuer, ids] of commands) {
    for (const [reach, id] of Object.entries(ids)) {
      if (received.has(id)) seen.push(`${issuer} ${reach}`);
      if ((await ask(who, `GET /command/${id}`)).status === 200) shown.push(`${issuer} ${reach}`);
    }
  }
  expect({ seen, shown }).toEqual({ seen: expected, shown: expected });
});

test.each([
  ['guest', ['room.added', 'integration.changed']],
  ['resident', ['room.added', 'integration.changed']],
  ['admin', ['room.added', 'integration.changed', 'pairing.changed', ...EXPORTERS]],
])('%s: gets no event about what it may not ask for', async (who, expected) => {
  const from = hub.home.events.cursor();
  await hub.home.rooms.addRoom(`Cellar of ${who}`);
  for (const event of ABOUT_THE_HOME) hub.home.events.append(event);
  const { json } = await ask(who, `GET /event?since=${from}&wait=0`);
  const { events } = json as { events: { type: string }[] };
  expect(events.map(({ type }) => type)).toEqual(expected);
});
