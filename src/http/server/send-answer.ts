import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '#base/errno.ts';
import type { Answer } from '#http/answer/answer.ts';

/** A client that takes nothing of its answer for this long, at most twice as long, is cut off. */
const STALLED_READER_MS = 5_000;
/** How long the client of an idle connection may take to end it as well. */
const FAREWELL_MS = 1_000;

/**
 * The one way out of every answer, refusals included. Straight into node's own response: going by way of a web request
 * and response was a third of what the hub adds to a list of devices.
 */
export function sendAnswer(answer: Answer, outgoing: ServerResponse, onFault: (cause: unknown) => void): void {
  const { status, headers, body, takeOver } = answer;
  // The two fields that node adds would be a sixth of it and change nothing: a connection stays open unless it is said
  // otherwise (RFC 9112 section 9.3), and clients that look at the hint see the same in each 200.
  if (status === 304 && outgoing.shouldKeepAlive) outgoing.removeHeader('Connection');
  outgoing.writeHead(status, headers);
  if (takeOver !== undefined) {
    outgoing.flushHeaders();
    takeOver(outgoing);
  } else if (body instanceof ReadableStream) {
    outgoing.flushHeaders();
    void sendStream(body, outgoing, onFault);
    cutStalledReader(outgoing);
  } else {
    outgoing.end(body);
    cutStalledReader(outgoing);
  }
}

/** Once the status is out, a failure can only cut the connection: a client must not take half a file for a whole one. */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  onFault: (cause: unknown) => void,
): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(body), outgoing);
  } catch (cause) {
    // Whose client left has nothing to tell anybody.
    if (!isPrematureClose(cause)) onFault(cause);
  }
}

function isPrematureClose(cause: unknown): boolean {
  return codeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Not for event streams, which may be silent for longer and look after their readers themselves. */
function cutStalledReader(outgoing: ServerResponse): void {
  // Behind an earlier answer it has no socket yet.
  if (!outgoing.writableFinished) outgoing.req.socket.setTimeout(STALLED_READER_MS);
}

/**
 * For a connection on which nothing has happened for as long as its timer says: node arms it between two requests, and
 * `sendAnswer` while bytes wait, or a stream may bring more. True where it was ended for want of a further request.
 */
export function endSilent(socket: Socket, last: ServerResponse | undefined): boolean {
  // What a client did not read would stay in the kernel's buffers for minutes after an orderly end.
  if (socket.writableLength > 0 || socket.writableEnded) {
    socket.resetAndDestroy();
    return false;
  }
  // The client waits for the hub: the timer was left over from the answer before.
  if (last !== undefined && !last.writableFinished) {
    socket.setTimeout(STALLED_READER_MS);
    return false;
  }
  socket.end();
  socket.setTimeout(FAREWELL_MS);
  return true;
}
