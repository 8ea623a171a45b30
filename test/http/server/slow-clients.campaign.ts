import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionLimits } from '#http/server/connection-limits.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { startLimitedServer } from '#test/support/hub/limited-server.ts';

const HEADER = 'GET /small HTTP/1.1\r\nHost: localhost\r\n';
const BODY = 'POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n';

let server: { port: number; limits: ConnectionLimits; close: (graceMs: number) => Promise<void> };
beforeAll(async () => {
  server = await startLimitedServer();
});
afterAll(() => server.close(0));

/** Opens a connection, sends, then a byte each half second; resolves with the milliseconds until the server closed it. */
async function timeSlowClient(first: string, localAddress: string): Promise<{ ms: number; answer: string }> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  const startMs = performance.now();
  socket.write(first);
  const dribble = setInterval(() => socket.write('a'), 500);
  const answer = await collect(socket);
  clearInterval(dribble);
  return { ms: performance.now() - startMs, answer };
}

/** Connections of which the server's side is still there, in whatever state but listening and waiting out its time. */
function socketsInKernel(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return rows.filter((row) => row.trim().split(/\s+/)[1] === local && !/ 0A | 06 /.test(row)).length;
}

function collect(socket: Socket): Promise<string> {
  let read = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => (read += String(chunk)));
    socket.on('error', () => undefined).on('close', () => resolve(read));
  });
}

describe('H2: slow clients', () => {
  test('that never finish their header are closed within 7 s', async () => {
    const clients = Array.from({ length: 200 }, (_, index) =>
      timeSlowClient(`${HEADER}X-A: `, `127.0.2.${index % 16}`),
    );
    const silent = timeSlowClient('', '127.0.2.100');
    const closed = await Promise.all([...clients, silent]);
    expectBelow('clients that never finish their header, ms', Math.max(...closed.map(({ ms }) => ms)), 7_000);
    expect(closed[0]?.answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
  });

  test('that never finish their body are closed within 12 s', async () => {
    const clients = Array.from({ length: 200 }, (_, index) => timeSlowClient(`${BODY}{`, `127.0.3.${index % 16}`));
    const closed = await Promise.all(clients);
    expect(closed[0]?.answer).toMatch(/^HTTP\/1\.1 408 /);
    expectBelow('clients that never finish their body, ms', Math.max(...closed.map(({ ms }) => ms)), 12_000);
  });

  test('that never read their answer are closed within 12 s, and leave nothing in the kernel', async () => {
    const startMs = performance.now();
    const sockets = Array.from({ length: 20 }, (_, index) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.4.${index + 1}` });
      socket.on('error', () => undefined).pause();
      socket.write('GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return socket;
    });
    await expect.poll(() => server.limits.counts().open).toBe(20);
    await expect.poll(() => server.limits.counts().open, { interval: 100 }).toBe(0);
    expectBelow('clients that never read their answer, ms', performance.now() - startMs, 12_000);
    expect(socketsInKernel(server.port)).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});
