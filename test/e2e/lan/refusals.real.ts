import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '#test/support/daemon/http-wire.ts';
import {
  type Answer,
  type Ask,
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  logIn,
  OWNER,
  type Tokens,
} from '#test/support/daemon/hub-process.ts';

// What expires needs another clock: that is proven where the clock is a parameter, in test/auth.

let hubs: HubFolder;
let hub: HubProcess;
let owner: Tokens;
let beforeClaim: Record<string, Answer>;

beforeAll(async () => {
  hubs = createHubFolder();
  hub = await hubs.serve();
  beforeClaim = {
    login: await hub.ask('POST', '/api/v1/login', { body: OWNER }),
    device: await hub.ask('GET', '/api/v1/device'),
    nothing: await hub.ask('GET', '/api/v1/nothing'),
    health: await hub.ask('GET', '/api/v1/health'),
    root: await hub.ask('GET', '/api'),
  };
  owner = await claimHub(hub);
});
afterAll(() => hubs.close());

type Refusal = { readonly status: number; readonly code: string; readonly title: string; readonly detail: string };

const VARY_OF_PAGES: unknown = expect.stringMatching(/\bOrigin\b/);

/** Checks all that the contract requires of an answer that is not a success. */
function expectProblem(answer: Answer, path: string, refusal: Partial<Refusal>): Record<string, unknown> {
  const problem = answer.json as Record<string, unknown>;
  const { type, instance, request_id, errors, ...rest } = problem;
  expect(rest).toMatchObject({ ...refusal, status: answer.status });
  expect(Object.keys(rest).sort()).toEqual(['code', 'detail', 'status', 'title']);
  expect(type).toBe(`/problems/${String(rest['code']).toLowerCase().replaceAll('_', '-')}`);
  expect(instance).toBe(path);
  expect(errors === undefined || Array.isArray(errors)).toBe(true);
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': request_id,
    // Elsewhere a browser has the page, which tells by its own fields that it is one.
    vary: path.startsWith('/api') ? 'Origin' : VARY_OF_PAGES,
  });
  expect(headers).not.toHaveProperty('server');
  expect(headers).not.toHaveProperty('x-powered-by');
  return problem;
}

/** What may differ between two answers to the same thing. */
function withoutIds({ status, headers, json }: Answer): unknown {
  const { request_id: _, ...body } = json as Record<string, unknown>;
  const { 'x-request-id': __, date: ___, ...others } = Object.fromEntries(headers);
  return { status, headers: others, body };
}

describe('before it is claimed', () => {
  test.each([
    ['login', '/api/v1/login'],
    ['device', '/api/v1/device'],
    ['nothing', '/api/v1/nothing'],
  ])('A5: %s is refused with HUB_UNCLAIMED', (call, path) => {
    const answer = beforeClaim[call] as Answer;
    expect(expectProblem(answer, path, { status: 409, code: 'HUB_UNCLAIMED' })).not.toHaveProperty('errors');
  });

  test('A5: the root says so, health is open', () => {
    expect(beforeClaim['root']?.json).toMatchObject({ claimed: false });
    expect(beforeClaim['health']).toMatchObject({ status: 200, json: { status: 'ok' } });
  });

  test('a second setup is refused', async () => {
    const answer = await hub.ask('POST', '/api/v1/setup', { body: { claim_code: 'AAAA-AAAA', ...OWNER } });
    expect(expectProblem(answer, '/api/v1/setup', { status: 409, code: 'ALREADY_CLAIMED' })).toBeDefined();
  });
});

