import { afterAll, beforeAll, expect, test } from 'vitest';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';
import {
  claimHub,
  createHubFolder,
  type HubFolder,
  type HubProcess,
  listDevices,
  logIn,
  OWNER,
} from '#test/support/hub-process.ts';

const ROUNDS = 20;
const CLIENTS = 4;

type Named = { readonly id: string; readonly name: string };

let hubs: HubFolder;
let token: string;

beforeAll(async () => {
  hubs = createHubFolder();
  const hub = await hubs.serve();
  token = (await claimHub(hub)).access_token;
  await listDevices(hub, token, INVENTORY.length);
  await hub.end('SIGTERM');
});
afterAll(() => hubs.close());

/** What the hub answered 2xx to. What was under way when it died may be there or not: both values are kept. */
type Ledger = {
  readonly sessions: { access: string; refresh: string }[];
  readonly rooms: Map<string, string>;
  /** By id of the device: the last acknowledged name, and one that was sent after it without an answer. */
  readonly names: Map<string, { acknowledged: string; sent: string }>;
};

/** One client without a break: logs in, renews, adds rooms, renames its own device; ends when the hub does. */
async function work(hub: HubProcess, ledger: Ledger, { device, tag }: { device: string; tag: string }): Promise<void> {
  for (let step = 0; ; step += 1) {
    const name = `${tag}-${step}`;
    const known = ledger.names.get(device);
    ledger.names.set(device, { acknowledged: known?.acknowledged ?? '', sent: name });
    const renamed = await hub.ask('PATCH', `/api/v1/device/${device}`, { token, body: { name } });
    if (renamed.status !== 200) throw new Error(`rename: ${renamed.status}`);
    ledger.names.set(device, { acknowledged: name, sent: name });

    const added = await hub.ask('POST', '/api/v1/room', { token, body: { name: `Room ${name}` } });
    if (added.status !== 201) throw new Error(`room: ${added.status}`);
    ledger.rooms.set((added.json as Named).id, `Room ${name}`);

    const last = ledger.sessions.at(-1);
    if (last !== undefined) await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: last.refresh } });
    if (step % 4 !== 0) continue;
    const entered = await hub.ask('POST', '/api/v1/login', { body: OWNER });
    if (entered.status === 503) continue;
    if (entered.status !== 200) throw new Error(`login: ${entered.status}`);
    const { access_token, refresh_token } = entered.json as Record<string, string>;
    ledger.sessions.push({ access: access_token ?? '', refresh: refresh_token ?? '' });
  }
}

/** Works until the hub is gone; what ends it otherwise is a fault. */
async function workUntilGone(hub: HubProcess, ledger: Ledger, who: { device: string; tag: string }): Promise<void> {
  try {
    await work(hub, ledger, who);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED' && code !== 'EPIPE') throw cause;
  }
}

async function lost(hub: HubProcess, ledger: Ledger): Promise<string[]> {
  const devices = (await hub.ask('GET', '/api/v1/device', { token })).json as Named[];
  const rooms = new Map(((await hub.ask('GET', '/api/v1/room', { token })).json as Named[]).map((r) => [r.id, r.name]));
  const losses: string[] = [];
  for (const [id, { acknowledged, sent }] of ledger.names) {
    const name = devices.find((device) => device.id === id)?.name ?? '';
    if (name !== acknowledged && name !== sent) losses.push(`device ${id} is ${name}, was ${acknowledged}`);
    ledger.names.set(id, { acknowledged: name, sent: name });
  }
  for (const [id, name] of ledger.rooms) if (rooms.get(id) !== name) losses.push(`room ${name} is ${rooms.get(id)}`);
  for (const { access, refresh } of ledger.sessions.splice(0)) {
    const { status } = await hub.ask('GET', '/api/v1/me', { token: access });
    if (status !== 200) losses.push(`an access token gives ${status}`);
    const renewed = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: refresh } });
    if (renewed.status !== 200) losses.push(`a refresh token gives ${renewed.status}`);
  }
  return losses;
}

test(`X: ${ROUNDS} SIGKILLs under load lose nothing that was acknowledged`, { timeout: 90_000 }, async () => {
  const ledger: Ledger = { sessions: [], rooms: new Map(), names: new Map() };
  const readyMs: number[] = [];
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const hub = await hubs.serve();
    readyMs.push(hub.readyMs);
    expect(await lost(hub, ledger)).toEqual([]);
    const ids = ((await hub.ask('GET', '/api/v1/device', { token })).json as Named[]).map(({ id }) => id).sort();
    const clients = ids
      .slice(0, CLIENTS)
      .map((device, index) => workUntilGone(hub, ledger, { device, tag: `${round}-${index}` }));
    // Each round dies at another moment of the work.
    const timer = setTimeout(() => void hub.end('SIGKILL'), 150 + ((round * 37) % 20) * 15);
    await Promise.all(clients);
    clearTimeout(timer);
    await hub.end('SIGKILL');
    expect(hub.stderr()).not.toMatch(/locked|corrupt|damaged|internal error/i);
    acknowledged = ledger.rooms.size;
  }
  const hub = await hubs.serve();
  expect(await lost(hub, ledger)).toEqual([]);
  await hub.end('SIGKILL');
  const slowest = Math.max(...readyMs);
  process.stdout.write(`${ROUNDS} kills, ${acknowledged} rooms kept, slowest start ${slowest.toFixed(0)} ms\n`);
  expect(acknowledged).toBeGreaterThan(ROUNDS);
  expect(slowest).toBeLessThan(5000);
});

test('X: SIGTERM under load ends with 0 within 3 s and loses nothing', async () => {
  const ledger: Ledger = { sessions: [], rooms: new Map(), names: new Map() };
  const hub = await hubs.serve();
  const devices = (await hub.ask('GET', '/api/v1/device', { token })).json as Named[];
  const clients = devices
    .slice(0, CLIENTS)
    .map(({ id }, index) => workUntilGone(hub, ledger, { device: id, tag: `t-${index}` }));
  await expect.poll(() => ledger.rooms.size).toBeGreaterThan(8);
  const { code, tookMs } = await hub.end('SIGTERM');
  await Promise.all(clients);
  process.stdout.write(`SIGTERM under load: ${code} after ${tookMs.toFixed(0)} ms\n`);
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(3000);
  const next = await hubs.serve();
  expect(await lost(next, ledger)).toEqual([]);
  expect((await logIn(next)).access_token).not.toBe('');
});
