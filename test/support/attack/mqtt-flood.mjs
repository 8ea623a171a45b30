// Floods by MQTT from a process of its own: as an ordinary client of a real broker, or as the broker itself.
import { connect, createServer } from 'node:net';

const CHUNK_BYTES = 256 * 1024;
const CONNACK = Buffer.of(0x20, 2, 0, 0);

/** @param {string} topic @param {string | Uint8Array} payload @param {{ flags: number, id?: number }} [qos] */
function publishFrame(topic, payload, { flags, id } = { flags: 0 }) {
  const name = Buffer.from(topic);
  const content = Buffer.from(payload);
  const size = 2 + name.length + (id === undefined ? 0 : 2) + content.length;
  const length = [];
  for (let rest = size; rest > 0 || length.length === 0; rest >>>= 7)
    length.push((rest & 127) | (rest > 127 ? 128 : 0));
  const head = Buffer.of(0x30 | flags, ...length, name.length >> 8, name.length & 255);
  return Buffer.concat([head, name, id === undefined ? Buffer.alloc(0) : Buffer.of(id >> 8, id & 255), content]);
}

/** @param {string} clientId */
function connectFrame(clientId) {
  const id = Buffer.from(clientId);
  const rest = Buffer.concat([
    Buffer.of(0, 4),
    Buffer.from('MQTT'),
    Buffer.of(4, 2, 0, 60, id.length >> 8, id.length & 255),
    id,
  ]);
  return Buffer.concat([Buffer.of(0x10, rest.length), rest]);
}

const address = (/** @type {number} */ index) => `0x${index.toString(16).padStart(16, '0')}`;
const bridge = (/** @type {string} */ topic, /** @type {unknown} */ json) =>
  publishFrame(`zigbee2mqtt/bridge/${topic}`, JSON.stringify(json));

/** What the n-th packet of each flood is. @type {Record<string, (index: number) => Buffer>} */
const FRAMES = {
  device_joined: (index) =>
    bridge('event', { type: 'device_joined', data: { friendly_name: 'Call 0900-SCAM', ieee_address: address(index) } }),
  interview: (index) =>
    bridge('event', {
      type: 'device_interview',
      data: { friendly_name: 'x', ieee_address: address(1), status: index % 2 === 0 ? 'started' : 'failed' },
    }),
  state: (index) => publishFrame('zigbee2mqtt/Lamp 0', `{"power":${index}}`),
  action: (index) => publishFrame('zigbee2mqtt/Button', `{"action":"${index % 2 === 0 ? 'single' : 'double'}"}`),
  availability: (index) =>
    publishFrame('zigbee2mqtt/Lamp 0/availability', `{"state":"${index % 2 === 0 ? 'online' : 'offline'}"}`),
  bridge_state: (index) => bridge('state', { state: index % 2 === 0 ? 'offline' : 'online' }),
  logging: (index) =>
    bridge('logging', { level: 'error', message: `z2m: Publish 'set' 'state' to 'Lamp 0' failed: 'Error ${index}'` }),
  pingresp: () => Buffer.of(0xd0, 0),
  qos1: (index) => publishFrame('a', '', { flags: 2, id: (index % 65_535) + 1 }),
  qos2: (index) => publishFrame('a', Buffer.alloc(64 * 1024), { flags: 4, id: (index % 65_535) + 1 }),
  unwanted: () => publishFrame('nobody/asked/for', 'x'),
};

/** @param {string} kind */
function chunksOf(kind) {
  const chunks = [];
  let index = 0;
  // Enough packets that one device does not come up again for a while.
  for (let made = 0; made < 32; made += 1) {
    const frames = [];
    const before = index;
    for (let size = 0; size < CHUNK_BYTES; size += frames.at(-1)?.length ?? 1)
      frames.push(FRAMES[kind]?.(index++) ?? CONNACK);
    chunks.push({ bytes: Buffer.concat(frames), count: index - before });
  }
  return chunks;
}

/** @param {import('node:net').Socket} socket @param {string} kind @param {number} forMs */
function flood(socket, kind, forMs) {
  const chunks = chunksOf(kind);
  return new Promise((resolve) => {
    let sent = 0;
    let turn = 0;
    const endMs = performance.now() + forMs;
    const done = () => resolve(sent);
    socket.once('close', done);
    // Packets under way by then may still arrive.
    setTimeout(done, forMs);
    const more = () => {
      while (performance.now() < endMs && !socket.destroyed) {
        const { bytes, count } = chunks[turn % chunks.length];
        turn += 1;
        sent += count;
        if (socket.write(bytes)) continue;
        socket.once('drain', more);
        return;
      }
      socket.off('close', done);
      done();
    };
    more();
  });
}

/** @type {Set<import('node:net').Socket>} */
const clients = new Set();
let connections = 0;
/** What each new connection gets at once. */
let greeting = '';

const answers = {
  /** @param {{ port: number, kind: string, forMs: number }} options */
  publish: async ({ port, kind, forMs }) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => socket.destroy());
    socket.write(connectFrame('flood'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resume();
    const sent = await flood(socket, kind, forMs);
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.end(Buffer.of(0xe0, 0));
    await gone;
    return sent;
  },
  listen: async () => {
    const server = createServer({ noDelay: true }, (socket) => {
      connections += 1;
      clients.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => clients.delete(socket));
      socket.on('data', (bytes) => {
        if (bytes[0] === 0x10) socket.write(CONNACK);
        if (bytes[0] === 0x10 && greeting !== '') void flood(socket, greeting, 3_000);
        if (bytes[0] === 0xc0) socket.write(Buffer.of(0xd0, 0));
        // Grants one topic, however many the hub asks for: the hub does not compare the numbers.
        if (bytes[0] === 0x82) socket.write(Buffer.of(0x90, 3, bytes[2], bytes[3], 0));
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return server.address().port;
  },
  connections: async () => connections,
  /** @param {{ kind: string }} options */
  greet: async ({ kind }) => {
    greeting = kind;
  },
  /** @param {{ kind: string, forMs: number }} options */
  flood: async ({ kind, forMs }) => {
    const sent = await Promise.all([...clients].map((socket) => flood(socket, kind, forMs)));
    return sent.reduce((sum, one) => sum + one, 0);
  },
};

process.on('message', (/** @type {any} */ message) => {
  void answers[message.do](message).then((/** @type {unknown} */ answer) => process.send?.(answer ?? null));
});
