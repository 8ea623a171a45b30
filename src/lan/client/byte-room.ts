import { ConnectionFault } from '#base/network/connection-failure.ts';

/** Collects bytes up to a limit. It copies them, because a piece of one byte would keep a whole buffer of the socket. */
type ByteRoom = {
  /** Throws ConnectionFault `too_large`. */
  readonly add: (bytes: Uint8Array) => void;
  /** All since the last call. Valid until the next `add`. */
  readonly take: () => Buffer;
};

const FIRST_BYTES = 4_096;

/** `what` names it in the message: "the answer". */
export function createByteRoom(maxBytes: number, what: string): ByteRoom {
  let room = Buffer.alloc(0);
  let length = 0;
  return {
    add: (bytes) => {
      const needed = length + bytes.length;
      if (needed > maxBytes) throw new ConnectionFault('too_large', `${what} is larger than ${maxBytes} bytes`);
      if (needed > room.length) {
        const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(FIRST_BYTES, needed, room.length * 2)));
        room.copy(grown, 0, 0, length);
        room = grown;
      }
      room.set(bytes, length);
      length = needed;
    },
    take: () => {
      const taken = room.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}
