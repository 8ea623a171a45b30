import { expect, test } from 'vitest';
import { roomRoutes } from '#http/room/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';

async function createHarness() {
  const home = await openTestHome(['Lamp']);
  const { request } = createTestApp(roomRoutes({ rooms: home.rooms, eventCursor: home.events.cursor }));
  const send = (call: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const [method = '', path = ''] = call.split(' ');
    return request(path, {
      method,
      headers: { Authorization: 'Bearer admin', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return { ...home, send };
}

test('a room is added, shown, listed by name, renamed and removed', async () => {
  const { send, events } = await createHarness();
  const added = await send('POST /api/v1/room', { name: 'Kitchen' });
  expect(added.status).toBe(201);
  expect(added.headers.get('location')).toBe('/api/v1/room/kitchen');
  expect(added.headers.get('etag')).toBe('"1"');
  const room = (await added.json()) as { id: string };
  await send('POST /api/v1/room', { name: 'Attic' });
  const listed = await send('GET /api/v1/room');
  expect(listed.headers.get('x-total-count')).toBe('2');
  expect(listed.headers.get('event-cursor')).toBe(events.cursor());
  expect(await listed.json()).toMatchObject([{ name: 'Attic' }, { name: 'Kitchen' }]);
  expect(await (await send(`GET /api/v1/room/${room.id}`)).json()).toEqual({
    ...room,
    selector: 'kitchen',
    name: 'Kitchen',
    icon: 'kitchen',
    revision: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  expect(await (await send('PATCH /api/v1/room/kitchen', { name: 'Pantry' })).json()).toMatchObject({ revision: 2 });
  expect((await send('DELETE /api/v1/room/kitchen')).status).toBe(204);
  expect((await send('GET /api/v1/room/kitchen')).status).toBe(404);
});

test('two rooms cannot have the same name', async () => {
  const { send } = await createHarness();
  await send('POST /api/v1/room', { name: 'Kitchen' });
  const again = await send('POST /api/v1/room', { name: 'kitchen ' });
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({ code: 'NAME_TAKEN' });
});

test('If-None-Match and If-Match compare the revision', async () => {
  const { send } = await createHarness();
  await send('POST /api/v1/room', { name: 'Kitchen' });
  const path = '/api/v1/room/kitchen';
  const list = await send('GET /api/v1/room');
  const again = await send('GET /api/v1/room', undefined, { 'If-None-Match': list.headers.get('etag') ?? '' });
  expect([again.status, again.headers.get('etag')]).toEqual([304, list.headers.get('etag')]);
  const unchanged = await send(`GET ${path}`, undefined, { 'If-None-Match': '"1"' });
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"1"']);
  expect((await send(`PATCH ${path}`, { name: 'x' }, { 'If-Match': '"2"' })).status).toBe(412);
  expect((await send(`PATCH ${path}`, { name: 'x' }, { 'If-Match': '"1"' })).status).toBe(200);
  expect((await send(`DELETE ${path}`, undefined, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await send(`DELETE ${path}`, undefined, { 'If-Match': '"2"' })).status).toBe(204);
});

test('DELETE with If-Match fails if an earlier change reaches the disk only now', async () => {
  const { send, rooms } = await createHarness();
  const { id } = await rooms.addRoom('Kitchen');
  const renamed = rooms.updateRoom(id, { name: 'Pantry' });
  const refused = await send('DELETE /api/v1/room/kitchen', undefined, { 'If-Match': '"1"' });
  expect([(await renamed).revision, refused.status]).toEqual([2, 412]);
});

test('refuses unknown fields with a pointer', async () => {
  const { send } = await createHarness();
  expect(await (await send('POST /api/v1/room', { nam: 'x' })).json()).toMatchObject({
    errors: [
      { pointer: '/name', code: 'REQUIRED' },
      { pointer: '/nam', code: 'UNKNOWN' },
    ],
  });
  expect((await send('PATCH /api/v1/room/nowhere', { name: 'x' })).status).toBe(404);
  expect((await send('GET /api/v1/room?limit=1')).status).toBe(400);
});

test.each(['resident', 'guest'])('a %s may read, not change', async (role) => {
  const { send } = await createHarness();
  const who = { Authorization: `Bearer ${role}` };
  await send('POST /api/v1/room', { name: 'Kitchen' });
  expect((await send('GET /api/v1/room/kitchen', undefined, who)).status).toBe(200);
  expect((await send('POST /api/v1/room', { name: 'x' }, who)).status).toBe(403);
  expect((await send('PATCH /api/v1/room/kitchen', { name: 'x' }, who)).status).toBe(403);
  expect((await send('DELETE /api/v1/room/kitchen', undefined, who)).status).toBe(403);
});
