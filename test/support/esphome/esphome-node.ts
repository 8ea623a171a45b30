import { createServer, type Server, type Socket } from 'node:net';
import type { Cipher } from '#integrations/esphome/wire/noise.ts';
import {
  bytesOf,
  type Draft,
  type Message,
  putBytes,
  putFixed,
  putFlag,
  putNumber,
  putText,
  readMessage,
  readVarint,
  varint,
} from '#integrations/esphome/wire/protobuf.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';
import { answerHandshake } from './noise-responder.ts';

export const NODE_MAC = '983569ab0001';

/** A message by its type, with its fields. */
export type Said = readonly [type: number, fields: Draft];

type Options = {
  readonly key?: Uint8Array;
  /** Takes a key from the first client that sends one. */
  readonly takesKey?: boolean;
  readonly mac?: string;
  readonly apiMinor?: number;
  readonly deepSleep?: boolean;
  readonly listing?: readonly Said[];
  readonly states?: readonly Said[];
  /** What it says with the end of the handshake, before any question. */
  readonly greeting?: Said;
  /** The messages with which it answers a command. */
  readonly onCommand?: (type: number, message: Message) => readonly Said[];
};

export type EsphomeNode = Awaited<ReturnType<typeof startEsphomeNode>>;

/** Fields of a message to write: a number, a flag, a text, or what is already encoded. */
export function fields(entries: Readonly<Record<number, number | boolean | string | Uint8Array>>): Draft {
  const draft: Draft = new Map();
  for (const [name, value] of Object.entries(entries)) {
    const field = Number(name);
    if (typeof value === 'number') putNumber(draft, field, value);
    else if (typeof value === 'boolean') putFlag(draft, field, value);
    else if (typeof value === 'string') putText(draft, field, value);
    else putBytes(draft, field, value);
  }
  return draft;
}

/** As `fields`, with the key of an entity in its place. */
export function ofEntity(key: number, entries: Parameters<typeof fields>[0] = {}, keyField = 1): Draft {
  const draft = fields(entries);
  putFixed(draft, keyField, key);
  return draft;
}

type Client = {
  readonly socket: Socket;
  buffer: Buffer;
  cipher: { readonly sender: Cipher; readonly receiver: Cipher } | undefined;
  steps: number;
};

