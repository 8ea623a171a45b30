import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createLog } from '#base/log.ts';
import { askControl, connectControl } from '#control/control-client.ts';
import { listenControl, serveControl } from '#control/control-server.ts';
import type { AdminUser, HubAdmin } from '#control/hub-admin.ts';

const ADA: AdminUser = { id: '1', email: 'ada@home', name: 'Ada “λ”', role: 'owner' };
let folder = '';
let path = '';
let logged: string[] = [];
let stop: (() => Promise<void>) | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearthd-control-'));
  path = join(folder, 'run', 'control.sock');
  logged = [];
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  rmSync(folder, { recursive: true });
});

const idle: HubAdmin = {
  claim: async () => ({ claimed: false, code: 'ABCD-EFGH' }),
  listUsers: async () => [ADA],
  addUser: async ({ email, name, role }) => ({ id: '2', email, name, role }),
  setPassword: async () => undefined,
  removeUser: async () => undefined,
  makeBackup: async () => ({ id: 'b1', path: '/b1' }),
  readBackup: async () => pieces(0, 0),
  restoreBackup: async () => undefined,
  exportHistory: async (query) => Readable.from([Buffer.from(JSON.stringify(query))]),
  importHistory: async (content, how) => {
    let text = '';
    for await (const chunk of content) text += Buffer.from(chunk).toString();
    return {
      lines: text.length,
      added: how.isDryRun ? 1 : 2,
      duplicates: how.skipUnknown ? 3 : 4,
      skipped: 5,
      series: 6,
    };
  },
  checkHistory: async ({ repairs }) => Readable.from([Buffer.from(`repairs ${repairs}`)]),
  checkDatabase: async () => ({ level: 'ok', detail: 'fine', lastBackupAt: null }),
  status: async () => ({ version: '1', pid: 1, addresses: [], host: null, conflict: null, integrations: [] }),
};

