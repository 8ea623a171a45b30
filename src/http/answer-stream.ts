import type { ServerResponse } from 'node:http';

/**
 * The same stream, whose failure ends in `onFault` and a cut connection: the status is out already, and a client must
 * not take half a file for a whole one. Left alone, the server would print the error past the log.
 */
export function answerStream(
  stream: ReadableStream<Uint8Array>,
  outgoing: ServerResponse | undefined,
  onFault: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          onFault(cause);
          if (outgoing === undefined) throw cause;
          outgoing.destroy();
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
