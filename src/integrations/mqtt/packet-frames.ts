/** The largest useful message has 32 MiB. */
const MAX_MESSAGE_BYTES = 33 * 1024 * 1024;
/** Brokers limit the topics per subscription packet. The answer has one byte per topic. */
export const TOPICS_PER_PACKET = 100;

/**
 * The packets that a broker may send to a client that subscribes at QoS 0 and publishes at QoS 1, by their first byte,
 * with the maximum of bytes after the length (MQTT 3.1.1, section 2.2).
 */
const MAX_BYTES_BY_FIRST = new Map([
  [0x20, 2], // CONNACK
  [0x30, MAX_MESSAGE_BYTES], // PUBLISH
  [0x31, MAX_MESSAGE_BYTES], // PUBLISH, retained
  [0x40, 2], // PUBACK
  [0x90, 2 + TOPICS_PER_PACKET], // SUBACK
  [0xb0, 2], // UNSUBACK
  [0xd0, 0], // PINGRESP
]);
const PUBLISH = 0x3;
const MAX_LENGTH_BYTES = 4;

/** The broker sent a packet that it must not send. */
export class BrokerFault extends Error {
  readonly code: 'NOT_MQTT' | 'WRONG_QOS';

  constructor(code: BrokerFault['code']) {
    super(`the broker sent a packet that it must not send: ${code}`);
    this.code = code;
  }
}

/** Cuts the bytes of a broker into whole packets, before anything else reads them. */
type PacketFrames = {
  /** To be called once `next` has returned `undefined`. */
  readonly take: (chunk: Buffer) => void;
  /** The next whole packet, `undefined` if more bytes are needed. Throws BrokerFault. */
  readonly next: () => Buffer | undefined;
};

/** Reads or copies each byte once, however small the chunks, and buffers at most one packet. */
export function createPacketFrames(): PacketFrames {
  let chunk: Buffer = Buffer.alloc(0);
  let offset = 0;
  /** An incomplete packet. */
  let begun: { readonly packet: Buffer; filled: number } | null = null;

  const finish = (open: { readonly packet: Buffer; filled: number }): Buffer | undefined => {
    const taken = chunk.copy(open.packet, open.filled, offset);
    open.filled += taken;
    offset += taken;
    if (open.filled < open.packet.length) return undefined;
    begun = null;
    return open.packet;
  };

  return {
    take: (bytes) => {
      const rest = chunk.subarray(offset);
      chunk = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      offset = 0;
    },
    next: () => {
      if (begun !== null) return finish(begun);
      const size = sizeOfPacket(chunk, offset);
      if (size === undefined) return undefined;
      if (offset + size <= chunk.length) {
        offset += size;
        return chunk.subarray(offset - size, offset);
      }
      begun = { packet: Buffer.allocUnsafe(size), filled: 0 };
      return finish(begun);
    },
  };
}

/** `undefined` if the head is not complete yet. */
function sizeOfPacket(bytes: Buffer, start: number): number | undefined {
  const first = bytes[start];
  if (first === undefined) return undefined;
  const maxBytes = MAX_BYTES_BY_FIRST.get(first);
  if (maxBytes === undefined) throw new BrokerFault(first >> 4 === PUBLISH ? 'WRONG_QOS' : 'NOT_MQTT');
  let length = 0;
  for (let index = 1; index <= MAX_LENGTH_BYTES; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 128 ** (index - 1);
    if (byte < 0x80) {
      if (length > maxBytes) break;
      return 1 + index + length;
    }
  }
  throw new BrokerFault('NOT_MQTT');
}
