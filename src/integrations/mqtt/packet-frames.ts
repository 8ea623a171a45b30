/** The largest message of use is 32 MiB. */
const MAX_MESSAGE_BYTES = 33 * 1024 * 1024;
/** Brokers limit how many topics one packet may ask for; each of them is answered by a byte. */
export const TOPICS_PER_PACKET = 100;

/**
 * By their first byte, the packets that a broker may send to a client that subscribes at QoS 0 and publishes at QoS 1,
 * and how many bytes each may have behind its length (MQTT 3.1.1, section 2.2).
 */
const MAX_BYTES_BY_FIRST = new Map([
  [0x20, 2], // CONNACK
  [0x30, MAX_MESSAGE_BYTES], // PUBLISH
  [0x31, MAX_MESSAGE_BYTES], // PUBLISH of what the broker kept
  [0x40, 2], // PUBACK
  [0x90, 2 + TOPICS_PER_PACKET], // SUBACK
  [0xb0, 2], // UNSUBACK
  [0xd0, 0], // PINGRESP
]);
const PUBLISH = 0x3;
const MAX_LENGTH_BYTES = 4;

/** The broker sent what it must not. */
export class BrokerFault extends Error {
  readonly code: 'NOT_MQTT' | 'WRONG_QOS';

  constructor(code: BrokerFault['code']) {
    super(`the broker sent what it must not: ${code}`);
    this.code = code;
  }
}

/** Cuts what a broker sends into whole packets, before anything else looks at them. */
export type PacketFrames = {
  /** To call once `next` has nothing more of the bytes before. */
  readonly take: (chunk: Buffer) => void;
  /** The next whole packet, `undefined` where more bytes have to come. Throws BrokerFault. */
  readonly next: () => Buffer | undefined;
};

/** Each byte is looked at or copied once, in however small pieces it comes; what is kept is one packet at most. */
export function createPacketFrames(): PacketFrames {
  let chunk: Buffer = Buffer.alloc(0);
  let offset = 0;
  /** The begun packet that is longer than what had come of it. */
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

/** `undefined` where the head is not complete yet. */
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
