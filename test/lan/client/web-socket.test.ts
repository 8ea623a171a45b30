import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { faultOf } from '#base/network/connection-failure.ts';
import type { OpenWebSocket } from '#base/network/lan-ports.ts';
import { createTestClient, readCertificate, reasonOf, serveHttp, serveTcp } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const SOON = { interval: 5 };

/** The client's options, and what it heard. */
function listener(url: string) {
  const heard: (string | Uint8Array)[] = [];
  const ending = new AbortController();
  const options: Parameters<OpenWebSocket>[0] = {
    url,
    onMessage: (data) => void heard.push(data),
    signal: ending.signal,
  };
  return { heard, ending, options };
}

async function serveWebSocket(onConnection: (socket: WebSocket) => void, isTls = false) {
  const server = isTls ? createTlsServer(readCertificate('lamp')) : createServer();
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => void sockets.push(socket));
  const websockets = new WebSocketServer({ server, perMessageDeflate: true, clientTracking: true });
  const offers: unknown[] = [];
  websockets.on('connection', (socket, request) => {
    offers.push(request.headers['sec-websocket-extensions']);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `${isTls ? 'wss' : 'ws'}://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, sockets, offers };
}

/** Accepts the upgrade by hand, then gives the bare socket. */
async function serveLiar(onOpen: (socket: Socket) => void) {
  return serveTcp((socket) => {
    socket.once('data', (data) => {
      const key = /sec-websocket-key: (\S+)/i.exec(data.toString('latin1'))?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade';
      socket.write(`${head}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      onOpen(socket);
    });
  });
}

test('text and bytes go both ways, uncompressed', async () => {
  const { url, offers } = await serveWebSocket((socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  const { heard, options } = listener(url);
  const websocket = await createTestClient().openWebSocket(options);
  websocket.send('häll😀');
  websocket.send(Uint8Array.of(1, 2));
  await vi.waitFor(() => expect(heard).toEqual(['häll😀', Buffer.from([1, 2])]), SOON);
  expect([offers, websocket.fingerprint]).toEqual([[undefined], null]);
  websocket.close();
  expect(await websocket.ended).toEqual({ code: 1000, reason: '' });
});

test('a pinned certificate lets a TLS connection in, and is reported', async () => {
  const { url } = await serveWebSocket((socket) => socket.send('hi'), true);
  const { heard, options } = listener(url);
  const { pin } = readCertificate('lamp');
  const websocket = await createTestClient().openWebSocket({ ...options, tls: { pin } });
  await vi.waitFor(() => expect(heard).toEqual(['hi']), SOON);
  expect(websocket.fingerprint).toBe(pin);
});

test('the end of the peer has its code and reason', async () => {
  const { url } = await serveWebSocket((socket) => socket.close(4001, 'go away'));
  const websocket = await createTestClient().openWebSocket(listener(url).options);
  expect(await websocket.ended).toEqual({ code: 4001, reason: 'go away' });
  expect(() => websocket.send('x')).toThrow(expect.objectContaining({ code: 'CONNECTION_FAILED' }));
  websocket.close();
});

describe('an upgrade', () => {
  test.each([
    ['that is refused', 403],
    ['that is redirected', 302],
    ['that is answered as a page', 200],
  ])('%s fails with its status and is not repeated', async (_what, status) => {
    const { url, sockets } = await serveHttp((_request, response) => {
      response.writeHead(status, { Location: 'ws://203.0.113.7/' }).end('x'.repeat(1_000_000));
    });
    const opening = createTestClient().openWebSocket(listener(url.replace('http', 'ws')).options);
    const failure = await opening.catch((cause: unknown) => faultOf(cause));
    expect(failure).toMatchObject({ reason: 'bad_answer', status });
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON);
  });

  test.each([
    [
      'has the wrong key',
      'bad_answer',
      'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
    ],
    [
      'compresses unasked',
      'bad_answer',
      'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Accept: x\r\n\r\n',
    ],
    ['is of another protocol', 'bad_answer', 'HTTP/1.1 101 X\r\nUpgrade: tls\r\nConnection: Upgrade\r\n\r\n'],
    ['is no HTTP', 'bad_answer', 'hello\r\n\r\n'],
    ['has headers without end', 'too_large', `HTTP/1.1 101 X\r\n${'a: b\r\n'.repeat(20_000)}`],
  ])('that %s fails', async (_what, reason, said) => {
    const { url, sockets } = await serveTcp((socket) => void socket.once('data', () => void socket.write(said)));
    expect(await reasonOf(createTestClient().openWebSocket(listener(url.replace('http', 'ws')).options))).toBe(reason);
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
  });

  test('that gets no answer has its time', async () => {
    const time = createManualTime();
    const { url, sockets } = await serveTcp((socket) => void socket.resume());
    const { options } = listener(url.replace('http', 'ws'));
    const reason = reasonOf(
      createTestClient({ startTimer: time.startTimer }).openWebSocket({ ...options, timeoutMs: 500 }),
    );
    await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0), SOON);
    await time.advance(500);
    expect(await reason).toBe('timeout');
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
    expect(time.pendingMs()).toEqual([]);
  });

  test.each<[string, Partial<Parameters<OpenWebSocket>[0]>]>([
    ['a protocol with a space', { protocols: ['a b'] }],
    ['a header with a line end', { headers: { Key: 'a\r\nb' } }],
    ['a URL of HTTP', { url: 'http://127.0.0.1/' }],
    ['a fragment', { url: 'ws://127.0.0.1/#a' }],
  ])('with %s is no request', async (_what, given) => {
    const { url, sockets } = await serveTcp((socket) => void socket.resume());
    const { options } = listener(url.replace('http', 'ws'));
    const asked = { ...options, ...given };
    const port = new URL(url).port;
    const place = { url: asked.url.replace('127.0.0.1/', `127.0.0.1:${port}/`) };
    expect(await reasonOf(createTestClient().openWebSocket({ ...asked, ...place }))).toBe('invalid_request');
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), SOON);
  });
});

