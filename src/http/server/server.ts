import type { Server, ServerResponse } from 'node:http';
import { createServer, IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { codeOf } from '#base/errno.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { UpgradeRequest } from '#base/network/lan-ports.ts';
import type { App } from '#http/app.ts';
import type { ProblemAnswer } from '#http/answer/problem.ts';
import { OVERDUE } from './request-body.ts';
import { SOCKET_PATH } from '#http/device-socket/routes.ts';
import { factsFromIncoming, pathOfTarget } from '#http/edge/request-facts.ts';
import type { Wire } from '#http/routing/router.ts';
import { endSilent, sendAnswer } from './send-answer.ts';

const PARSER_FAILURES: Readonly<Record<string, HubError>> = {
  HPE_HEADER_OVERFLOW: new HubError('HEADERS_TOO_LARGE', 'The header is larger than 8 KiB.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HubError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.'),
  HPE_INVALID_VERSION: new HubError('HTTP_VERSION_NOT_SUPPORTED', 'Only HTTP/1.1 is supported.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HubError('REQUEST_TIMEOUT', 'The request did not arrive in time.'),
};
const UNREADABLE = new HubError('MALFORMED_REQUEST', 'The request is not valid HTTP/1.1.');

/**
 * The adapter builds a URL from the Host field, which fails for some addresses that the guards let through, such as one
 * with a zone. Nothing reads that URL, so the adapter gets a host that never fails.
 */
const ADAPTER = { overrideGlobalObjects: false, hostname: 'hub' };
const NO_FIELDS = Object.freeze({});

/** One server with the hub's limits, not yet listening: one is made for each address. */
export function createHttpServer(app: App, log: Log): Server {
  const lastAnswers = new WeakMap<Duplex, ServerResponse>();
  const ended = new WeakSet<Duplex>();
  const onFault = (cause: unknown): void => log.error('sending an answer failed', { cause });
  const answer: OnRequest = (incoming, outgoing) => {
    const facts = factsFromIncoming(incoming);
    const refusal = app.refuse(facts);
    if (refusal !== undefined) {
      sendAnswer(closing(refusal), outgoing, onFault);
      incoming.resume();
      return;
    }
    const wire: Wire = { facts, incoming, outgoing, sent: RESPONSE_ALREADY_SENT };
    const listen = getRequestListener((request) => app.fetch(request, wire), ADAPTER);
    incoming.headers = NO_FIELDS;
    listen(incoming, outgoing).catch((cause: unknown) => {
      onFault(cause);
      outgoing.destroy();
    });
  };
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 8 * 1024,
    IncomingMessage: HubRequest,
    // The malformed guard checks it, so that the refusal has a problem body.
    requireHostHeader: false,
  });
  const takeInTurn = oneAtATime(answer);
  const onRequest: OnRequest = (incoming, outgoing) => {
    const { socket } = incoming;
    if (ended.has(socket)) {
      // It crossed the end of an idle connection. After a reset the client knows that nothing was done.
      socket.resetAndDestroy();
      return;
    }
    lastAnswers.set(socket, outgoing);
    takeInTurn(incoming, outgoing);
  };
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('timeout', (socket) => {
    if (endSilent(socket, lastAnswers.get(socket))) ended.add(socket);
  });
  server.on('upgrade', (incoming, socket, head) => {
    // An earlier answer may still be under way on this connection: it would end up among the frames.
    const isFree = lastAnswers.get(socket)?.writableFinished !== false && !ended.has(socket);
    if (isFree && socket instanceof Socket) takeUpgrade(app, { incoming, socket, head });
    else socket.destroy();
  });
  server.on('connect', (_incoming, socket) => {
    // Node removed its own listeners: an unhandled error event would end the process.
    socket.on('error', () => socket.destroy());
    const isAnswering = lastAnswers.get(socket)?.writableFinished === false;
    if (socket.writable && !isAnswering) refuseSocket(app.problem(UNREADABLE), socket);
    // Otherwise the end of an earlier answer closes the connection.
    else if (socket.writable || ended.has(socket)) socket.destroy();
  });
  server.on('clientError', (error, socket) => {
    const code = codeOf(error);
    const answer = lastAnswers.get(socket);
    const isOverdue = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isOverdue && answer?.req.complete === false && answer.req.emit(OVERDUE)) return;
    const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else refuseSocket(app.problem(PARSER_FAILURES[code ?? ''] ?? UNREADABLE), socket);
  });
  return server;
}

/**
 * With a listener for upgrades, Node hands every request with an `Upgrade` field to it, though a server may ignore the
 * field (RFC 9110 section 7.8) and clients send it along, as `curl --http2` does. It reads this member once the
 * method and the target are known: only CONNECT, and the one path where WebSockets are served, are upgrades.
 */
class HubRequest extends IncomingMessage {
  // Without a value here: Node's constructor sets `upgrade` before any of this class would be there.
  declare private isAsked?: boolean | null;

  get upgrade(): boolean {
    const isServed = this.method === 'CONNECT' || pathOfTarget(this.url ?? '') === SOCKET_PATH;
    return this.isAsked === true && isServed;
  }
  set upgrade(isAsked: boolean | null) {
    this.isAsked = isAsked;
  }
}

function takeUpgrade(app: App, upgrade: UpgradeRequest): void {
  const { incoming, socket } = upgrade;
  socket.on('error', () => socket.destroy());
  const facts = factsFromIncoming(incoming);
  const refusal = app.refuse(facts) ?? app.takeSocket(facts, upgrade);
  if (refusal !== undefined) refuseSocket(refusal, socket);
}

type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** No real client sends more ahead: it is a flood, and Node keeps an object for each request. */
const MAX_AHEAD = 32;

/**
 * Takes the requests of a connection one at a time, each in its own turn of the event loop. A client may send thousands
 * in one packet (RFC 9112 section 9.3.2), and Node hands them all over at once; other connections must not wait for them.
 */
function oneAtATime(take: OnRequest): OnRequest {
  const lines = new WeakMap<Duplex, (() => void)[]>();
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    outgoing.once('close', () => {
      const next = lines.get(socket)?.shift();
      if (next === undefined) lines.delete(socket);
      else setImmediate(next);
    });
    take(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      begin(incoming, outgoing);
    } else if (line.length < MAX_AHEAD) {
      line.push(() => begin(incoming, outgoing));
    } else {
      socket.resetAndDestroy();
    }
  };
}

/** A peer that is refused before any routing is no client of the hub: its connection ends. */
function closing({ status, headers, body }: ProblemAnswer): ProblemAnswer {
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, 'Content-Length': length, Connection: 'close' }, body };
}

/** For requests without a response object, because they did not parse or ask for another protocol. */
function refuseSocket(refusal: ProblemAnswer, socket: Duplex): void {
  const { status, headers, body } = closing(refusal);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.end(head + body, () => socket.destroy());
}
