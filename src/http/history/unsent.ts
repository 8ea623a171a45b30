import { HubError } from '#base/hub-error.ts';

/** Answers that their clients have not read yet. Those of slow readers must not fill the memory. */
export type UnsentAnswers = {
  /** Throws OVERLOADED while too much waits. */
  readonly refuseIfFull: () => void;
  /** The bytes as a stream that lets go of what was read; small ones as they are. */
  readonly send: (bytes: Uint8Array, signal: () => AbortSignal) => Uint8Array | ReadableStream<Uint8Array>;
};

const MAX_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;
const RETRY_AFTER_S = '5';

export function createUnsentAnswers(): UnsentAnswers {
  let waiting = 0;
  return {
    refuseIfFull: () => {
      if (waiting < MAX_BYTES) return;
      throw new HubError('OVERLOADED', 'Too many answers about the past wait for their clients.', {
        headers: { 'Retry-After': RETRY_AFTER_S },
      });
    },
    send: (bytes, signal) => {
      if (bytes.length <= SMALL_BYTES) return bytes;
      let left = bytes.length;
      let isGone = false;
      waiting += left;
      const letGo = (): void => {
        isGone = true;
        waiting -= left;
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
            waiting -= piece.length;
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
