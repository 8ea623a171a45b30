import * as z from 'zod/mini';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { ConnectionLimits } from '#http/server/connection-limits.ts';
import { createConnectionLimits } from '#http/server/connection-limits.ts';
import type { Listeners } from '#http/server/listeners.ts';
import { startListeners } from '#http/server/listeners.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { createHttpServer } from '#http/server/server.ts';
import { createTestApp } from './http-app.ts';
import { createRecordingLog } from './recording-log.ts';

const note = z.strictObject({ text: z.string() });
const BIG = Buffer.alloc(8 * 1024 * 1024, 'x');

const routes: readonly Route[] = [
  defineRoute({
    id: 'getSmall',
    method: 'GET',
    path: '/small',
    summary: 'Small',
    tag: 'Reference',
    access: 'public',
    answers: { 200: z.strictObject({ ok: z.boolean() }) },
    handle: () => ({ status: 200, json: { ok: true } }),
  }),
  defineRoute({
    id: 'getBig',
    method: 'GET',
    path: '/big',
    summary: 'Big',
    tag: 'Reference',
    access: 'public',
    answers: { 200: null },
    handle: () => ({ status: 200, bytes: BIG, headers: { 'Content-Type': 'application/octet-stream' } }),
  }),
  defineRoute({
    id: 'postNote',
    method: 'POST',
    path: '/note',
    summary: 'Note',
    tag: 'Reference',
    access: 'public',
    body: { schema: note, maxBytes: 65_536 },
    answers: { 204: null },
    handle: () => ({ status: 204 }),
  }),
];

/** The hub's own server with its time-outs, limits and listeners on 127.0.0.1, over three small routes. */
export async function startLimitedServer(): Promise<{
  port: number;
  limits: ConnectionLimits;
  close: Listeners['close'];
}> {
  const { app } = createTestApp(routes);
  const { log } = createRecordingLog();
  const limits = createConnectionLimits({ log, clock: systemClock });
  const listeners = await startListeners({
    createServer: () => {
      const server = createHttpServer(app, log);
      limits.watch(server);
      return server;
    },
    addresses: () => [{ address: '127.0.0.1', family: 4, scopeId: 0, interface: 'lo' }],
    admit: limits.admit,
    port: 0,
    startTimer: startSystemTimer,
    clock: systemClock,
    log,
  });
  return { port: listeners.bound()[0]?.port ?? 0, limits, close: listeners.close };
}
