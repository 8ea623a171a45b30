import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionLimits } from '#http/connection-limits.ts';
import { startLimitedServer } from '#test/support/limited-server.ts';
import { needs } from '#test/support/requires.ts';

const runFile = promisify(execFile);
const FLOOD = join(import.meta.dirname, '../support/connection-flood.mjs');
const HEADER = 'GET /small HTTP/1.1\r\nHost: localhost\r\n';
const BODY = 'POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n';

let server: { port: number; limits: ConnectionLimits; close: (graceMs: number) => Promise<void> };
beforeAll(async () => {
  server = await startLimitedServer();
});
afterAll(() => server.close(0));

/** Milliseconds until a new client has its answer. */
function timeFreshClient(localAddress: string): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({ port: server.port, host: '127.0.0.1', localAddress, path: '/small', agent: false });
    asked.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(performance.now() - startMs));
    });
    asked.on('error', reject).end();
  });
}

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

describe('H2: slow clients', { timeout: 60_000, retry: 1 }, () => {
  test('that never finish their header are closed within 7 s', async () => {
    const clients = Array.from({ length: 200 }, (_, index) =>
      timeSlowClient(`${HEADER}X-A: `, `127.0.2.${index % 16}`),
    );
    const silent = timeSlowClient('', '127.0.2.100');
    const closed = await Promise.all([...clients, silent]);
    expect(Math.max(...closed.map(({ ms }) => ms))).toBeLessThan(7_000);
    expect(closed[0]?.answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
  });

  test('that never finish their body are closed within 12 s', async () => {
    const clients = Array.from({ length: 200 }, (_, index) => timeSlowClient(`${BODY}{`, `127.0.3.${index % 16}`));
    const closed = await Promise.all(clients);
    expect(Math.max(...closed.map(({ ms }) => ms))).toBeLessThan(12_000);
  });

  test('that never read their answer are closed within 12 s, and leave nothing in the kernel', async () => {
    const startMs = performance.now();
    const sockets = Array.from({ length: 20 }, (_, index) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: `127.0.4.${index + 1}` });
      socket.on('error', () => undefined).pause();
      socket.write('GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n');
      return socket;
    });
    await expect.poll(() => server.limits.counts().open, { timeout: 5_000 }).toBe(20);
    await expect.poll(() => server.limits.counts().open, { timeout: 12_000, interval: 100 }).toBe(0);
    expect(performance.now() - startMs).toBeLessThan(12_000);
    expect(socketsInKernel(server.port)).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  test.each(['silent', 'header', 'body'])(
    'in 10,000 %s connections leave the caps standing and a fresh client served within 1 s',
    async (kind) => {
      const { evicted, refused } = server.limits.counts();
      const flood = spawn(process.execPath, [FLOOD, String(server.port), '10000', kind], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(flood, 'exit');
      const output = text(flood.stdout);
      const freshMs: number[] = [];
      let most = 0;
      while (flood.exitCode === null) {
        freshMs.push(await timeFreshClient('127.0.5.1'));
        most = Math.max(most, server.limits.counts().open);
        await Promise.race([ended, new Promise((resolve) => void setTimeout(resolve, 100))]);
      }
      expect(flood.exitCode).toBe(0);
      expect(JSON.parse(await output)).toMatchObject({ closed: 10_000 });
      expect(most).toBeLessThanOrEqual(512);
      expect(Math.max(...freshMs)).toBeLessThan(1_000);
      const counts = server.limits.counts();
      expect(counts.evicted + counts.refused - evicted - refused).toBeGreaterThanOrEqual(9_000);
    },
  );
});

describe.skipIf(!needs('slowhttptest'))('H2: slowhttptest', { timeout: 60_000, retry: 1 }, () => {
  test.each([
    ['slow headers', 'small', ['-H', '-i', '1']],
    ['slow body', 'note', ['-B', '-i', '1', '-s', '4096', '-f', 'application/json']],
    ['slow read', 'big', ['-X', '-w', '1', '-y', '16', '-n', '5', '-z', '32', '-k', '1']],
  ])('with %s never keeps another client from being served within 1 s', async (_mode, path, flags) => {
    const url = `http://127.0.0.1:${server.port}/${path}`;
    const common = ['-c', '1000', '-r', '250', '-l', '8', '-p', '1', '-u', url];
    const attack = runFile('slowhttptest', [...flags, ...common], { timeout: 40_000 });
    const freshMs: number[] = [];
    while (attack.child.exitCode === null) {
      freshMs.push(await timeFreshClient('127.0.5.2'));
      await Promise.race([attack, new Promise((resolve) => void setTimeout(resolve, 100))]);
    }
    const lines = stripVTControlCharacters((await attack).stdout).match(/service available:\s+\w+/g);
    expect(lines?.at(-1)).toMatch(/YES$/);
    expect(freshMs.length).toBeGreaterThan(10);
    expect(Math.max(...freshMs)).toBeLessThan(1_000);
    expect(server.limits.counts().open).toBeLessThanOrEqual(33);
  });
});