describe('I1: a peer', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['that sends a message above the limit', (socket) => void socket.write(Buffer.from([0x81, 126, 0x10, 0x01]))],
    [
      'that sends fragments above the limit',
      (socket) => void socket.write(Buffer.alloc(6_000, Uint8Array.of(0x01, 1, 0x61))),
    ],
    ['that says the message has 2^63 bytes', (socket) => void socket.write(Buffer.from('81ff7fffffffffffffff', 'hex'))],
    ['that masks what it sends', (socket) => void socket.write(Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5]))],
    ['that sends no UTF-8', (socket) => void socket.write(Buffer.from([0x81, 1, 0xff]))],
    ['that sets bits of no meaning', (socket) => void socket.write(Buffer.from([0xf1, 0]))],
    ['that breaks off', (socket) => void socket.resetAndDestroy()],
    ['that ends in the middle of a frame', (socket) => void socket.end(Buffer.from([0x81, 5, 0x61]))],
  ])('%s is cut off, and nothing is heard', async (_what, speak) => {
    const { url, sockets } = await serveLiar((socket) => void setImmediate(speak, socket));
    const { heard, options } = listener(url.replace('http', 'ws'));
    const websocket = await createTestClient().openWebSocket({ ...options, maxBytes: 4_096 });
    expect((await websocket.ended).code).toBeNull();
    expect(heard).toEqual([]);
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
  });

  test('that sends thousands of messages at once holds up nobody: each has its turn', async () => {
    const frames = Buffer.alloc(3 * 20_000, Uint8Array.of(0x81, 1, 0x61));
    const { url } = await serveLiar((socket) => void socket.write(frames));
    const { heard, options } = listener(url.replace('http', 'ws'));
    let turns = 0;
    const most = { inTurn: 0, since: 0 };
    const count = (): void => {
      most.inTurn = Math.max(most.inTurn, heard.length - most.since);
      most.since = heard.length;
      turns += 1;
      if (heard.length < 20_000) setImmediate(count);
    };
    await createTestClient().openWebSocket(options);
    count();
    await vi.waitFor(() => expect(heard).toHaveLength(20_000), SOON);
    expect(most.inTurn).toBeLessThanOrEqual(2);
    expect(turns).toBeGreaterThan(5_000);
  });

  test('that does not read is cut off once 1 MiB waits for it', async () => {
    const { url, sockets } = await serveLiar((socket) => void socket.pause());
    const websocket = await createTestClient().openWebSocket(listener(url.replace('http', 'ws')).options);
    const message = 'x'.repeat(100_000);
    let sent = 0;
    const fill = (): void => {
      for (; sent < 100_000_000; sent += message.length) websocket.send(message);
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'CONNECTION_FAILED' }));
    expect(await websocket.ended).toEqual({ code: null, reason: '' });
    expect(sockets).toHaveLength(1);
  });

  test('that is gone without a word is found by pings, and one that answers them stays', async () => {
    const time = createManualTime();
    const { openWebSocket } = createTestClient({ startTimer: time.startTimer });
    const silent = await serveLiar(() => undefined);
    const gone = await openWebSocket(listener(silent.url.replace('http', 'ws')).options);
    const alive = await serveWebSocket(() => undefined);
    const kept = await openWebSocket(listener(alive.url).options);
    let isKept = true;
    void kept.ended.then(() => (isKept = false));
    for (let pings = 1; pings <= 3; pings += 1) {
      const before = alive.sockets[0]?.bytesWritten ?? 0;
      await time.advance(15_000);
      await vi.waitFor(() => expect(alive.sockets[0]?.bytesWritten).toBeGreaterThan(before), SOON);
      // The pong has reached the client, too.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    }
    expect(await gone.ended).toEqual({ code: null, reason: '' });
    expect(isKept).toBe(true);
    kept.close();
    await kept.ended;
    expect(time.pendingMs()).toEqual([]);
  });
});

