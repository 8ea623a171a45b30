import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';

type Kind = keyof typeof KINDS;
type Fault =
  /** Says and answers nothing, as a machine that lost its power. */
  | { readonly isMute: true }
  /** Answers requests for its state with this. */
  | { readonly answer: string }
  | { readonly busy: number };

/**
 * A simulated WLED light, as firmware 0.15 behaves: HTTP and a WebSocket that pushes its whole state with every change.
 */
export type WledLight = Awaited<ReturnType<typeof startWledLight>>;

const EFFECTS = ['Solid', 'Blink', 'Breathe@!,Duty;!', 'RSVD', 'Rainbow', 'Fire 2012', '-', 'Rainbow'];
const PALETTES = ['Default', '* Random Cycle', 'Party', 'Cloud'];
const PRESETS: JsonObject = {
  '0': {},
  '1': { on: true, bri: 128, seg: [{ id: 0, fx: 4 }], n: 'Rainbow' },
  '2': { playlist: { ps: [1, 3] }, n: 'Evening list' },
  '3': { on: true, bri: 30, seg: [{ id: 0, fx: 0 }], n: 'Warm' },
};
const seg = (id: number, col: readonly number[]): JsonObject => ({
  id,
  start: id * 30,
  stop: id * 30 + 30,
  on: true,
  bri: 255,
  cct: 127,
  n: '',
  col: [col, col.map(() => 0), col.map(() => 0)],
  fx: 0,
  sx: 128,
  ix: 128,
  pal: 0,
  c1: 128,
  c2: 128,
  c3: 16,
  sel: true,
  frz: false,
  rev: false,
  mi: false,
  o1: false,
  o2: false,
  o3: false,
});
const KINDS = {
  rgb: { name: 'Shelf', lc: 1, segs: [seg(0, [255, 160, 0]), seg(1, [0, 0, 255])] },
  strip: { name: 'Strip', lc: 1, segs: [seg(0, [255, 0, 0])] },
  rgbw: { name: 'Ceiling', lc: 3, segs: [seg(0, [0, 0, 0, 255])] },
  cct: { name: 'Lamp', lc: 7, segs: [seg(0, [0, 0, 0, 255])] },
  relay: { name: 'Relay', lc: 0, segs: [seg(0, [255, 255, 255])] },
} as const;

export const WLED_MAC = 'a0b0c0d1e010';

type Saying = { readonly state?: JsonObject; readonly info?: JsonObject; readonly unknown?: string };

