import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { faultOf } from '#base/network/connection-failure.ts';
import { createTestClient, reasonOf, serveHttp, serveTcp } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const SOON = { interval: 5 };

describe('a request', () => {
  test('resolves with status, headers and body, whatever the status', async () => {
    const { url } = await serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.once('end', () => {
        response.writeHead(404, { 'X-Two': ['a', 'b'], 'X-Coding': request.headers['accept-encoding'] });
        response.end(
          `${request.method} ${request.url} ${String(request.headers['x-key'])} ${Buffer.concat(chunks).toString()}`,
        );
      });
    });
    const { http } = createTestClient();
    const headers = { 'X-Key': 'k' };
    const answer = await http.request({ method: 'PUT', url: `${url}/a%20b?c=d#e`, headers, body: '{"on":true}' });
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'x-two': 'a, b', 'x-coding': 'identity' },
      fingerprint: null,
    });
    expect(Buffer.from(answer.body).toString()).toBe('PUT /a%20b?c=d k {"on":true}');
  });

  test('uses a connection again, but not that of another place', async () => {
    const one = await serveHttp((_request, response) => void response.end('one'));
    const two = await serveHttp((_request, response) => void response.end('two'));
    const { http } = createTestClient();
    for (let count = 0; count < 3; count += 1) {
      for (const { url } of [one, two]) await http.request({ url });
      await new Promise(setImmediate);
    }
    expect([one.sockets.length, two.sockets.length]).toEqual([1, 1]);
  });

  test('leaves the kernel to probe a connection after 30 s, and no sooner once it is used again', async () => {
    const probes = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => probes.mockRestore());
    const { url } = await serveHttp((_request, response) => void response.end());
    await createTestClient().http.request({ url });
    await new Promise(setImmediate);
    expect(probes.mock.calls).toEqual([[true, 30_000]]);
  });

  test('leaves at most two connections of a place for the next ones', async () => {
    const { url, sockets } = await serveHttp((_request, response) => void setImmediate(() => response.end()));
    const { http } = createTestClient();
    await Promise.all(Array.from({ length: 6 }, () => http.request({ url })));
    const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
    await vi.waitFor(() => expect([sockets.length, open()]).toEqual([6, 2]), SOON);
  });

  test('is sent again if the peer had ended the waiting connections, unless it may act twice', async () => {
    const methods: string[] = [];
    const { url, sockets } = await serveTcp((socket) => {
      socket.once('data', (data) => {
        methods.push(data.toString('latin1').split(' ')[0] ?? '');
        socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
        // The next request on this connection finds it closed.
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    const { http } = createTestClient();
    await Promise.all([http.request({ url }), http.request({ url })]);
    await new Promise(setImmediate);
    expect((await http.request({ method: 'PUT', url, body: 'x' })).status).toBe(200);
    expect([methods, sockets.length]).toEqual([['GET', 'GET', 'PUT'], 3]);
    await new Promise(setImmediate);
    expect(await reasonOf(http.request({ method: 'POST', url, body: 'x' }))).toBe('closed');
  });

  test('follows no redirect', async () => {
    const { url, sockets } = await serveHttp((_request, response) => {
      response.writeHead(307, { Location: 'http://203.0.113.7/' }).end();
    });
    const { http } = createTestClient();
    const answer = await http.request({ url });
    expect([answer.status, answer.headers['location'], sockets.length]).toEqual([307, 'http://203.0.113.7/', 1]);
  });

  test('goes through no proxy that the environment names', async () => {
    const proxy = await serveTcp(() => undefined);
    const { url } = await serveHttp((_request, response) => void response.end());
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      vi.stubEnv(name, name.startsWith('NODE') ? '1' : proxy.url);
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await createTestClient().http.request({ url })).status).toBe(200);
    expect(proxy.sockets).toHaveLength(0);
  });

  test.each([
    ['a scheme that is not HTTP', { url: 'file:///etc/passwd' }],
    ['credentials in the URL', { url: 'http://u:p@127.0.0.1/' }],
    ['port 0', { url: 'http://127.0.0.1:0/' }],
    ['no URL', { url: 'lamp' }],
    ['a line end in a header', { url: 'http://127.0.0.1:9/', headers: { Key: 'a\r\nHost: b' } }],
    ['a header that is none', { url: 'http://127.0.0.1:9/', headers: { 'a b': 'c' } }],
  ])('is refused for %s', async (_what, request) => {
    expect(await reasonOf(createTestClient().http.request(request))).toBe('invalid_request');
  });

  test('that is one of too many is refused at once', async () => {
    const { url } = await serveTcp(() => undefined);
    const client = createTestClient();
    const waiting = Array.from({ length: 64 }, () => reasonOf(client.http.request({ url })));
    expect(await reasonOf(client.http.request({ url }))).toBe('busy');
    client.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['aborted']));
    expect(await reasonOf(client.http.request({ url }))).toBe('aborted');
  });
});

