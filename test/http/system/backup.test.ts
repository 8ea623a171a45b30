import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Caller, SessionCaller, TokenCaller } from '#auth/caller.ts';
import type { TokenScope } from '#auth/scope.ts';
import { systemClock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import type { BackupRoutesDeps } from '#http/system/backup.ts';
import { backupRoutes } from '#http/system/backup.ts';
import { createHttpServer } from '#http/server/server.ts';
import { authenticateByRole, callerOf, createTestApp } from '#test/support/hub/http-app.ts';
import { listenOnLoopback, sendRaw } from '#test/support/daemon/http-wire.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const ID = '20261121T040622Z-manual';
const INFO = { id: ID, kind: 'manual', createdAtMs: Date.UTC(2026, 10, 21, 4, 6, 22), bytes: 7 };
const CONTENT = { users: 3, rooms: 5, devices: 56, hubVersion: '0.1.0' };
const TYPE = 'application/vnd.sqlite3';
const RESTORE = '/api/v1/backup/restore';

/** The API token of an owner. */
function tokenWith(scopes: readonly TokenScope[]): TokenCaller {
  const grant = { id: 't' as never, scopes: new Set(scopes), limits: undefined, provider: null };
  const token: TokenCaller = { kind: 'api_token', grant, user: callerOf('owner').user, current: () => token };
  return token;
}

function createHarness(overrides: Partial<BackupRoutesDeps> = {}, scopes: readonly TokenScope[] = []) {
  const cancelled = vi.fn<() => void>();
  const restored: { text: string; keep: string }[] = [];
  const failed: unknown[] = [];
  const deps: BackupRoutesDeps = {
    startTimer: startSystemTimer,
    monotonicMs: systemClock.monotonicMs,
    list: async () => [INFO],
    make: async () => INFO,
    look: async (id) => (id === ID ? { ...INFO, content: CONTENT } : undefined),
    open: async (id) => {
      if (id !== ID) return undefined;
      const content = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          controller.enqueue(Buffer.from('content'));
          controller.close();
        },
        cancel: cancelled,
      });
      return { size: 7, content };
    },
    restore: async (content, keep) => {
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of content) chunks.push(chunk);
      } catch (cause) {
        failed.push(cause);
        throw cause instanceof HubError ? cause : new HubError('MALFORMED_REQUEST', 'The file did not arrive whole.');
      }
      restored.push({ text: Buffer.concat(chunks).toString('latin1'), keep });
    },
    maxUploadBytes: 1000,
    ...overrides,
  };
  /** What becomes of the owner's token after the request has begun. */
  const access: { now: string } = { now: 'Bearer owner' };
  const authenticate = (values: readonly string[]): Caller => {
    if (values[0] === 'Bearer token') return tokenWith(scopes);
    const caller = authenticateByRole(values);
    const current = (): SessionCaller => authenticateByRole(access.now === 'Bearer owner' ? values : [access.now]);
    return { ...caller, current };
  };
  const { app, request } = createTestApp(backupRoutes({ backups: deps }), { authenticate });
  const as = (
    who: string,
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> => request(path, { ...init, headers: { Authorization: `Bearer ${who}`, ...init.headers } });
  const upload = (body: string | ReadableStream<Uint8Array> | null, type = TYPE): Promise<Response> =>
    as('owner', RESTORE, { method: 'POST', body, headers: { 'Content-Type': type }, duplex: 'half' });
  return { app, as, upload, access, cancelled, restored, failed };
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen({ app }: ReturnType<typeof createHarness>): Promise<number> {
  const server = createHttpServer(app, createRecordingLog().log);
  servers.push(server);
  return listenOnLoopback(server);
}

test('A1: only the owner may use backups', async () => {
  const { as } = createHarness();
  for (const [method, path] of [
    ['GET', '/api/v1/backup'],
    ['POST', '/api/v1/backup'],
    ['POST', '/api/v1/backup/content'],
    ['GET', `/api/v1/backup/${ID}`],
    ['GET', `/api/v1/backup/${ID}/content`],
    ['POST', RESTORE],
    ['POST', `/api/v1/backup/${ID}/restore`],
  ] as const) {
    for (const who of ['admin', 'resident', 'guest']) expect((await as(who, path, { method })).status).toBe(403);
  }
});

test('one call makes a backup and sends it', async () => {
  const { as } = createHarness();
  const made = await as('owner', '/api/v1/backup/content', { method: 'POST' });
  expect([made.status, await made.text()]).toEqual([200, 'content']);
  expect(made.headers.get('content-disposition')).toContain(`hearthd-${ID}.db`);
});

test('an API token makes and downloads six backups a day, and restores or looks into none', async () => {
  let nowMs = 0;
  const { as } = createHarness({ monotonicMs: () => nowMs }, ['backup:create']);
  const statusOf = async (method: string, path: string) => (await as('token', path, { method })).status;
  const made: number[] = [];
  for (let turn = 0; turn < 7; turn += 1)
    made.push(await statusOf('POST', turn % 2 === 0 ? '/api/v1/backup' : '/api/v1/backup/content'));
  expect(made).toEqual([201, 200, 201, 200, 201, 200, 429]);
  const sent: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) sent.push(await statusOf('GET', `/api/v1/backup/${ID}/content`));
  expect(sent).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect((await as('token', '/api/v1/backup', { method: 'POST' })).headers.get('retry-after')).toBe('14400');
  expect((await as('owner', '/api/v1/backup', { method: 'POST' })).status).toBe(201);
  nowMs += 4 * 3_600_000;
  expect(await statusOf('POST', '/api/v1/backup')).toBe(201);
  for (const [method, path] of [
    ['GET', `/api/v1/backup/${ID}`],
    ['POST', RESTORE],
    ['POST', `/api/v1/backup/${ID}/restore`],
  ] as const)
    expect([path, await statusOf(method, path)]).toEqual([path, 403]);
});

