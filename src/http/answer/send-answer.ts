import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '#base/errno.ts';
import type { Answer } from './answer.ts';

/** A client that reads nothing of its answer for this long (at most twice as long) is cut off. */
const STALLED_READER_MS = 5_000;
/** How long the client of an idle connection may take to close its side. */
const FAREWELL_MS = 1_000;
const LISTENERS = 20;
/** A slow machine's kernel copies this much in about a millisecond, a fast one's in a tenth of it. */
const PIECE_BYTES = 256 * 1024;
/** The list of 5,000 devices, 4.5 MB at once, held up all others for 20 ms. */
const TURN_MS = 0.5;

/**
 * Sends every answer, refusals included. It writes to Node's own response: a web response was a third of what the hub
 * adds to a list of devices.
 */
export function sendAnswer(answer: Answer, outgoing: ServerResponse, onFault: (cause: unknown) => void): void {
  const { status, headers, body, takeOver } = answer;
  // The two fields that Node adds would be a sixth of a 304 and change nothing: a connection stays open by default
  // (RFC 9112 section 9.3), and clients that read the hint see it in each 200.
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
    sendBytes(body, outgoing);
    cutStalledReader(outgoing);
  }
}

/**
 * A long answer goes out in pieces, each only once the one before has left: as many in one turn as the kernel takes in a
 * moment, because each turn costs as much as a piece.
 */
function sendBytes(
  body: string | Uint8Array | null,
  outgoing: ServerResponse,
  turnEndsMs = performance.now() + TURN_MS,
): void {
  if (body === null || typeof body === 'string' || body.length <= PIECE_BYTES) return void outgoing.end(body);
  const rest = body.subarray(PIECE_BYTES);
  outgoing.write(body.subarray(0, PIECE_BYTES), (error) => {
    if (error !== null && error !== undefined) return;
    if (performance.now() < turnEndsMs) sendBytes(rest, outgoing, turnEndsMs);
    else setImmediate(sendBytes, rest, outgoing);
  });
}

/** Once the status is sent, a failure can only cut the connection: a client must not take half a file for a whole one. */
async function sendStream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  onFault: (cause: unknown) => void,
): Promise<void> {
  // A pipeline adds seven to those of the server, its limits, the adapter and the signal of the request: Node would warn.
  outgoing.setMaxListeners(LISTENERS);
  try {
    await pipeline(Readable.fromWeb(body), outgoing);
  } catch (cause) {
    // The client is gone: nothing left to send.
    if (!isPrematureClose(cause)) onFault(cause);
  }
}

function isPrematureClose(cause: unknown): boolean {
  return codeOf(cause) === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Not for event streams, which may be silent for longer and check their readers themselves. */
function cutStalledReader(outgoing: ServerResponse): void {
  // While an earlier answer is being sent it has no socket yet.
  if (!outgoing.writableFinished) outgoing.req.socket.setTimeout(STALLED_READER_MS);
}

/**
 * Ends a connection on which nothing happened until its timer fired. Node starts that timer between two requests,
 * `sendAnswer` while the client has bytes to read or a stream may bring more. True if the connection was idle.
 */
export function endSilent(socket: Socket, last: ServerResponse | undefined): boolean {
  // After an orderly end, unread bytes would stay in the kernel's buffers for minutes.
  if (socket.writableLength > 0 || socket.writableEnded) {
    socket.resetAndDestroy();
    return false;
  }
  // The client waits for the hub: the timer is left over from the answer before.
  if (last !== undefined && !last.writableFinished) {
    socket.setTimeout(STALLED_READER_MS);
    return false;
  }
  socket.end();
  socket.setTimeout(FAREWELL_MS);
  return true;
}
