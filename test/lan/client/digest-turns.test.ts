import { expect, test } from 'vitest';
import { GIVEN, serveGuarded } from '#test/support/lan/digest-server.ts';
import { createTestClient, reasonOf, serveHttp } from '#test/support/lan/lan-world.ts';

test.each([
  ['SHA-256', 'auth'],
  ['MD5', 'auth,auth-int'],
])('a challenge of %s with qop %s is answered once, and the next requests count on', async (algorithm, qop) => {
  const { served, seen } = await serveGuarded({ algorithm, qop });
  const { http } = createTestClient();
  for (const path of ['/a?b=c', '/d', '/e']) {
    const answer = await http.request({ url: `${served.url}${path}`, digest: GIVEN });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, path]);
  }
  expect(seen).toEqual(['-', '00000001', '00000002', '00000003']);
  expect(served.sockets).toHaveLength(1);
});

test('calls at the same time go one after the other, so that the peer sees the counter rise', async () => {
  const { served, seen } = await serveGuarded({ delayMs: 5 });
  const { http } = createTestClient();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => http.request({ url: `${served.url}/${index}`, digest: GIVEN })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(seen).toEqual(['-', '00000001', '00000002', '00000003', '00000004', '00000005']);
});

test.each([
  ['says so', true],
  ['only has a new one', false],
])('a nonce that aged is replaced once, if the peer %s', async (_how, saysStale) => {
  const { served, seen, age } = await serveGuarded({ saysStale });
  const { http } = createTestClient();
  const request = { method: 'POST', url: `${served.url}/rpc`, body: '{}', digest: GIVEN } as const;
  await http.request(request);
  age();
  expect((await http.request(request)).status).toBe(200);
  expect(seen).toEqual(['-', '00000001', '00000002', '00000001']);
});

test('a wrong password is tried once, and the refusal is the answer', async () => {
  const { served, seen } = await serveGuarded();
  const { http } = createTestClient();
  const digest = { ...GIVEN, password: 'wrong' };
  expect((await http.request({ url: served.url, digest })).status).toBe(401);
  expect(seen).toEqual(['-', '00000001']);
});

test('a peer whose nonces are all too old gets three requests', async () => {
  let requests = 0;
  const { url } = await serveHttp((_request, response) => {
    requests += 1;
    const challenge = `Digest realm="lamp", nonce="n${requests}", qop="auth", stale=true`;
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end('x'.repeat(100_000));
  });
  const answer = await createTestClient().http.request({ url, digest: GIVEN });
  expect([answer.status, requests]).toEqual([401, 3]);
});

test('a refusal without end is broken off, and its challenge answered', async () => {
  const { url } = await serveHttp((request, response) => {
    if (request.headers.authorization !== undefined) {
      response.end('in');
      return;
    }
    response.writeHead(401, { 'WWW-Authenticate': 'Digest realm="lamp", nonce="n", qop="auth"' });
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', write);
    write();
  });
  expect((await createTestClient().http.request({ url, digest: GIVEN })).status).toBe(200);
});

test('without a request for it no credentials are sent, and to a peer that wants others none', async () => {
  const { served, seen } = await serveGuarded();
  const { http } = createTestClient();
  expect((await http.request({ url: served.url })).status).toBe(401);
  const { url } = await serveHttp((request, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="a"' }).end(request.headers.authorization ?? 'none');
  });
  const answer = await http.request({ url, digest: GIVEN });
  expect([seen, Buffer.from(answer.body).toString()]).toEqual([['-'], 'none']);
});

test('a call that waits for its turn can be ended', async () => {
  const { served } = await serveGuarded({ delayMs: 60_000 });
  const client = createTestClient();
  const first = reasonOf(client.http.request({ url: served.url, digest: GIVEN }));
  const ending = new AbortController();
  const second = reasonOf(client.http.request({ url: served.url, digest: GIVEN, signal: ending.signal }));
  ending.abort();
  expect(await second).toBe('aborted');
  client.close();
  expect(await first).toBe('aborted');
  served.server.closeAllConnections();
});

test('a stream of events has its turn until its head came', async () => {
  const guard = await serveGuarded();
  const { http } = createTestClient();
  await http.request({ url: guard.served.url, digest: GIVEN });
  const events = http.events({ url: `${guard.served.url}/events`, digest: GIVEN }, new AbortController().signal);
  const failure = await reasonOf(events[Symbol.asyncIterator]().next());
  expect([failure, guard.seen.at(-1)]).toEqual(['bad_answer', '00000002']);
  expect((await http.request({ url: guard.served.url, digest: GIVEN })).status).toBe(200);
});
