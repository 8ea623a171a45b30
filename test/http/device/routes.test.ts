import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import { DEVICE_FIELDS } from '#http/device/json.ts';
import { deviceRoutes, type DeviceRoutesDeps } from '#http/device/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';

type Shown = { id: string; name: string; selector: string; revision: number; room: { name: string } | null };

async function createHarness(names: readonly string[]) {
  const home = await openTestHome(names);
  const removed: [name: string, force: boolean][] = [];
  const removeDevice: DeviceRoutesDeps['removeDevice'] = async (device, { force, authorize }) => {
    if (!force && device.availability.state === 'offline') throw new HubError('DEVICE_OFFLINE', 'no answer');
    removed.push([device.name, force]);
    await home.registry.removeDevice(device.id, { authorize });
  };
  const routes = deviceRoutes({
    ...home,
    findRoom: home.rooms.findRoom,
    eventCursor: home.events.cursor,
    removeDevice,
  });
  const app = createTestApp(routes);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.request(path, { headers: { Authorization: 'Bearer resident', ...headers } });
  const list = async (query: string): Promise<string[]> =>
    ((await (await get(`/api/v1/device?${query}`)).json()) as Shown[]).map(({ name }) => name);
  const patch = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    app.request(path, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { Authorization: 'Bearer admin', 'Content-Type': 'application/json', ...headers },
    });
  const remove = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.request(path, { method: 'DELETE', headers: { Authorization: 'Bearer admin', ...headers } });
  return { ...home, ...app, get, list, patch, remove, removed };
}