test('a full disk takes nothing of the six, and what a script makes is of a kind of its own', async () => {
  const kinds: string[] = [];
  let isFull = true;
  const make: BackupRoutesDeps['make'] = async (kind) => {
    if (isFull) throw new HubError('STORAGE_FULL', 'The disk is full.');
    kinds.push(kind);
    return INFO;
  };
  const { as } = createHarness({ make }, ['backup:create']);
  const statusOf = async (path: string) => (await as('token', path, { method: 'POST' })).status;
  for (let turn = 0; turn < 10; turn += 1) expect(await statusOf('/api/v1/backup/content')).toBe(507);
  isFull = false;
  for (let turn = 0; turn < 6; turn += 1) expect(await statusOf('/api/v1/backup')).toBe(201);
  expect(await statusOf('/api/v1/backup/content')).toBe(429);
  expect((await as('owner', '/api/v1/backup', { method: 'POST' })).status).toBe(201);
  expect(kinds).toEqual([...Array.from({ length: 6 }, () => 'script'), 'manual']);
});

test('backups are listed and made, and the answer has the address of the content', async () => {
  const { as } = createHarness();
  const shown = { id: ID, kind: 'manual', created_at: '2026-11-21T04:06:22.000Z', size: 7 };
  expect(await (await as('owner', '/api/v1/backup')).json()).toEqual([shown]);
  const made = await as('owner', '/api/v1/backup', { method: 'POST' });
  expect([made.status, made.headers.get('location'), await made.json()]).toEqual([
    201,
    `/api/v1/backup/${ID}/content`,
    shown,
  ]);
});

test('one backup shows what it contains', async () => {
  const { as } = createHarness();
  expect(await (await as('owner', `/api/v1/backup/${ID}`)).json()).toEqual({
    id: ID,
    kind: 'manual',
    created_at: '2026-11-21T04:06:22.000Z',
    size: 7,
    content: { people: 3, rooms: 5, devices: 56, hub_version: '0.1.0' },
  });
  expect((await as('owner', '/api/v1/backup/nonsense')).status).toBe(404);
});

const restoreKept = (as: ReturnType<typeof createHarness>['as'], id = ID): Promise<Response> =>
  as('owner', `/api/v1/backup/${id}/restore`, { method: 'POST' });

test('a backup that the hub keeps is restored without an upload, with the same checks as an uploaded one', async () => {
  const { as, restored } = createHarness();
  expect((await restoreKept(as)).status).toBe(204);
  expect(restored).toEqual([{ text: 'content', keep: 'session-of-owner' }]);
  expect((await restoreKept(as, 'nonsense')).status).toBe(404);
});

test('the file of a kept backup is closed if the restore is refused before it is read', async () => {
  const restore = () => Promise.reject(new HubError('RESTARTING', 'Another restore is under way.'));
  const { as, cancelled } = createHarness({ restore });
  expect((await restoreKept(as)).status).toBe(503);
  expect(cancelled).toHaveBeenCalledOnce();
});

