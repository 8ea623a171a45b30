import { beforeEach, describe, expect, test } from 'vitest';
import type { DeviceId } from '#core/device/device.ts';
import type { TokenScope } from '#auth/scope.ts';
import type { RoomId } from '#core/room/room.ts';
import { systemClock } from '#base/time/clock.ts';
import { findRoutes } from '#http/find/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';

type Match = { readonly kind: string; readonly selector: string; readonly name: string; readonly room: unknown };

let hub: HubApp;
beforeEach(async () => {
  hub = await openHubApp(['Küchenlampe', 'Tischlampe', 'Lampe', 'Straßenlicht', 'Flur']);
  const kitchen = hub.home.rooms.findRoom('kitchen');
  const table = hub.home.registry.findDevice('tischlampe');
  if (kitchen === undefined || table === undefined) throw new Error('the home is not furnished');
  await hub.home.registry.updateDevice(table.id, { roomId: kitchen.id });
});

async function ask(query: string, token = hub.accessToken) {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await hub.app.fetch(new Request(`http://hub.local/api/v1/find${query}`, { headers }));
  return { status: answer.status, total: Number(answer.headers.get('x-total-count')), json: await answer.json() };
}
const search = async (q: string, token?: string): Promise<readonly Match[]> =>
  (await ask(`?q=${encodeURIComponent(q)}`, token)).json as Match[];
const names = async (q: string, token?: string): Promise<readonly string[]> =>
  (await search(q, token)).map(({ name }) => name);

const idOf = (name: string): DeviceId => hub.home.registry.findDevice(name)?.id as DeviceId;
const memberOf = (selector: string) => ({ id: idOf(selector), selector, name: selector });

async function makeToken(limits: { readonly scopes?: readonly TokenScope[]; readonly roomIds?: RoomId[] }) {
  const [user] = hub.auth.accounts.users();
  if (user === undefined) throw new Error('the hub has no owner');
  const whole = { roomIds: null, deviceIds: null, networks: null, provider: null, expiresInS: null };
  const scopes: readonly TokenScope[] = ['device:read', 'automation:read'];
  const { text } = await hub.auth.apiTokens.addToken({ userId: user.id, name: 'x', scopes, ...whole, ...limits });
  return text;
}

describe('words of a person', () => {
  test('find a thing without their accents and case, in any order, by its room and its maker too', async () => {
    expect(await names('KUCHENLAMPE')).toEqual(['Küchenlampe']);
    expect(await names('strasse')).toEqual(['Straßenlicht']);
    expect(await names('kitchen tisch')).toEqual(['Tischlampe']);
    expect(await names('ikea flur')).toEqual(['Flur']);
    expect(await names('flur nowhere')).toEqual([]);
    expect(await search('tischlampe')).toEqual([
      {
        kind: 'device',
        selector: 'tischlampe',
        name: 'Tischlampe',
        room: { id: expect.any(String), selector: 'kitchen', name: 'Kitchen' },
      },
    ]);
  });

  test('find the best first: the whole name, its beginning, the beginning of a word, a part', async () => {
    await hub.home.registry.updateDevice(idOf('flur'), { ownName: 'Alte Lampe' });
    await hub.home.registry.updateDevice(idOf('strassenlicht'), { ownName: 'Lampenladen' });
    expect(await names('lampe')).toEqual(['Lampe', 'Lampenladen', 'Alte Lampe', 'Küchenlampe', 'Tischlampe']);
  });

  test('find things of each kind, and with `kind` only of these', async () => {
    await hub.home.groups.addGroup({ name: 'Lampen', members: [memberOf('lampe')], roomId: null }, {});
    await hub.home.rooms.addRoom('Lampenraum');
    const { json } = await ask('?q=lampen');
    expect((json as Match[]).map(({ kind, name }) => [kind, name])).toEqual([
      ['group', 'Lampen'],
      ['room', 'Lampenraum'],
    ]);
    expect(((await ask('?q=lampe&kind=group,room')).json as Match[]).map(({ kind }) => kind)).toEqual([
      'room',
      'group',
    ]);
    expect(await names('all off')).toEqual(['All off']);
  });
});

test('at most 20 are shown, the best of each kind, and how many there are', async () => {
  const many = await openHubApp(Array.from({ length: 60 }, (_, index) => `Lamp ${index}`));
  hub = many;
  for (const name of ['My lamp', 'Her lamp']) await many.home.rooms.addRoom(name);
  const { json, total } = await ask('?q=lamp');
  const kinds = (json as Match[]).map(({ kind }) => kind);
  expect([kinds.length, total]).toEqual([20, 62]);
  expect(kinds.filter((kind) => kind === 'room')).toHaveLength(2);
});

test.each(['', '?q=', '?q=%20', `?q=${'x'.repeat(101)}`, '?q=x&kind=person', '?q=x&limit=3', '?q=%ff', '?q=x&q=y'])(
  'refuses %s',
  async (query) => {
    const { status, json } = await ask(query);
    expect([status, json]).toEqual([400, expect.objectContaining({ code: 'INVALID_QUERY' })]);
  },
);

test('takes any character as a word', async () => {
  for (const q of ['.*', '[', '\\', '\u0301', '%', '\u0000', 'ﷺ'.repeat(100), 'x '.repeat(50)]) {
    expect(await names(q)).toEqual([]);
  }
});

test('a token finds only what its rooms and scopes have', async () => {
  const kitchen = hub.home.rooms.findRoom('kitchen')?.id as RoomId;
  const limited = await makeToken({ scopes: ['device:read'], roomIds: [kitchen] });
  expect(await names('lampe', limited)).toEqual(['Tischlampe']);
  expect(await names('flur', limited)).toEqual([]);
  const other = await makeToken({ scopes: ['event:read'] });
  expect((await ask('?q=lampe', other)).status).toBe(403);
});

test('a home of 10,000 devices is searched in short turns', async () => {
  const one = hub.home.registry.devices()[0];
  if (one === undefined) throw new Error('the home is not furnished');
  const devices = Array.from({ length: 10_000 }, (_, index) => ({
    ...one,
    name: `Küche Lampe ${index}`,
    roomId: null,
  }));
  const none = { rooms: () => [], scenes: () => [], automations: () => [], findRoom: () => undefined };
  const deps = { ...none, rooms: none, scenes: none, automations: none };
  const registry = { devices: () => devices, findDevice: () => undefined };
  const { request } = createTestApp(findRoutes({ ...deps, registry, monotonicMs: systemClock.monotonicMs }));
  const searchAll = () => request('/api/v1/find?q=kuche%20lampe%2099', { headers: { Authorization: 'Bearer owner' } });
  expect((await searchAll()).headers.get('x-total-count')).toBe('280');
  let longestMs = 0;
  let since = startStopwatch();
  const ticking = setInterval(() => {
    longestMs = Math.max(longestMs, since());
    since = startStopwatch();
  }, 0);
  const took = startStopwatch();
  await searchAll();
  const tookMs = took();
  clearInterval(ticking);
  expectBelow('a search in 10,000 devices, ms', tookMs, 120);
  expectBelow('its longest turn, ms', longestMs, 30);
});
