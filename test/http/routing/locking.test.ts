import { beforeAll, expect, test } from 'vitest';
import { openHubApp, type HubApp } from '#test/support/hub/hub-app.ts';

let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

/** Who sends these sends all there is to set, and needs no other state. */
const UNLOCKED: Readonly<Record<string, string>> = {
  'PUT /me/home': 'one person arranges it, and the page reads it again before each change',
  'PUT /hub/location': 'a place is set as a whole',
  'PUT /device/:selector/feature/:key': 'it is a command',
  'PATCH /device/:selector/feature/:key': 'it has one choice',
  'PUT /provider/:name': 'a script declares itself, again at each of its starts',
};

test('each call that changes what another shows takes If-Match', () => {
  const shown = new Set(hub.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const changing = hub.routes.filter(({ method, path }) => /^(PUT|PATCH)$/.test(method) && shown.has(path));
  const unlocked = changing.filter(({ note }) => note?.().requestHeaders?.includes('If-Match') !== true);
  expect(unlocked.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`).toSorted()).toEqual(
    Object.keys(UNLOCKED).toSorted(),
  );
});

async function send(call: string, body?: unknown, ifMatch?: string) {
  const [method = '', path = ''] = call.split(' ');
  const answer = await hub.app.fetch(
    new Request(`http://hub.local/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${hub.accessToken}`,
        'Content-Type': 'application/json',
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', json };
}

test.each([
  ['/webhook/', { url: 'http://192.168.1.5/' }, { enabled: false }],
  ['/exporter/', { type: 'line_protocol', url: 'http://192.168.1.5/write' }, { enabled: false }],
  ['/me', undefined, { language: 'es' }],
  ['/me', undefined, { name: 'Ada L.' }],
  ['/device/lamp/feature/on/recording', undefined, { mode: 'off' }],
])('%s made of %j refuses a change that is based on an earlier one', async (path, made, change) => {
  const location = made === undefined ? '' : String((await send(`POST ${path.slice(0, -1)}`, made)).json['id']);
  const { etag } = await send(`GET ${path}${location}`);
  expect((await send(`PATCH ${path}${location}`, change, '"other"')).json).toMatchObject({ status: 412 });
  const changed = await send(`PATCH ${path}${location}`, change, etag);
  expect([changed.status, changed.etag]).toEqual([200, (await send(`GET ${path}${location}`)).etag]);
  expect(changed.etag).not.toBe(etag);
  expect((await send(`PATCH ${path}${location}`, change, etag)).json).toMatchObject({ code: 'PRECONDITION_FAILED' });
  if (made === undefined) return;
  expect((await send(`DELETE ${path}${location}`, undefined, etag)).status).toBe(412);
  expect((await send(`DELETE ${path}${location}`, undefined, '"2"')).status).toBe(204);
});

test('of two changes of one account that are based on the same, one is made', async () => {
  const { etag } = await send('GET /me');
  const answers = await Promise.all(['de', 'fr'].map((language) => send('PATCH /me', { language }, etag)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(1);
});
