import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { defineRoute } from '#http/routing/route.ts';
import { createHttpServer } from '#http/server/server.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { listenOnLoopback, sendRaw } from '#test/support/daemon/http-wire.ts';
import { startStopwatch } from '#test/support/machine/bounds.ts';
import { HURRY, hurryClients } from '#test/http/server/hurried-server.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** Longer than any time that the hurried server gives a client. */
const LATE_MS = 6_500 / HURRY;
const CHUNK = Buffer.alloc(64 * 1024);
/** No two of its places look the same. */
const LONG = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join(''));
const TAGGED = { ETag: '"1"', 'Cache-Control': 'private, no-cache' };

const answers: Readonly<Record<string, () => RouteAnswer | Promise<RouteAnswer>>> = {
  json: () => ({ status: 200, json: { ok: true } }),
  promised: () => Promise.resolve({ status: 200, json: { ok: true } }),
  bytes: () => ({ status: 200, bytes: Buffer.from('öäü'), headers: { ...TAGGED, 'Content-Type': 'text/plain' } }),
  stream: () => ({ status: 200, bytes: new Blob(['one', 'two']).stream() as ReadableStream<Uint8Array> }),
  nothing: () => ({ status: 200 }),
  unchanged: () => ({ status: 304, headers: TAGGED }),
  fault: () => {
    throw new Error('broken');
  },
  late: () => wait(LATE_MS, { status: 200, json: { late: true } }),
  endless: () => ({ status: 200, bytes: new ReadableStream({ pull: (controller) => controller.enqueue(CHUNK) }) }),
  long: () => ({ status: 200, bytes: LONG }),
  large: () => ({ status: 200, bytes: Buffer.alloc(64 * 1024 * 1024) }),
};

const JSON_NAMES = new Set(['json', 'promised', 'late']);

/** Each under a path of its own, which is answered without Hono, and under one with a parameter, which is not. */
const routes = Object.entries(answers).flatMap(([name, handle]) =>
  [`/api/v1/x.${name}`, `/api/v1/:any/${name}`].map((path) =>
    defineRoute({
      id: path.replaceAll(/\W/g, ''),
      method: 'GET',
      path,
      summary: name,
      tag: 'Reference',
      access: name === 'bytes' ? 'any' : 'public',
      answers: { 200: JSON_NAMES.has(name) ? z.unknown() : null, 304: null },
      handle,
    }),
  ),
);
const allowed = { 'Access-Control-Allow-Origin': 'http://panel.lan' };
const { app } = createTestApp(routes, {
  newRequestId: () => 'request-1',
  cors: { answerHeaders: () => allowed, preflightHeaders: () => undefined },
});
let server: Server;
let port: number;
let given: readonly number[];
beforeAll(async () => {
  server = createHttpServer(app, createRecordingLog().log);
  given = hurryClients(server);
  port = await listenOnLoopback(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (target: string, { method = 'GET', fields = '' } = {}): string =>
  `${method} ${target} HTTP/1.1\r\nHost: hub.local\r\n${fields}\r\n`;
const TOKEN = 'Authorization: Bearer owner\r\n';
const CLOSE = 'Connection: close\r\n';

const STATES: Readonly<Record<string, string>> = { '01': 'ESTABLISHED', '04': 'FIN_WAIT1', '05': 'FIN_WAIT2' };
const hex = (number = 0): string => number.toString(16).toUpperCase().padStart(4, '0');

/** Of the server's side of this connection: after an orderly end it stays in the kernel until the client ends it too. */
function kernelStateOf(client: Socket): string | undefined {
  const pair = `0100007F:${hex(port)} 0100007F:${hex(client.localPort)} `;
  const row = readFileSync('/proc/net/tcp', 'utf8').split(pair)[1];
  return row === undefined ? undefined : (STATES[row.slice(0, 2)] ?? row.slice(0, 2));
}

/** What the client reads until the connection is over, and how that came. */
function readAll(socket: Socket): Promise<{ read: string; error: string | undefined }> {
  let read = '';
  let error: string | undefined;
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => (read += chunk.toString('latin1', 0, 4_096)));
    socket.on('error', (cause: NodeJS.ErrnoException) => (error = cause.code));
    socket.on('close', () => resolve({ read, error }));
  });
}