describe('the token calls', () => {
  test('a wrong password and an unknown address get the same answer', async () => {
    const wrong = await hub.ask('POST', '/api/v1/login', { body: { ...OWNER, password: 'wrong horse staple' } });
    const unknown = await hub.ask('POST', '/api/v1/login', { body: { ...OWNER, email: 'eve@example.org' } });
    expectProblem(wrong, '/api/v1/login', { status: 401, code: 'INVALID_CREDENTIALS' });
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="hearthd"');
    expect(withoutIds(unknown)).toEqual(withoutIds(wrong));
  });

  test.each(['', 'nonsense', 'A'.repeat(43)])('the refresh token %j is refused', async (refresh_token) => {
    const answer = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token } });
    expect(
      expectProblem(answer, '/api/v1/access_token', { status: 401, code: 'INVALID_REFRESH_TOKEN' }),
    ).not.toHaveProperty('errors');
  });

  test('after logout neither token works', async () => {
    const { access_token: token, refresh_token } = await logIn(hub);
    expect((await hub.ask('POST', '/api/v1/logout', { token })).status).toBe(204);
    const device = await hub.ask('GET', '/api/v1/device', { token });
    expectProblem(device, '/api/v1/device', { status: 401, code: 'INVALID_TOKEN' });
    expect(device.headers.get('www-authenticate')).toBe('Bearer realm="hearthd", error="invalid_token"');
    const renewed = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token } });
    expectProblem(renewed, '/api/v1/access_token', { status: 401, code: 'INVALID_REFRESH_TOKEN' });
  });

  test.each<[string, unknown, string]>([
    ['no password', { email: OWNER.email }, '/password'],
    ['a password that is no string', { ...OWNER, password: 7 }, '/password'],
    ['no refresh token', { refresh: 'x' }, '/refresh_token'],
  ])('%s is named by its pointer', async (_, body, pointer) => {
    const path = pointer === '/refresh_token' ? '/api/v1/access_token' : '/api/v1/login';
    const answer = await hub.ask('POST', path, { body });
    const { errors } = expectProblem(answer, path, { status: 422, code: 'VALIDATION_FAILED' });
    expect(errors).toEqual([expect.objectContaining({ pointer })]);
  });

  test('a field that the specification does not know is ignored', async () => {
    expect((await hub.ask('POST', '/api/v1/login', { body: { ...OWNER, remember: true } })).status).toBe(200);
  });
});

