import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import type { RouteAnswer } from '#http/route.ts';
import { defineRoute } from '#http/route.ts';
import { createHttpServer } from '#http/server.ts';
import { createTestApp } from '#test/support/http-app.ts';
import { listenOnLoopback, sendRaw } from '#test/support/http-wire.ts';
import { createRecordingLog } from '#test/support/recording-log.ts';

/** Longer than any time that the server gives a client. */
const LATE_MS = 6_500;
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
  large: () => ({ status: 200, bytes: Buffer.alloc(64 * 1024 * 1024) }),
};

const JSON_NAMES = new Set(['json', 'promised', 'late']);

/** Each under a path of its own, which is answered without Hono, and under one with a parameter, which is not. */
const routes = Object.entries(answers).flatMap(([name, handle]) =>
  [`/api/v1/x.${name}`, `/api/v1/:any/${name}`].map((path) =>
    defineRoute({
      method: 'GET',
      path,
      summary: name,
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
beforeAll(async () => {
  server = createHttpServer(app, createRecordingLog().log);
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

describe('with and without Hono', () => {
  const cases = Object.keys(answers).filter((name) => name !== 'late' && name !== 'large');
  test.each(
    cases.flatMap((name) =>
      ['GET', 'HEAD', 'POST', 'OPTIONS'].flatMap((method) =>
        [CLOSE, CLOSE + TOKEN].map((fields) => ({ name, method, fields })),
      ),
    ),
  )('$method of $name is answered alike', async ({ name, method, fields }) => {
    const [plain, matched] = await Promise.all(
      [`/api/v1/x.${name}`, `/api/v1/x/${name}`].map((target) => sendRaw(port, ask(target, { method, fields }), 'all')),
    );
    const comparable = (raw = ''): string => raw.replaceAll('/x.', '/x/').replace(/Date: [^\r]*\r\n/, '');
    expect(comparable(plain?.raw)).toBe(comparable(matched?.raw));
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
});
