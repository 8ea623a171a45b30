import { HubError } from '#base/hub-error.ts';

/** Answers that their clients have not read yet. Those of slow readers must not fill the memory. */
export type UnsentAnswers = ReturnType<typeof createUnsentAnswers>;

/** Who waits for an answer, and when not any more. */
type Receiver = { readonly person: string; readonly signal: () => AbortSignal };

const MAX_BYTES = 32 * 1024 * 1024;
/** Who reads slowly leaves the others their part. */
const MAX_BYTES_OF_PERSON = 8 * 1024 * 1024;
const SMALL_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;
const RETRY_AFTER_S = '5';

export function createUnsentAnswers() {
  const waiting = new Map<string, number>();
  const add = (person: string, bytes: number): void => {
    const sum = (waiting.get(person) ?? 0) + bytes;
    if (sum > 0) waiting.set(person, sum);
    else waiting.delete(person);
  };
  const inAll = (): number => [...waiting.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    /** Throws OVERLOADED while too much waits, in all or for this person. */
    refuseIfFull: (person: string): void => {
      if ((waiting.get(person) ?? 0) < MAX_BYTES_OF_PERSON && inAll() < MAX_BYTES) return;
      throw new HubError('OVERLOADED', 'Too many answers about the past wait for their clients.', {
        headers: { 'Retry-After': RETRY_AFTER_S },
      });
    },
    /** The bytes as a stream that lets go of what was read; small ones as they are. */
    send: (bytes: Uint8Array, { person, signal }: Receiver): Uint8Array | ReadableStream<Uint8Array> => {
      if (bytes.length <= SMALL_BYTES) return bytes;
      let left = bytes.length;
      let isGone = false;
      add(person, left);
      const letGo = (): void => {
        isGone = true;
        add(person, -left);
        left = 0;
      };
      // A client that is gone before the first byte reads and cancels nothing.
      if (signal().aborted) letGo();
      else signal().addEventListener('abort', letGo, { once: true });
      return new ReadableStream(
        {
          pull: (controller) => {
            if (isGone) return controller.error(new Error('the client is gone'));
            const start = bytes.length - left;
            const piece = bytes.subarray(start, start + PIECE_BYTES);
            left -= piece.length;
            add(person, -piece.length);
            controller.enqueue(piece);
            if (left === 0) controller.close();
          },
          cancel: letGo,
        },
        { highWaterMark: 0 },
      );
    },
  };
}