describe('an abort', () => {
  test('says goodbye, ends the connection and leaves nothing', async () => {
    const time = createManualTime();
    const codes: number[] = [];
    const { url, sockets } = await serveWebSocket((socket) => void socket.on('close', (code) => void codes.push(code)));
    const { ending, options } = listener(url);
    const websocket = await createTestClient({ startTimer: time.startTimer }).openWebSocket(options);
    ending.abort();
    await websocket.ended;
    await vi.waitFor(() => expect([codes, sockets[0]?.destroyed]).toEqual([[1001], true]), SOON);
    expect(time.pendingMs()).toEqual([]);
  });

  test('ends the connection to a peer that does not answer it, and nothing more is heard', async () => {
    const { url, sockets } = await serveLiar(() => undefined);
    const { ending, heard, options } = listener(url.replace('http', 'ws'));
    const websocket = await createTestClient().openWebSocket(options);
    ending.abort();
    sockets[0]?.write(Buffer.from([0x81, 1, 0x61]));
    expect(await websocket.ended).toEqual({ code: null, reason: '' });
    expect(heard).toEqual([]);
  });

  test('while it opens ends that', async () => {
    const { url, sockets } = await serveTcp((socket) => void socket.resume());
    const { ending, options } = listener(url.replace('http', 'ws'));
    const reason = reasonOf(createTestClient().openWebSocket(options));
    await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0), SOON);
    ending.abort();
    expect(await reason).toBe('aborted');
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
  });

  test('of the whole client ends every connection', async () => {
    const { url } = await serveWebSocket(() => undefined);
    const client = createTestClient();
    const open = await Promise.all([1, 2, 3].map(() => client.openWebSocket(listener(url).options)));
    client.close();
    for (const { ended } of open) await ended;
    expect(await reasonOf(client.openWebSocket(listener(url).options))).toBe('aborted');
  });
});
