import { createHash, randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { type DumpKind, DUMPS } from './shelly-dumps.ts';

export type ShellyDevice = Awaited<ReturnType<typeof startShellyDevice>>;

type Options = {
  readonly password?: string;
  /** Uses of a nonce before the device wants another one. */
  readonly nonceUses?: number;
};
type Client = { readonly socket: WebSocket; name: string | undefined };

type Closing = { readonly code: number; readonly reason: string };
type Waking = { readonly localAddress?: string; readonly says?: string };
export type AwakeDevice = { readonly closed: Promise<Closing>; readonly sleep: () => Promise<void> };

class Refusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`refused with ${code}`);
    this.code = code;
  }
}

const PAGE = 3;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A simulated Shelly device of the second generation: RPC over WebSocket and HTTP, with its password. */
export async function startShellyDevice(kind: DumpKind = 'plus1pm', { password, nonceUses = 1_000 }: Options = {}) {
  const dump = DUMPS[kind];
  let info: JsonObject = { ...dump.info, auth_en: password !== undefined };
  let config: JsonObject = dump.config;
  let status = new Map(Object.entries(dump.status));
  let added: readonly JsonObject[] = dump.added;
  let isMute = false;
  let refusal: number | undefined;
  let restarts = 0;
  let server: Server | undefined;
  const port = await findFreePort();
  const clients = new Set<Client>();
  const sockets = new Set<Socket>();
  const nonces = new Map<string, number>();
  /** The frames and requests that change something. */
  const wire: string[] = [];

  const addedAt = (key: string) => added.find((one) => one['key'] === key);
  const find = (key: string): JsonObject => {
    const own = status.get(key) ?? addedAt(key)?.['status'];
    if (!isJsonObject(own)) throw new Refusal(-105);
    return own;
  };
  const tell = (method: string, params: JsonObject): void => {
    for (const { socket, name } of clients) {
      // Only one who has named itself hears what is new.
      if (name === undefined || isMute) continue;
      socket.send(JSON.stringify({ src: info['id'], dst: name, method, params: { ts: 1_762_000_000, ...params } }));
    }
  };
  const patch = (key: string, change: JsonObject): void => {
    const next = { ...find(key), ...change };
    if (status.has(key)) status.set(key, next);
    else added = added.map((one) => (one['key'] === key ? { ...one, status: next } : one));
    tell('NotifyStatus', { [key]: change });
  };
  const happen = (component: string, event: string, extra: JsonObject = {}): void =>
    tell('NotifyEvent', { events: [{ component, event, ts: 1_762_000_000, ...extra }] });

  const output = (key: string, params: JsonObject): JsonValue => {
    const before = find(key);
    const { on, brightness } = params;
    if (key.startsWith('switch') && typeof on !== 'boolean') throw new Refusal(-103);
    if (typeof brightness === 'number' && (brightness < 0 || brightness > 100)) throw new Refusal(-103);
    const change: Record<string, JsonValue> = { output: on ?? before['output'] ?? false };
    for (const name of ['brightness', 'rgb', 'white', 'ct']) {
      const value = params[name];
      if (value !== undefined) change[name] = value;
    }
    const isNew = Object.entries(change).some(
      ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
    );
    // What changes nothing is no news.
    if (isNew) patch(key, change);
    return key.startsWith('switch') ? { was_on: before['output'] ?? false } : null;
  };
  const cover = (key: string, method: string, { pos, slat_pos: slats }: JsonObject): JsonValue => {
    const { current_pos: from } = find(key);
    if (method === 'Stop') {
      patch(key, { state: 'stopped' });
      return null;
    }
    if (slats !== undefined) patch(key, { slat_pos: slats });
    const target = method === 'Open' ? 100 : method === 'Close' ? 0 : pos;
    if (target === undefined || target === from) return null;
    if (typeof target !== 'number' || target < 0 || target > 100) throw new Refusal(-103);
    patch(key, { state: target > Number(from) ? 'opening' : 'closing', target_pos: target });
    setTimeout(
      () => patch(key, { state: target === 100 ? 'open' : target === 0 ? 'closed' : 'stopped', current_pos: target }),
      60,
    );
    return null;
  };
  const call = (method: string, params: JsonObject): JsonValue => {
    const [space = '', name = ''] = method.split('.');
    const { id } = params;
    const key = space.toLowerCase() + (typeof id === 'number' ? `:${id}` : '');
    const isRead = name.startsWith('Get');
    if (!isRead && refusal !== undefined) throw new Refusal(refusal);
    if (!isRead) wire.push(JSON.stringify({ method, params }));
    if (method === 'Shelly.GetDeviceInfo') return info;
    if (method === 'Shelly.GetConfig') return config;
    if (method === 'Shelly.GetStatus') return Object.fromEntries(status);
    if (method === 'Shelly.GetComponents') {
      const offset = Number(params['offset'] ?? 0);
      return { components: added.slice(offset, offset + PAGE), cfg_rev: 10, offset, total: added.length };
    }
    if (method === 'Ws.SetConfig') {
      config = { ...config, ws: params['config'] ?? null };
      return { restart_required: true };
    }
    if (name === 'GetConfig') return config[key] ?? null;
    if (method === 'Shelly.Reboot') {
      restarts += 1;
      return null;
    }
    if (method === 'BluTRV.Call') {
      const own = isJsonObject(params['params']) ? params['params'] : {};
      patch(key, { target_C: own['target_C'] ?? null });
      return null;
    }
    if (name === 'GetStatus') return find(key);
    if (name === 'Set' && ['Switch', 'Light', 'RGB', 'RGBW', 'CCT'].includes(space)) return output(key, params);
    if (space === 'Cover') return cover(key, name, params);
    if (name === 'Set') {
      patch(key, { value: params['value'] ?? null });
      return null;
    }
    throw new Refusal(404);
  };
  const answerTo = (method: JsonValue | undefined, params: JsonValue | undefined): JsonObject => {
    try {
      return { result: call(typeof method === 'string' ? method : '', isJsonObject(params) ? params : {}) };
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return { error: { code: cause.code, message: cause.message } };
    }
  };
  const newNonce = (): string => {
    const nonce = `${randomInt(1e9, 2e9)}`;
    nonces.set(nonce, 0);
    return nonce;
  };
  const isProof = (given: Readonly<Record<string, unknown>>, place: string): boolean => {
    const { nonce, nc, cnonce, username, realm, response } = given;
    const last = nonces.get(String(nonce));
    const count = typeof nc === 'string' ? Number.parseInt(nc, 16) : Number(nc);
    // Newer firmware wants each count once, and a fresh nonce now and then.
    if (last === undefined || count <= last || last >= nonceUses || username !== 'admin') return false;
    nonces.set(String(nonce), count);
    const secret = sha256(`admin:${String(realm)}:${password}`);
    return response === sha256([secret, nonce, nc, cnonce, 'auth', sha256(place)].join(':'));
  };
  const onFrame = (client: Client, text: string): void => {
    const frame = JSON.parse(text) as JsonObject;
    const { id, src, method, params, auth } = frame;
    if (typeof src === 'string') client.name = src;
    if (isMute) return;
    const head = { id: id ?? null, src: info['id'] ?? null, dst: client.name ?? null };
    const isOpen = password === undefined || method === 'Shelly.GetDeviceInfo';
    if (!isOpen && !(isJsonObject(auth) && isProof(auth, 'dummy_method:dummy_uri'))) {
      const challenge = {
        auth_type: 'digest',
        nonce: Number(newNonce()),
        nc: 1,
        realm: info['id'],
        algorithm: 'SHA-256',
      };
      client.socket.send(JSON.stringify({ ...head, error: { code: 401, message: JSON.stringify(challenge) } }));
      return;
    }
    client.socket.send(JSON.stringify({ ...head, ...answerTo(method, params) }));
  };
  const framed = ({ id, method, params }: JsonObject): JsonObject => ({ id: id ?? null, ...answerTo(method, params) });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '', headers, method = '' } = request;
    if (isMute) return;
    const send = (json: JsonValue, code = 200): void =>
      void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (url === '/shelly') return send(info);
    const fields = [...(headers.authorization ?? '').matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)];
    const proof = Object.fromEntries(fields.map(([, name = '', quoted, plain]) => [name, quoted ?? plain]));
    if (password !== undefined && !isProof(proof, `${method}:${url}`)) {
      const challenge = `Digest qop="auth", realm="${JSON.stringify(info['id']).slice(1, -1)}", nonce="${newNonce()}", algorithm=SHA-256`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (method === 'POST') return void text(request).then((body) => send(framed(JSON.parse(body) as JsonObject)));
    const answer = answerTo(url.replace('/rpc/', ''), {});
    return isJsonObject(answer['error']) ? send(answer['error'], 500) : send(answer['result'] ?? null);
  };
  const listen = async (): Promise<void> => {
    const wss = new WebSocketServer({ noServer: true });
    const own = createServer(onRequest);
    server = own;
    own.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    own.on('upgrade', (request, socket, head) => {
      if (request.url !== '/rpc') {
        socket.destroy();
        return;
      }
      wss.handleUpgrade(request, socket, head, (opened) => {
        const client: Client = { socket: opened, name: undefined };
        clients.add(client);
        opened.on('close', () => clients.delete(client));
        opened.on('error', () => undefined);
        opened.on('message', (data: Buffer) => onFrame(client, data.toString('utf8')));
      });
    });
    await new Promise<void>((resolve) => void own.listen(port, '127.0.0.1', resolve));
  };
  /** Connects to the hub as one that sleeps, with its whole state; it answers requests until it sleeps again. */
  const wake = async (url: string, { localAddress = '127.0.0.1', says }: Waking = {}): Promise<AwakeDevice> => {
    const socket = new WebSocket(url, { localAddress });
    const closed = new Promise<Closing>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    const client: Client = { socket, name: 'ws' };
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    socket.on('message', (data: Buffer) => onFrame(client, data.toString('utf8')));
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const whole = {
      src: info['id'] ?? null,
      dst: 'ws',
      method: 'NotifyFullStatus',
      params: Object.fromEntries(status),
    };
    socket.send(says ?? JSON.stringify(whole));
    return {
      closed,
      sleep: async () => {
        socket.close();
        await closed;
      },
    };
  };
  const unplug = async (): Promise<void> => {
    const own = server;
    server = undefined;
    if (own === undefined) return;
    const closed = new Promise((resolve) => void own.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen();
  return {
    host: `127.0.0.1:${port}`,
    wire,
    clients: () => clients.size,
    restarts: () => restarts,
    /** Of a component, as the device has it. */
    statusOf: (key: string): JsonObject => find(key),
    wake,
    plug: listen,
    unplug,
    /** Somebody else changes a component. */
    patch,
    happen,
    /** Says that it is something else. */
    setInfo: (next: JsonObject) => {
      info = next;
    },
    /** Another profile, other settings, other sensors: all that makes it another device. */
    remake: (as: DumpKind) => {
      ({ config } = DUMPS[as]);
      status = new Map(Object.entries(DUMPS[as].status));
      ({ added } = DUMPS[as]);
      happen('sys', 'config_changed', { restart_required: false, cfg_rev: 11 });
    },
    setMute: (next: boolean) => {
      isMute = next;
    },
    /** Refuses all that would change something, with this code of its own. */
    setRefusal: (code: number) => {
      refusal = code;
    },
    /** Ends each nonce, as after an hour. */
    forgetNonces: () => nonces.clear(),
    says: (data: string | Uint8Array) => {
      for (const { socket } of clients) socket.send(data);
    },
    close: unplug,
  };
}
