import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deviceRoutes } from '#http/device/routes.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `Lamp ${index}`);

async function openList(devices: number) {
  const home = await openTestHome(namesOf(devices));
  const routes = deviceRoutes({
    ...home,
    findRoom: home.rooms.findRoom,
    eventCursor: home.events.cursor,
    removeDevice: async () => undefined,
  });
  const { app } = createTestApp(routes, { routes });
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    app.fetch(new Request(`http://localhost${path}`, { headers: { Authorization: 'Bearer owner', ...headers } }));
  return { home, get };
}

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

test.each([
  { coding: 'br', field: 'gzip, deflate, br', decode: brotliDecompressSync },
  { coding: 'gzip', field: 'gzip;q=0.5, br;q=0', decode: gunzipSync },
])('the whole list is sent as $coding to a client that sends "$field"', async ({ coding, field, decode }) => {
  const { get } = await openList(20);
  const plain = await get('/api/v1/device');
  const coded = await get('/api/v1/device', { 'Accept-Encoding': field });
  expect(coded.headers.get('content-encoding')).toBe(coding);
  expect(coded.headers.get('vary')).toBe('Origin, Accept-Encoding');
  expect(plain.headers.get('vary')).toBe('Origin, Accept-Encoding');
  expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  expect(decode(await bytesOf(coded)).equals(await bytesOf(plain))).toBe(true);
});

test('the ETag of a compressed list gives 304 for that coding only', async () => {
  const { get } = await openList(3);
  const field = { 'Accept-Encoding': 'br' };
  const tagOf = async (headers: Record<string, string>): Promise<string> =>
    (await get('/api/v1/device', headers)).headers.get('etag') ?? '';
  const [plain, coded] = [await tagOf({}), await tagOf(field)];
  expect((await get('/api/v1/device', { ...field, 'If-None-Match': coded })).status).toBe(304);
  expect((await get('/api/v1/device', { ...field, 'If-None-Match': plain })).status).toBe(200);
  expect((await get('/api/v1/device', { 'If-None-Match': coded })).status).toBe(200);
});

test.each([
  { size: 'a small home', devices: 10 },
  // More than is compressed in the turn of the request.
  { size: 'a large home', devices: 400 },
])('the list of $size is compressed once for each of its versions', async ({ devices }) => {
  const { home } = await openList(devices);
  const first = await home.list.allCompressed('br');
  expect(await home.list.allCompressed('br')).toBe(first);
  home.registry.reportsOf('zigbee2mqtt').reportValues('0x1', new Map([['brightness', 17]]));
  const second = await home.list.allCompressed('br');
  expect(second).not.toBe(first);
  expect(brotliDecompressSync(second).equals(home.list.allBytes())).toBe(true);
});

test('a part of the list is sent uncompressed', async () => {
  const { get } = await openList(3);
  const answer = await get('/api/v1/device?limit=2', { 'Accept-Encoding': 'br' });
  expect(answer.headers.get('content-encoding')).toBe(null);
  expect(await answer.json()).toHaveLength(2);
});

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', undefined],
  ['identity', undefined],
  ['br;q=0, gzip;q=0.000', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Encoding %s asks for %s', (field, coding) => {
  expect(chooseCoding(field)).toBe(coding);
});
