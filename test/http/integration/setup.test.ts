import { describe, expect, test } from 'vitest';
import type { HubError } from '#base/hub-error.ts';
import { ConnectionFault, connectionFailed } from '#base/network/connection-failure.ts';
import { dataOf } from '#core/event/event-log.ts';
import { createEventEncoder } from '#http/event/json.ts';
import { rightOfEvent } from '#http/answer/home-events.ts';
import { type ApiAnswer, type IntegrationApi, openIntegrationApi } from '#test/support/kinds/integration-api.ts';

const codeOf = ({ status, json }: ApiAnswer): string => `${status} ${json.code}`;
const HOST = '192.168.1.20';

/** A set-up at its first form. */
async function begin(
  api: IntegrationApi,
  who = 'admin',
): Promise<{ path: string; say: (answer: unknown) => Promise<ApiAnswer> }> {
  const { json } = await api.call('POST /integration_setup', { kind: 'toy_box' }, who);
  const path = `/integration_setup/${json.id}`;
  return { path, say: (answer) => api.call(`POST ${path}`, { answer }, who) };
}

/** Goes on to the end. */
async function finish(api: IntegrationApi, who = 'admin'): Promise<ApiAnswer> {
  const { say } = await begin(api, who);
  await say({ host: HOST, key: 'hush' });
  await api.time.advance(1_000);
  await say({ option: 'red' });
  await api.time.advance(0);
  return say({});
}

test('a set-up shows each of its steps and ends in an integration', async () => {
  const api = await openIntegrationApi();
  const first = await api.call('POST /integration_setup', { kind: 'toy_box' });
  const path = `/integration_setup/${first.json.id}`;
  expect([first.status, first.headers.get('location')]).toEqual([201, `/api/v1${path}`]);
  expect(first.json).toMatchObject({
    kind: 'toy_box',
    status: 'running',
    step: { type: 'form', fields: { host: { type: 'host' }, key: { type: 'secret' } }, values: {}, errors: [] },
    integration: null,
    renewed: false,
    error: null,
  });
  const say = (answer: unknown): Promise<ApiAnswer> => api.call(`POST ${path}`, { answer });
  expect((await say({ host: HOST, key: 'hush' })).json.step).toEqual({ type: 'busy', text: 'Looking for the box.' });
  await api.time.advance(1_000);
  expect((await api.call(`GET ${path}`)).json.step).toEqual({
    type: 'choose',
    text: 'Which lid?',
    options: [
      { id: 'red', title: 'Red', detail: 'the left one' },
      { id: 'blue', title: 'Blue', detail: '' },
    ],
  });
  api.toys.isPressed = false;
  const act = (await say({ option: 'red' })).json.step;
  expect(act).toMatchObject({ type: 'act', text: 'Press the button.', remaining_s: 60 });
  expect(act?.until).toMatch(/^2026-01-01T00:01:\d\d\.\d{3}Z$/);
  api.toys.isPressed = true;
  await api.time.advance(1_000);
  expect((await api.call(`GET ${path}`)).json.step).toEqual({
    type: 'show',
    text: 'Compare the code.',
    code: '123-45-678',
  });
  const done = await say({});
  expect(done.json).toMatchObject({ status: 'done', step: null, integration: { id: 'toy_box' }, renewed: false });
  expect((await api.call('GET /integration/toy_box')).json).toMatchObject({
    name: 'The red box',
    settings: { host: { value: HOST }, key: { is_set: true } },
  });
  expect(await api.instances.readSecret('toy_box', 'key')).toBe('hush');
  expect(api.audited).toMatchObject([{ type: 'integration.added', detail: 'toy_box', userId: 'user-admin' }]);
});

test('the same thing set up again renews its integration, with the new secret', async () => {
  const api = await openIntegrationApi();
  await finish(api);
  const again = await finish(api, 'owner');
  expect(again.json).toMatchObject({ status: 'done', integration: { id: 'toy_box' }, renewed: true });
  expect(api.instances.list()).toHaveLength(1);
  expect(api.audited.map(({ type, userId }) => `${type} ${userId}`)).toEqual([
    'integration.added user-admin',
    'integration.changed user-owner',
  ]);
});

test('a form with wrong values comes again, with pointers into the answer', async () => {
  const api = await openIntegrationApi();
  const { say } = await begin(api);
  const { status, json } = await say({ host: '8.8.8.8', room: 'cellar', key: 'hush', x: 1 });
  expect([status, json.status]).toEqual([200, 'running']);
  expect(json.step).toMatchObject({ type: 'form', values: { host: '8.8.8.8', room: 'cellar' } });
  expect(json.step?.errors?.map(({ pointer }) => pointer)).toEqual(['/host', '/room', '/x']);
  expect(JSON.stringify(json)).not.toContain('hush');
});

test.each([
  ['admin', '/host'],
  ['owner', undefined],
])('an address of the hub itself, given by an %s, is wrong at %s', async (who, pointer) => {
  const { say } = await begin(await openIntegrationApi(), who);
  const { json } = await say({ host: '127.0.0.1:8443' });
  expect(json.step?.errors?.[0]?.pointer).toBe(pointer);
});