describe('tokens of protected calls', () => {
  const none = 'Bearer realm="hearthd"';
  const invalid = 'Bearer realm="hearthd", error="invalid_token"';
  const forge = (token: string): string => {
    const [head = '', claims = ''] = token.split('.');
    return `${head}.${claims}.${Buffer.alloc(32).toString('base64url')}`;
  };
  const unsigned = (token: string): string => {
    const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    return `${head}.${token.split('.')[1]}.`;
  };
  test.each<[string, (token: string) => Record<string, string>, string, string]>([
    ['no header', () => ({}), 'UNAUTHORIZED', none],
    ['another scheme', () => ({ authorization: 'Basic YTpi' }), 'UNAUTHORIZED', none],
    ['a word that is no token', () => ({ authorization: 'Bearer nonsense' }), 'INVALID_TOKEN', invalid],
    ['a forged signature', (token) => ({ authorization: `Bearer ${forge(token)}` }), 'INVALID_TOKEN', invalid],
    ['no signature', (token) => ({ authorization: `Bearer ${unsigned(token)}` }), 'INVALID_TOKEN', invalid],
    ['a token in a cookie', (token) => ({ cookie: `access_token=${token}` }), 'UNAUTHORIZED', none],
  ])('A2: %s', async (...[, headersOf, code, challenge]) => {
    const answer = await hub.ask('GET', '/api/v1/device', { headers: headersOf(owner.access_token) });
    expectProblem(answer, '/api/v1/device', { status: 401, code });
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  test('A2: a refresh token is no access token, and one in the query opens nothing', async () => {
    const refresh = await hub.ask('GET', '/api/v1/device', { token: owner.refresh_token });
    expectProblem(refresh, '/api/v1/device', { status: 401, code: 'INVALID_TOKEN' });
    const query = await hub.ask('GET', `/api/v1/device?access_token=${owner.access_token}`);
    const { type } = expectProblem(query, '/api/v1/device', { status: 401, code: 'UNAUTHORIZED' });
    expect(type).toBe('/problems/unauthorized');
  });
});

type Row = readonly [what: string, line: string, ask: Ask, status: number, code: string];

describe('requests that cannot be answered', () => {
  const json = { 'Content-Type': 'application/json' };
  const long = 'x'.repeat(70_000);
  test.each<Row>([
    ['an unknown path', 'GET /api/v1/devices', {}, 404, 'NOT_FOUND'],
    ['an unknown path outside of the API', 'GET /wp-login.php', {}, 404, 'NOT_FOUND'],
    ['an unknown device', 'GET /api/v1/device/none', {}, 404, 'NOT_FOUND'],
    ['a wrong method', 'DELETE /api/v1/device', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['a wrong method of login', 'GET /api/v1/login', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown query parameter', 'GET /api/v1/device?colour=red', {}, 400, 'INVALID_QUERY'],
    [
      'text',
      'POST /api/v1/room',
      { raw: '{}', headers: { 'Content-Type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a form',
      'POST /api/v1/login',
      { raw: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['broken JSON', 'POST /api/v1/room', { raw: '{"name": ', headers: json }, 400, 'INVALID_JSON'],
    ['broken JSON at login', 'POST /api/v1/login', { raw: 'email=a', headers: json }, 400, 'INVALID_JSON'],
    ['no body at all', 'POST /api/v1/login', { headers: json }, 400, 'INVALID_JSON'],
    ['a JSON array', 'POST /api/v1/room', { raw: '[]', headers: json }, 422, 'VALIDATION_FAILED'],
    ['an unknown field', 'POST /api/v1/room', { body: { name: 'Attic', colour: 'red' } }, 422, 'VALIDATION_FAILED'],
    ['a body of 64 KiB', 'POST /api/v1/room', { body: { name: long } }, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a login of 16 KiB',
      'POST /api/v1/login',
      { body: { ...OWNER, note: long.slice(0, 17_000) } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'a stale If-Match',
      'PATCH /api/v1/device/kitchen-ceiling',
      { body: { name: 'Lamp' }, headers: { 'If-Match': '"0"' } },
      412,
      'PRECONDITION_FAILED',
    ],
    [
      'a room that is not there',
      'PATCH /api/v1/device/kitchen-ceiling',
      { body: { room: 'none' } },
      422,
      'ROOM_NOT_FOUND',
    ],
    [
      'a command out of range',
      'POST /api/v1/device/kitchen-ceiling/command',
      { body: { set: { brightness: 101 } } },
      422,
      'VALIDATION_FAILED',
    ],
    ['an escaped path', 'GET /api/v1%2fdevice', {}, 400, 'MALFORMED_REQUEST'],
    ['a foreign host name', 'GET /api', { headers: { host: 'evil.example' } }, 421, 'MISDIRECTED_REQUEST'],
    ['a forwarded request', 'GET /api', { headers: { 'X-Forwarded-For': '203.0.113.9' } }, 403, 'PROXIED_REQUEST'],
    ['a foreign page', 'GET /api', { headers: { origin: 'https://evil.example' } }, 403, 'ORIGIN_REFUSED'],
  ])('%s', async (...[, line, ask, status, code]) => {
    const [method = '', path = ''] = line.split(' ');
    const answer = await hub.ask(method, path, { token: owner.access_token, ...ask });
    const problem = expectProblem(answer, path.split('?')[0] ?? '', { status, code });
    expect(JSON.stringify(problem)).not.toMatch(/at .*\.(ts|mjs)|sqlite|node_modules|\/tmp\//i);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  const wire = (line: string, ...fields: readonly string[]): string => [line, ...fields, '', ''].join('\r\n');
  test.each<[string, string, number, string]>([
    ['two Host fields', wire('GET /api HTTP/1.1', 'Host: localhost', 'Host: evil.example'), 400, 'MALFORMED_REQUEST'],
    [
      'two equal Host fields',
      wire('GET /api HTTP/1.1', 'Host: localhost', 'Host: localhost'),
      400,
      'MALFORMED_REQUEST',
    ],
    ['no Host field', wire('GET /api HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
    ['an absolute target', wire('GET http://localhost/api HTTP/1.1', 'Host: localhost'), 400, 'MALFORMED_REQUEST'],
    [
      'the target of a stranger',
      wire('GET http://evil.example/ HTTP/1.1', 'Host: localhost'),
      400,
      'MALFORMED_REQUEST',
    ],
    ['HTTP/1.0', wire('GET /api HTTP/1.0', 'Host: localhost'), 505, 'HTTP_VERSION_NOT_SUPPORTED'],
    ['a public address as Host', wire('GET /api HTTP/1.1', 'Host: 203.0.113.9'), 421, 'MISDIRECTED_REQUEST'],
  ])('H1, N5: %s, byte for byte', async (...[, bytes, status, code]) => {
    const answer = await sendRaw(Number(new URL(hub.address).port), bytes);
    expect([answer.status, (JSON.parse(answer.body) as Refusal).code]).toEqual([status, code]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });

  test.each([
    ['Forwarded', 'for=203.0.113.9'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Server', 'proxy'],
    ['X-Forwarded', ''],
    ['X-Real-IP', '192.168.1.2'],
    ['CF-Connecting-IP', '203.0.113.9'],
    ['CF-Ray', '1'],
    ['CF-IPCountry', 'XX'],
    ['True-Client-IP', '203.0.113.9'],
    ['Via', '1.1 proxy'],
    ['Tailscale-User-Login', OWNER.email],
    ['tailscale-headers-info', 'x'],
    ['x-FORWARDED-fOR', '127.0.0.1'],
  ])('N6: what a proxy adds is refused and never believed: %s', async (field, value) => {
    const port = Number(new URL(hub.address).port);
    const answer = await sendRaw(port, wire('GET /api HTTP/1.1', 'Host: localhost', `${field}: ${value}`));
    const { code, detail } = JSON.parse(answer.body) as Refusal;
    expect([answer.status, code]).toEqual([403, 'PROXIED_REQUEST']);
    expect(detail).toContain(field);
  });

  test('a wrong field is named by its pointer', async () => {
    const unknown = await hub.ask('POST', '/api/v1/room', { token: owner.access_token, body: { name: 'Attic', a: 1 } });
    expect(unknown.json).toMatchObject({ errors: [{ pointer: '/a', code: 'UNKNOWN' }] });
    const query = await hub.ask('GET', '/api/v1/device?colour=red', { token: owner.access_token });
    expect(query.json).toMatchObject({ errors: [{ pointer: '?colour', code: 'UNKNOWN' }] });
  });

  test('405 names what is allowed', async () => {
    const answer = await hub.ask('DELETE', '/api/v1/device', { token: owner.access_token });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  test('below /api/v1 a stranger does not learn which paths there are', async () => {
    const answer = await hub.ask('GET', '/api/v1/devices');
    expect(expectProblem(answer, '/api/v1/devices', { status: 401, code: 'UNAUTHORIZED' })).toBeDefined();
  });

  test('a resident may not rename devices, and the refusal names the missing right', async () => {
    const resident = { email: 'bo@example.org', password: 'tall green window' };
    expect(await hubs.run(['user', 'add', resident.email, '--password-stdin'], resident.password)).toMatchObject({
      code: 0,
    });
    const { access_token: token } = await logIn(hub, resident);
    const answer = await hub.ask('PATCH', '/api/v1/device/kitchen-ceiling', { token, body: { name: 'Mine' } });
    const { detail } = expectProblem(answer, '/api/v1/device/kitchen-ceiling', { status: 403, code: 'FORBIDDEN' });
    expect(detail).toContain('device:manage');
  });

  test('none of this made the hub log an error', () => {
    expect(hub.stderr()).not.toMatch(/error|INTERNAL/);
  });
});