describe('with and without parameters in the path', () => {
  const cases = Object.keys(answers).filter((name) => !['late', 'long', 'large', 'endless'].includes(name));
  test.each(
    cases.flatMap((name) =>
      ['GET', 'HEAD', 'POST', 'OPTIONS'].flatMap((method) =>
        [CLOSE, CLOSE + TOKEN].map((fields) => ({ name, method, fields })),
      ),
    ),
  )('$method of $name gets the same answer', async ({ name, method, fields }) => {
    const [plain, parametric] = await Promise.all(
      [`/api/v1/x.${name}`, `/api/v1/x/${name}`].map((target) => sendRaw(port, ask(target, { method, fields }), 'all')),
    );
    const comparable = (raw = ''): string => raw.replaceAll('/x.', '/x/').replace(/Date: [^\r]*\r\n/, '');
    expect(comparable(plain?.raw)).toBe(comparable(parametric?.raw));
    expect(plain?.headers).toMatchObject({
      'x-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.any(String),
      vary: expect.stringContaining('Origin'),
      'access-control-allow-origin': 'http://panel.lan',
    });
  });

  test.each(cases)('HEAD of %s has no body', async (name) => {
    const { raw } = await sendRaw(port, ask(`/api/v1/x.${name}`, { method: 'HEAD', fields: CLOSE + TOKEN }), 'all');
    expect(raw.indexOf('\r\n\r\n')).toBe(raw.length - 4);
  });

  test('a long one arrives whole, and lets the next one follow', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/x.long`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(LONG)).toBe(true);
    expect(answer.headers.get('content-length')).toBe(String(LONG.length));
    const { raw } = await sendRaw(port, ask('/api/v1/x.long') + ask('/api/v1/x.json', { fields: CLOSE }), 'all');
    expect(raw.endsWith('{"ok":true}')).toBe(true);
  });

  test('a 304 has no connection fields, unless the client wants it closed', async () => {
    const open = await sendRaw(port, ask('/api/v1/x.unchanged'));
    expect(open.status).toBe(304);
    expect(Object.keys(open.headers)).not.toContain('connection');
    expect(Object.keys(open.headers)).not.toContain('keep-alive');
    const closed = await sendRaw(port, ask('/api/v1/x.unchanged', { fields: CLOSE }), 'all');
    expect(closed.headers['connection']).toBe('close');
    const both = await sendRaw(port, ask('/api/v1/x.unchanged') + ask('/api/v1/x.json', { fields: CLOSE }), 'all');
    expect([...both.raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['304', '200']);
  });
});

describe('H2: the end of a connection', () => {
  test.concurrent('an idle connection is ended in order, not reset', async ({ expect }) => {
    const client = connect(port, '127.0.0.1');
    client.write(ask('/api/v1/x.json'));
    const passedMs = startStopwatch();
    const { read, error } = await readAll(client);
    expect(read).toContain('{"ok":true}');
    expect(error).toBeUndefined();
    expect(passedMs()).toBeGreaterThan(4_900 / HURRY);
    expect(given).toContain(server.keepAliveTimeout);
  });

  test.concurrent('an idle connection is reset a second later if its client does not end it too', async ({
    expect,
  }) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(ask('/api/v1/x.json'));
    client.resume();
    const passedMs = startStopwatch();
    await once(client, 'end');
    await expect.poll(() => kernelStateOf(client), { interval: 10 }).toBeUndefined();
    expect(passedMs()).toBeGreaterThan(5_900 / HURRY);
    expect(given).toContain(1_000);
    client.destroy();
  });

  test.concurrent('a request that comes after the end of an idle connection is not carried out', async ({ expect }) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const all = readAll(client);
    client.write(ask('/api/v1/x.json'));
    await once(client, 'end');
    client.write(ask('/api/v1/x.json'));
    await expect.poll(() => kernelStateOf(client)).toBeUndefined();
    client.destroy();
    expect((await all).read.match(/200 OK/g)).toHaveLength(1);
  });

  test.concurrent.for<readonly [string, string]>([
    ['behind which another waits already', ask('/api/v1/x.late') + ask('/api/v1/x.json', { fields: CLOSE })],
    ['that follows a large one', ask('/api/v1/x.large') + ask('/api/v1/x.late', { fields: CLOSE })],
    ['on a connection of its own', ask('/api/v1/x.late', { fields: CLOSE })],
  ])('a late answer %s arrives', async ([, bytes], { expect }) => {
    const client = connect(port, '127.0.0.1');
    client.write(bytes);
    const { read, error } = await readAll(client);
    expect(read).toContain('{"late":true}');
    expect(error).toBeUndefined();
  });

  test.concurrent.for(['large', 'endless'])(
    'a client that reads nothing of an answer that is %s is reset',
    async (name, { expect }) => {
      const client = connect(port, '127.0.0.1');
      await once(client, 'connect');
      const passedMs = startStopwatch();
      client.write(ask(`/api/v1/x.${name}`));
      client.pause();
      await expect.poll(() => kernelStateOf(client), { interval: 10 }).toBe('ESTABLISHED');
      await expect.poll(() => kernelStateOf(client)).toBeUndefined();
      expect(passedMs()).toBeGreaterThan(4_900 / HURRY);
      expect(given).toContain(5_000);
      client.destroy();
    },
  );
});