async function serve(admin: Partial<HubAdmin> = {}): Promise<HubAdmin> {
  const log = createLog({ level: 'debug', write: (line) => logged.push(line), journal: false, wallMs: () => 0 });
  const server = await listenControl({ admin: () => ({ ...idle, ...admin }), path, log });
  stop = server.close;
  const client = await connectControl(path);
  if (client === undefined) throw new Error('the socket does not answer');
  return client;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('S3: the control socket', () => {
  test('carries every call there and back', async () => {
    const seen: unknown[] = [];
    const client = await serve({
      setPassword: async (change) => void seen.push(change),
      removeUser: async (user) => void seen.push(user),
    });
    expect(await client.claim()).toEqual({ claimed: false, code: 'ABCD-EFGH' });
    expect(await client.listUsers()).toEqual([ADA]);
    expect(await client.addUser({ email: 'b@home', name: 'B', role: 'guest', password: 'pass word' })).toEqual({
      id: '2',
      email: 'b@home',
      name: 'B',
      role: 'guest',
    });
    expect(await client.setPassword({ email: 'b@home', password: 'ünï' })).toBeNull();
    expect(await client.removeUser({ email: 'b@home' })).toBeNull();
    expect(seen).toEqual([{ email: 'b@home', password: 'ünï' }, { email: 'b@home' }]);
    expect(await client.makeBackup()).toEqual({ id: 'b1', path: '/b1' });
    expect(await client.checkDatabase()).toMatchObject({ level: 'ok' });
    let checked = '';
    for await (const chunk of await client.checkHistory({ repairs: true })) checked += Buffer.from(chunk).toString();
    expect(checked).toBe('repairs true');
    const query = { format: 'ndjson', from: '-1d', to: undefined, series: ['a/b'] } as const;
    let exported = '';
    for await (const chunk of await client.exportHistory(query)) exported += Buffer.from(chunk).toString();
    expect(JSON.parse(exported)).toEqual({ format: 'ndjson', from: '-1d', series: ['a/b'] });
    const how = { format: 'csv', isDryRun: true, skipUnknown: false } as const;
    const counts = { lines: 2, added: 1, duplicates: 4, skipped: 5, series: 6 };
    expect(await client.importHistory(Readable.from([Buffer.from('ab')]), how)).toEqual(counts);
    expect(await client.status()).toMatchObject({ pid: 1 });
  });

  test('can be opened only by its user and root', async () => {
    mkdirSync(join(folder, 'run'), { mode: 0o755 });
    chmodSync(join(folder, 'run'), 0o755);
    await serve();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700);
  });

  test('passes on a failure with its code and message', async () => {
    const errors = [
      { pointer: '/password', code: 'TOO_SHORT', message: 'at least 10 characters', reason: { id: 'x', with: {} } },
    ] as const;
    const client = await serve({
      addUser: () => Promise.reject(new HubError('WEAK_PASSWORD', 'this password is too short', { errors })),
    });
    const failure = await failureOf(client.addUser({ email: 'x', name: 'x', role: 'admin', password: 'x' }));
    expect(failure).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: 'this password is too short',
      options: { errors },
    });
  });

  test('logs a fault and does not reveal it', async () => {
    const client = await serve({ listUsers: () => Promise.reject(new TypeError('secret detail')) });
    const failure = await failureOf(client.listUsers());
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', message: 'The hub has a fault, see its log.' });
    expect(logged.join('')).toContain('secret detail');
  });

  test('takes a large backup in pieces', async () => {
    let length = 0;
    const client = await serve({
      restoreBackup: async (content) => {
        for await (const chunk of content) length += chunk.length;
      },
    });
    await client.restoreBackup(pieces(64, 1024 * 1024));
    expect(length).toBe(64 * 1024 * 1024);
  });

  test('gives a large backup in pieces', async () => {
    const client = await serve({ readBackup: async () => pieces(64, 1024 * 1024) });
    expect(await lengthOf(await client.readBackup({ id: 'b1' }))).toBe(64 * 1024 * 1024);
  });

  test('reports a missing backup, and one that broke off', async () => {
    const client = await serve({
      readBackup: async ({ id }) => {
        if (id === 'none') throw new HubError('NOT_FOUND', 'There is no backup none.');
        return breakingOff();
      },
    });
    expect(await failureOf(client.readBackup({ id: 'none' }))).toMatchObject({ code: 'NOT_FOUND' });
    const content = await client.readBackup({ id: 'b1' });
    expect(await failureOf(lengthOf(content))).toMatchObject({ code: 'ECONNRESET' });
    expect(logged.join('')).toContain('the disk is gone');
  });

  test('refuses an answer larger than any call can have', async () => {
    const name = 'x'.repeat(1024);
    const client = await serve({ listUsers: async () => Array.from({ length: 5000 }, () => ({ ...ADA, name })) });
    expect(await failureOf(client.listUsers())).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'The hub answers more than this call can have.',
    });
  });

  test('gets the refusal of a backup through while the rest is still on its way', async () => {
    const client = await serve({
      restoreBackup: async (content) => {
        for await (const _ of content) throw new HubError('INVALID_BACKUP', 'this is no backup');
      },
    });
    expect(await failureOf(client.restoreBackup(pieces(32, 1024 * 1024)))).toMatchObject({ code: 'INVALID_BACKUP' });
    expect(await client.claim()).toMatchObject({ claimed: false });
  });

  test('reports why the content could not be read', async () => {
    const client = await serve({
      restoreBackup: async (content) => {
        for await (const _ of content) continue;
      },
    });
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(10);
      throw new Error('the stick was pulled out');
    };
    expect(await failureOf(client.restoreBackup(broken()))).toMatchObject({ message: 'the stick was pulled out' });
  });

  test.each([
    ['/add-user', '{"email":"a","name":"a","role":"king","password":"p"}', 422],
    ['/add-user', '{"email":"a"}', 422],
    ['/set-password', '{"email":1,"password":"p"}', 422],
    ['/set-password', 'nonsense', 400],
    ['/set-password', 'null', 422],
    ['/set-password', ' '.repeat(20_000), 413],
    ['/reboot', '{}', 404],
    ['/__proto__', '{}', 404],
  ])('refuses %s with a wrong body', async (call, body, status) => {
    await serve();
    const answered = await new Promise((resolve, reject) => {
      const sent = request({ socketPath: path, method: 'POST', path: call }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(body);
    });
    expect(answered).toBe(status);
  });
});

