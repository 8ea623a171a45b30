import { describe, expect, test } from 'vitest';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

const PLAIN = { favorites: [], room_order: [], device_order: [], hidden: [] };

async function openScene() {
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const guest = await hub.addPerson('gus', 'guest');
  const devices = (await hub.call('GET /device', { token: owner.token })).json as unknown as { id: string }[];
  const idOf = async (path: string): Promise<string> =>
    String((await hub.call(`GET ${path}`, { token: owner.token })).json['id']);
  return { hub, owner, guest, devices, idOf };
}

describe('the view of a person on the home', () => {
  test('is plain at first, and kept for this person alone', async () => {
    const { hub, owner, guest, idOf } = await openScene();
    expect((await hub.call('GET /me/home', { token: owner.token })).json).toEqual(PLAIN);
    const [ceiling, kitchen] = [await idOf('/device/kitchen-ceiling'), await idOf('/room/kitchen')];
    const body = { favorites: ['kitchen-ceiling', ceiling], room_order: ['kitchen'], hidden: [kitchen, ceiling] };
    const set = await hub.call('PUT /me/home', { token: owner.token, body });
    const kept = { ...PLAIN, favorites: [ceiling], room_order: [kitchen], hidden: [kitchen, ceiling] };
    expect([set.status, set.json]).toEqual([200, kept]);
    expect((await hub.call('GET /me/home', { token: owner.token })).json).toEqual(kept);
    expect((await hub.call('GET /me/home', { token: guest.token })).json).toEqual(PLAIN);
    expect((await hub.call('PUT /me/home', { token: owner.token, body: {} })).json).toEqual(PLAIN);
  });

  test('keeps the language of the person, whichever is set first', async () => {
    const { hub, owner, idOf } = await openScene();
    const { token } = owner;
    const kitchen = await idOf('/room/kitchen');
    const [view, me] = await Promise.all([
      hub.call('PUT /me/home', { token, body: { hidden: [kitchen] } }),
      hub.call('PATCH /me', { token, body: { language: 'de' } }),
    ]);
    expect([view.status, me.status]).toEqual([200, 200]);
    expect((await hub.call('GET /me/home', { token })).json).toEqual({ ...PLAIN, hidden: [kitchen] });
    await hub.call('PUT /me/home', { token, body: {} });
    expect((await hub.call('GET /me', { token })).json['language']).toBe('de');
  });

  test('refuses names of nothing, each with its place', async () => {
    const { hub, owner } = await openScene();
    const body = { favorites: ['kitchen-ceiling', 'no-such-lamp'], room_order: [7] };
    const refused = await hub.call('PUT /me/home', { token: owner.token, body });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({ errors: [{ pointer: '/favorites/1' }, { pointer: '/room_order/0' }] });
    const many = { favorites: Array.from({ length: 401 }, (_, index) => `lamp-${index}`) };
    expect((await hub.call('PUT /me/home', { token: owner.token, body: many })).status).toBe(422);
  });

  test('shows a limited person nothing from outside, whatever was kept', async () => {
    const { hub, owner, guest, idOf } = await openScene();
    const [lamp, hall] = [await idOf('/device/kitchen-ceiling'), await idOf('/room/hallway')];
    await hub.call('PUT /me/home', {
      token: guest.token,
      body: { favorites: [lamp], device_order: [lamp], room_order: [hall], hidden: [hall, lamp] },
    });
    const limit = (rooms: readonly string[] | null) =>
      hub.call(`PATCH /user/${guest.user.id}`, { token: owner.token, body: { rooms } });
    await limit(['kitchen']);
    expect((await hub.call('GET /me/home', { token: guest.token })).json).toEqual({
      favorites: [lamp],
      device_order: [lamp],
      room_order: [],
      hidden: [lamp],
    });
    await limit([]);
    expect((await hub.call('GET /me/home', { token: guest.token })).json).toEqual(PLAIN);
    await limit(null);
    expect((await hub.call('GET /me/home', { token: guest.token })).json).toMatchObject({ hidden: [hall, lamp] });
  });
});

test('a room and a device have icons, which a person chooses and takes away again', async () => {
  const { hub, owner } = await openScene();
  const change = async (path: string, body: object) => {
    const { status, json } = await hub.call(`PATCH ${path}`, { token: owner.token, body });
    return [status, json['icon'], json['revision']];
  };
  for (const path of ['/room/kitchen', '/device/kitchen-ceiling']) {
    const { icon, revision } = (await hub.call(`GET ${path}`, { token: owner.token })).json;
    expect(icon).toBe(path.startsWith('/room') ? 'kitchen' : null);
    expect(await change(path, { icon: 'sofa' })).toEqual([200, 'sofa', Number(revision) + 1]);
    expect(await change(path, { icon: 'sofa' })).toEqual([200, 'sofa', Number(revision) + 1]);
    expect(await change(path, { name: 'Other' })).toEqual([200, 'sofa', Number(revision) + 2]);
    expect(await change(path, { icon: null })).toEqual([200, null, Number(revision) + 3]);
    expect((await change(path, { icon: '<svg>' }))[0]).toBe(422);
  }
});
