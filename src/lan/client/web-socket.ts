import type { Socket } from 'node:net';
import type { ClientOptions, WebSocket } from 'ws';
import { ConnectionFault, connectionFailed } from '#base/network/connection-failure.ts';
import type { LanWebSocket, OpenWebSocket } from '#base/network/lan-ports.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { DEFAULT_TIMEOUT_MS, startCallLimit } from './call-limit.ts';
import { DEFAULT_MAX_BYTES } from './lan-http.ts';
import { readLanUrl } from './lan-url.ts';
import type { SocketOpener } from './open-socket.ts';
import { readFault } from './read-fault.ts';

export type ConnectionDeps = {
  readonly openSocket: SocketOpener;
  readonly startTimer: StartTimer;
  /** Aborts when the client closes. */
  readonly closing: AbortSignal;
};

type Options = Parameters<OpenWebSocket>[0];

/** Bytes that may wait for a slow peer; beyond them it has failed. */
export const MAX_WAITING_BYTES = 1024 * 1024;
const PING_MS = 15_000;
/** How long a peer may take to answer the frame that closes. */
export const CLOSE_MS = 1_000;
/** RFC 6455 §7.1.5: what a library reports if the peer gave no code. */
const NO_CODE = new Set([1005, 1006]);

/** Opens WebSockets with the ws package, over sockets of the one opener. */
export function createWebSocketOpener({ openSocket, startTimer, closing }: ConnectionDeps): OpenWebSocket {
  return async (options) => {
    const limit = startCallLimit(startTimer, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, [closing, options.signal]);
    try {
      const { host, port, isTls, url } = readLanUrl(options.url, ['ws:', 'wss:']);
      // With its first use, so that a hub without WebSockets need not load it.
      const { WebSocket } = await import('ws');
      const trust = isTls ? (options.tls ?? 'authority') : 'no_tls';
      const { socket, fingerprint } = await openSocket({ host, port, trust }, limit.signal);
      const websocket = createWebSocket(WebSocket, { url, socket, options });
      const follow = followWebSocket(websocket, socket, { startTimer, signals: [closing, options.signal] });
      await open(websocket, limit.signal);
      return { fingerprint, ...follow() };
    } catch (cause) {
      throw connectionFailed(readFault(limit.signal.aborted ? limit.signal.reason : cause));
    } finally {
      limit.end();
    }
  };
}

type Following = { readonly startTimer: StartTimer; readonly signals: readonly AbortSignal[] };

/** Watches a socket from now on; the result, to be called once it is open, says what can be done with it. */
export function followWebSocket(
  websocket: WebSocket,
  socket: Socket,
  { startTimer, signals }: Following,
): () => Omit<LanWebSocket, 'fingerprint'> {
  const ended = endOf(websocket);
  return () => {
    const stopPings = startPings(websocket, socket, startTimer);
    const close = (): void => websocket.close(1001);
    for (const signal of signals) {
      if (signal.aborted) close();
      else signal.addEventListener('abort', close, { once: true });
    }
    return {
      send: (data) => send(websocket, data),
      ended: ended.finally(() => {
        stopPings();
        for (const signal of signals) signal.removeEventListener('abort', close);
      }),
      close: (code = 1000, reason = '') => websocket.close(code, reason),
    };
  };
}

type Upgrade = { readonly url: URL; readonly socket: Socket; readonly options: Options };

function createWebSocket(Client: typeof WebSocket, { url, socket, options }: Upgrade): WebSocket {
  try {
    const upgrade: ClientOptions & { readonly closeTimeout: number } = {
      createConnection: () => socket,
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: options.maxBytes ?? DEFAULT_MAX_BYTES,
      // A turn of the event loop for each message: a peer that sends thousands at once holds up nothing else.
      allowSynchronousEvents: false,
      closeTimeout: CLOSE_MS,
    };
    const websocket = new Client(url, [...(options.protocols ?? [])], upgrade);
    websocket.on('message', (data: Buffer, isBinary) => {
      if (!options.signal.aborted) options.onMessage(isBinary ? data : data.toString('utf8'));
    });
    return websocket;
  } catch (cause) {
    socket.destroy();
    throw new ConnectionFault('invalid_request', 'the protocols or headers cannot be used', { cause });
  }
}

/** Resolves when nothing of it is left, whether it was ever open or not. */
function endOf(websocket: WebSocket): LanWebSocket['ended'] {
  return new Promise((resolve) => {
    // `close` follows each error.
    websocket.on('error', () => undefined);
    websocket.once('close', (code, reason) => {
      resolve({ code: NO_CODE.has(code) ? null : code, reason: reason.toString('utf8') });
    });
  });
}

function open(websocket: WebSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
      websocket.terminate();
    };
    const leave = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    websocket.once('open', () => {
      leave();
      resolve();
    });
    websocket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      const message = `the other side opens no WebSocket: it answered ${statusCode}`;
      reject(new ConnectionFault('bad_answer', message, { status: statusCode }));
      websocket.terminate();
    });
    // ws has no codes for an upgrade that breaks RFC 6455.
    websocket.once('error', (cause: Error & { code?: string }) => {
      leave();
      const message = `the other side opens no WebSocket: ${cause.message}`;
      reject(cause.code === undefined ? new ConnectionFault('bad_answer', message, { cause }) : cause);
    });
  });
}

/** Pings while it is open, and ends it if not one byte came since the last ping. */
function startPings(websocket: WebSocket, socket: Socket, startTimer: StartTimer): () => void {
  let read = -1;
  return repeat(startTimer, PING_MS, () => {
    if (websocket.readyState !== websocket.OPEN) return;
    if (socket.bytesRead === read) return websocket.terminate();
    read = socket.bytesRead;
    websocket.ping();
  });
}

function send(websocket: WebSocket, data: string | Uint8Array): void {
  if (websocket.readyState !== websocket.OPEN) {
    throw connectionFailed(new ConnectionFault('closed', 'the connection has ended'));
  }
  if (websocket.bufferedAmount > MAX_WAITING_BYTES) {
    websocket.terminate();
    throw connectionFailed(new ConnectionFault('too_large', 'the other side does not read what the hub sends'));
  }
  websocket.send(data);
}
