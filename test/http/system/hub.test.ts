import { expect, test } from 'vitest';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import { HubError } from '#base/hub-error.ts';
import { apiRootRoutes } from '#http/reference/api-root.ts';
import { hubRoutes } from '#http/system/routes.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

function createHarness() {
  let hub = { id: '0198f1c2-0000-7000-8000-000000000001', name: 'Home' };
  let zone = createTimeZone('UTC');
  let spoken: string | null = null;
  const update: HubIdentity['update'] = async (
    { name = hub.name, timeZone = zone.name, language = spoken },
    authorize,
  ) => {
    authorize?.();
    if (name === 'full') throw new HubError('STORAGE_FULL', 'the disk is full');
    hub = { ...hub, name };
    zone = createTimeZone(timeZone);
    spoken = language;
  };
  const isClaimed = (): boolean => true;
  const routes = [
    ...hubRoutes({
      hubIdentity: { identity: () => hub, timeZone: () => zone, language: () => spoken, update },
      hubClock: { nowMs: () => 0, source: () => 'owner' },
    }),
    ...apiRootRoutes({ hub: () => hub, version: '0.1.0', isClaimed }),
  ];
  const { request } = createTestApp(routes);
  const rename = (body: unknown, who = 'owner', type = 'application/json'): Promise<Response> =>
    request('/api/v1/hub', {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${who}`, 'Content-Type': type },
    });
  return { request, rename };
}

test('GET /api shows a stranger which hub this is, and nothing else', async () => {
  const answer = await createHarness().request('/api');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({
    product: 'hearthd',
    version: '0.1.0',
    hub_id: '0198f1c2-0000-7000-8000-000000000001',
    name: 'Home',
    claimed: true,
    api: [{ version: 'v1', status: 'current', sunset: null }],
  });
});

test('a change that is based on an earlier name is refused', async () => {
  const { request } = createHarness();
  const shown = await request('/api/v1/hub', { headers: { Authorization: 'Bearer guest' } });
  const usual = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };
  const headers = { ...usual, 'If-Match': shown.headers.get('etag') ?? '' };
  const statusOf = async (name: string) =>
    (await request('/api/v1/hub', { method: 'PATCH', headers, body: JSON.stringify({ name }) })).status;
  expect([await statusOf('One'), await statusOf('Two')]).toEqual([200, 412]);
});

test('every caller with a token sees the hub; owner and admin can rename it', async () => {
  const { request, rename } = createHarness();
  const shown = await request('/api/v1/hub', { headers: { Authorization: 'Bearer guest' } });
  expect(await shown.json()).toEqual({
    id: '0198f1c2-0000-7000-8000-000000000001',
    name: 'Home',
    time_zone: 'UTC',
    language: null,
    clock: { now: '1970-01-01T00:00:00.000Z', source: 'owner' },
  });
  expect((await rename({ name: 'x' }, 'resident')).status).toBe(403);
  expect(await (await rename({ name: '  Café ' }, 'admin', 'application/merge-patch+json')).json()).toMatchObject({
    name: 'Café',
  });
  expect(await (await rename({})).json()).toMatchObject({ name: 'Café' });
});

test.each([
  [{ name: '' }, 'TOO_SHORT'],
  [{ name: '   ' }, 'TOO_SHORT'],
  [{ name: 'x'.repeat(101) }, 'TOO_LONG'],
  [{ name: 'a\nb' }, 'INVALID_FORMAT'],
  [{ name: 'a\ud800' }, 'INVALID_FORMAT'],
  [{ name: null }, 'WRONG_TYPE'],
  [{ title: 'x' }, 'UNKNOWN'],
])('the name %j is refused as %s', async (body, code) => {
  const answer = await createHarness().rename(body);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ code }] });
});

test('S9: a new name that could not be stored is answered as a failure', async () => {
  const { rename } = createHarness();
  expect((await rename({ name: 'full' })).status).toBe(507);
  expect(await (await rename({})).json()).toMatchObject({ name: 'Home' });
});

test.each([
  ['Europe/Berlin', 200],
  ['Mars/Olympus', 422],
  ['+01:00', 422],
  ['', 422],
  [7, 422],
])('the time zone %j is answered with %i', async (timeZone, status) => {
  const { rename } = createHarness();
  expect((await rename({ time_zone: timeZone }, 'admin')).status).toBe(status);
  expect(await (await rename({})).json()).toMatchObject({ time_zone: status === 200 ? timeZone : 'UTC' });
});

test.each([
  ['de', 200],
  ['pt-BR', 200],
  [null, 200],
  ['Deutsch', 422],
  ['', 422],
  [7, 422],
])('the language %j is answered with %i', async (language, status) => {
  const { rename } = createHarness();
  expect((await rename({ language: 'fr' }, 'admin')).status).toBe(200);
  expect((await rename({ language }, 'admin')).status).toBe(status);
  expect(await (await rename({})).json()).toMatchObject({ language: status === 200 ? language : 'fr' });
});
