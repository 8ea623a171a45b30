import { describe, expect, test } from 'vitest';
import type { SessionCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import { eventRoutes } from '#http/event/routes.ts';
import { authenticateByRole, callerOf, createTestApp } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

type Page = { events: { id: string; type: string; data: Record<string, unknown> }[]; cursor: string };

async function openHub(capacity = 1_000) {
  const time = createManualTime();
  const home = await openTestHome(['Lamp', 'Fan'], { ...time, capacity });
  const access = { isExpired: false };
  const authenticate = (values: readonly string[]): SessionCaller => {
    if (access.isExpired) throw new HubError('INVALID_TOKEN', 'the access token is expired');
    return { ...authenticateByRole(values), current: () => authenticate(values) };
  };
  const routes = eventRoutes({ ...home, findRoom: home.rooms.findRoom, authenticate });
  const { request } = createTestApp(routes, { authenticate });
  const ask = (query: string, init: { token?: string; accept?: string; signal?: AbortSignal } = {}) =>
    request(`/api/v1/event${query}`, {
      headers: { Authorization: `Bearer ${init.token ?? 'owner'}`, Accept: init.accept ?? 'application/json' },
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    });
  const poll = async (query: string): Promise<Page> => (await (await ask(query)).json()) as Page;
  const reports = home.registry.reportsOf('zigbee2mqtt');
  let value = 0;
  const change = (device = 0): void => reports.reportValues(`0x${device}`, new Map([['brightness', (value += 1)]]));
  return { ...home, time, ask, poll, change, access };
}

describe('a long poll', () => {
  test('answers at once with the missed events and the cursor after them', async () => {
    const hub = await openHub();
    const since = hub.events.cursor();
    for (let count = 0; count < 5; count += 1) hub.change();
    const first = await hub.poll(`?since=${since}&limit=3`);
    const second = await hub.poll(`?since=${first.cursor}&limit=3`);
    const ids = [...first.events, ...second.events].map(({ id }) => id);
    const last = hub.events.lastSequence();
    expect(ids).toEqual(Array.from({ length: 5 }, (_, index) => `run1-${last - 4 + index}`));
    expect([first.events.length, second.cursor]).toEqual([3, hub.events.cursor()]);
    expect(first.events[0]).toMatchObject({
      type: 'feature.changed',
      data: { device: { selector: 'lamp' }, feature: { key: 'brightness', value: 1 } },
    });
  });

  test('goes on after lastEventId, which polyfills add to an address that may have an older cursor', async () => {
    const hub = await openHub();
    const since = hub.events.cursor();
    hub.change();
    const [lost] = (await hub.poll(`?since=${since}&limit=1`)).events;
    hub.change();
    const page = await hub.poll(`?since=${since}&lastEventId=${lost?.id}&types=feature.changed&types=device.added`);
    expect(page.events.map(({ data }) => data)).toMatchObject([{ feature: { value: 2 } }]);
  });

  test('has of features only those of these keys, with the name and room of the device', async () => {
    const hub = await openHub();
    const since = hub.events.cursor();
    const reports = hub.registry.reportsOf('zigbee2mqtt');
    const both = new Map<string, JsonValue>([
      ['on', false],
      ['brightness', 7],
    ]);
    reports.reportValues('0x0', both);
    reports.reportAvailability('0x0', 'offline', null);
    const typesOf = async (query: string) =>
      (await hub.poll(`?since=${since}&wait=0&${query}`)).events.map(({ type, data }) => [
        type,
        (data['feature'] as { key: string } | undefined)?.key,
      ]);
    expect(await typesOf('key=on')).toEqual([['feature.changed', 'on']]);
    expect(await typesOf('key[]=on&key=brightness')).toHaveLength(2);
    expect(await typesOf('key=open')).toEqual([]);
    expect(await typesOf('key=on&types=feature.changed,availability.changed')).toEqual([
      ['feature.changed', 'on'],
      ['availability.changed', undefined],
    ]);
    const page = await hub.poll(`?since=${since}&key=on`);
    expect(page.events[0]?.data['device']).toMatchObject({ selector: 'lamp', name: 'Lamp', room: null });
  });

  test('waits for the first event, but no longer than requested', async () => {
    const hub = await openHub();
    const waiting = hub.poll('?wait=25');
    await hub.time.advance(1_000);
    hub.change();
    await hub.time.advance(20);
    expect((await waiting).events).toHaveLength(1);
    const cursor = hub.events.cursor();
    const idle = hub.poll(`?since=${cursor}&wait=10`);
    await hub.time.advance(10_000);
    expect(await idle).toEqual({ events: [], cursor });
    expect(hub.eventStreams.count()).toBe(0);
  });

  test('has a cursor after the events that the filter dropped', async () => {
    const hub = await openHub();
    const waiting = hub.poll('?device=fan&wait=10');
    await hub.time.advance(0);
    hub.change(0);
    await hub.time.advance(10_000);
    expect(await waiting).toEqual({ events: [], cursor: hub.events.cursor() });
  });

  test.each([
    ['run0-1', 'restarted'],
    ['run1-1', 'too_old'],
  ])('a cursor that is lost (%s) becomes a gap, with one to go on from', async (since, reason) => {
    const hub = await openHub(5);
    for (let count = 0; count < 9; count += 1) hub.change();
    const cursor = hub.events.cursor();
    const page = await hub.poll(`?since=${since}`);
    expect(page).toMatchObject({
      events: [{ id: cursor, type: 'hub.gap', data: { from: since, to: cursor, reason } }],
      cursor,
    });
  });

  test('A8: ends its wait when the session is revoked or the token expires', async () => {
    const hub = await openHub();
    const revoked = hub.poll('?wait=60');
    await hub.time.advance(0);
    const { sessionId, user } = callerOf('owner');
    hub.events.append({ type: 'session.revoked', sessionId, userId: user.id });
    expect((await revoked).events.map(({ type }) => type)).toEqual(['session.revoked']);
    const expired = hub.poll('?wait=60');
    await hub.time.advance(0);
    hub.access.isExpired = true;
    await hub.time.advance(4_000);
    expect((await expired).events).toEqual([]);
  });

  test('A8: has no event from after its token was revoked', async () => {
    const hub = await openHub();
    const waiting = hub.poll('?wait=60');
    await hub.time.advance(0);
    hub.access.isExpired = true;
    hub.change();
    await hub.time.advance(20);
    expect((await waiting).events).toEqual([]);
  });

  test('stops waiting when its client leaves', async () => {
    const hub = await openHub();
    const leaving = new AbortController();
    const waiting = hub.ask('?wait=60', { signal: leaving.signal });
    await hub.time.advance(0);
    expect(hub.eventStreams.count()).toBe(1);
    leaving.abort();
    await waiting;
    await hub.time.advance(1_000);
    expect([hub.eventStreams.count(), hub.time.pendingMs()]).toEqual([0, []]);
  });

  test('counts as a stream of its session', async () => {
    const hub = await openHub();
    const waiting = Array.from({ length: 16 }, () => hub.ask('?wait=5'));
    await hub.time.advance(0);
    const refused = await hub.ask('?wait=5');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await hub.time.advance(5_000);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  });

  test.each([
    '?snapshot=1',
    '?limit=0',
    '?limit=1001',
    '?wait=61',
    '?wait=x',
    '?since=x',
    '?lastEventId=x',
    '?types=x',
    '?room=x',
  ])('%s is refused with a pointer', async (query) => {
    const answer = await (await openHub()).ask(query);
    const name = /\w+/.exec(query)?.[0];
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ pointer: `?${name}` }] }]);
  });
});

test.each(['owner', 'admin', 'resident', 'guest'])('%s may listen', async (token) => {
  const hub = await openHub();
  expect((await hub.ask('?wait=0', { token })).status).toBe(200);
});

test('A2: without a token there are no events', async () => {
  const hub = await openHub();
  expect((await hub.ask('?wait=0', { token: '' })).status).toBe(401);
});
