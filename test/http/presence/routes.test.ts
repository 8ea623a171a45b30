import { expect, test } from 'vitest';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

test('a person tells where they are, everyone who lives here sees it, and a guest sees whether anyone is home', async () => {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const guest = await hub.addPerson('gus', 'guest');
  const seen = async (token: string) => (await hub.call('GET /presence', { token })).json;
  expect(await seen(guest.token)).toEqual({ anyone: 'unknown' });
  const told = await hub.call('POST /presence/me', { token: owner.token, body: { state: 'home' } });
  expect([told.status, told.json]).toMatchObject([200, { user: { name: 'ada' }, state: 'home', evidence: 'told' }]);
  expect(await seen(guest.token)).toEqual({ anyone: 'home' });
  const people = (await seen(owner.token))['people'];
  expect(people).toMatchObject([
    { user: { id: owner.user.id }, state: 'home' },
    { user: { id: guest.user.id }, state: 'unknown', since: null },
  ]);
});

test('a sensor is bound to a person by its selector, and what tells no presence is refused by its place', async () => {
  const hub = await openWholeHub();
  const { user, token } = await hub.addPerson('ada', 'owner');
  const path = `PATCH /presence/${user.id}`;
  const sensor = hub.home.devices.devices().find(({ features }) => features.some(({ key }) => key === 'motion'));
  if (sensor === undefined) throw new Error('the simulated home has no sensor of motion');
  const sources = [{ device: sensor.selector, key: 'motion' }];
  const changed = await hub.call(path, { token, body: { sources, away_after_s: 60 } });
  expect(changed.json).toMatchObject({ away_after_s: 60, sources: [{ device: sensor.id, key: 'motion' }] });
  const [away, bound] = await Promise.all([
    hub.call(path, { token, body: { away_after_s: 600 } }),
    hub.call(path, { token, body: { sources: [] } }),
  ]);
  expect([away.status, bound.status]).toEqual([200, 200]);
  // Whichever came first.
  const after = (await hub.call(path, { token, body: {} })).json;
  expect(after).toMatchObject({ away_after_s: 600, sources: [] });
  expect((await hub.call(`GET /presence/${user.id}`, { token })).json).toEqual(after);
  const wrong = [...sources, { device: 'nothing', key: 'motion' }, { device: 'front-door-lock', key: 'locked' }];
  const refused = await hub.call(path, { token, body: { sources: wrong } });
  expect([refused.status, refused.json['errors']]).toMatchObject([
    422,
    [{ pointer: '/sources/1/device' }, { pointer: '/sources/2/key' }],
  ]);
  const nobody = await hub.call('PATCH /presence/0198f1c2-0000-7000-8000-000000000009', { token, body: {} });
  expect(nobody.status).toBe(404);
  expect((await hub.call('GET /presence/0198f1c2-0000-7000-8000-000000000009', { token })).status).toBe(404);
});

test('a person who is limited to rooms tells where they are, and reads of no device elsewhere', async () => {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const { user } = await hub.addPerson('gus', 'guest');
  const sensor = hub.home.devices.devices().find(({ features }) => features.some(({ key }) => key === 'motion'));
  if (sensor === undefined) throw new Error('the simulated home has no sensor of motion');
  const sources = [{ device: sensor.selector, key: 'motion' }];
  await hub.call(`PATCH /presence/${user.id}`, { token: owner.token, body: { sources } });
  const tell = async (rooms: readonly string[]) => {
    const roomIds = new Set(rooms.flatMap((name) => hub.home.rooms.findRoom(name)?.id ?? []));
    await hub.home.accounts.updateUser(user.id, { roomIds });
    const { token } = await hub.logIn(user.email);
    return hub.call('POST /presence/me', { token, body: { state: 'home' } });
  };
  const room = hub.home.rooms.rooms().find(({ id }) => id === sensor.roomId);
  const other = hub.home.rooms.rooms().find(({ id }) => id !== sensor.roomId);
  const [inside, outside] = [await tell([room?.selector ?? '']), await tell([other?.selector ?? ''])];
  expect([inside.status, inside.json['sources']]).toEqual([200, [{ device: sensor.id, key: 'motion' }]]);
  expect([outside.status, outside.json['state'], outside.json['sources']]).toEqual([200, 'home', []]);
});
