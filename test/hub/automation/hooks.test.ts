import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';
import type { Person } from '#test/support/hub/whole-hub.ts';

const BELL = {
  triggers: [
    { id: 'ring', type: 'hook', accepts: { type: 'object', properties: { level: { type: 'integer', maximum: 100 } } } },
    { id: 'noon', type: 'time', at: '12:00' },
  ],
  steps: [
    {
      command: {
        targets: { devices: ['living-room-lamp'] },
        set: { brightness: { trigger: '/level' } },
        wait: 'finished',
      },
    },
  ],
} as const;

type Answer = {
  readonly status: number;
  readonly text: string;
  readonly json: JsonObject;
  readonly retryAfter: string | null;
};
type Calling = {
  readonly path?: string;
  readonly secret?: string;
  readonly token?: string;
  readonly body?: string;
};

async function openBell() {
  const hub = await openRunningHub();
  const record = await hub.add('Bell', BELL);
  const ring = async ({ path = 'bell/hook/ring', secret, token, body = '{}' }: Calling): Promise<Answer> => {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (secret !== undefined) headers.set('Hearthd-Hook', secret);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const answer = await hub.fetch(
      new Request(`http://hub.local/api/v1/automation/${path}`, { method: 'POST', headers, body }),
    );
    const text = await answer.text();
    return {
      status: answer.status,
      text: text.replace(/"(request_id|instance)":"[^"]*"/g, ''),
      json: JSON.parse(text) as JsonObject,
      retryAfter: answer.headers.get('Retry-After'),
    };
  };
  const makeSecret = async (who: Pick<Person, 'token'> = hub.owner): Promise<string> => {
    const made = await hub.call('PUT /automation/bell/hook/ring/secret', { token: who.token });
    expect(made.status).toBe(200);
    return String(made.json['secret']);
  };
  return { ...hub, record, ring, makeSecret };
}

