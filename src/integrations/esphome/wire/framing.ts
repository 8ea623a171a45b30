import { nodeFault } from './node-fault.ts';
import { type Cipher, startHandshake } from './noise.ts';
import { readVarint, varint } from './protobuf.ts';

/** How messages become bytes on a connection, and bytes messages. */
export type Framing = {
  /** Says the first word. */
  readonly begin: () => void;
  /** Takes what came. Throws PeerFault for what no node says. */
  readonly take: (bytes: Uint8Array) => void;
  /** Only once it is ready. */
  readonly send: (type: number, body: Uint8Array) => void;
};

export type FramingDeps = {
  readonly write: (bytes: Uint8Array) => void;
  /** Called once: messages can be sent from now on. */
  readonly onReady: () => void;
  readonly onMessage: (type: number, body: Uint8Array) => void;
};

/** Nodes send at most 32 KiB; the length of an encrypted message has 16 bits. */
const MAX_BODY_BYTES = 65_535;
/** Two numbers of at most three bytes, as long as their values are. */
const MAX_HEAD_BYTES = 7;
const MAX_TYPE = 65_535;
const PLAIN = 0;
const SEALED = 1;

/** In clear: `00`, the length, the type, the body. */
export function createPlainFraming({ write, onReady, onMessage }: FramingDeps): Framing {
  const queue = createByteQueue();
  return {
    begin: onReady,
    take: (bytes) => {
      queue.push(bytes);
      for (;;) {
        const frame = readPlainFrame(queue.view());
        if (frame === undefined) return;
        onMessage(frame.type, frame.body);
        queue.drop(frame.size);
      }
    },
    send: (type, body) => write(Buffer.concat([Uint8Array.of(PLAIN), varint(body.length), varint(type), body])),
  };
}

type PlainFrame = { readonly type: number; readonly body: Uint8Array; readonly size: number };

/** `undefined` until it is complete. */
function readPlainFrame(bytes: Uint8Array): PlainFrame | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] !== PLAIN) throw nodeFault(bytes[0] === SEALED ? 'KEY_NEEDED' : 'BAD_ANSWER');
  const length = readVarint(bytes, 1);
  const type = length && readVarint(bytes, length.next);
  if (type === undefined) {
    if (bytes.length >= MAX_HEAD_BYTES) throw nodeFault('BAD_ANSWER');
    return undefined;
  }
  if (length === undefined || length.value > MAX_BODY_BYTES || type.value > MAX_TYPE) throw nodeFault('BAD_ANSWER');
  const size = type.next + length.value;
  return bytes.length < size ? undefined : { type: type.value, body: bytes.slice(type.next, size), size };
}

/** Who a node says that it is, before it has proved anything. */
export type NodeHello = { readonly name: string; readonly mac: string | null };

type NoiseDeps = FramingDeps & {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly onHello: (hello: NodeHello) => void;
};

/** The client says no more than this before the handshake: `NoiseAPIInit`, and the length of its empty hello. */
const PROLOGUE = Buffer.from('NoiseAPIInit\0\0');
const HEAD_BYTES = 3;
const DONE = 0;
const SUITE = 1;
/** Type and length of the message inside. */
const INNER_HEAD_BYTES = 4;
const MAX_SENT_BYTES = MAX_BODY_BYTES - 64;