/** A node that speaks the native API as strictly as the firmware, with a state that tests change. */
export async function startEsphomeNode(given: Options = {}) {
  let { key, mac = NODE_MAC, listing = [], states = [] } = given;
  const { apiMinor = 14, takesKey = false, deepSleep = false, greeting, onCommand = () => [] } = given;
  const clients = new Set<Client>();
  let server: Server | undefined;
  const port = await findFreePort();
  let isFrozen = false;
  let connections = 0;
  /** Messages that change something, as `type:hex`. */
  const wire: string[] = [];

  const write = (client: Client, type: number, body: Uint8Array): void => {
    if (isFrozen) return;
    if (key === undefined) {
      client.socket.write(Buffer.concat([Uint8Array.of(0), varint(body.length), varint(type), body]));
      return;
    }
    const head = Uint8Array.of(type >> 8, type & 255, body.length >> 8, body.length & 255);
    const sealed = client.cipher?.sender.seal(Buffer.concat([head, body]));
    if (sealed !== undefined) writeFrame(client, sealed);
  };
  const writeFrame = ({ socket }: Client, ...parts: readonly Uint8Array[]): void => {
    const body = Buffer.concat(parts);
    socket.write(Buffer.concat([Uint8Array.of(1, body.length >> 8, body.length & 255), body]));
  };
  const say = (client: Client, [type, draft]: Said): void => write(client, type, bytesOf(draft));
  const info = (): Draft => {
    const sub = bytesOf(fields({ 1: 77, 2: 'Sub Device', 3: 2 }));
    const area = bytesOf(fields({ 1: 2, 2: 'Kitchen' }));
    return fields({
      2: 'testnode',
      3: (mac.match(/../g) ?? []).join(':').toUpperCase(),
      4: '2026.6.5',
      6: 'host',
      7: deepSleep,
      12: 'Host',
      13: 'Test Node',
      16: 'Hall',
      19: key !== undefined || takesKey,
      20: sub,
      21: area,
      26: takesKey && key === undefined,
    });
  };
  const answer = (client: Client, type: number, body: Buffer): void => {
    const message = readMessage(body);
    if (message === undefined) return void client.socket.destroy();
    switch (type) {
      case 1:
        return say(client, [2, fields({ 1: 1, 2: apiMinor, 3: 'test', 4: 'testnode' })]);
      case 3:
        return say(client, [4, fields({})]);
      case 7:
        return say(client, [8, fields({})]);
      case 8:
        return;
      case 9:
        return say(client, [10, info()]);
      case 11:
        for (const one of listing) say(client, one);
        return say(client, [19, fields({})]);
      case 20:
        for (const one of states) say(client, one);
        return;
      case 124: {
        const isTaken = takesKey && key === undefined && Buffer.from(message.text(1), 'base64').length === 32;
        say(client, [125, fields({ 1: isTaken })]);
        if (isTaken) key = Buffer.from(message.text(1), 'base64');
        return;
      }
      default:
        wire.push(`${type}:${body.toString('hex')}`);
        for (const one of onCommand(type, message)) for (const each of clients) say(each, one);
    }
  };
  const takeSealed = (client: Client, frame: Buffer): void => {
    client.steps += 1;
    if (client.steps === 1) {
      const hello = Buffer.from(`\u0001testnode\0${mac}\0`);
      return writeFrame(client, hello);
    }
    if (client.cipher === undefined) {
      client.cipher = key && answerHandshake(key, frame.subarray(1));
      const made = client.cipher as ReturnType<typeof answerHandshake>;
      if (made !== undefined) {
        // In one packet, so that both are read at once.
        client.socket.cork();
        writeFrame(client, Uint8Array.of(0), made.answer);
        if (greeting !== undefined) say(client, greeting);
        return client.socket.uncork();
      }
      writeFrame(client, Uint8Array.of(1), Buffer.from('Handshake MAC failure'));
      return void client.socket.end();
    }
    const inner = client.cipher.receiver.open(frame);
    if (inner === undefined) return void client.socket.destroy();
    answer(client, inner.readUInt16BE(0), inner.subarray(4, 4 + inner.readUInt16BE(2)));
  };
  const take = (client: Client): void => {
    for (;;) {
      const { buffer } = client;
      if (buffer.length === 0 || isFrozen) return;
      if (key !== undefined) {
        if (buffer[0] !== 1) {
          client.socket.end(Uint8Array.of(1, 0, 0));
          return;
        }
        if (buffer.length < 3 || buffer.length < 3 + buffer.readUInt16BE(1)) return;
        const size = 3 + buffer.readUInt16BE(1);
        client.buffer = buffer.subarray(size);
        takeSealed(client, buffer.subarray(3, size));
        continue;
      }
      if (buffer[0] !== 0) {
        client.socket.end(Uint8Array.of(0));
        return;
      }
      const length = readVarint(buffer, 1);
      const type = length && readVarint(buffer, length.next);
      if (length === undefined || type === undefined || buffer.length < type.next + length.value) return;
      const size = type.next + length.value;
      client.buffer = buffer.subarray(size);
      answer(client, type.value, buffer.subarray(type.next, size));
    }
  };
  const plug = (): Promise<void> =>
    new Promise((resolve) => {
      const opened = createServer((socket) => {
        connections += 1;
        const client: Client = { socket, buffer: Buffer.alloc(0), cipher: undefined, steps: 0 };
        clients.add(client);
        socket.on('close', () => clients.delete(client));
        socket.on('error', () => undefined);
        socket.on('data', (data) => {
          client.buffer = Buffer.concat([client.buffer, data]);
          take(client);
        });
      });
      server = opened;
      opened.listen(port, '127.0.0.1', resolve);
    });
  const cut = (): void => {
    for (const { socket } of clients) socket.destroy();
  };
  const unplug = (): Promise<void> =>
    new Promise((resolve) => {
      server?.close(() => resolve());
      cut();
    });
  await plug();
  return {
    host: `127.0.0.1:${port}`,
    wire,
    plug,
    unplug,
    cut,
    close: unplug,
    connections: () => connections,
    clients: () => clients.size,
    key: () => key,
    /** Sends a message to all. */
    says: (type: number, body: Uint8Array): void => {
      for (const client of clients) write(client, type, body);
    },
    /** Sends bytes that need be no message. */
    writes: (bytes: Uint8Array): void => {
      for (const { socket } of clients) socket.write(bytes);
    },
    /** From now on it neither hears nor says anything, as without power. */
    freeze: (): void => {
      isFrozen = true;
    },
    thaw: (): void => {
      isFrozen = false;
    },
    become: (next: { mac?: string; key?: Uint8Array; listing?: readonly Said[]; states?: readonly Said[] }): void => {
      mac = next.mac ?? mac;
      key = next.key ?? key;
      listing = next.listing ?? listing;
      states = next.states ?? states;
    },
  };
}
