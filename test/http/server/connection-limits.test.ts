import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionLimits } from '#http/server/connection-limits.ts';
import { createConnectionLimits } from '#http/server/connection-limits.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function createTestLimits() {
  const { log, lines } = createRecordingLog();
  const { clock, advance } = createManualTime();
  return { limits: createConnectionLimits({ log, clock }), lines, advance };
}

/** A connection as far as the limits look at one. */
function peer(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    writableLength: 0,
    destroyed: false,
    destroy: () => {
      socket.destroyed = true;
      socket.emit('close');
    },
    resetAndDestroy: () => socket.destroy(),
  });
  return socket;
}

type Peer = ReturnType<typeof peer>;
const admit = (limits: ConnectionLimits, socket: Peer): boolean => limits.admit(socket as unknown as Socket);

function admitMany(limits: ConnectionLimits, count: number, addressOf: (index: number) => string): Peer[] {
  return Array.from({ length: count }, (_, index) => {
    const socket = peer(addressOf(index));
    expect(admit(limits, socket)).toBe(true);
    return socket;
  });
}

/** A server whose requests these peers make; the answer ends when told to. */
function createTestServer(limits: ConnectionLimits) {
  const server = new EventEmitter();
  limits.watch(server as unknown as Server);
  return {
    request: (socket: Peer, complete = true) => {
      const answer = new EventEmitter();
      server.emit('request', { socket, complete }, answer);
      return { end: () => answer.emit('close') };
    },
  };
}