describe('I1: a peer that answers', () => {
  const cases: readonly (readonly [string, string, (socket: Socket) => void])[] = [
    [
      'with broken chunks',
      'bad_answer',
      (socket) => void socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
    ],
    [
      'with two lengths',
      'bad_answer',
      (socket) => void socket.end(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    ],
    ['without HTTP', 'bad_answer', (socket) => void socket.end('hello\r\n\r\n')],
    [
      'with another protocol',
      'bad_answer',
      (socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['with nothing but its end', 'closed', (socket) => void socket.end()],
    ['and breaks off', 'closed', (socket) => void socket.end(`${HEAD}Content-Length: 9\r\n\r\nabc`)],
    [
      'and breaks off in a chunk',
      'closed',
      (socket) => void socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`),
    ],
    [
      'with a length above the limit',
      'too_large',
      (socket) => void socket.write(`${HEAD}Content-Length: 1048577\r\n\r\n`),
    ],
    ['with one header line without end', 'too_large', (socket) => endless(socket, `${HEAD}X: `, 'x')],
    ['with headers without end', 'too_large', (socket) => endless(socket, HEAD, 'X: y\r\n')],
    ['without end', 'too_large', (socket) => endless(socket, `${HEAD}\r\n`, 'x')],
    [
      'in small chunks without end',
      'too_large',
      (socket) => endless(socket, `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '10\r\nxxxxxxxxxxxxxxxx\r\n'),
    ],
    ['with what unpacks to more', 'bad_answer', (socket) => bomb(socket)],
  ];
  test.each(cases)('%s fails (%s)', async (_what, reason, speak) => {
    const { url, sockets } = await serveTcp((socket) => void socket.once('data', () => speak(socket)));
    expect(await reasonOf(createTestClient().http.request({ url }))).toBe(reason);
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), SOON);
  });

  test('with 100 MB is cut off at the limit', async () => {
    let sent = 0;
    const { url, sockets } = await serveTcp((socket) => {
      const piece = Buffer.alloc(64 * 1024);
      const write = (): void => {
        while (!socket.destroyed && sent < 100 * 1024 * 1024) {
          sent += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', write);
      socket.once('data', () => {
        socket.write(`${HEAD}\r\n`);
        write();
      });
    });
    expect(await reasonOf(createTestClient().http.request({ url }))).toBe('too_large');
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
    // What the kernel's buffers of both sides hold comes on top of the limit.
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  test('as HTTP/1.0 does, until it closes, is understood', async () => {
    const { url } = await serveTcp((socket) => {
      socket.once('data', () => void socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold'));
    });
    expect(Buffer.from((await createTestClient().http.request({ url })).body).toString()).toBe('old');
  });

  test.each([
    ['never', (_socket: Socket) => undefined],
    ['with one byte at a time', (socket: Socket) => drip(socket, `${HEAD}Content-Length: 1000\r\n\r\n`)],
    ['with hints without end', (socket: Socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50))],
  ])('%s has ten seconds for all of it', async (_what, speak) => {
    const time = createManualTime();
    const { url, sockets } = await serveTcp((socket) => void socket.once('data', () => speak(socket)));
    const reason = reasonOf(createTestClient({ startTimer: time.startTimer }).http.request({ url }));
    await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0), SOON);
    await time.advance(9_999);
    expect(sockets[0]?.destroyed).toBe(false);
    await time.advance(1);
    expect(await reason).toBe('timeout');
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
    expect(time.pendingMs()).toEqual([]);
  });
});

describe('an abort', () => {
  test.each([
    ['before the answer', ''],
    ['in the middle of the answer', `${HEAD}Content-Length: 9\r\n\r\nabc`],
  ])('%s leaves no socket and no timer', async (_what, said) => {
    const time = createManualTime();
    const { url, sockets } = await serveTcp((socket) => void socket.once('data', () => void socket.write(said)));
    const ending = new AbortController();
    const { http } = createTestClient({ startTimer: time.startTimer });
    const reason = reasonOf(http.request({ url, signal: ending.signal }));
    await vi.waitFor(() => expect(sockets[0]?.bytesWritten).toBe(said.length), SOON);
    ending.abort();
    expect(await reason).toBe('aborted');
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON);
    expect(time.pendingMs()).toEqual([]);
  });

  test('that came before the call ends it at once', async () => {
    const { url, sockets } = await serveTcp(() => undefined);
    const { http } = createTestClient();
    expect(await reasonOf(http.request({ url, signal: AbortSignal.abort() }))).toBe('aborted');
    expect(sockets).toHaveLength(0);
  });
});

test('a failure says nothing of the place to anyone but the owner', async () => {
  const { http } = createTestClient();
  const failure = await http.request({ url: 'http://127.0.0.1:9/' }).catch((cause: unknown) => cause as Error);
  expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', message: 'The connection failed.' });
  expect(faultOf(failure)).toMatchObject({ reason: 'refused', message: 'the connection failed: ECONNREFUSED' });
});

function endless(socket: Socket, head: string, piece: string): void {
  const pieces = piece.repeat(Math.ceil(16_384 / piece.length));
  const write = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', write);
  socket.write(head);
  write();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const next = (): void => {
    if (socket.destroyed) return;
    socket.write(text[at] ?? 'x');
    at += 1;
    if (at < text.length + 500) setImmediate(next);
  };
  next();
}

function bomb(socket: Socket): void {
  const body = gzipSync(Buffer.alloc(10 * 1024 * 1024));
  socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.end(body);
}