/** Sealed: `01`, 16 bits of length, and what Noise makes of the message. */
export function createNoiseFraming({ key, write, onReady, onMessage, onHello }: NoiseDeps): Framing {
  const queue = createByteQueue();
  const handshake = startHandshake({ key, prologue: PROLOGUE });
  let ciphers: { readonly sender: Cipher; readonly receiver: Cipher } | undefined;
  let hasHello = false;
  const writeFrame = (...parts: readonly Uint8Array[]): void => {
    const body = Buffer.concat(parts);
    write(Buffer.concat([Uint8Array.of(SEALED, body.length >> 8, body.length & 0xff), body]));
  };
  const takeHandshake = (frame: Uint8Array): void => {
    if (!hasHello) {
      if (frame[0] !== SUITE) throw nodeFault('BAD_ANSWER');
      hasHello = true;
      return onHello(readHello(frame));
    }
    // It says why; only a wrong key is for people to mend.
    if (frame[0] !== DONE) throw nodeFault(frame.length > 1 ? 'KEY_REFUSED' : 'BAD_ANSWER');
    ciphers = handshake.finish(frame.subarray(1));
    if (ciphers === undefined) throw nodeFault('KEY_REFUSED');
    onReady();
  };
  const takeFrame = (frame: Uint8Array): void => {
    if (ciphers === undefined) return takeHandshake(frame);
    const inner = ciphers.receiver.open(frame);
    if (inner === undefined || inner.length < INNER_HEAD_BYTES) throw nodeFault('BAD_ANSWER');
    const end = INNER_HEAD_BYTES + inner.readUInt16BE(2);
    if (end > inner.length) throw nodeFault('BAD_ANSWER');
    onMessage(inner.readUInt16BE(0), inner.subarray(INNER_HEAD_BYTES, end));
  };
  return {
    begin: () => {
      writeFrame();
      writeFrame(Uint8Array.of(DONE), handshake.first);
    },
    take: (bytes) => {
      queue.push(bytes);
      for (;;) {
        const view = queue.view();
        if (view.length === 0) return;
        if (view[0] !== SEALED) throw nodeFault(isPlainNode(view, hasHello) ? 'NOT_ENCRYPTED' : 'BAD_ANSWER');
        const size = HEAD_BYTES + (((view[1] ?? 0) << 8) | (view[2] ?? 0));
        if (view.length < HEAD_BYTES || view.length < size) return;
        takeFrame(view.subarray(HEAD_BYTES, size));
        queue.drop(size);
      }
    },
    send: (type, body) => {
      if (ciphers === undefined || body.length > MAX_SENT_BYTES) throw nodeFault('BAD_ANSWER');
      const head = Uint8Array.of(type >> 8, type & 0xff, body.length >> 8, body.length & 0xff);
      writeFrame(ciphers.sender.seal(Buffer.concat([head, body])));
    },
  };
}

/** A node that speaks in clear answers an encrypted hello with a plain frame. */
function isPlainNode(view: Uint8Array, hasHello: boolean): boolean {
  return view[0] === PLAIN && !hasHello;
}

const MAC = /^[0-9a-f]{12}$/;

/** `01`, then its name and its MAC, each with a zero at its end. Older nodes leave the MAC out. */
function readHello(frame: Uint8Array): NodeHello {
  const [name = '', mac = ''] = Buffer.from(frame.subarray(1, 300)).toString('utf8').split('\0');
  const bare = mac.replaceAll(':', '').toLowerCase();
  return { name, mac: MAC.test(bare) ? bare : null };
}

const FIRST_BYTES = 512;

/** Bytes that came and are not read yet. Copies each a few times at most, in however small pieces they come. */
export function createByteQueue() {
  let room = new Uint8Array(FIRST_BYTES);
  let start = 0;
  let end = 0;
  return {
    push: (bytes: Uint8Array): void => {
      if (end + bytes.length > room.length) {
        const rest = room.subarray(start, end);
        const needed = rest.length + bytes.length;
        // With twice the room, moving what is left costs no more than what was read in between.
        const next = needed * 2 > room.length ? new Uint8Array(needed * 2) : room;
        next.set(rest);
        room = next;
        end = rest.length;
        start = 0;
      }
      room.set(bytes, end);
      end += bytes.length;
    },
    /** What is there, until the next call of `push`. */
    view: (): Uint8Array => room.subarray(start, end),
    drop: (count: number): void => {
      start = Math.min(end, start + count);
      if (start < end) return;
      start = 0;
      end = 0;
      // One large message leaves no large buffer behind for a year.
      if (room.length > FIRST_BYTES * 8) room = new Uint8Array(FIRST_BYTES);
    },
  };
}