const openOf = (sockets: readonly Peer[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

describe('H2: the connection limits', () => {
  test('give one address 32, closing its oldest idle one for the next', () => {
    const { limits } = createTestLimits();
    const sockets = admitMany(limits, 40, () => '192.168.1.5');
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([...Array(8).fill(true), ...Array(32).fill(false)]);
    expect(limits.counts()).toEqual({ open: 32, evicted: 8, refused: 0 });
  });

  test('count a mapped address and the plain one as the same', () => {
    const { limits } = createTestLimits();
    const sockets = admitMany(limits, 40, (index) => (index % 2 === 0 ? '192.168.1.5' : '::ffff:192.168.1.5'));
    expect(openOf(sockets)).toBe(32);
  });

  test('give an IPv6 /64 32, however many of its addresses are used', () => {
    const { limits } = createTestLimits();
    expect(openOf(admitMany(limits, 40, () => 'fd00:0:0:1::5'))).toBe(32);
    const changing = admitMany(limits, 200, (index) => `fd00:0:0:1::${(index + 16).toString(16)}`);
    expect(openOf(changing)).toBe(32);
    expect(limits.counts().open).toBe(32);
    expect(admit(limits, peer('fd00:0:0:2::1'))).toBe(true);
    expect(limits.counts().open).toBe(33);
  });

  test('give each link-local address 32: the whole home is in one such /64', () => {
    const { limits } = createTestLimits();
    expect(openOf(admitMany(limits, 40, () => 'fe80::5%eth0'))).toBe(32);
    expect(openOf(admitMany(limits, 40, () => 'fe80::6%eth0'))).toBe(32);
    expect(openOf(admitMany(limits, 40, () => 'febf::6%eth0'))).toBe(32);
    expect(limits.counts().open).toBe(96);
  });

  test('let no address of a /64 keep the others out, even with all its connections being answered', () => {
    const { limits } = createTestLimits();
    const server = createTestServer(limits);
    const streams = admitMany(limits, 32, () => 'fd00:0:0:1::5');
    for (const socket of streams) server.request(socket);
    expect(admit(limits, peer('fd00:0:0:1::5'))).toBe(false);
    for (let count = 0; count < 60; count += 1) {
      const socket = peer(`fd00:0:0:1::${(count % 3) + 6}`);
      if (admit(limits, socket)) server.request(socket);
    }
    // Four busy addresses share it: a peer with fewer gets a place of the peer with most.
    expect(openOf(streams)).toBe(8);
    expect(admit(limits, peer('fd00:0:0:1::9'))).toBe(true);
    expect(limits.counts().open).toBe(32);
  });

  test('give all peers together 512, at the cost of the one with the most', () => {
    const { limits } = createTestLimits();
    const heavy = admitMany(limits, 32, () => '192.168.1.5');
    const light = admitMany(limits, 480, (index) => `192.168.2.${index % 24}`);
    expect(limits.counts()).toEqual({ open: 512, evicted: 0, refused: 0 });
    admitMany(limits, 4, (index) => `192.168.3.${index}`);
    expect(limits.counts().open).toBe(512);
    expect(openOf(heavy)).toBe(28);
    expect(openOf(light)).toBe(480);
  });

  test('spare a connection that is being answered, and one that was just idle for longer', () => {
    const { limits } = createTestLimits();
    const server = createTestServer(limits);
    const sockets = admitMany(limits, 32, () => '192.168.1.5');
    const [first, second, third] = sockets;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no sockets');
    server.request(first);
    const done = server.request(second);
    done.end();
    admitMany(limits, 1, () => '192.168.1.5');
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
    admitMany(limits, 30, () => '192.168.1.5');
    expect([first, second].map(({ destroyed }) => destroyed)).toEqual([false, true]);
  });

  test('close a connection whose request is still coming, then one whose answer is not read, before refusing', () => {
    const { limits } = createTestLimits();
    const server = createTestServer(limits);
    const sockets = admitMany(limits, 32, () => '192.168.1.5');
    for (const [index, socket] of sockets.entries()) server.request(socket, index !== 20);
    const [unread] = sockets.slice(10);
    if (unread !== undefined) unread.writableLength = 4_096;
    admitMany(limits, 1, () => '192.168.1.5').forEach((socket) => server.request(socket));
    expect(sockets.findIndex(({ destroyed }) => destroyed)).toBe(20);
    admitMany(limits, 1, () => '192.168.1.5').forEach((socket) => server.request(socket));
    expect(unread?.destroyed).toBe(true);
    expect(admit(limits, peer('192.168.1.5'))).toBe(false);
    expect(limits.counts()).toEqual({ open: 32, evicted: 2, refused: 1 });
    expect(admit(limits, peer('192.168.1.6'))).toBe(true);
  });

  test('keep a pipelining connection until its last answer has ended', () => {
    const { limits } = createTestLimits();
    const server = createTestServer(limits);
    const [socket, ...rest] = admitMany(limits, 32, () => '192.168.1.5');
    if (socket === undefined) throw new Error('no socket');
    for (const other of rest) server.request(other);
    const requests = [server.request(socket), server.request(socket)];
    requests[0]?.end();
    expect(admit(limits, peer('192.168.1.5'))).toBe(false);
    requests[1]?.end();
    expect(admit(limits, peer('192.168.1.5'))).toBe(true);
    expect(socket.destroyed).toBe(true);
  });

  test('forget a closed connection, also if its answer ends later', () => {
    const { limits } = createTestLimits();
    const server = createTestServer(limits);
    for (let round = 0; round < 50; round += 1) {
      const sockets = admitMany(limits, 32, (index) => `192.168.1.${(index + round) % 7}`);
      const requests = sockets.map((socket) => server.request(socket));
      for (const socket of sockets) socket.destroy();
      for (const { end } of requests) end();
    }
    expect(limits.counts()).toEqual({ open: 0, evicted: 0, refused: 0 });
  });

  test('refuse more than 250 replacements a second, but never a peer below its limits', async () => {
    const { limits, advance } = createTestLimits();
    admitMany(limits, 512, (index) => `192.168.2.${index % 16}`);
    admitMany(limits, 250, (index) => `192.168.2.${index % 16}`);
    expect(admit(limits, peer('192.168.2.1'))).toBe(false);
    admitMany(limits, 100, (index) => `192.168.3.${index}`);
    expect(limits.counts()).toEqual({ open: 512, evicted: 350, refused: 1 });
    await advance(1_000);
    expect(admitMany(limits, 32, () => '192.168.4.1')).toHaveLength(32);
    expect(admit(limits, peer('192.168.4.1'))).toBe(true);
  });

  test('log a flood once a minute', () => {
    const { limits, lines } = createTestLimits();
    for (let count = 0; count < 5_000; count += 1) admit(limits, peer('192.168.1.5'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('too many connections');
  });

  test('hold on real sockets across two servers, and a kept-alive client sees its connection end', async () => {
    const { limits } = createTestLimits();
    const ports = await Promise.all([listenOnLoopback(limitedServer(limits)), listenOnLoopback(limitedServer(limits))]);
    const sockets = await Promise.all(Array.from({ length: 40 }, (_, index) => openIdle(ports[index % 2] ?? 0)));
    await vi.waitFor(() => expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(8));
    expect(limits.counts().open).toBe(32);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(limits.counts().open).toBe(0));
  });
});

function limitedServer(limits: ConnectionLimits): Server {
  const server = createServer((_incoming, outgoing) => void outgoing.end('ok'));
  limits.watch(server);
  server.prependListener('connection', (socket: Socket) => {
    if (!limits.admit(socket)) socket.resetAndDestroy();
  });
  undo.push(() => once(server.close(), 'close'));
  return server;
}

async function openIdle(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  return socket;
}
