import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { HubError, type ProblemCode } from '#base/hub-error.ts';
import { createRequestKeys, type RequestKeyStore } from '#core/request-key/request-keys.ts';
import type { Role } from '#core/person/user.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { operationOf } from '#http/reference/operation.ts';
import { onceRoutes } from '#http/routing/once.ts';
import { jsonBody, type Route, takesKey } from '#http/routing/route.ts';
import { storageInProcess } from '#storage/storage.ts';
import { authenticateByRole, createTestApp } from '#test/support/hub/http-app.ts';
import { createTestClock, DAY_MS } from '#test/support/hub/auth-harness.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';

const bodySchema = z.object({
  name: z.optional(z.string()),
  dry_run: z.optional(z.boolean()),
  more: z.optional(z.any()),
});

type Asked = {
  readonly body?: object;
  readonly key?: string | undefined;
  readonly as?: string;
  readonly path?: string;
};

/** A call that makes things, over a real database. */
async function openThings({
  bench = createBench(),
  hubClock = createTestClock(),
  once,
  store,
}: {
  bench?: Bench;
  hubClock?: ReturnType<typeof createTestClock>;
  once?: Route['once'];
  store?: (real: RequestKeyStore) => Partial<RequestKeyStore>;
} = {}) {
  const storage = storageInProcess(await bench.openOwned());
  const { log, lines } = createRecordingLog();
  const made: string[] = [];
  const hands: { make: (name: string) => RouteAnswer | Promise<RouteAnswer>; role?: Role } = {
    make: (name) => ({ status: 201, json: { name }, headers: { Location: `/api/v1/thing/${name}`, ETag: '"1"' } }),
  };
  const thing = (path: string): Route => ({
    id: 'createThing',
    method: 'POST',
    path,
    summary: 'Make a thing',
    tag: 'Hub',
    access: 'any',
    ...(once && { once }),
    query: z.object({ dry_run: z.optional(z.boolean()) }),
    body: jsonBody(bodySchema),
    answers: { 200: z.any(), 201: z.any(), 204: null },
    handle: async ({ body }) => {
      const name = (body as { name?: string }).name ?? `thing-${made.length + 1}`;
      const answer = await hands.make(name);
      made.push(name);
      return answer;
    },
  });
  const requestKeys = createRequestKeys({
    store: { ...storage.requestKeys, ...store?.(storage.requestKeys) },
    hubClock,
    log,
  });
  const routes = onceRoutes([thing('/api/v1/thing'), thing('/api/v1/other')], {
    requestKeys,
    fingerprintKey: Buffer.alloc(32, 1),
  });
  const { request } = createTestApp(routes, {
    authenticate: (values) => {
      const caller = authenticateByRole(values);
      const current = (): typeof caller => ({
        ...caller,
        user: { ...caller.user, role: hands.role ?? caller.user.role },
        current,
      });
      return current();
    },
  });
  const ask = async ({ body = {}, key = 'one', as = 'owner', path = '/thing' }: Asked = {}) => {
    const answer = await request(`/api/v1${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${as}`,
        'Content-Type': 'application/json',
        ...(key !== '' && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('Content-Type')?.includes('json') === true;
    const json = (isJson ? JSON.parse(text) : {}) as { code?: ProblemCode; name?: string };
    return { status: answer.status, json, headers: answer.headers };
  };
  return { ask, made, hands, lines, bench, hubClock, upkeep: requestKeys.upkeep, close: storage.close, storage };
}

describe('a repeat', () => {
  test('gets the same answer and makes nothing, also in another order of members', async () => {
    const { ask, made } = await openThings();
    const first = await ask({ body: { name: 'a', more: { x: 1, y: 2 } } });
    const again = await ask({ body: { more: { y: 2, x: 1 }, name: 'a' } });
    expect([again.status, again.json]).toEqual([201, first.json]);
    for (const name of ['Location', 'ETag', 'Content-Type']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
      expect(again.headers.get(name)).not.toBeNull();
    }
    expect(made).toEqual(['a']);
  });

  test('after a restart gets the same answer', async () => {
    const before = await openThings();
    const first = await before.ask();
    await before.close();
    const after = await openThings(before);
    const again = await after.ask();
    expect([again.status, again.json, again.headers.get('Location')]).toEqual([
      201,
      first.json,
      first.headers.get('Location'),
    ]);
    expect(after.made).toEqual([]);
  });

  test('of an answer without a body has none', async () => {
    const { ask, hands } = await openThings();
    hands.make = () => ({ status: 204 });
    await ask();
    expect((await ask()).status).toBe(204);
  });

  test('without the header, or as a trial, makes another one and writes nothing', async () => {
    const { ask, made, storage } = await openThings();
    for (const asked of [{ key: '' }, { body: { dry_run: true } }, { path: '/thing?dry_run=true' }]) {
      await ask(asked);
      await ask(asked);
    }
    expect(made).toHaveLength(6);
    expect(await storage.requestKeys.loadKeyEpochs()).toEqual([]);
    expect((await ask({ key: 'two words', body: { dry_run: true } })).status).toBe(400);
    expect((await ask()).status).toBe(201);
  });

  test('with another body, query or path is refused, and the next right one is answered', async () => {
    const { ask, made } = await openThings();
    await ask({ body: { name: 'a' } });
    for (const asked of [{ body: { name: 'b' } }, { body: { name: 'a' }, path: '/other' }]) {
      const { status, json } = await ask(asked);
      expect([status, json.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect((await ask({ body: { name: 'a' }, path: '/thing?dry_run=false' })).json.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await ask({ body: { name: 'a' } })).status).toBe(201);
    expect(made).toEqual(['a']);
  });

  test('of another caller makes another one', async () => {
    const { ask, made } = await openThings();
    await ask();
    await ask({ as: 'admin' });
    expect(made).toHaveLength(2);
  });

  test('that comes while the first is under way waits for it', async () => {
    const { ask, made, hands } = await openThings();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { make } = hands;
    hands.make = (name) => held.then(() => make(name));
    const all = Array.from({ length: 20 }, () => ask());
    await new Promise((resolve) => void setImmediate(resolve));
    release();
    const answers = await Promise.all(all);
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.name}`))).toEqual(new Set(['201 thing-1']));
    expect(made).toHaveLength(1);
  });

  test.each(['a b', 'x'.repeat(256), 'ü', 'one, two'])('with the key %j is refused, as for commands', async (key) => {
    const { ask, made } = await openThings();
    const { status, json } = await ask({ key });
    expect([status, json.code, made]).toEqual([400, 'MALFORMED_REQUEST', []]);
  });

  test('after a day makes another one; until then it is kept, and the upkeep forgets it afterwards', async () => {
    const { ask, made, hubClock, upkeep, storage } = await openThings();
    await ask();
    hubClock.advance(DAY_MS);
    await upkeep();
    await ask();
    expect(made).toHaveLength(1);
    hubClock.advance(1);
    expect((await ask()).json.name).toBe('thing-2');
    hubClock.advance(DAY_MS + 1);
    await upkeep();
    expect(await storage.requestKeys.loadKeyEpochs()).toEqual([]);
  });

  test('of a hub with another clock makes another one', async () => {
    const before = await openThings();
    await before.ask();
    await before.close();
    const other = { ...createTestClock(), epoch: () => 'x', nowInEpochMs: () => undefined };
    const after = await openThings({ bench: before.bench, hubClock: other });
    await after.ask();
    expect(after.made).toHaveLength(1);
    await after.upkeep();
    expect(await after.storage.requestKeys.loadKeyEpochs()).toEqual([]);
  });
});

describe('after a failure', () => {
  /** What two requests with one key get, if the first one fails so. */
  const failWith = async (code: ProblemCode, second: object) => {
    const { ask, hands } = await openThings();
    const { make } = hands;
    hands.make = () => {
      throw new HubError(code, 'No.');
    };
    const first = await ask();
    hands.make = make;
    return [first.json, (await ask({ body: second })).json];
  };

  test.each(['NAME_TAKEN', 'VALIDATION_FAILED', 'OVERLOADED'] as const)('with %s the key is free', async (code) => {
    expect(await failWith(code, { name: 'mended' })).toMatchObject([{ code }, { name: 'mended' }]);
  });

  test.each(['STORAGE_FULL', 'CONNECTION_FAILED', 'RESTARTING'] as const)(
    'with %s the outcome is not known',
    async (code) => {
      expect(await failWith(code, {})).toMatchObject([{ code }, { code: 'OUTCOME_UNKNOWN' }]);
      expect(await failWith(code, { name: 'other' })).toMatchObject([{ code }, { code: 'IDEMPOTENCY_KEY_REUSED' }]);
    },
  );

  test('of the hub itself between the work and the note of it the outcome is not known, also after a restart', async () => {
    const before = await openThings({ store: () => ({ saveKeyAnswer: () => new Promise(() => undefined) }) });
    void before.ask();
    await expect.poll(() => before.made).toHaveLength(1);
    await before.close();
    const after = await openThings(before);
    const { status, json } = await after.ask();
    expect([status, json.code, after.made]).toEqual([409, 'OUTCOME_UNKNOWN', []]);
  });

  test('of the disk before the work nothing is made', async () => {
    let isFull = true;
    const { ask, made } = await openThings({
      store: ({ saveKey }) => ({
        saveKey: async (request) => {
          if (isFull) throw new HubError('STORAGE_FULL', 'The disk is full.');
          return saveKey(request);
        },
      }),
    });
    expect([(await ask()).json.code, made]).toEqual(['STORAGE_FULL', []]);
    isFull = false;
    expect((await ask()).status).toBe(201);
  });

  test('of the disk after the work the answer is that of the work, and the log says so', async () => {
    const fail = async (): Promise<void> => {
      throw new HubError('STORAGE_FULL', 'The disk is full.');
    };
    const { ask, made, hands, lines } = await openThings({ store: () => ({ saveKeyAnswer: fail, deleteKey: fail }) });
    expect((await ask()).status).toBe(201);
    expect([(await ask()).json.code, made]).toEqual(['OUTCOME_UNKNOWN', ['thing-1']]);
    hands.make = () => {
      throw new HubError('NAME_TAKEN', 'No.');
    };
    expect((await ask({ key: 'two' })).json.code).toBe('NAME_TAKEN');
    expect(lines.filter((line) => line.includes('cannot be kept'))).toHaveLength(2);
  });
});

describe('of an answer that is not kept', () => {
  test.each<[string, Route['once'], RouteAnswer]>([
    [
      'with a secret',
      'place',
      { status: 201, json: { token: 'hat_secret' }, headers: { Location: '/api/v1/thing/a' } },
    ],
    ['of a file', 'answer', { status: 200, bytes: Buffer.from('a file'), headers: { Location: '/api/v1/thing/a' } }],
    [
      'that is too long',
      'answer',
      { status: 201, json: 'x'.repeat(131_073), headers: { Location: '/api/v1/thing/a' } },
    ],
  ])('%s a repeat gets the place', async (_what, once, answer) => {
    const { ask, hands, made } = await openThings({ once });
    hands.make = () => answer;
    expect((await ask()).status).toBe(answer.status);
    const { status, json, headers } = await ask();
    expect([status, json.code, headers.get('Location')]).toEqual([409, 'ANSWER_NOT_KEPT', '/api/v1/thing/a']);
    expect(made).toHaveLength(1);
  });

  test('a caller whose rights have changed since gets the place only', async () => {
    const { ask, hands, made } = await openThings();
    await ask();
    hands.role = 'guest';
    expect((await ask()).json.code).toBe('ANSWER_NOT_KEPT');
    hands.role = 'owner';
    expect((await ask()).status).toBe(201);
    expect(made).toHaveLength(1);
  });

  test('neither what was asked nor what was answered is on disk', async () => {
    const { ask, hands, bench, close } = await openThings({ once: 'place' });
    hands.make = () => ({ status: 201, json: { token: 'hat_secret' }, headers: { Location: '/api/v1/thing/a' } });
    await ask({ body: { name: 'a password of the body' } });
    await close();
    const files = readdirSync(bench.folders.state, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const disk = Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))).toString(
      'latin1',
    );
    expect(disk).toContain('/api/v1/thing/a');
    for (const secret of ['hat_secret', 'a password']) expect(disk).not.toContain(secret);
  });
});

describe('of the whole API', () => {
  let routes: readonly Route[];
  beforeAll(async () => {
    ({ routes } = await openHubApp());
  });
  const nameOf = ({ method, path }: Route): string => `${method} ${path.slice('/api/v1'.length)}`;
  const schemaOf = (): object => ({ type: 'object' });
  /** Their `secret` says whether a hook has one. */
  const TELL_WHETHER = ['POST /automation', 'POST /automation_template/:id/instantiate'];

  test('each POST that answers 201 takes the key, and the document says so', () => {
    const making = routes.filter(({ method, answers }) => method === 'POST' && 201 in answers);
    expect(making.length).toBeGreaterThan(15);
    expect(making.filter((route) => !takesKey(route)).map(nameOf)).toEqual(['POST /setup', 'POST /wall_request']);
    for (const route of routes.filter(takesKey)) {
      const { parameters, 'x-problem-codes': codes } = operationOf(route, { routes, schemaOf: schemaOf as never });
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' });
      expect(codes).toEqual(expect.arrayContaining(['IDEMPOTENCY_KEY_REUSED', 'ANSWER_NOT_KEPT', 'OUTCOME_UNKNOWN']));
    }
  });

  test('an answer that shows a secret or a code is not kept', () => {
    const secret = /"(?:token|secret|password|qr|manual_code)":/;
    const showing = routes
      .filter(takesKey)
      .filter(({ answers }) =>
        Object.values(answers).some(
          (answer) => answer !== null && secret.test(JSON.stringify(z.toJSONSchema(answer, LOOSE))),
        ),
      );
    expect(showing.map(nameOf).toSorted()).toEqual([
      'POST /api_token',
      ...TELL_WHETHER,
      'POST /integration',
      'POST /notification_channel',
      'POST /webhook',
    ]);
    const places = routes.filter(({ once }) => once === 'place').map(nameOf);
    for (const name of showing.map(nameOf)) expect(places.includes(name)).toBe(!TELL_WHETHER.includes(name));
    expect(places).toContain('POST /integration_setup');
  });

  const LOOSE = { unrepresentable: 'any', io: 'output' } as const;

  test.each([
    'POST /room',
    'POST /mode',
    'POST /variable',
    'POST /group',
    'POST /scene',
    'POST /automation',
    'POST /automation_import',
    'POST /automation/:selector/run',
    'POST /automation_template',
    'POST /automation_template/:id/instantiate',
    'POST /notification',
    'POST /notification_channel',
    'POST /user',
    'POST /api_token',
    'POST /webhook',
    'POST /exporter',
    'POST /integration',
    'POST /integration_setup',
    'POST /backup',
    'POST /backup/content',
  ])('%s takes the key', (line) => {
    expect(routes.filter(takesKey).map(nameOf)).toContain(line);
  });
});
