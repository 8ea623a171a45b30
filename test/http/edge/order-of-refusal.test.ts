import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { defineRoute } from '#http/routing/route.ts';
import type { Route } from '#http/routing/route.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const answers = { 200: z.unknown() };
const routes: readonly Route[] = [
  defineRoute({
    id: 'postThing',
    method: 'POST',
    path: '/api/v1/thing',
    summary: 'Make a thing',
    tag: 'Reference',
    access: 'room:manage',
    query: z.strictObject({ size: z.optional(z.int().check(z.minimum(1), z.maximum(9))) }),
    body: { schema: z.strictObject({ name: z.string().check(z.minLength(1)) }), maxBytes: 100 },
    answers,
    handle: ({ body, query, caller }) => ({ status: 200, json: { ...body, ...query, by: caller?.user.role } }),
  }),
  defineRoute({
    id: 'getThingSelector',
    method: 'GET',
    path: '/api/v1/thing/:selector',
    summary: 'One thing',
    tag: 'Reference',
    access: 'device:read',
    answers,
    handle: ({ params }) => ({ status: 200, json: params }),
  }),
  defineRoute({
    id: 'getOpen',
    method: 'GET',
    path: '/api/v1/open',
    summary: 'Open',
    tag: 'Reference',
    access: 'public',
    whileUnclaimed: true,
    answers,
    handle: ({ caller }) => ({ status: 200, json: { caller: caller ?? null } }),
  }),
  defineRoute({
    id: 'getBroken',
    method: 'GET',
    path: '/api/v1/broken',
    summary: 'Broken',
    tag: 'Reference',
    access: 'session',
    answers,
    handle: () => {
      throw new Error('secret detail in /var/lib/somewhere');
    },
  }),
];
const json = { 'Content-Type': 'application/json' };
const owner = { Authorization: 'Bearer owner' };
const guest = { Authorization: 'Bearer guest' };
const wrong = { Authorization: 'Bearer nonsense' };

type Case = [fault: string, path: string, init: RequestInit, status: number, code: string];

