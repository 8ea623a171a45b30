import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStreamClient, type StreamClient, type StreamRequest } from '#test/support/daemon/event-client.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { comparableDevices, createHomeMirror, type DeviceJson } from '#test/support/daemon/home-mirror.ts';
import { claimHub, createHubFolder, type HubProcess, logIn, type Tokens } from '#test/support/daemon/hub-process.ts';

const hubs = createHubFolder();
const clients: StreamClient[] = [];
let hub: HubProcess;
let owner: Tokens;

beforeAll(async () => {
  hub = await hubs.serve();
  owner = await claimHub(hub);
  await vi.waitFor(async () => {
    if ((await listDevices()).devices.length < 5) throw new Error('the simulated home is not there yet');
  });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await hubs.close();
});

async function listDevices(): Promise<{ devices: DeviceJson[]; cursor: string }> {
  const { headers, json } = await hub.ask('GET', '/api/v1/device', { token: owner.access_token });
  return { devices: json as DeviceJson[], cursor: headers.get('event-cursor') ?? '' };
}

async function follow(request: StreamRequest = {}): Promise<StreamClient> {
  const client = await openStreamClient(Number(new URL(hub.address).port), { token: owner.access_token, ...request });
  clients.push(client);
  return client;
}

const rename = (selector: string, name: string) =>
  hub.ask('PATCH', `/api/v1/device/${selector}`, { token: owner.access_token, body: { name } });

test('a change that one client makes reaches another, and list plus events are the list of later', async () => {
  const { devices, cursor } = await listDevices();
  const [first] = devices;
  const mirror = createHomeMirror();
  mirror.setHome({ devices, rooms: [] });
  const client = await follow({ query: `?since=${cursor}` });
  expect((await rename(first?.selector ?? '', 'Renamed')).status).toBe(200);
  const isRenamed = (frame: { type: string; data: unknown }): boolean =>
    frame.type === 'device.changed' && (frame.data as { device: DeviceJson }).device.name === 'Renamed';
  await client.until(() => client.events().some(isRenamed));
  const later = await listDevices();
  const laterSequence = Number(later.cursor.split('-')[1]);
  await client.until(() => Number(client.lastEventId()?.split('-')[1]) >= laterSequence);
  for (const frame of client.frames) {
    if (frame.id !== undefined && Number(frame.id.split('-')[1]) <= laterSequence) mirror.fold(frame);
  }
  expect(mirror.devices()).toEqual(comparableDevices(later.devices));
});

test('subscribers of a hub that was ended and started again have a gap and the home, never silence', async () => {
  const subscribers = await Promise.all(Array.from({ length: 5 }, () => follow({ query: '?snapshot=1' })));
  for (const client of subscribers) await client.until(() => client.lastEventId() !== undefined);
  const { code, tookMs } = await hub.end('SIGTERM');
  expect(code).toBe(0);
  expectBelow('from SIGTERM to the end of a hub with five subscribers, ms', tookMs, 3_000);
  for (const client of subscribers) await client.until(client.isEnded);
  hub = await hubs.serve();
  const returned = await Promise.all(subscribers.map((client) => follow({ lastEventId: client.lastEventId() })));
  for (const [index, client] of returned.entries()) {
    await client.until(() => client.events().some(({ id, type }) => type === 'hub.snapshot' && id !== undefined));
    expect(client.events()[0]).toMatchObject({
      type: 'hub.gap',
      data: { reason: 'restarted', from: subscribers[index]?.lastEventId() },
    });
    expect(client.events()[1]?.type).toBe('hub.snapshot');
  }
  const selector = (await listDevices()).devices[0]?.selector ?? '';
  expect((await rename(selector, 'After the restart')).status).toBe(200);
  for (const client of returned)
    await client.until(() => client.events().some(({ type }) => type === 'device.changed'));
});

test('A8: a revoked session gets the event and its stream ends within 5 s; another session gets neither', async () => {
  const phone = await logIn(hub);
  const [revoked, other] = [await follow({ token: phone.access_token }), await follow()];
  const passedMs = startStopwatch();
  const path = `/api/v1/session/${phone.session_id}`;
  expect((await hub.ask('DELETE', path, { token: owner.access_token })).status).toBe(204);
  await revoked.until(revoked.isEnded);
  expectBelow('from the end of a session to the end of its stream, ms', passedMs(), 5_000);
  expect(revoked.events().at(-1)).toMatchObject({
    type: 'session.revoked',
    data: { session: { id: phone.session_id } },
  });
  // What comes later shows that nothing came before.
  const selector = (await listDevices()).devices[0]?.selector ?? '';
  expect((await rename(selector, 'After the session')).status).toBe(200);
  await other.until(() => other.events().some(({ type }) => type === 'device.changed'));
  expect(other.events().map(({ type }) => type)).not.toContain('session.revoked');
  expect((await follow({ token: phone.access_token })).status).toBe(401);
});

test('health counts the event clients', async () => {
  await follow();
  const { json } = await hub.ask('GET', '/api/v1/health', { token: owner.access_token });
  expect((json as { event_clients: number }).event_clients).toBeGreaterThan(0);
});
