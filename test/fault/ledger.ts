import { setTimeout as wait } from 'node:timers/promises';
import { type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';

type Named = { readonly id: string; readonly name: string };

/** Writes that a hub answered with 2xx. One that was under way when the hub died may be there or not. */
export type Ledger = {
  readonly sessions: { access: string; refresh: string }[];
  /** Names by id; `undefined` for one that was deleted. */
  readonly rooms: Map<string, string | undefined>;
  /** Rooms whose deletion got no answer. */
  readonly leaving: Set<string>;
  /** By id of the device: the last acknowledged name, if any, and one that was sent after it without an answer. */
  readonly names: Map<string, { acknowledged: string | null; sent: string }>;
  /** Writes that were acknowledged so far. */
  writes: number;
};

export function createLedger(): Ledger {
  return { sessions: [], rooms: new Map(), leaving: new Set(), names: new Map(), writes: 0 };
}

type Client = { readonly hub: HubProcess; readonly token: string; readonly ledger: Ledger };

/** One client without a break: logs in, renews, adds and ends rooms, renames its device; until the hub is gone. */
export async function workUntilGone(client: Client, device: string, tag: string): Promise<void> {
  try {
    for (let step = 0; ; step += 1) await workOnce(client, { device, name: `${tag}-${step}`, step });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED' && code !== 'EPIPE') throw cause;
  }
}

const MANY_ROOMS = 500;

function countRooms({ rooms }: Ledger): number {
  let count = 0;
  for (const name of rooms.values()) if (name !== undefined) count += 1;
  return count;
}

async function workOnce(
  { hub, token, ledger }: Client,
  { device, name, step }: { device: string; name: string; step: number },
): Promise<void> {
  const write = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const asking = { token, ...(body === undefined ? {} : { body }) };
    let { status, json } = await hub.ask(method, `/api/v1${path}`, asking);
    while (status === 429) {
      // The ration of all clients is used up; it grows by one change every 200 ms.
      await wait(50);
      ({ status, json } = await hub.ask(method, `/api/v1${path}`, asking));
    }
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    ledger.writes += 1;
    return json;
  };
  ledger.names.set(device, { acknowledged: ledger.names.get(device)?.acknowledged ?? null, sent: name });
  await write('PATCH', `/device/${device}`, { name });
  ledger.names.set(device, { acknowledged: name, sent: name });

  const { id } = (await write('POST', '/room', { name: `Room ${name}` })) as Named;
  ledger.rooms.set(id, `Room ${name}`);
  // A home has at most a thousand rooms.
  if (step % 3 === 2 || countRooms(ledger) > MANY_ROOMS) {
    ledger.leaving.add(id);
    await write('DELETE', `/room/${id}`);
    ledger.leaving.delete(id);
    ledger.rooms.set(id, undefined);
  }
  const last = ledger.sessions.at(-1);
  if (last !== undefined) await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: last.refresh } });
  if (step % 4 !== 0) return;
  const entered = await hub.ask('POST', '/api/v1/login', { body: OWNER });
  // The hub checks one password after the other, and the queue is short.
  if (entered.status === 503) return;
  if (entered.status !== 200) throw new Error(`login: ${entered.status}`);
  const { access_token, refresh_token } = entered.json as Record<string, string>;
  ledger.sessions.push({ access: access_token ?? '', refresh: refresh_token ?? '' });
  ledger.writes += 1;
}

/** Lists acknowledged writes that the hub has lost. The ledger goes on with what the hub has. */
export async function findLost({ hub, token, ledger }: Client): Promise<string[]> {
  const losses: string[] = [];
  const list = async (path: string): Promise<Map<string, string>> => {
    const { status, json } = await hub.ask('GET', path, { token });
    if (status !== 200) losses.push(`GET ${path} gives ${status}`);
    return new Map(status === 200 ? (json as Named[]).map(({ id, name }) => [id, name]) : []);
  };
  const devices = await list('/api/v1/device');
  for (const [id, { acknowledged, sent }] of ledger.names) {
    const name = devices.get(id) ?? null;
    const isOfBefore = acknowledged === null && name !== null;
    if (name !== acknowledged && name !== sent && !isOfBefore)
      losses.push(`device ${id} is ${name}, was ${acknowledged}`);
    if (name !== null) ledger.names.set(id, { acknowledged: name, sent: name });
  }
  const rooms = await list('/api/v1/room');
  for (const [id, name] of ledger.rooms) {
    const now = rooms.get(id);
    if (now !== name && !(now === undefined && ledger.leaving.has(id))) losses.push(`room ${name} is ${now}`);
    ledger.rooms.set(id, now);
  }
  ledger.leaving.clear();
  for (const { access, refresh } of ledger.sessions.splice(0)) {
    const { status } = await hub.ask('GET', '/api/v1/me', { token: access });
    if (status !== 200) losses.push(`an access token gives ${status}`);
    const renewed = await hub.ask('POST', '/api/v1/access_token', { body: { refresh_token: refresh } });
    if (renewed.status !== 200) losses.push(`a refresh token gives ${renewed.status}`);
  }
  return losses;
}