describe('the order of refusal', () => {
  // Each line has every fault of the lines below it as well.
  const cases: readonly Case[] = [
    ['an unknown path without a token', '/api/v1/nothing?x=1', { method: 'PUT' }, 401, 'UNAUTHORIZED'],
    ['an unknown path with a bad token', '/api/v1/nothing', { method: 'PUT', headers: wrong }, 401, 'INVALID_TOKEN'],
    ['an unknown path', '/api/v1/nothing', { method: 'PUT', headers: guest }, 404, 'NOT_FOUND'],
    ['an unknown path outside the API', '/nothing', { method: 'PUT' }, 404, 'NOT_FOUND'],
    ['an unknown path beside the version', '/api/v2/device', {}, 404, 'NOT_FOUND'],
    ['a wrong method', '/api/v1/thing?x=1', { method: 'PUT', body: '[' }, 405, 'METHOD_NOT_ALLOWED'],
    ['no token', '/api/v1/thing?x=1', { method: 'POST', body: '[' }, 401, 'UNAUTHORIZED'],
    ['a bad token', '/api/v1/thing?x=1', { method: 'POST', body: '[', headers: wrong }, 401, 'INVALID_TOKEN'],
    ['too few rights', '/api/v1/thing?x=1', { method: 'POST', body: '[', headers: guest }, 403, 'FORBIDDEN'],
    ['a bad query', '/api/v1/thing?x=1', { method: 'POST', body: '[', headers: owner }, 400, 'INVALID_QUERY'],
    [
      'a wrong media type',
      '/api/v1/thing',
      { method: 'POST', body: '['.repeat(200), headers: owner },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'too large a body',
      '/api/v1/thing',
      { method: 'POST', body: '['.repeat(200), headers: { ...owner, ...json } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['bad JSON', '/api/v1/thing', { method: 'POST', body: '[', headers: { ...owner, ...json } }, 400, 'INVALID_JSON'],
    [
      'a bad field',
      '/api/v1/thing',
      { method: 'POST', body: '{}', headers: { ...owner, ...json } },
      422,
      'VALIDATION_FAILED',
    ],
  ];
  test.each(cases)('%s is answered first', async (...[, path, init, status, code]) => {
    const answer = await createTestApp(routes).request(path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(await answer.json()).toMatchObject({
      type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
      status,
      code,
      instance: path.split('?')[0],
      request_id: answer.headers.get('x-request-id'),
      title: expect.stringMatching(/\w/) as unknown,
      detail: expect.stringMatching(/\w/) as unknown,
    });
  });

  test('A1: without a token a known and an unknown path have one answer', async () => {
    const answers = await Promise.all(
      ['/api/v1/thing', '/api/v1/nothing'].map(async (path) => {
        const answer = await createTestApp(routes).request(path, { method: 'POST' });
        return { ...((await answer.json()) as object), instance: '', request_id: '' };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('A5: while unclaimed, all below /api/v1 except a few open calls is 409, unknown paths and methods included', async () => {
    const { request } = createTestApp(routes, { isClaimed: () => false });
    for (const [path, method] of [
      ['/api/v1/thing', 'POST'],
      ['/api/v1/thing', 'PUT'],
      ['/api/v1/nothing', 'GET'],
      ['/api/v1', 'GET'],
    ] as const) {
      const answer = await request(path, { method });
      expect([path, method, answer.status]).toEqual([path, method, 409]);
      expect(await answer.json()).toMatchObject({ code: 'HUB_UNCLAIMED' });
    }
    expect((await request('/api/v1/open')).status).toBe(200);
    expect((await request('/api/v1/open', { method: 'POST' })).status).toBe(405);
    expect((await request('/nothing')).status).toBe(404);
  });
});

describe('the fields of a refusal', () => {
  const { request } = createTestApp(routes);

  test('405 lists what is allowed, with HEAD beside GET', async () => {
    expect((await request('/api/v1/thing', { method: 'GET' })).headers.get('allow')).toBe('POST');
    expect((await request('/api/v1/thing/x', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await request('/api/v1/thing/x', { method: 'OPTIONS' })).status).toBe(405);
  });

  test('A2: 401 and 403 say in WWW-Authenticate what is wrong (RFC 6750 section 3)', async () => {
    const challenge = async (headers: Record<string, string>): Promise<string | null> =>
      (await request('/api/v1/thing', { method: 'POST', headers })).headers.get('www-authenticate');
    expect(await challenge({})).toBe('Bearer realm="hearthd"');
    expect(await challenge(wrong)).toBe('Bearer realm="hearthd", error="invalid_token"');
    expect(await challenge(guest)).toBe('Bearer realm="hearthd", error="insufficient_scope", scope="room:manage"');
  });

  test('403 names the missing scope', async () => {
    const answer = await request('/api/v1/thing', { method: 'POST', headers: guest });
    expect(await answer.json()).toMatchObject({ detail: 'This needs the right room:manage.' });
  });

  test('429 and 503 have Retry-After in whole seconds', async () => {
    const failing = createTestApp(routes, {
      authenticate: () => {
        throw new HubError('TOO_MANY_REQUESTS', 'wait', { retryAfterS: 1.2 });
      },
    });
    expect((await failing.request('/api/v1/broken')).headers.get('retry-after')).toBe('2');
    const busy = createTestApp(routes, {
      authenticate: () => Promise.reject(new HubError('OVERLOADED', 'busy')),
    });
    expect((await busy.request('/api/v1/broken')).headers.get('retry-after')).toBe('5');
  });

  test('a fault of the hub is a 500 without details, and the log has the cause', async () => {
    const { request, logged } = createTestApp(routes);
    const answer = await request('/api/v1/broken?', { headers: owner });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain('INTERNAL_ERROR');
    expect(text).not.toMatch(/secret|somewhere/);
    expect(logged.join('')).toContain('secret detail');
    expect(logged.join('')).toContain(answer.headers.get('x-request-id') ?? '-');
  });

  test('the hub makes the request id', async () => {
    const answer = await request('/api/v1/open', { headers: { 'X-Request-Id': 'mine' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^request-/);
  });
});

describe('what gets through', () => {
  const { request } = createTestApp(routes);

  test.each(['application/json', 'text/plain', '*/*', 'application/json, text/plain, */*', 'image/png'])(
    'Accept: %s is answered with JSON',
    async (accept) => {
      const answer = await request('/api/v1/open', { headers: { Accept: accept } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('a public route reads no token', async () => {
    expect(await (await request('/api/v1/open', { headers: wrong })).json()).toEqual({ caller: null });
  });

  test('query and body arrive typed', async () => {
    const init = { method: 'POST', body: '{"name":"a"}', headers: { ...owner, ...json } };
    expect(await (await request('/api/v1/thing?size=4', init)).json()).toEqual({ name: 'a', size: 4, by: 'owner' });
  });

  test('HEAD is GET without its body and with its length (RFC 9110 section 9.3.2)', async () => {
    const got = await request('/api/v1/thing/x', { headers: owner });
    const asked = await request('/api/v1/thing/x', { method: 'HEAD', headers: owner });
    expect(asked.status).toBe(200);
    expect(await asked.text()).toBe('');
    expect(asked.headers.get('content-length')).toBe(String((await got.text()).length));
  });

  test('a path parameter is decoded once', async () => {
    expect(await (await request('/api/v1/thing/k%C3%BCche%2525', { headers: owner })).json()).toEqual({
      selector: 'küche%25',
    });
  });

  test('an authentication that waits answers the same', async () => {
    const waiting = createTestApp(routes, { authenticate: () => Promise.reject(new HubError('INVALID_TOKEN', 'no')) });
    expect((await waiting.request('/api/v1/broken')).status).toBe(401);
  });
});