describe('GET /api/v1/device', () => {
  test('is the whole list with its count, ETag and place in the event stream', async () => {
    const { get, events } = await createHarness(['b', 'a']);
    const answer = await get('/api/v1/device', { Accept: 'application/json, text/plain, */*' });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      'x-total-count': '2',
      'event-cursor': events.cursor(),
      'x-content-type-options': 'nosniff',
      vary: 'Origin, Accept-Encoding',
      etag: expect.stringMatching(/^"[!-~]+"$/) as string,
    });
    expect(answer.headers.get('link')).toBeNull();
    const devices = (await answer.json()) as Shown[];
    expect(devices.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(Object.keys(devices[0] ?? {})).toEqual(DEVICE_FIELDS);
  });

  test('filters by room, type, integration, availability and part of the name, together too', async () => {
    const { list, rooms, patch, registry } = await createHarness(['Ceiling', 'Küche links', 'Küche rechts']);
    const room = await rooms.addRoom('Kitchen');
    await patch('/api/v1/device/kuche-links', { room: room.selector });
    registry.reportsOf('zigbee2mqtt').reportAvailability('0x0', 'offline', 'no_report');
    expect(await list(`room=${room.id}`)).toEqual(['Küche links']);
    expect(await list('room=kitchen')).toEqual(['Küche links']);
    expect(await list('room=attic')).toEqual([]);
    expect(await list('type=other')).toEqual([]);
    expect(await list('integration=zigbee2mqtt&availability=offline')).toEqual(['Ceiling']);
    expect(await list('integration=matter')).toEqual([]);
    expect(await list('search=K%C3%9CCHE')).toEqual(['Küche links', 'Küche rechts']);
    expect(await list('search=ku%CC%88che%20r')).toEqual(['Küche rechts']);
    expect(await list('room=kitchen&search=rechts')).toEqual([]);
  });

  test('fields picks top-level fields', async () => {
    const { get } = await createHarness(['a']);
    const devices = await (await get('/api/v1/device?fields=selector,name')).json();
    expect(devices).toEqual([{ selector: 'a', name: 'a' }]);
  });

  test.each([
    ['limit=0', '?limit'],
    ['limit=1001', '?limit'],
    ['fields=id,features.key', '?fields'],
    ['fields=', '?fields'],
    ['type=lamp', '?type'],
    ['availability=up', '?availability'],
    ['cursor=x', '?cursor'],
    [`cursor=${Buffer.from('["a"]').toString('base64url')}`, '?cursor'],
    ['cursor=', '?cursor'],
    ['page=2', '?page'],
    ['room=a&room=b', '?room'],
  ])('?%s is refused with the pointer %s', async (query, pointer) => {
    const { get } = await createHarness(['a']);
    const answer = await get(`/api/v1/device?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_QUERY', errors: [{ pointer }] });
  });
});

describe('paging', () => {
  async function walk(query: string, between: (page: number) => void | Promise<void>, names: readonly string[]) {
    const harness = await createHarness(names);
    const pages: string[][] = [];
    const totals: (string | null)[] = [];
    let target: string | undefined = `/api/v1/device?${query}`;
    while (target !== undefined && pages.length < 20) {
      const answer = await harness.get(target);
      pages.push(((await answer.json()) as Shown[]).map(({ name }) => name));
      totals.push(answer.headers.get('x-total-count'));
      target = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      await between(pages.length);
    }
    return { ...harness, pages, totals };
  }

  test('the next links lead through all devices once and keep the filter', async () => {
    const { pages, totals } = await walk('search=l&limit=2', () => undefined, ['l3', 'l1', 'x', 'l5', 'l2', 'l4']);
    expect(pages).toEqual([['l1', 'l2'], ['l3', 'l4'], ['l5']]);
    expect(totals).toEqual(['5', '5', '5']);
  });

  test('the last page has no next link', async () => {
    expect((await walk('limit=2', () => undefined, ['a', 'b', 'c', 'd'])).pages).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect((await walk('limit=5', () => undefined, [])).pages).toEqual([[]]);
  });

  test('devices with the same name are sorted by their ids', async () => {
    const { pages } = await walk('limit=1', () => undefined, ['same', 'same', 'same']);
    expect(pages).toEqual([['same'], ['same'], ['same']]);
  });

  test('a walk over all pages works with every name that a device can have', async () => {
    const longest = ['\ud800', '"', '€'].map((part, index) => `${index}${part.repeat(199)}`);
    expect((await walk('limit=1', () => undefined, longest)).pages).toEqual(longest.map((name) => [name]));
  });

  test('devices that come and go between two pages do not shift the pages', async () => {
    const harness = await createHarness(['b', 'd', 'f', 'h']);
    const first = await harness.get('/api/v1/device?limit=2');
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    await harness.remove('/api/v1/device/d');
    await harness.patch('/api/v1/device/h', { name: 'a' });
    expect(((await (await harness.get(next)).json()) as Shown[]).map(({ name }) => name)).toEqual(['f']);
  });

  test('a cursor without a limit gives the whole rest', async () => {
    const harness = await createHarness(['a', 'b', 'c']);
    const first = await harness.get('/api/v1/device?limit=1');
    const cursor = /cursor=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1];
    expect(await harness.list(`cursor=${cursor}`)).toEqual(['b', 'c']);
  });
});

describe('conditional requests', () => {
  test('the list’s ETag is per query, rights and state; a 304 carries the present Event-Cursor', async () => {
    const { get, registry, events } = await createHarness(['a', 'b']);
    const tagOf = async (path: string, headers?: Record<string, string>): Promise<string> =>
      (await get(path, headers)).headers.get('etag') ?? '';
    const etag = await tagOf('/api/v1/device');
    const others = [
      await tagOf('/api/v1/device?limit=1'),
      await tagOf('/api/v1/device?limit=2'),
      await tagOf('/api/v1/device?fields=id'),
      await tagOf('/api/v1/device', { Authorization: 'Bearer owner' }),
    ];
    expect(new Set([etag, ...others]).size).toBe(5);
    expect(await tagOf('/api/v1/device?fields=name&limit=2')).not.toBe(await tagOf('/api/v1/device?limit=2'));
    for (const field of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
      const answer = await get('/api/v1/device', { 'If-None-Match': field });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
      expect(answer.headers.get('etag')).toBe(etag);
      expect(answer.headers.get('event-cursor')).toBe(events.cursor());
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
    registry.reportsOf('zigbee2mqtt').reportValues('0x0', new Map([['on', false]]));
    const changed = await get('/api/v1/device', { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  test('the ETag of a device changes with its values and still works in If-Match', async () => {
    const { get, registry, patch } = await createHarness(['a']);
    const first = (await get('/api/v1/device/a')).headers.get('etag') ?? '';
    expect((await get('/api/v1/device/a', { 'If-None-Match': first })).status).toBe(304);
    registry.reportsOf('zigbee2mqtt').reportValues('0x0', new Map([['on', false]]));
    expect((await get('/api/v1/device/a', { 'If-None-Match': first })).status).toBe(200);
    expect((await patch('/api/v1/device/a', { name: 'x' }, { 'If-Match': first })).status).toBe(200);
    expect((await patch('/api/v1/device/a', { name: 'y' }, { 'If-Match': first })).status).toBe(412);
  });
});

describe('one device', () => {
  test('is found by id and by selector', async () => {
    const { get, registry } = await createHarness(['Lamp a']);
    const id = registry.devices()[0]?.id ?? '';
    expect(await (await get('/api/v1/device/lamp-a')).json()).toEqual(await (await get(`/api/v1/device/${id}`)).json());
    for (const path of ['/api/v1/device/lamp-b', `/api/v1/device/${id.toUpperCase()}x`, '/api/v1/device/__proto__']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  test('PATCH renames, null gives the upstream name back', async () => {
    const { patch } = await createHarness(['Lamp a']);
    const renamed = await patch('/api/v1/device/lamp-a', { name: ' Desk ' });
    expect(await renamed.json()).toMatchObject({ name: 'Desk', selector: 'lamp-a', revision: 2 });
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    expect(await (await patch('/api/v1/device/lamp-a', { name: null }, merge)).json()).toMatchObject({
      name: 'Lamp a',
    });
    expect(await (await patch('/api/v1/device/lamp-a', {})).json()).toMatchObject({ revision: 3 });
  });

  test('PATCH moves it by id or selector of a room, null takes it out', async () => {
    const { patch, rooms } = await createHarness(['a']);
    const room = await rooms.addRoom('Kitchen');
    for (const one of [room.id, room.selector]) {
      expect(await (await patch('/api/v1/device/a', { room: one })).json()).toMatchObject({
        room: { id: room.id, selector: 'kitchen', name: 'Kitchen' },
      });
    }
    expect(await (await patch('/api/v1/device/a', { room: null })).json()).toMatchObject({ room: null });
    const missing = await patch('/api/v1/device/a', { room: 'attic' });
    expect(missing.status).toBe(422);
    expect(await missing.json()).toMatchObject({ code: 'ROOM_NOT_FOUND', errors: [{ pointer: '/room' }] });
  });

  test('DELETE with If-Match fails if an earlier change reaches the disk only now', async () => {
    const { registry, remove, removed } = await createHarness(['a']);
    const [device] = registry.devices();
    const renamed = device && registry.updateDevice(device.id, { ownName: 'x' });
    const refused = await remove('/api/v1/device/a', { 'If-Match': '"1"' });
    expect([(await renamed)?.revision, refused.status, removed]).toEqual([2, 412, []]);
  });

  test('PATCH with If-Match needs the present revision', async () => {
    const { patch } = await createHarness(['a']);
    expect((await patch('/api/v1/device/a', { name: 'x' }, { 'If-Match': '"9"' })).status).toBe(412);
    expect((await patch('/api/v1/device/a', { name: 'x' }, { 'If-Match': '"1"' })).status).toBe(200);
    expect((await patch('/api/v1/device/a', { name: 'y' }, { 'If-Match': '"1"' })).status).toBe(412);
    expect((await patch('/api/v1/device/a', { name: 'y' }, { 'If-Match': '*' })).status).toBe(200);
  });

  test('PATCH refuses unknown fields and wrong types with a pointer each', async () => {
    const { patch } = await createHarness(['a']);
    const answer = await patch('/api/v1/device/a', { name: 7, room: false, type: 'other' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      errors: [{ pointer: '/name' }, { pointer: '/room' }, { pointer: '/type', code: 'UNKNOWN' }],
    });
  });

  test('DELETE removes it and passes `force` on', async () => {
    const { remove, removed, registry, list } = await createHarness(['a', 'b']);
    registry.reportsOf('zigbee2mqtt').reportAvailability('0x1', 'offline', 'no_report');
    expect((await remove('/api/v1/device/a', { 'If-Match': '"9"' })).status).toBe(412);
    expect((await remove('/api/v1/device/a')).status).toBe(204);
    expect((await remove('/api/v1/device/a')).status).toBe(404);
    expect((await remove('/api/v1/device/b')).status).toBe(409);
    expect((await remove('/api/v1/device/b?force=true')).status).toBe(204);
    expect(removed).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(await list('')).toEqual([]);
  });

  test.each(['resident', 'guest'])('a %s may read, not change', async (role) => {
    const { get, patch, remove } = await createHarness(['a']);
    const who = { Authorization: `Bearer ${role}` };
    expect((await get('/api/v1/device/a', who)).status).toBe(200);
    expect((await patch('/api/v1/device/a', {}, who)).status).toBe(403);
    expect((await remove('/api/v1/device/a', who)).status).toBe(403);
  });
});

describe('view=values', () => {
  const VIEW = { selector: 'lamp', name: 'Lamp', room: null, availability: 'online', sensitive: false };

  test('shows each device in short, with the values that are known', async () => {
    const { get, registry } = await createHarness(['Lamp', 'Fan']);
    registry.reportsOf('zigbee2mqtt').reportValues(
      '0x0',
      new Map<string, JsonValue>([
        ['on', true],
        ['brightness', 60],
      ]),
    );
    const answer = await get('/api/v1/device?view=values');
    const [fan, lamp] = (await answer.json()) as Record<string, unknown>[];
    expect(lamp).toMatchObject({ ...VIEW, values: { on: true, brightness: 60 } });
    expect(fan).toMatchObject({ selector: 'fan', values: {} });
    const { features, ...one } = (await (await get('/api/v1/device/lamp?view=values')).json()) as Record<
      string,
      unknown
    >;
    expect([features, one]).toEqual([undefined, lamp]);
    const known = await get('/api/v1/device?view=values', { 'If-None-Match': answer.headers.get('etag') ?? '' });
    expect(known.status).toBe(304);
    expect(answer.headers.get('etag')).not.toBe((await get('/api/v1/device')).headers.get('etag'));
  });

  test('goes with filters and pages, but not with fields', async () => {
    const { get } = await createHarness(['a', 'b', 'c']);
    const page = await get('/api/v1/device?view=values&limit=2');
    expect(await page.json()).toMatchObject([{ selector: 'a' }, { selector: 'b' }]);
    expect(page.headers.get('link')).toContain('view=values');
    const refused = await get('/api/v1/device?view=values&fields=id');
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ pointer: '?fields' }] }]);
    expect((await get('/api/v1/device?view=all')).status).toBe(400);
  });
});

test('a device says what `do` may ask of it', async () => {
  const { get } = await createHarness(['Lamp']);
  expect(await (await get('/api/v1/device/lamp')).json()).toMatchObject({
    actions: expect.arrayContaining(['toggle']) as unknown,
  });
});
