import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { faultOf } from '#base/network/connection-failure.ts';
import type { ServerSentEvent } from '#base/network/lan-ports.ts';
import { createTestClient, reasonOf, serveHttp, serveTcp } from '#test/support/lan/lan-world.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n';
const SOON = { interval: 5 };
const NEVER = new AbortController().signal;

async function readAll(events: AsyncIterable<ServerSentEvent>): Promise<string[]> {
  const read: string[] = [];
  for await (const { data } of events) read.push(data);
  return read;
}

/** A server that says this after its head, and then what the test writes. */
async function serveEvents(said: string) {
  return serveTcp((socket) => void socket.once('data', () => void socket.write(`${HEAD}${said}`)));
}

test('a stream gives its events as they come, and ends when the peer ends it', async () => {
  const time = createManualTime();
  const { url, sockets } = await serveEvents(': hi\n\nid: 1\ndata: {"a":"€');
  const { http } = createTestClient({ startTimer: time.startTimer });
  const reading = http.events({ url, headers: { 'X-Key': 'k' } }, NEVER)[Symbol.asyncIterator]();
  const first = reading.next();
  await vi.waitFor(() => expect(sockets).toHaveLength(1), SOON);
  await vi.waitFor(() => expect(sockets[0]?.bytesWritten).toBeGreaterThan(HEAD.length), SOON);
  await time.advance(3_600_000);
  sockets[0]?.write('"}\n\n');
  expect(await first).toEqual({ done: false, value: { id: '1', event: 'message', data: '{"a":"€"}' } });
  sockets[0]?.end('data: lost');
  expect(await reading.next()).toEqual({ done: true, value: undefined });
  expect(time.pendingMs()).toEqual([]);
});

test('a stream says when it is open, before its first event and not if it is refused', async () => {
  const { url, sockets } = await serveEvents(': hi\n\n');
  const ending = new AbortController();
  const opened = new Promise<void>((resolve) => {
    const reading = createTestClient().http.events({ url }, ending.signal, resolve)[Symbol.asyncIterator]();
    void reading.next();
  });
  await opened;
  expect(sockets).toHaveLength(1);
  ending.abort();
  const refused = await serveHttp((_request, response) => void response.writeHead(403).end());
  let isOpen = false;
  const reading = readAll(createTestClient().http.events({ url: refused.url }, NEVER, () => (isOpen = true)));
  expect(await reasonOf(reading)).toBe('bad_answer');
  expect(isOpen).toBe(false);
});

describe('a stream ends without an error and leaves no socket', () => {
  test.each<[string, (end: AbortController, client: { close: () => void }) => void]>([
    ['when its signal aborts', (end) => void setImmediate(() => end.abort())],
    ['when the client closes', (_end, client) => void setImmediate(client.close)],
  ])('%s', async (_when, act) => {
    const { url, sockets } = await serveEvents('data: a\n\n');
    const client = createTestClient();
    const ending = new AbortController();
    const read: string[] = [];
    for await (const { data } of client.http.events({ url }, ending.signal)) {
      read.push(data);
      act(ending, client);
    }
    expect(read).toEqual(['a']);
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
  });

  test('when its reader has enough', async () => {
    const { url, sockets } = await serveEvents('data: a\n\ndata: b\n\n');
    for await (const { data } of createTestClient().http.events({ url }, NEVER)) {
      expect(data).toBe('a');
      break;
    }
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
  });

  test('when its signal has aborted before', async () => {
    const { url, sockets } = await serveEvents('');
    expect(await readAll(createTestClient().http.events({ url }, AbortSignal.abort()))).toEqual([]);
    expect(sockets).toHaveLength(0);
  });
});

test.each<[string, string, (socket: Socket) => void]>([
  ['breaks off', 'closed', (socket) => void socket.resetAndDestroy()],
  ['sends an event without end', 'too_large', (socket) => flood(socket, 'data: x\n')],
  ['sends a line without end', 'too_large', (socket) => flood(socket, 'x')],
])('a stream whose peer %s fails', async (_what, reason, speak) => {
  const { url, sockets } = await serveEvents('data: a\n\n');
  const read: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const { data } of createTestClient().http.events({ url }, NEVER)) {
      read.push(data);
      if (sockets[0] !== undefined) speak(sockets[0]);
    }
  };
  expect([await reasonOf(reading()), read]).toEqual([reason, ['a']]);
  await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), SOON);
});

test('an answer that is no stream of events fails with its status', async () => {
  const { url, sockets } = await serveHttp((request, response) => {
    response.writeHead(request.url === '/forbidden' ? 403 : 200, { 'Content-Type': 'text/html' }).write('<html>');
  });
  const { http } = createTestClient();
  const statusOf = (path: string): Promise<unknown> =>
    readAll(http.events({ url: `${url}${path}` }, NEVER)).catch((cause: unknown) => faultOf(cause)?.status);
  expect([await statusOf('/forbidden'), await statusOf('/page')]).toEqual([403, 200]);
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]), SOON);
});

test('a peer that gives no head has its time', async () => {
  const time = createManualTime();
  const { url, sockets } = await serveTcp(() => undefined);
  const reason = reasonOf(readAll(createTestClient({ startTimer: time.startTimer }).http.events({ url }, NEVER)));
  await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0), SOON);
  await time.advance(10_000);
  expect(await reason).toBe('timeout');
});

test('a slow reader slows the peer, and the hub keeps only what its buffers hold', async () => {
  const { url, sockets } = await serveEvents('data: a\n\n');
  const reading = createTestClient().http.events({ url }, NEVER)[Symbol.asyncIterator]();
  await reading.next();
  const socket = sockets[0];
  const event = Buffer.from(`data: ${'x'.repeat(65_000)}\n\n`);
  // The kernel's buffers fill up, and then the peer's own.
  const waiting = (): number => socket?.writableLength ?? 0;
  while (waiting() < 1_000_000) socket?.write(event);
  // A reader that took everything would be done within a few turns.
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(waiting()).toBeGreaterThan(0);
  await reading.return?.();
});

function flood(socket: Socket, piece: string): void {
  const pieces = piece.repeat(8_192);
  const write = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', write);
  write();
}