describe('hooks', () => {
  test('a program without an account starts the automation with its secret, and what it sends is used', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    expect(Buffer.from(secret.replace('hhk_', ''), 'base64url')).toHaveLength(32);
    const called = await hub.ring({ secret, body: '{"level": 41}' });
    expect(called).toMatchObject({ status: 202, json: { run: expect.any(String) as string, reason: null } });
    await hub.until(() => hub.sent().includes('living-room-lamp brightness=41 confirmed'));
    expect(hub.runs().map(({ id, trigger }) => [id, trigger.id])).toEqual([[called.json['run'], 'ring']]);
    const audit = await hub.call('GET /audit?types=automation.called', { token: hub.owner.token });
    expect(audit.json).toMatchObject([
      { type: 'automation.called', detail: 'bell/ring by hook', user_id: null, api_token: null },
    ]);
  });

  test('who may change it sees whether it has a secret and whose, never the secret; others see nothing of it', async () => {
    const hub = await openBell();
    const hooksOf = async (token: string): Promise<unknown> => {
      const { status, json } = await hub.call('GET /automation/bell', { token });
      expect(status).toBe(200);
      return json['hooks'];
    };
    const none = { trigger: 'ring', secret: 'none', made_by: null, made_at: null };
    expect(await hooksOf(hub.owner.token)).toEqual([none]);
    const secret = await hub.makeSecret();
    const kept = {
      trigger: 'ring',
      secret: 'valid',
      made_by: { id: hub.owner.user.id, name: expect.any(String) as string },
    };
    expect(await hooksOf(hub.owner.token)).toMatchObject([kept]);
    expect(JSON.stringify(await hooksOf(hub.owner.token))).not.toContain(secret.slice(4));
    const reads = await hub.addToken(hub.owner.user, { scopes: ['automation:read'] });
    expect(await hooksOf(reads)).toBeUndefined();
    await hub.call('DELETE /automation/bell/hook/ring/secret', { token: hub.owner.token });
    expect(await hooksOf(hub.owner.token)).toEqual([none]);
  });

  test('so does an API token with automation:run, and none without it; a token counts before a secret', async () => {
    const hub = await openBell();
    const runs = await hub.addToken(hub.owner.user, { scopes: ['automation:run'] });
    const reads = await hub.addToken(hub.owner.user, { scopes: ['automation:read'] });
    const secret = await hub.makeSecret();
    expect((await hub.ring({ token: runs })).status).toBe(202);
    expect((await hub.ring({ token: reads })).status).toBe(403);
    expect((await hub.ring({ token: reads, secret })).status).toBe(403);
    expect((await hub.ring({ token: runs, path: 'bell/hook/noon' })).status).toBe(404);
    expect((await hub.ring({})).status).toBe(401);
  });

  test('a wrong secret, an unknown automation and a trigger that is no hook have one answer', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    const answers = await Promise.all(
      [
        { secret: `${secret.slice(0, -1)}_` },
        { secret: '' },
        { secret: 'x'.repeat(9_000) },
        { secret, path: 'no-such-automation/hook/ring' },
        { secret, path: 'bell/hook/noon' },
        { secret, path: 'bell/hook/__proto__' },
        // Nothing of the body is read before the secret is known.
        { secret: 'wrong', body: '{"level":' },
      ].map(hub.ring),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect(hub.runs()).toEqual([]);
  });

  test('tries are bounded for each address, and the right secret is never held up by them', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    const tries: number[] = [];
    for (let count = 0; count < 40; count += 1) tries.push((await hub.ring({ secret: `wrong ${count}` })).status);
    expect(new Set(tries)).toEqual(new Set([401, 429]));
    expect(tries.indexOf(429)).toBe(30);
    expect((await hub.ring({ secret })).status).toBe(202);
  });

  test('a sixth call in a moment has to wait, with a token as with a secret', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    const calls = await Promise.all([1, 2, 3, 4, 5, 6].map(() => hub.ring({ secret })));
    expect(calls.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(calls[5]?.retryAfter).toBe('1');
    expect((await hub.ring({ token: hub.owner.token })).status).toBe(429);
  });

  test.each([
    ['no object', '[1]', 422],
    ['no JSON', '{"level":', 400],
    ['what the schema of the trigger refuses', '{"level": 101}', 422],
    ['more than 16 KiB', JSON.stringify({ a: 'x'.repeat(17_000) }), 413],
    ['objects deep within each other', `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`, 400],
  ])('a body with %s is refused and starts nothing', async (_, body, status) => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    expect((await hub.ring({ secret, body })).status).toBe(status);
    expect(hub.runs()).toEqual([]);
  });

  test('a new secret ends the one before, and one that was taken back is worth nothing', async () => {
    const hub = await openBell();
    const first = await hub.makeSecret();
    const second = await hub.makeSecret();
    expect((await hub.ring({ secret: first })).status).toBe(401);
    expect((await hub.ring({ secret: second })).status).toBe(202);
    const { token } = hub.owner;
    expect((await hub.call('DELETE /automation/bell/hook/ring/secret', { token })).status).toBe(204);
    expect((await hub.ring({ secret: second })).status).toBe(401);
    expect((await hub.call('DELETE /automation/bell/hook/ring/secret', { token })).status).toBe(404);
    expect((await hub.call('PUT /automation/bell/hook/noon/secret', { token })).status).toBe(404);
  });

  test('it ends with its trigger, rests in the trash, and works again out of it', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    const { token } = hub.owner;
    await hub.call('DELETE /automation/bell', { token });
    expect((await hub.ring({ secret })).status).toBe(401);
    await hub.call('POST /automation/bell/restore', { token });
    expect((await hub.ring({ secret })).status).toBe(202);
    expect((await hub.call('PUT /automation/bell', { token, body: { triggers: [], steps: [] } })).status).toBe(200);
    expect((await hub.ring({ secret })).status).toBe(401);
    expect((await hub.call('POST /automation/bell/revert', { token, body: { version: 1 } })).status).toBe(200);
    expect((await hub.ring({ secret })).status).toBe(401);
  });

  test.each<readonly [string, (hub: Awaited<ReturnType<typeof openBell>>, maker: Person) => Promise<unknown>]>([
    ['was removed', ({ home }, { user }) => home.accounts.removeUser(user.id)],
    ['became a guest', ({ home }, { user }) => home.accounts.updateUser(user.id, { role: 'guest' })],
    ['may change only what they made', ({ home }, { user }) => home.accounts.updateUser(user.id, { role: 'resident' })],
  ])('it ends when the person who made it %s', async (_, happens) => {
    const hub = await openBell();
    const maker = await hub.addPerson('ben', 'admin');
    const secret = await hub.makeSecret(maker);
    expect((await hub.ring({ secret })).status).toBe(202);
    await happens(hub, maker);
    expect((await hub.ring({ secret })).status).toBe(401);
    const shown = await hub.call('GET /automation/bell', { token: hub.owner.token });
    expect(shown.json['hooks']).toMatchObject([
      { trigger: 'ring', secret: 'lapsed', made_by: { name: maker.user.name } },
    ]);
  });

  test('it ends with the API token that made it', async () => {
    const hub = await openBell();
    const token = await hub.addToken(hub.owner.user, { scopes: ['automation:manage'] });
    const secret = await hub.makeSecret({ token });
    await hub.home.apiTokens.endToken(hub.home.apiTokens.tokens()[0]?.id as ApiTokenId);
    expect((await hub.ring({ secret })).status).toBe(401);
  });

  test('who may not open a door makes no secret for what opens one', async () => {
    const hub = await openBell();
    await hub.add('Door', { ...BELL, allow_sensitive: ['front-door-lock'] });
    const token = await hub.addToken(hub.owner.user, { scopes: ['automation:manage', 'automation:run'] });
    expect((await hub.call('PUT /automation/door/hook/ring/secret', { token })).status).toBe(403);
    expect((await hub.ring({ token, path: 'door/hook/ring' })).status).toBe(403);
  });

  test('one that does not run says why, and a hook that is called in a circle trips', async () => {
    const hub = await openBell();
    const secret = await hub.makeSecret();
    await hub.call('POST /automation/bell/disable', { token: hub.owner.token });
    expect((await hub.ring({ secret })).json).toEqual({ run: null, reason: 'disabled' });
    await hub.call('POST /automation/bell/enable', { token: hub.owner.token });
    const call = { trigger: 'ring', body: {} };
    for (let count = 0; count < 60; count += 1) await hub.home.automationEngine.callHook(hub.record.id, call);
    expect(hub.home.automationEngine.statusOf(hub.record.id).tripped).toMatchObject({ reason: 'too_many_starts' });
    expect((await hub.ring({ secret })).json).toEqual({ run: null, reason: 'tripped' });
  });

  test('the text is nowhere: not on disk, in events, the audit log, or what shows the automation', async () => {
    const hub = await openBell();
    const { token } = hub.owner;
    const cursor = hub.home.events.cursor();
    const secret = await hub.makeSecret();
    await hub.ring({ secret });
    const made = await hub.home.storage.backups.make();
    const bytes = readFileSync((await hub.home.storage.backups.findPath(made.id)) ?? '').toString('latin1');
    const shown = await Promise.all(
      ['/automation/bell', '/automation', '/backup', '/audit', `/event?wait=0&since=${cursor}`].map(async (path) => {
        const answer = await hub.fetch(
          new Request(`http://hub.local/api/v1${path}`, {
            headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
          }),
        );
        expect(answer.status).toBe(200);
        return answer.text();
      }),
    );
    for (const text of [bytes, ...shown]) expect(text).not.toContain(secret.slice(4));
  });

  test('a schema that a hook would not understand is refused when it is saved', async () => {
    const hub = await openBell();
    const triggers = [{ type: 'hook', accepts: { properties: { a: { pattern: '(a+)+$' } } } }];
    const saved = await hub.call('POST /automation', {
      token: hub.owner.token,
      body: { name: 'Odd', triggers, steps: [] },
    });
    expect(saved).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/triggers/0/accepts/properties/a/pattern', code: 'INVALID_VALUE' }] },
    });
  });
});
