import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, type TestContext, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { backupRoutes } from '#http/system/backup.ts';
import { defineRoute } from '#http/routing/route.ts';
import { createHttpServer } from '#http/server/server.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { listenOnLoopback } from '#test/support/daemon/http-wire.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const PART = 'x'.repeat(80_000);

const uploadHead = (token: string, length: number): string =>
  `POST /api/v1/backup/restore HTTP/1.1\r\nHost: hub.local\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`;

const note = defineRoute({
  id: 'postNote',
  method: 'POST',
  path: '/note',
  summary: 'Note',
  tag: 'Reference',
  access: 'public',
  body: { schema: z.strictObject({}), maxBytes: 1_000 },
  answers: { 204: null },
  handle: () => ({ status: 204 }),
});

/** A hub that takes backups, and a client of it that began to send one of so many parts. */
async function startUpload(parts: number, { onTestFinished }: TestContext) {
  const received: number[] = [];
  const failed: unknown[] = [];
  const { app } = createTestApp([
    note,
    ...backupRoutes({
      backups: {
        startTimer: startSystemTimer,
        monotonicMs: systemClock.monotonicMs,
        list: async () => [],
        make: () => Promise.reject(new Error('not here')),
        look: async () => undefined,
        open: async () => undefined,
        restore: async (content) => {
          let bytes = 0;
          try {
            for await (const chunk of content) bytes += chunk.byteLength;
            received.push(bytes);
          } catch (cause) {
            failed.push(cause);
            throw cause;
          }
        },
      },
    }),
  ]);
  const server = createHttpServer(app, createRecordingLog().log);
  const socket = connect(await listenOnLoopback(server), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  let read = '';
  socket.on('data', (chunk) => (read += String(chunk))).on('error', () => undefined);
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  socket.write(uploadHead('owner', parts * PART.length));
  const sendAt = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms - elapsedMs()));
    socket.write(PART);
  };
  return { socket, received, failed, answer: () => read, sendAt, elapsedMs };
}

describe('H2: a backup over slow Wi-Fi', { concurrent: true }, () => {
  test('may take longer than other bodies, but the next request of its connection may not', async (context) => {
    const { socket, received, answer, sendAt, elapsedMs } = await startUpload(4, context);
    for (const ms of [0, 4_000, 8_000, 12_000]) await sendAt(ms);
    await vi.waitFor(() => expect(answer()).toMatch(/^HTTP\/1\.1 204 /));
    expect(received).toEqual([4 * PART.length]);
    const againMs = elapsedMs();
    socket.write(
      'POST /note HTTP/1.1\r\nHost: hub.local\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await once(socket, 'close');
    expect(answer().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 408']);
    expectBelow('the body after a slow upload is given up, ms', elapsedMs() - againMs, 12_000);
  });

  test('is answered with 408 and closed if it stalls', async (context) => {
    const { socket, received, failed, answer, elapsedMs } = await startUpload(4, context);
    socket.write('x');
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*"code":"REQUEST_TIMEOUT"/i);
    expect(elapsedMs()).toBeGreaterThan(9_900);
    expectBelow('an upload that stalls is given up, ms', elapsedMs(), 12_000);
    expect([received, failed.length]).toEqual([[], 1]);
  });

  test('ends when its client goes away late', async (context) => {
    const { socket, received, failed, sendAt } = await startUpload(4, context);
    for (const ms of [0, 6_000, 11_500]) await sendAt(ms);
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(failed).toHaveLength(1));
    expect(received).toEqual([]);
  });
});
