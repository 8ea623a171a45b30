/** Bytes that came and are not read yet. */
type ByteQueue = {
  readonly push: (bytes: Uint8Array) => void;
  /** What is there, until the next call of `push`. */
  readonly view: () => Uint8Array;
  readonly drop: (count: number) => void;
};

const FIRST_BYTES = 512;

/** Copies each byte a few times at most, in however small pieces they come. */
export function createByteQueue(): ByteQueue {
  let room = new Uint8Array(FIRST_BYTES);
  let start = 0;
  let end = 0;
  return {
    push: (bytes) => {
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
    view: () => room.subarray(start, end),
    drop: (count) => {
      start = Math.min(end, start + count);
      if (start < end) return;
      start = 0;
      end = 0;
      // One large message leaves no large buffer behind for a year.
      if (room.length > FIRST_BYTES * 8) room = new Uint8Array(FIRST_BYTES);
    },
  };
}