describe('a request is refused', () => {
  const starts: readonly [what: string, body: unknown, code: string][] = [
    ['for an unknown kind', { kind: 'nest' }, '404 NOT_FOUND'],
    ['for something that was not found', { found: '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11' }, '404 NOT_FOUND'],
    ['for both', { kind: 'toy_box', found: '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11' }, '422 VALIDATION_FAILED'],
    ['for neither', {}, '422 VALIDATION_FAILED'],
    ['for a number', { kind: 1 }, '422 VALIDATION_FAILED'],
    ['for something without an id', { found: '../x' }, '422 VALIDATION_FAILED'],
  ];
  test.each(starts)('%s', async (_what, body, code) => {
    const { call } = await openIntegrationApi();
    expect(codeOf(await call('POST /integration_setup', body))).toBe(code);
  });

  const answers: readonly [what: string, body: unknown, code: string][] = [
    ['without an answer', {}, '422 VALIDATION_FAILED'],
    ['with a text', { answer: 'x' }, '422 VALIDATION_FAILED'],
    ['with a list', { answer: [] }, '422 VALIDATION_FAILED'],
    ['with more than an answer', { answer: {}, step: 1 }, '422 VALIDATION_FAILED'],
    ['with 1 MB', { answer: { host: 'x'.repeat(1_000_000) } }, '413 PAYLOAD_TOO_LARGE'],
  ];
  test.each(answers)('%s', async (_what, body, code) => {
    const api = await openIntegrationApi();
    const { path } = await begin(api);
    expect(codeOf(await api.call(`POST ${path}`, body))).toBe(code);
    expect((await api.call(`GET ${path}`)).json).toMatchObject({
      status: 'running',
      step: { type: 'form', errors: [] },
    });
  });

  test('of two at once, and after the end', async () => {
    const api = await openIntegrationApi();
    const { path, say } = await begin(api);
    const both = await Promise.all([say({ host: HOST }), say({ host: HOST })]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await api.call(`DELETE ${path}`)).status).toBe(204);
    expect(codeOf(await say({}))).toBe('404 NOT_FOUND');
    const done = await finish(api);
    expect(codeOf(await api.call(`POST /integration_setup/${done.json.id}`, { answer: {} }))).toBe(
      '409 SETUP_NOT_WAITING',
    );
  });

  test('of another person, who may see the set-up but not go on with it', async () => {
    const api = await openIntegrationApi();
    const { path } = await begin(api, 'owner');
    expect((await api.call(`GET ${path}`)).status).toBe(200);
    expect(codeOf(await api.call(`POST ${path}`, { answer: { host: HOST } }))).toBe('403 FORBIDDEN');
    expect(codeOf(await api.call(`DELETE ${path}`, undefined, 'admin2'))).toBe('403 FORBIDDEN');
    expect((await api.call(`GET ${path}`, undefined, 'owner')).json.status).toBe('running');
  });

  test('of somebody without the right', async () => {
    const api = await openIntegrationApi();
    const { path } = await begin(api);
    expect(codeOf(await api.call(`GET ${path}`, undefined, 'resident'))).toBe('403 FORBIDDEN');
    expect(codeOf(await api.call('POST /integration_setup', { kind: 'toy_box' }, 'guest'))).toBe('403 FORBIDDEN');
  });
});

test('a person who is demoted in the middle neither goes on nor finishes', async () => {
  const api = await openIntegrationApi();
  const { path, say } = await begin(api);
  await say({ host: HOST });
  await api.time.advance(1_000);
  api.demoted.add('user-admin');
  expect(codeOf(await say({ option: 'red' }))).toBe('403 FORBIDDEN');
  api.setups.reviewRights();
  await api.time.advance(0);
  expect((await api.call(`GET ${path}`, undefined, 'owner')).json).toMatchObject({
    status: 'failed',
    error: { code: 'forbidden' },
  });
  expect([api.instances.list().length, api.toys.open.size]).toEqual([0, 0]);
});

test('only an owner sees why a connection failed, and no event has it', async () => {
  const failure = (): HubError => connectionFailed(new ConnectionFault('refused', 'Nothing listens at port 443.'));
  const shown: unknown[] = [];
  const api = await openIntegrationApi();
  for (const who of ['admin', 'owner']) {
    const { say } = await begin(api, who);
    api.toys.failure = failure();
    shown.push((await say({ host: HOST })).json.error);
  }
  expect(shown).toEqual([
    { code: 'connection_failed', message: 'The connection failed.', reason: null },
    {
      code: 'connection_failed',
      message: 'The connection failed. Nothing listens at port 443.',
      reason: 'refused',
    },
  ]);
  const encode = createEventEncoder({ findRoom: () => undefined, wallMs: () => 0 });
  const sent = api.emitted.map((event) => dataOf(encode(event, 'run1-1'))).join('\n');
  expect(sent).toContain('connection_failed');
  expect(sent).not.toMatch(/listens|refused/);
});

test('events of a set-up are for people who manage the hub, and have no secret', async () => {
  const api = await openIntegrationApi();
  await finish(api);
  const encode = createEventEncoder({ findRoom: () => undefined, wallMs: api.time.clock.wallMs });
  const sent = api.emitted.map((event) => dataOf(encode(event, 'run1-1')));
  const steps = sent.map((json) => (JSON.parse(json) as { setup: { step: { type: string } | null } }).setup.step?.type);
  expect(steps.filter((type) => type !== undefined)).toEqual(['form', 'busy', 'choose', 'act', 'show']);
  expect(sent.join('\n')).not.toContain('hush');
  expect(api.emitted.every((event) => rightOfEvent(event.type) === 'hub:manage')).toBe(true);
});

test('a found thing with markup in its name starts a set-up with its address', async () => {
  const api = await openIntegrationApi();
  const id = '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11';
  const thing = { id, kind: 'toy_box', name: '<img src=x>', address: HOST, isIgnored: false, foundAtMs: 0 };
  api.found.set(id, {
    thing,
    kind: 'toy_box',
    discovery: { uniqueId: 'a', name: thing.name, settings: { host: HOST } },
  });
  const { status, json } = await api.call('POST /integration_setup', { found: id });
  expect([status, json.step?.values]).toEqual([201, { host: HOST }]);
});
