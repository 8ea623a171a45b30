import { describe, expect, test } from 'vitest';
import { openAccountApp } from '#test/support/hub/account-app.ts';

async function openClaimed() {
  const app = await openAccountApp();
  await app.setUp();
  return app;
}

describe('POST /api/v1/login', () => {
  test('answers with exactly the fields of the contract', async () => {
    const { call, credentials } = await openClaimed();
    const { status, headers, json } = await call('POST', 'login', { body: credentials });
    expect(status).toBe(200);
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^[\w-]{91}$/),
      token_type: 'Bearer',
      expires_in: 86_400,
      refresh_expires_in: 2_592_000,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: credentials.email,
        name: 'Anna',
        role: 'owner',
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test.each([
    'application/json',
    'application/json; charset=UTF-8',
    'application/json;charset=utf-8',
    'Application/JSON; Charset="utf-8"',
  ])('takes the media type %s', async (type) => {
    const { call, credentials } = await openClaimed();
    const { status } = await call('POST', 'login', { body: credentials, headers: { 'Content-Type': type } });
    expect(status).toBe(200);
  });

  test('ignores unknown fields and an Authorization header: scripts written for another hub must not break', async () => {
    const { call, credentials } = await openClaimed();
    const body = { ...credentials, remember: true, device: { os: 'x' }, client_name: null, rotate: null };
    expect((await call('POST', 'login', { body, token: 'expired' })).status).toBe(200);
  });

  test('A3: the answers to a wrong password and to an unknown address differ only in the id of the request', async () => {
    const { call, credentials } = await openClaimed();
    const wrong = await call('POST', 'login', { body: { ...credentials, password: 'not the password' } });
    const unknown = await call('POST', 'login', { body: { ...credentials, email: 'nobody@example.org' } });
    const strip = (answer: typeof wrong): unknown => ({
      status: answer.status,
      json: { ...answer.json, request_id: '' },
      headers: [...answer.headers].filter(([name]) => name !== 'x-request-id'),
    });
    expect([wrong.status, wrong.json['code']]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(strip(unknown)).toEqual(strip(wrong));
    expect(unknown.text.replace(/request-\d+/, '')).toBe(wrong.text.replace(/request-\d+/, ''));
  });

  test.each([
    ['no password', { password: undefined }, '/password'],
    ['a number as password', { password: 1_234_567_890 }, '/password'],
    ['a password of 1,025 bytes', { password: 'x'.repeat(1025) }, '/password'],
    ['a password of 1,026 bytes in 513 characters', { password: 'é'.repeat(513) }, '/password'],
    ['no address', { email: undefined }, '/email'],
    ['an address of 255 characters', { email: 'x'.repeat(255) }, '/email'],
    ['a word for rotate', { rotate: 'yes' }, '/rotate'],
  ])('%s is 422 with a pointer', async (_name, change, pointer) => {
    const { call, credentials } = await openClaimed();
    const { status, json } = await call('POST', 'login', { body: { ...credentials, ...change } });
    expect([status, json['errors']]).toEqual([422, [expect.objectContaining({ pointer })]]);
  });

  test.each([
    ['a password of 1,024 bytes', { password: 'x'.repeat(1024) }],
    ['an address of 254 characters', { email: 'x'.repeat(254) }],
    ['an empty password', { password: '' }],
    ['an empty address', { email: '' }],
    ['an address that is SQL', { email: "' OR 1=1 --" }],
    ['an address cut by a NUL', { email: 'Anna@Example.org\u0000x' }],
    ['a password with a NUL behind it', { password: 'lamp quilt orbit\u0000' }],
    ['an address of a JavaScript object', { email: '__proto__' }],
  ])('%s is 401 and nothing worse', async (_name, change) => {
    const { call, credentials } = await openClaimed();
    const { status, json } = await call('POST', 'login', { body: { ...credentials, ...change } });
    expect([status, json['code']]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('H3: a body above 16 KiB is 413', async () => {
    const { call, credentials } = await openClaimed();
    const { status } = await call('POST', 'login', { body: { ...credentials, client_name: 'x'.repeat(16_384) } });
    expect(status).toBe(413);
  });

  test('names the session by the client’s own name, else by its user agent, in 100 harmless characters', async () => {
    const { call, logIn } = await openClaimed();
    await logIn({}, { 'User-Agent': 'curl/8.5.0' });
    await logIn({ client_name: 'Kitchen\u001b tablet\ud800' });
    const { access_token: token } = await logIn({ client_name: '🦊'.repeat(200) });
    const { json } = await call('GET', 'session', { token });
    const names = (json as unknown as { client_name: string | null }[]).map((session) => session.client_name);
    expect(new Set(names)).toEqual(new Set([null, 'curl/8.5.0', 'Kitchen  tablet', '🦊'.repeat(100)]));
  });
});

describe('POST /api/v1/access_token', () => {
  test('without rotation: answers with exactly the fields of the contract, and takes the same token again and again', async () => {
    const { call, logIn, hubClock } = await openClaimed();
    const { refresh_token: refreshToken } = await logIn();
    hubClock.advance(90_000_500);
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, json } = await call('POST', 'access_token', { body: { refresh_token: refreshToken, x: 1 } });
      expect([status, json]).toEqual([
        200,
        {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 86_400,
          refresh_expires_in: 2_501_999,
        },
      ]);
      const me = await call('GET', 'me', { token: String(json['access_token']) });
      expect(me.status).toBe(200);
    }
  });

  test('with rotation: also answers with the next refresh token', async () => {
    const { call, logIn } = await openClaimed();
    const { refresh_token: first } = await logIn({ rotate: true });
    const { json } = await call('POST', 'access_token', { body: { refresh_token: first } });
    expect(json['refresh_token']).toMatch(/^[\w-]{91}$/);
    expect(json['refresh_token']).not.toBe(first);
  });

  test.each(['', 'x', 'A'.repeat(91), 'ey.ey.ey'])('%j is 401 INVALID_REFRESH_TOKEN', async (refreshToken) => {
    const { call } = await openClaimed();
    const { status, json } = await call('POST', 'access_token', { body: { refresh_token: refreshToken } });
    expect([status, json['code']]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  });

  test('A2: an access token in the body or in the header is no refresh token', async () => {
    const { call, logIn } = await openClaimed();
    const { access_token: token } = await logIn();
    const wrong = await call('POST', 'access_token', { body: { refresh_token: token }, token });
    expect(wrong.json['code']).toBe('INVALID_REFRESH_TOKEN');
    const missing = await call('POST', 'access_token', { body: {}, token });
    expect([missing.status, missing.json['errors']]).toEqual([
      422,
      [
        {
          pointer: '/refresh_token',
          code: 'REQUIRED',
          message: 'is required',
          reason: { id: 'required', with: {} },
        },
      ],
    ]);
  });

  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

  test.each([
    ['as the bearer, without a body', (token: string) => ({ token })],
    ['as a form', (token: string) => ({ headers: FORM, body: `grant_type=refresh_token&refresh_token=${token}` })],
    [
      'as a form with a charset, beside an old access token',
      (token: string) => ({
        headers: { 'Content-Type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' },
        body: `refresh_token=${token}&client_id=x`,
        token: 'old',
      }),
    ],
  ])('takes the refresh token %s', async (_name, request) => {
    const { call, logIn } = await openClaimed();
    const { refresh_token: refreshToken } = await logIn();
    const { status, json } = await call('POST', 'access_token', request(refreshToken));
    expect([status, json]).toEqual([200, expect.objectContaining({ token_type: 'Bearer' })]);
  });

  test.each([
    ['no body and no bearer', {}, 422],
    ['no body and another scheme', { headers: { Authorization: 'Basic YTpi' } }, 422],
    ['no body and the bearer of another hub', { token: 'x' }, 401],
    ['a form without the token', { headers: FORM, body: 'grant_type=refresh_token' }, 422],
    ['a form with the token twice', { headers: FORM, body: 'refresh_token=a&refresh_token=b' }, 400],
    ['a form with the name of a prototype', { headers: FORM, body: '__proto__=a&refresh_token=b' }, 400],
    ['a form of 2,000 fields', { headers: FORM, body: Array.from({ length: 2_000 }, (_, at) => at).join('&') }, 400],
    ['JSON as a form', { headers: FORM, body: '{"refresh_token":"x"}' }, 422],
    ['a form as JSON', { body: 'refresh_token=x' }, 400],
    [
      'a form with another charset',
      { headers: { 'Content-Type': `${FORM['Content-Type']}; charset=utf-16` }, body: 'x' },
      415,
    ],
    ['a form with parts', { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: 'x' }, 415],
    ['plain text', { headers: { 'Content-Type': 'text/plain' }, body: 'refresh_token=x' }, 415],
    ['a form above 16 KiB', { headers: FORM, body: `refresh_token=${'x'.repeat(16_384)}` }, 413],
  ])('%s is refused', async (_name, request, wanted) => {
    const { call } = await openClaimed();
    expect((await call('POST', 'access_token', request)).status).toBe(wanted);
  });

  test('no other call takes a form', async () => {
    const { call, credentials } = await openClaimed();
    const body = new URLSearchParams(credentials).toString();
    expect((await call('POST', 'login', { body, headers: FORM })).status).toBe(415);
  });
});
