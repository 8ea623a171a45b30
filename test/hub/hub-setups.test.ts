import { expect, test } from 'vitest';
import { systemClock } from '#base/time/clock.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createEventSource } from '#hub/hub-webhooks.ts';
import type { BrowseMdns, MdnsChange, MdnsService } from '#integrations/ports.ts';
import { openWholeHub, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';

const BRIDGE: MdnsService = {
  name: 'Hue Bridge - 4B0A12',
  type: '_hue._tcp',
  host: 'bridge.local',
  port: 443,
  addresses: ['192.168.1.20'],
  txt: { bridgeid: 'ECB5FAFFFE4B0A12' },
};

/** A hub in a network in which a test announces services. */
async function openNetwork() {
  const watchers = new Map<string, Set<(change: MdnsChange) => void>>();
  const browse: BrowseMdns = (type, onChange, signal) => {
    const present = watchers.get(type) ?? new Set();
    watchers.set(type, present.add(onChange));
    signal.addEventListener('abort', () => present.delete(onChange));
  };
  const hub = await openWholeHub({ browse });
  const events: HomeEvent[] = [];
  hub.home.events.subscribe((event) => void events.push(event));
  const announce = async (type: MdnsChange['type'], service: MdnsService): Promise<void> => {
    for (const watcher of watchers.get(service.type) ?? []) watcher({ type, service });
    await turn();
  };
  return { hub, announce, events, owner: await hub.addPerson('ada', 'owner') };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const listOf = ({ json }: WholeAnswer): readonly Record<string, unknown>[] =>
  json as unknown as readonly Record<string, unknown>[];
const pathOf = ({ json }: WholeAnswer): string => `/integration_setup/${String(json['id'])}`;

test('a bridge that is announced is found, ignored, and gone when it says goodbye', async () => {
  const { hub, announce, events, owner } = await openNetwork();
  const { token } = owner;
  const found = async (query = ''): Promise<unknown> =>
    listOf(await hub.call(`GET /integration_found${query}`, { token })).map(({ name, kind }) => [kind, name]);
  await announce('found', BRIDGE);
  expect(await found()).toEqual([['hue', 'Hue Bridge - 4B0A12']]);
  const [thing] = listOf(await hub.call('GET /integration_found', { token }));
  expect((await hub.call(`POST /integration_found/${String(thing?.['id'])}/ignore`, { token })).status).toBe(200);
  expect([await found(), await found('?ignored=true')]).toEqual([[], [['hue', 'Hue Bridge - 4B0A12']]]);
  await announce('gone', BRIDGE);
  expect(await found('?ignored=true')).toEqual([]);
  expect(events.filter(({ type }) => type === 'integration.found')).toHaveLength(3);
  expect(JSON.parse((await hub.home.storage.meta.loadMeta()).get('ignored_discoveries') ?? '')).toEqual([
    'hue:ecb5fafffe4b0a12',
  ]);
});

test('a set-up without a conversation of its own adds an integration, and everybody learns of it', async () => {
  const { hub, events, owner } = await openNetwork();
  const { token } = owner;
  const started = await hub.call('POST /integration_setup', { token, body: { kind: 'mqtt' } });
  expect([started.status, started.json]).toMatchObject([201, { status: 'running', step: { type: 'form' } }]);
  const wrong = await hub.call(`POST ${pathOf(started)}`, { token, body: { answer: { address: 'http://x' } } });
  expect(wrong.json).toMatchObject({ step: { type: 'form', errors: [{ pointer: '/address' }] } });
  const body = { answer: { address: 'mqtt://127.0.0.1:1', user: 'hub', password: 'hush' } };
  const done = await hub.call(`POST ${pathOf(started)}`, { token, body });
  expect(done.json).toMatchObject({ status: 'done', integration: { id: 'mqtt-2' }, renewed: false });
  expect((await hub.call('GET /integration/mqtt-2', { token })).json).toMatchObject({
    kind: 'mqtt',
    settings: { address: { value: 'mqtt://127.0.0.1:1' }, password: { is_set: true, fixed_by: null } },
  });
  expect(events.map(({ type }) => type)).toContain('integration.added');
  const log = await hub.call('GET /audit?limit=5', { token });
  expect(JSON.stringify(log.json)).toMatch(/"integration\.added".*"mqtt-2"/);
  expect(JSON.stringify(log.json)).not.toContain('hush');
  const removed = await hub.call('DELETE /integration/mqtt-2?devices=remove', { token });
  expect([removed.status, events.at(-1)]).toEqual([204, { type: 'integration.removed', integration: 'mqtt-2' }]);
});

test('a set-up ends when its person is demoted, logs out or is removed', async () => {
  const { hub, owner } = await openNetwork();
  const ends: readonly ((eve: Awaited<ReturnType<WholeHub['addPerson']>>) => Promise<WholeAnswer>)[] = [
    ({ user }) => hub.call(`PATCH /user/${user.id}`, { token: owner.token, body: { role: 'guest' } }),
    ({ token }) => hub.call('POST /logout', { token }),
    ({ user }) => hub.call(`DELETE /user/${user.id}`, { token: owner.token }),
  ];
  for (const [index, end] of ends.entries()) {
    const eve = await hub.addPerson(`eve${index}`, 'admin');
    const started = await hub.call('POST /integration_setup', { token: eve.token, body: { kind: 'mqtt' } });
    expect(started.status).toBe(201);
    expect((await end(eve)).status).toBeLessThan(300);
    await turn();
    const shown = await hub.call(`GET ${pathOf(started)}`, { token: owner.token });
    expect(shown.json).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
  }
});

test('streams show set-ups and found things to people who manage the hub, and to nobody else; webhooks get none', async () => {
  const { hub, announce, owner } = await openNetwork();
  const resident = await hub.addPerson('bob', 'resident');
  const admin = await hub.addPerson('eve', 'admin');
  const script = await hub.addToken(owner.user, { scopes: ['event:read', 'device:read', 'device:manage'] });
  const since = hub.home.events.cursor();
  await announce('found', BRIDGE);
  await hub.call('POST /integration_setup', { token: owner.token, body: { kind: 'mqtt' } });
  const typesFor = async (token: string): Promise<readonly string[]> => {
    const { json } = await hub.call(`GET /event?since=${since}&wait=0`, { token });
    const types = (json['events'] as { type: string }[]).map(({ type }) => type);
    return types.filter((type) => /found|setup/.test(type));
  };
  for (const token of [owner.token, admin.token]) {
    expect(await typesFor(token)).toEqual(['integration.found', 'integration_setup.changed']);
  }
  for (const token of [resident.token, script]) expect(await typesFor(token)).toEqual([]);
  const { lastSequence } = hub.home.events;
  const webhook = createEventSource(hub.home.events, systemClock);
  const page = webhook.read({ types: null, deviceIds: null, roomIds: null }, { after: 0, upTo: lastSequence() });
  expect(JSON.stringify(page)).toContain('device.added');
  expect(JSON.stringify(page)).not.toMatch(/integration\.found|integration_setup/);
});

test('the kinds say which of them can be set up', async () => {
  const { hub, owner } = await openNetwork();
  const kinds = listOf(await hub.call('GET /integration_kind', { token: owner.token }));
  const canSetUp = Object.fromEntries(kinds.map(({ id, can_set_up: can }) => [id, can]));
  expect(canSetUp).toMatchObject({ mqtt: true, hue: true, simulated_home: false, provider: false });
  const refused = await hub.call('POST /integration_setup', { token: owner.token, body: { kind: 'simulated_home' } });
  expect([refused.status, refused.json['code']]).toEqual([409, 'LIMIT_REACHED']);
});