test('a download has its size and a file name; HEAD has the same without reading the file', async () => {
  const { as, cancelled } = createHarness();
  const answer = await as('owner', `/api/v1/backup/${ID}/content`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': TYPE,
    'content-length': '7',
    'content-disposition': `attachment; filename="hearthd-${ID}.db"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(await answer.text()).toBe('content');
  const head = await as('owner', `/api/v1/backup/${ID}/content`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '7', '']);
  expect(cancelled).toHaveBeenCalledOnce();
  expect((await as('owner', '/api/v1/backup/nonsense/content')).status).toBe(404);
});

test.each([TYPE, 'application/octet-stream', 'Application/OCTET-Stream; x=y'])('a restore takes %s', async (type) => {
  const { upload, restored } = createHarness();
  expect((await upload('SQLite format 3', type)).status).toBe(204);
  expect(restored).toEqual([{ text: 'SQLite format 3', keep: 'session-of-owner' }]);
});

test('H3: one backup is uploaded at a time; another upload in the meantime is answered 503 with Retry-After', async () => {
  const { upload, restored } = createHarness();
  let finish = (): void => undefined;
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from('SQLite '));
      finish = () => {
        controller.enqueue(Buffer.from('format 3'));
        controller.close();
      };
    },
  });
  const first = upload(slow);
  const second = await upload('SQLite format 3');
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
  finish();
  expect((await first).status).toBe(204);
  expect((await upload('SQLite format 3')).status).toBe(204);
  expect(restored).toHaveLength(2);
});

test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
  'H3: a restore refuses %s before it reads anything',
  async (type) => {
    const { upload, restored, failed } = createHarness();
    const answer = await upload('{}', type);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect([restored, failed]).toEqual([[], []]);
  },
);

test('a restore with an empty body is refused', async () => {
  const { upload } = createHarness();
  const answer = await upload(null);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, 'INVALID_BACKUP']);
});

test('H3: the size of an upload is counted as it arrives, to the byte', async () => {
  const { upload, restored } = createHarness();
  const chunks = (count: number): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => {
        for (let sent = 0; sent < count; sent += 100) controller.enqueue(Buffer.alloc(Math.min(100, count - sent)));
        controller.close();
      },
    });
  expect((await upload(chunks(1000))).status).toBe(204);
  expect((await upload(chunks(1001))).status).toBe(413);
  expect(restored.map(({ text }) => text.length)).toEqual([1000]);
});

const head = (fields: string): string =>
  `POST ${RESTORE} HTTP/1.1\r\nHost: hub.local\r\nAuthorization: Bearer owner\r\nContent-Type: ${TYPE}\r\n${fields}\r\n\r\n`;

test('H3: over the wire, a file that is too large is refused by its length, or by its bytes if it names no length', async () => {
  const harness = createHarness();
  const port = await listen(harness);
  const named = await sendRaw(port, head('Content-Length: 1001'));
  expect([named.status, harness.failed]).toEqual([413, []]);
  const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
  const counted = await sendRaw(port, `${head('Transfer-Encoding: chunked')}${chunk.repeat(11)}`);
  expect(counted.status).toBe(413);
  expect(harness.failed).toHaveLength(1);
  const whole = await sendRaw(port, `${head('Transfer-Encoding: chunked')}${chunk.repeat(10)}0\r\n\r\n`);
  expect([whole.status, harness.restored[0]?.text.length]).toEqual([204, 1000]);
});

test('an upload fails when its client goes away in the middle', async () => {
  const harness = createHarness();
  const port = await listen(harness);
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head('Content-Length: 1000')}half`);
  await once(socket, 'connect');
  await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(100));
  await new Promise((resolve) => void setImmediate(resolve));
  socket.destroy();
  await vi.waitFor(() => expect(harness.failed).toHaveLength(1));
  expect(harness.restored).toEqual([]);
});

describe('A8: a caller that lost its login or rights', () => {
  const LOST: readonly [now: string, answer: [status: number, code: string]][] = [
    ['Bearer nobody', [401, 'INVALID_TOKEN']],
    ['Bearer guest', [403, 'FORBIDDEN']],
  ];

  test.each(LOST)('while the upload went on restores nothing (%s)', async (now, expected) => {
    const { upload, access, restored, failed } = createHarness();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        access.now = now;
        controller.enqueue(Buffer.from('SQLite format 3'));
        controller.close();
      },
    });
    const answer = await upload(body);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual(expected);
    expect([restored, failed.length]).toEqual([[], 1]);
  });

  test.each(LOST)('while a kept backup was read restores nothing (%s)', async (now, expected) => {
    const harness = createHarness({
      open: async () => {
        const content = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            harness.access.now = now;
            controller.enqueue(Buffer.from('content'));
            controller.close();
          },
        });
        return { size: 7, content };
      },
    });
    const answer = await restoreKept(harness.as);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual(expected);
    expect([harness.restored, harness.failed.length]).toEqual([[], 1]);
  });

  test.each(LOST)('while the file was checked restores nothing (%s)', async (now, expected) => {
    const replaced: string[] = [];
    const harness = createHarness({
      restore: async (content, _keep, { authorize }) => {
        for await (const chunk of content) void chunk;
        harness.access.now = now;
        authorize();
        replaced.push('all');
      },
    });
    const answer = await harness.upload('SQLite format 3');
    expect([answer.status, ((await answer.json()) as { code: string }).code, replaced]).toEqual([...expected, []]);
  });

  test.each(LOST)('in the middle of a download gets no more of it (%s)', async (now) => {
    const cancelled = vi.fn<() => void>();
    const content = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(Buffer.from('half')), cancel: cancelled },
      { highWaterMark: 0 },
    );
    const { as, access } = createHarness({ open: async () => ({ size: 8, content }) });
    const reader = (await as('owner', `/api/v1/backup/${ID}/content`)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('half');
    access.now = now;
    await expect(reader?.read()).rejects.toBeInstanceOf(HubError);
    expect(cancelled).toHaveBeenCalledOnce();
  });
});
