import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { refuseMalformed } from '#http/edge/guards.ts';
import { createHttpServer } from '#http/server/server.ts';
import { defineRoute } from '#http/routing/route.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { listenOnLoopback, sendRaw } from '#test/support/daemon/http-wire.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { HURRY, hurryClients } from './hurried-server.ts';
import { createLog } from '#base/log.ts';
import { HubError } from '#base/hub-error.ts';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { UnderlyingSource } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';

const waiting = vi.fn<() => void>();
const aborted = vi.fn<() => void>();
const cancelled = vi.fn<() => void>();
const broken = (): UnderlyingSource<Uint8Array> => {
  let pulls = 0;
  return {
    pull: async (controller) => {
      pulls += 1;
      await setImmediate();
      if (pulls > 1) throw new Error('the disk is broken');
      controller.enqueue(Buffer.from('first'));
    },
  };
};
const endless = (): UnderlyingSource<Uint8Array> => ({
  pull: (controller) => controller.enqueue(Buffer.alloc(1024)),
  cancel: cancelled,
});
const routes = [
  defineRoute({
    id: 'getOpen',
    method: 'GET',
    path: '/api/v1/open',
    summary: 'Open',
    tag: 'Reference',
    access: 'public',
    answers: { 200: z.unknown() },
    query: z.looseObject({}),
    handle: () => ({ status: 200, json: { ok: true } }),
  }),
  defineRoute({
    id: 'postOpen',
    method: 'POST',
    path: '/api/v1/open',
    summary: 'Open',
    tag: 'Reference',
    access: 'public',
    body: { schema: z.looseObject({}), maxBytes: 64 },
    answers: { 200: z.unknown() },
    handle: ({ body }) => ({ status: 200, json: body }),
  }),
  defineRoute({
    id: 'getWaiting',
    method: 'GET',
    path: '/api/v1/waiting',
    summary: 'Waits for the client to leave',
    tag: 'Reference',
    access: 'public',
    answers: { 200: z.unknown() },
    handle: ({ signal }) =>
      new Promise((resolve) => {
        waiting();
        signal().addEventListener('abort', () => {
          aborted();
          resolve({ status: 200, json: null });
        });
      }),
  }),
  defineRoute({
    id: 'getStream',
    method: 'GET',
    path: '/api/v1/stream',
    summary: 'Breaks after its first chunk',
    tag: 'Reference',
    access: 'public',
    query: z.looseObject({}),
    answers: { 200: null },
    handle: ({ query }) => {
      const sourceOf = 'endless' in query ? endless : broken;
      return { status: 200, bytes: new ReadableStream(sourceOf(), { highWaterMark: 0 }) };
    },
  }),
  defineRoute({
    id: 'getSignal',
    method: 'GET',
    path: '/api/v1/signal',
    summary: 'Asks at each of many steps whether the client is still there',
    tag: 'Reference',
    access: 'public',
    answers: { 200: z.unknown() },
    handle: ({ signal }) => ({ status: 200, json: new Set(Array.from({ length: 30 }, () => signal())).size }),
  }),
  defineRoute({
    id: 'getLarge',
    method: 'GET',
    path: '/api/v1/large',
    summary: 'More than a socket buffers',
    tag: 'Reference',
    access: 'public',
    answers: { 200: z.unknown() },
    handle: () => ({ status: 200, bytes: Buffer.alloc(64 * 1024 * 1024) }),
  }),
];
const { app, logged } = createTestApp(routes, {
  guards: [
    (facts) => (facts.header('host') === 'evil.test' ? new HubError('MISDIRECTED_REQUEST', 'not here') : undefined),
    refuseMalformed,
  ],
});
const log = createLog({ level: 'debug', write: (line) => logged.push(line), journal: true, wallMs: () => 0 });
let server: Server;
let port: number;
beforeAll(async () => {
  server = createHttpServer(app, log);
  port = await listenOnLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nHost: hub.local\r\n${fields}\r\n`;
const post = (fields: string, body = ''): string =>
  `POST /api/v1/open HTTP/1.1\r\nHost: hub.local\r\nContent-Type: application/json\r\n${fields}\r\n${body}`;

describe('H1: refused before routing', () => {
  test.each([
    ['two Host fields', 'GET /api/v1/open HTTP/1.1\r\nHost: hub.local\r\nHost: hub.local\r\n\r\n', 400],
    ['no Host', 'GET /api/v1/open HTTP/1.1\r\n\r\n', 400],
    ['HTTP/1.0', 'GET /api/v1/open HTTP/1.0\r\nHost: hub.local\r\n\r\n', 505],
    ['HTTP/1.0 without Host', 'GET /api/v1/open HTTP/1.0\r\n\r\n', 505],
    ['HTTP/2.0 in text', 'GET /api/v1/open HTTP/2.0\r\nHost: hub.local\r\n\r\n', 505],
    ['an absolute target', get('http://hub.local/api/v1/open'), 400],
    ['an authority target', get('hub.local:80'), 400],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: hub.local\r\n\r\n', 400],
    ['two Authorization fields', get('/api/v1/open', 'Authorization: Bearer a\r\nauthorization: Bearer b\r\n'), 400],
    ['two Content-Type fields', post('Content-Type: application/json\r\nContent-Length: 2\r\n', '{}'), 400],
    ['two Content-Length fields', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
    ['length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
    ['a transfer coding other than chunked', post('Transfer-Encoding: gzip\r\n', ''), 400],
    ['one before chunked', post('Transfer-Encoding: gzip, chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), 400],
    ['65 fields', get('/api/v1/open', 'A: b\r\n'.repeat(64)), 431],
    ['3,000 fields', get('/api/v1/open', 'A:\r\n'.repeat(1_900)), 431],
    ['more than 8 KiB of fields', get('/api/v1/open', `A: ${'b'.repeat(9_000)}\r\n`), 431],
    ['a target of more than 8 KiB', get(`/${'b'.repeat(9_000)}`), 431],
    ['%2f', get('/api/v1%2fopen'), 400],
    ['%2F', get('/api/v1%2Fopen'), 400],
    ['%5c', get('/api/v1%5copen'), 400],
    ['a backslash', get('/api/v1\\open'), 400],
    ['//', get('/api//v1/open'), 400],
    ['leading //', get('//api/v1/open'), 400],
    ['a dot segment', get('/api/./v1/open'), 400],
    ['two dots', get('/api/v1/x/../open'), 400],
    ['two dots at the end', get('/api/v1/open/..'), 400],
    ['escaped dots', get('/api/v1/x/%2e%2E/open'), 400],
    ['half escaped dots', get('/api/v1/x/.%2e/open'), 400],
    ['a fragment', get('/api/v1/open#x'), 400],
    ['a NUL escape', get('/api/v1/open%00'), 400],
    ['a broken escape', get('/api/v1/open%zz'), 400],
    ['an escape that is not UTF-8', get('/api/v1/open%ff'), 400],
    ['a control byte', get('/api/v1/open\x01'), 400],
    ['DEL', get('/api/v1/open\x7f'), 400],
    ['bytes above ASCII', get('/api/v1/k\xfcche'), 400],
    ['a bare CR in a field', get('/api/v1/open', 'A: b\rC: d\r\n'), 400],
    ['a folded field', get('/api/v1/open', 'A: b\r\n c\r\n'), 400],
    ['a field name with a blank', get('/api/v1/open', 'Host : x\r\n'), 400],
    ['a method that is none', 'FROB /api/v1/open HTTP/1.1\r\nHost: hub.local\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 400],
    ['another expectation', post('Expect: 200-maybe\r\nContent-Length: 2\r\n', '{}'), 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a broken chunk size', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), 400],
  ])('%s', async (_name, bytes, status) => {
    const answer = await sendRaw(port, Buffer.from(bytes, 'latin1'));
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ status, request_id: answer.headers['x-request-id'] });
    expect(logged).toEqual([]);
  });

  test('the network guards refuse before the malformed guard', async () => {
    const bytes = 'GET //api HTTP/1.1\r\nHost: evil.test\r\n\r\n';
    expect((await sendRaw(port, bytes)).status).toBe(421);
  });

  test.each([
    ['TRACE', 'TRACE /api/v1/open HTTP/1.1\r\nHost: hub.local\r\n\r\n', 405],
    ['PROPFIND', 'PROPFIND /api/v1/open HTTP/1.1\r\nHost: hub.local\r\n\r\n', 405],
    ['an upgrade that nobody speaks is ignored', get('/api/v1/open', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200],
    ['64 fields', get('/api/v1/open', 'A: b\r\n'.repeat(63)), 200],
    ['escapes and slashes in a query', get('/api/v1/open?a=b%2fc//d/../e'), 200],
  ])('%s', async (_name, bytes, status) => {
    expect((await sendRaw(port, bytes)).status).toBe(status);
  });
});

describe('what gets through', () => {
  test.each(['hub.local', 'HUB.LOCAL:80', '192.168.1.5', '192.168.1.5:8080', '[fe80::1]', '[::1]:80', 'hub'])(
    'Host: %s',
    async (host) => expect((await sendRaw(port, get('/api/v1/open').replace('hub.local', host))).status).toBe(200),
  );

  test.each(['[fe80::1%25eth0]:8080', '[FE80::0001]', '[::ffff:192.168.1.5]', 'hub.local.'])(
    'a GET and a POST with a host that is no host of a URL: %s',
    async (host) => {
      const posted = post('Content-Length: 2\r\n', '{}').replace('hub.local', host);
      expect((await sendRaw(port, get('/api/v1/open').replace('hub.local', host))).status).toBe(200);
      expect((await sendRaw(port, posted)).status).toBe(200);
    },
  );

  test('requests that are sent without waiting are answered one after the other', async () => {
    const bytes = get('/api/v1/open') + get('/api/v1/nothing') + get('/api/v1/open', 'Connection: close\r\n');
    const { raw } = await sendRaw(port, bytes, 'all');
    expect([...raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '401', '200']);
  });
});

describe('CONNECT never ends the hub', () => {
  const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n';

  test.each([
    ['after a refusal that closes the connection', get('//') + tunnel, '400'],
    ['after an answer that does', get('/api/v1/open', 'Connection: close\r\n') + tunnel, '200'],
    ['after bytes that are no request', `\0${tunnel}`, '400'],
    [
      'after a body that is not read',
      post('Content-Length: 2\r\n', '{}').replace('hub.local', 'evil.test') + tunnel,
      '421',
    ],
    ['twice', tunnel + tunnel, '400'],
    ['after an answer that is on its way', get('/api/v1/waiting') + tunnel, undefined],
  ])('%s', async (_name, bytes, status) => {
    const { raw } = await sendRaw(port, bytes, 'all');
    expect(/^HTTP\/1\.1 (\d+)/.exec(raw)?.[1]).toBe(status);
    expect((await sendRaw(port, get('/api/v1/open'))).status).toBe(200);
  });

  test('when its client resets the connection', async () => {
    for (let round = 0; round < 20; round += 1) {
      const client = connect(port, '127.0.0.1');
      await once(client, 'connect');
      client.write(tunnel);
      client.resetAndDestroy();
    }
    expect((await sendRaw(port, get('/api/v1/open'))).status).toBe(200);
  });
});

describe('bodies over the wire', () => {
  test('H3: the limit counts the bytes received, not the bytes announced', async () => {
    const long = JSON.stringify({ a: 'b'.repeat(80) });
    const chunked = post('Transfer-Encoding: chunked\r\n', `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`);
    expect((await sendRaw(port, chunked)).status).toBe(413);
    expect((await sendRaw(port, post('Content-Length: 1000000000\r\n'))).status).toBe(413);
    const endless = post('Transfer-Encoding: chunked\r\n', '5\r\n"aaaa\r\n'.repeat(50));
    expect((await sendRaw(port, endless)).status).toBe(413);
  });

  test('a client that expects 100-continue gets it, or the refusal in its place', async () => {
    const asking = await sendRaw(port, post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'));
    expect(asking.raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
    const refused = await sendRaw(port, post('Expect: 100-continue\r\nContent-Length: 5000\r\n'));
    expect(refused.status).toBe(413);
  });

  test('HEAD over the wire has the fields and no body', async () => {
    const answer = await sendRaw(port, 'HEAD /api/v1/open HTTP/1.1\r\nHost: hub.local\r\nConnection: close\r\n\r\n');
    expect(answer.raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.raw).toMatch(/content-length: 11\r\n/i);
    expect(answer.raw.endsWith('\r\n\r\n')).toBe(true);
  });

  test('a client that goes away aborts its route', async () => {
    const client = connect(port, '127.0.0.1');
    client.write(get('/api/v1/waiting'));
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled());
    client.destroy();
    await vi.waitFor(() => expect(aborted).toHaveBeenCalled());
    expect(logged).toEqual([]);
  });
});

describe('streams', () => {
  test('a stream that breaks is logged once and cut off, so that no client takes half of it for the whole', async () => {
    const answer = await sendRaw(port, get('/api/v1/stream', 'Connection: close\r\n'), 'all');
    expect(answer.status).toBe(200);
    expect(answer.raw).toContain('first');
    expect(answer.raw).not.toMatch(/\r\n0\r\n\r\n$/);
    await vi.waitFor(() => expect(logged.join('')).toContain('the disk is broken'));
    expect(logged.splice(0)).toHaveLength(1);
  });

  test('a stream is cancelled when its client leaves, and at once for HEAD', async () => {
    const client = connect(port, '127.0.0.1');
    client.write(get('/api/v1/stream?endless=1'));
    client.once('data', () => client.destroy());
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1));
    await sendRaw(port, 'HEAD /api/v1/stream?endless=1 HTTP/1.1\r\nHost: hub.local\r\n\r\n');
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(2));
    expect(logged).toEqual([]);
  });
});

describe('H2: slow clients', () => {
  let own: Server;
  let given: readonly number[];
  beforeAll(async () => {
    own = createHttpServer(app, log);
    given = hurryClients(own);
    ownPort = await listenOnLoopback(own);
  });
  let ownPort: number;
  afterAll(() => {
    own.closeAllConnections();
    own.close();
  });

  test('have five seconds for a header, ten for a body, and five between two requests', () => {
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([5_000, 10_000, 5_000]);
  });

  test.concurrent.each([
    ['a connection that says nothing', { bytes: '', afterMs: 5_000 / HURRY }],
    [
      'a header that does not end',
      { bytes: 'GET /api/v1/open HTTP/1.1\r\nHost: hub.local\r\n', afterMs: 5_000 / HURRY },
    ],
    ['a body that does not end', { bytes: post('Content-Length: 10\r\n', '{'), afterMs: 10_000 / HURRY }],
  ])('%s is answered with 408 and closed', async (name, { bytes, afterMs }) => {
    const passedMs = startStopwatch();
    const answer = await sendRaw(ownPort, bytes);
    const tookMs = passedMs();
    expect(answer.status).toBe(408);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(tookMs).toBeGreaterThan(afterMs - 100);
    expectBelow(`${name} is closed, ms`, tookMs, afterMs + 2_000);
  });

  test.concurrent('a handler that asks for its signal at each step gets the same one', async () => {
    expect((await sendRaw(port, get('/api/v1/signal', 'Connection: close\r\n'))).body).toBe('1');
  });

  test.concurrent('a client that reads nothing is cut off', async () => {
    const passedMs = startStopwatch();
    const tookMs = new Promise<number>((resolve) => {
      own.on('connection', (socket: Socket) => {
        if (socket.remotePort === client.localPort) socket.once('close', () => resolve(passedMs()));
      });
    });
    const client = connect(ownPort, '127.0.0.1');
    client.pause();
    client.write(get('/api/v1/large'));
    expect(await tookMs).toBeGreaterThan(4_900 / HURRY);
    expectBelow('a client that reads nothing is cut off, ms', await tookMs, 10_000 / HURRY + 2_000);
    expect(given).toContain(5_000);
    client.destroy();
  });
});
