import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { ConnectionFault } from '#base/network/connection-failure.ts';
import type { HttpRequest } from '#base/network/lan-ports.ts';
import { codeOf } from '#base/errno.ts';
import { readLanUrl } from './lan-url.ts';
import { PROBE_AFTER_MS, type SocketOpener, type SocketTarget } from './open-socket.ts';

/** The head of an answer; its body is still to be read, or to be destroyed. */
export type Head = {
  readonly status: number;
  readonly fingerprint: string | null;
  readonly answer: IncomingMessage;
};

export type Exchange = {
  /** Sends a request; rejects with what happened, or with the reason of the signal, which also ends the answer. */
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<Head>;
  /** Ends all that is under way, and the connections that wait for the next request. */
  readonly close: () => void;
};

type ExchangeOptions = {
  /** Whether a connection waits for the next request to the same place. */
  readonly keepAlive: boolean;
};

const MAX_HEADER_BYTES = 16 * 1024;
/** Below the 5 s after which common servers end a connection, so that no request meets that end. */
const IDLE_MS = 4_000;
/** For one place. The connections of a place have all passed the same checks. */
const MAX_IDLE = 2;
/** Only these may be sent a second time (RFC 9110 §9.2.2). */
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);

/**
 * Requests over node:http. The agent gets each socket from the one opener, ready and checked, with TLS or without; so
 * neither redirects, nor variables of the environment, nor a second look-up can lead a request elsewhere.
 */
export function createExchange(openSocket: SocketOpener, { keepAlive }: ExchangeOptions): Exchange {
  // Without `keepAliveMsecs`, a stream on a connection that was used before would be probed each second for days.
  const agent = new Agent({ keepAlive, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, keepAliveMsecs: PROBE_AFTER_MS });
  const fingerprints = new WeakMap<Duplex, string | null>();
  // What `send` passes on reaches both of these through the options of the request.
  const asked = (options: unknown): Asked => (options as { readonly asked: Asked }).asked;
  agent.getName = (options) => asked(options).name;
  agent.createConnection = ((options: unknown, give: (cause: Error | null, socket?: Duplex) => void): void => {
    const { target, signal } = asked(options);
    openSocket(target, signal).then(
      ({ socket, fingerprint }) => {
        fingerprints.set(socket, fingerprint);
        give(null, socket);
      },
      (cause: unknown) => give(cause as Error),
    );
  }) as unknown as Agent['createConnection'];

  /** Resolves with nothing if the peer had ended a waiting connection, and the request met that end. */
  const attempt = (request: HttpRequest, signal: AbortSignal, isLastTry: boolean): Promise<Head | undefined> => {
    const { host, port, isTls, url } = readLanUrl(request.url, ['http:', 'https:']);
    const target: SocketTarget = { host, port, trust: isTls ? (request.tls ?? 'authority') : 'no_tls' };
    const body = bodyOf(request);
    const options = {
      agent,
      asked: { target, signal, name: JSON.stringify(target) },
      method: request.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        // The hub decodes nothing: what unpacks to a thousand times its size is not asked for.
        'Accept-Encoding': 'identity',
        ...request.headers,
        Host: url.host,
        ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    return new Promise((resolve, reject) => {
      const outgoing = requestHttp(options);
      const abort = (): void => void outgoing.destroy(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      let head: Head | undefined;
      outgoing.once('response', (answer) => {
        const fingerprint = fingerprints.get(answer.socket) ?? null;
        answer.on('error', () => undefined);
        head = { status: answer.statusCode ?? 0, fingerprint, answer };
        resolve(head);
      });
      outgoing.on('error', (cause) => {
        // Else the reader of the body would see no more than that the connection closed.
        if (head !== undefined) head.answer.destroy(cause);
        else if (!isLastTry && metEnd(outgoing, cause)) resolve(undefined);
        else reject(cause);
      });
      outgoing.once('close', () => {
        signal.removeEventListener('abort', abort);
        // As after an answer that changes the protocol.
        reject(new ConnectionFault('bad_answer', 'the connection ended without an answer'));
      });
      outgoing.end(body);
    });
  };
  return {
    send: async (request, signal) => {
      for (let tries = 0; ; tries += 1) {
        signal.throwIfAborted();
        const head = await attempt(request, signal, tries === MAX_IDLE);
        if (head !== undefined) return head;
      }
    },
    close: () => agent.destroy(),
  };
}

type Asked = { readonly target: SocketTarget; readonly signal: AbortSignal; readonly name: string };

function metEnd({ reusedSocket, method }: ClientRequest, cause: Error): boolean {
  return reusedSocket && REPEATABLE.has(method) && ['ECONNRESET', 'EPIPE'].includes(codeOf(cause) ?? '');
}

function bodyOf({ method, body }: HttpRequest): Buffer | undefined {
  // A POST or PUT without a body says so, because some servers wait for one.
  if (body === undefined) return method === 'POST' || method === 'PUT' ? Buffer.alloc(0) : undefined;
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
}