export async function startWledLight(kind: Kind = 'rgb') {
  const { name, lc, segs } = KINDS[kind];
  let state: JsonObject = {
    on: true,
    bri: 127,
    transition: 7,
    ps: -1,
    pl: -1,
    nl: { on: false, dur: 60, tbri: 0 },
    udpn: { send: false, recv: true },
    lor: 0,
    seg: segs,
  };
  let info: JsonObject = {
    ver: '0.15.1',
    vid: 2_503_010,
    release: 'ESP32',
    leds: { count: 60, seglc: segs.map(() => lc), lc },
    name,
    live: false,
    fxcount: EFFECTS.length,
    palcount: PALETTES.length,
    cpalcount: 1,
    wifi: { rssi: -61 },
    fs: { pmt: 1 },
    ws: 1,
    brand: 'WLED',
    product: 'FOSS',
    mac: WLED_MAC,
  };
  let fault: Fault | undefined;
  let mostSockets = 4;
  let server: Server | undefined;
  const port = await findFreePort();
  const clients = new Set<WebSocket>();
  const sockets = new Set<Socket>();
  /** Each change that reached it, as text. */
  const wire: string[] = [];
  const reads: string[] = [];

  /** What stands in the place of a member whatever its value is, as JSON. */
  const forms = new Map<string, string>();
  const spoken = (): string =>
    JSON.stringify({ state, info }, (name, value: JsonValue) => (forms.has(name) ? `@${name}` : value)).replaceAll(
      /"@(\w+)"/g,
      (_all, name: string) => forms.get(name) ?? 'null',
    );
  const isMute = (): boolean => fault !== undefined && 'isMute' in fault;
  const push = (to: Iterable<WebSocket> = clients): void => {
    const text = spoken();
    if (!isMute()) for (const client of to) client.send(text);
  };
  const isBusy = (): boolean => {
    if (fault === undefined || !('busy' in fault)) return false;
    fault = fault.busy > 1 ? { busy: fault.busy - 1 } : undefined;
    return true;
  };
  const take = (change: JsonObject): void => {
    state = changedState(state, change);
  };
  const onMessage = (client: WebSocket, text: string): void => {
    const message = JSON.parse(text) as JsonObject;
    const { v, ...change } = message;
    if (isMute()) return;
    if (isBusy()) return client.send('{"error":3}');
    if (Object.keys(change).length > 0) {
      wire.push(text);
      take(change);
      return push();
    }
    if (v === true) push([client]);
    else client.send('{"success":true}');
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { url = '', method } = request;
    reads.push(`${method} ${url}`);
    if (isMute()) return;
    const send = (text: string, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    if (isBusy()) return send('{"error":3}', 503);
    if (method === 'POST') {
      wire.push(body);
      const { v: _v, ...change } = JSON.parse(body) as JsonObject;
      take(change);
      push();
    }
    if (url === '/json/si') return send(fault !== undefined && 'answer' in fault ? fault.answer : spoken());
    const lists: Readonly<Record<string, JsonValue>> = {
      // What the library of Home Assistant asks for beside.
      '/json': { state, info, effects: EFFECTS, palettes: PALETTES },
      '/json/state': state,
      '/json/cfg': {},
      '/json/eff': EFFECTS,
      '/json/pal': PALETTES,
      '/presets.json': PRESETS,
    };
    const list = lists[url];
    return list === undefined ? send('Not Found', 404) : send(JSON.stringify(list));
  };
  const listen = async (): Promise<void> => {
    const wss = new WebSocketServer({ noServer: true });
    const own = createServer((request, response) => void answer(request, response));
    server = own;
    own.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    own.on('upgrade', (request, socket, head) => {
      if (clients.size >= mostSockets) {
        socket.destroy();
        return;
      }
      wss.handleUpgrade(request, socket, head, (client) => {
        clients.add(client);
        client.on('close', () => clients.delete(client));
        client.on('error', () => undefined);
        client.on('message', (data: Buffer) => onMessage(client, data.toString('utf8')));
        push([client]);
      });
    });
    await new Promise<void>((resolve) => void own.listen(port, '127.0.0.1', resolve));
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
    reads,
    clients: () => clients.size,
    state: () => state,
    plug: listen,
    unplug,
    /** Somebody else changes it. */
    set: (change: JsonObject) => {
      take(change);
      push();
    },
    setInfo: (change: JsonObject) => {
      info = { ...info, ...change };
      push();
    },
    /** From now on this member has this form, at all of its places. */
    setForm: (member: string, form: string) => {
      forms.set(member, form);
      push();
    },
    /** Says all of these at once; every member that is `unknown` is null from now on, and no other. */
    say: ({ state: changes = {}, info: more = {}, unknown }: Saying) => {
      forms.clear();
      if (unknown !== undefined) forms.set(unknown, 'null');
      take(changes);
      info = { ...info, ...more };
      push();
    },
    setFault: (next?: Fault) => {
      fault = next;
    },
    setMostSockets: (most: number) => {
      mostSockets = most;
    },
    drop: () => {
      for (const client of clients) client.terminate();
    },
    says: (data: string | Uint8Array) => {
      for (const client of clients) client.send(data);
    },
    close: unplug,
  };
}

function changedState(state: JsonObject, change: JsonObject): JsonObject {
  const { seg: changedSegments, bri, on, ps, tt: _tt, ...rest } = change;
  let next: JsonObject = { ...state, ...rest };
  for (const member of ['nl', 'udpn']) {
    const [before, after] = [state[member], change[member]];
    if (isJsonObject(before) && isJsonObject(after)) next = { ...next, [member]: { ...before, ...after } };
  }
  if (typeof on === 'boolean') next = { ...next, on };
  if (bri === 0) next = { ...next, on: false };
  else if (typeof bri === 'number') next = { ...next, bri, on: on ?? true };
  const preset = typeof ps === 'number' ? PRESETS[`${ps}`] : undefined;
  if (isJsonObject(preset)) {
    const { playlist } = preset;
    const list: JsonValue | undefined = isJsonObject(playlist) ? playlist['ps'] : undefined;
    const first = Array.isArray(list) ? Number(list[0]) : undefined;
    const {
      n: _n,
      playlist: _playlist,
      ...values
    } = first === undefined ? preset : (PRESETS[`${first}`] as JsonObject);
    next = { ...changedState(next, values), pl: first === undefined ? -1 : (ps ?? -1), ps: first ?? ps ?? -1 };
  }
  if (!Array.isArray(changedSegments)) return next;
  const segments = new Map((next['seg'] as readonly JsonObject[]).map((segment) => [segment['id'], segment]));
  for (const changed of changedSegments as readonly JsonObject[]) {
    const { id, col, stop } = changed;
    // Without an id a change goes to whatever segments are selected, which no test wants.
    if (typeof id !== 'number') throw new Error('a change of a segment has no id');
    const before = segments.get(id) ?? seg(id, [255, 160, 0]);
    if (stop === 0) {
      segments.delete(id);
      continue;
    }
    const colors = before['col'] as readonly (readonly number[])[];
    const mixed = Array.isArray(col)
      ? colors.map(
          (color, index) => ((col[index] as readonly number[] | undefined)?.length ? col[index] : color) ?? color,
        )
      : colors;
    segments.set(id, { ...before, ...changed, col: mixed });
  }
  return { ...next, seg: [...segments.values()] };
}