describe('a socket file', () => {
  test('that is missing or was left by a crash means that no hub runs', async () => {
    expect(await connectControl(path)).toBeUndefined();
    mkdirSync(join(folder, 'run'));
    const crashed = createServer().listen(path);
    await new Promise((resolve) => crashed.once('listening', resolve));
    // Node removes the file when it closes; a crash does not: so keep another name of it.
    linkSync(path, `${path}.kept`);
    await new Promise((resolve) => crashed.close(resolve));
    renameSync(`${path}.kept`, path);
    expect(existsSync(path)).toBe(true);
    expect(await connectControl(path)).toBeUndefined();
    expect(await (await serve()).claim()).toMatchObject({ claimed: false });
  });

  test('is gone after a stop, even with a client connected', async () => {
    const client = await serve({ listUsers: () => new Promise(() => undefined) });
    const pending = failureOf(client.listUsers());
    await expect.poll(async () => (await client.claim()).claimed).toBe(false);
    await stop?.();
    stop = undefined;
    expect(await pending).toBeInstanceOf(Error);
    expect(existsSync(path)).toBe(false);
  });

  test('with a path that no socket can have is refused in one sentence', async () => {
    const long = join(folder, 'x'.repeat(120), 'control.sock');
    const failure = await failureOf(connectControl(long));
    expect(failure).toMatchObject({
      failure: 'config',
      message: expect.stringMatching(/longer than 107 bytes/) as string,
    });
  });

  test('in a folder that cannot be created is refused in one sentence', async () => {
    writeFileSync(join(folder, 'run'), '');
    expect(await failureOf(serve())).toMatchObject({ failure: 'cannot_create' });
  });
});

describe('a connection of two processes', () => {
  test('carries call after call, and ends with the process that calls', async () => {
    const logs = createLog({ level: 'debug', write: (line) => logged.push(line), journal: false, wallMs: () => 0 });
    const seen: number[] = [];
    const restoreBackup: HubAdmin['restoreBackup'] = async (content) => void seen.push(await lengthOf(content));
    const readBackup: HubAdmin['readBackup'] = async () => pieces(3, 1024 * 1024);
    const accepting = createNetServer();
    path = join(folder, 'pair.sock');
    await new Promise<void>((resolve) => void accepting.listen(path, resolve));
    const served = new Promise<void>((resolve) => {
      accepting.once('connection', (socket) => {
        void serveControl({ ...idle, restoreBackup, readBackup }, logs, socket).then(resolve);
      });
    });
    const connection = connect(path);
    const client = askControl(connection);
    expect(await client.claim()).toMatchObject({ code: 'ABCD-EFGH' });
    await client.restoreBackup(pieces(5, 1024 * 1024));
    expect(await lengthOf(await client.readBackup({ id: 'b1' }))).toBe(3 * 1024 * 1024);
    expect(await client.listUsers()).toEqual([ADA]);
    expect(seen).toEqual([5 * 1024 * 1024]);
    connection.end();
    await served;
    await new Promise((resolve) => void accepting.close(resolve));
    expect(await failureOf(client.claim())).toBeInstanceOf(Error);
  });
});

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of content) length += chunk.length;
  return length;
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1024 * 1024);
  throw new Error('the disk is gone');
}

async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(size, index);
}
