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
import { OVERDUE } from '#http/routing/request-body.ts';
import { factsFromIncoming, pathOfTarget } from '#http/edge/request-facts.ts';
import type { Wire } from '#http/routing/router.ts';
import { endSilent, sendAnswer } from '#http/answer/send-answer.ts';

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
  const connections = new WeakMap<Duplex, Connection>();
  const onFault = (cause: unknown): void => log.error('sending an answer failed', { cause });
  const listen = getRequestListener(
    (request, { incoming }) => app.fetch(request, (incoming as HubRequest).wire),
    ADAPTER,
  );
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const made: Connection = { last: undefined, hasEnded: false, line: undefined };
    connections.set(socket, made);
    return made;
  };
  const answer: OnRequest = (incoming, outgoing) => {
    const facts = factsFromIncoming(incoming);
    const refusal = app.refuse(facts);
    if (refusal !== undefined) {
      sendAnswer(closing(refusal), outgoing, onFault);
      incoming.resume();
      return;
    }
    incoming.wire = { facts, incoming, outgoing, sent: RESPONSE_ALREADY_SENT };
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
    IncomingMessage: requestClassOf(app),
    // The malformed guard checks it, so that the refusal has a problem body.
    requireHostHeader: false,
  });
  const onRequest: OnRequest = (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connectionOf(socket);
    if (connection.hasEnded) {
      // It crossed the end of an idle connection. After a reset the client knows that nothing was done.
      socket.resetAndDestroy();
      return;
    }
    connection.last = outgoing;
    if (!socket.destroyed) takeInTurn(connection, () => answer(incoming, outgoing), outgoing);
  };
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('timeout', (socket) => {
    const connection = connectionOf(socket);
    if (endSilent(socket, connection.last)) connection.hasEnded = true;
  });
  server.on('upgrade', (incoming, socket, head) => {
    // An earlier answer may still be under way on this connection: it would end up among the frames.
    const { last, hasEnded } = connectionOf(socket);
    const isFree = last?.writableFinished !== false && !hasEnded;
    if (isFree && socket instanceof Socket) takeUpgrade(app, { incoming, socket, head });
    else socket.destroy();
  });
  server.on('connect', (_incoming, socket) => {
    // Node removed its own listeners: an unhandled error event would end the process.
    socket.on('error', () => socket.destroy());
    const { last, hasEnded } = connectionOf(socket);
    const isAnswering = last?.writableFinished === false;
    if (socket.writable && !isAnswering) refuseSocket(app.problem(UNREADABLE), socket);
    // Otherwise the end of an earlier answer closes the connection.
    else if (socket.writable || hasEnded) socket.destroy();
  });
  server.on('clientError', (error, socket) => {
    const code = codeOf(error);
    const answer = connections.get(socket)?.last;
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
 * method and the target are known: only CONNECT, and the paths where WebSockets are served, are upgrades.
 */
function requestClassOf({ isSocketPath }: Pick<App, 'isSocketPath'>) {
  return class extends IncomingMessage {
    // Without a value here: Node's constructor sets `upgrade` before any of this class would be there.
    declare private isAsked?: boolean | null;
    declare wire?: Wire;

    get upgrade(): boolean {
      if (this.isAsked !== true) return false;
      return this.method === 'CONNECT' || isSocketPath(pathOfTarget(this.url ?? ''));
    }
    set upgrade(isAsked: boolean | null) {
      this.isAsked = isAsked;
    }
  };
}

/** With the wire for the adapter, which hands over the request alone. */
type HubRequest = IncomingMessage & { wire?: Wire };

function takeUpgrade(app: App, upgrade: UpgradeRequest): void {
  const { incoming, socket } = upgrade;
  socket.on('error', () => socket.destroy());
  const facts = factsFromIncoming(incoming);
  const refusal = app.refuse(facts) ?? app.takeSocket(facts, upgrade);
  if (refusal !== undefined) refuseSocket(refusal, socket);
}

type OnRequest = (incoming: HubRequest, outgoing: ServerResponse) => void;

type Connection = {
  /** The newest answer on it, begun or not. */
  last: ServerResponse | undefined;
  /** By the hub, because nothing happened on it. */
  hasEnded: boolean;
  /** The requests that wait for the one under way; `undefined` while there is none. */
  line: Waiting[] | undefined;
};
type Waiting = { readonly take: () => void; readonly outgoing: ServerResponse };

/** No real client sends more ahead: it is a flood, and Node keeps an object for each request. */
const MAX_AHEAD = 32;

/**
 * Takes the requests of a connection one at a time, each in its own turn of the event loop. A client may send thousands
 * in one packet (RFC 9112 section 9.3.2), and Node hands them all over at once; other connections must not wait for them.
 */
function takeInTurn(connection: Connection, take: () => void, outgoing: ServerResponse): void {
  const begin = (next: Waiting): void => {
    next.outgoing.once('close', () => {
      const after = connection.line?.shift();
      if (after === undefined) connection.line = undefined;
      else setImmediate(begin, after);
    });
    next.take();
  };
  const { line } = connection;
  if (line === undefined) {
    connection.line = [];
    begin({ take, outgoing });
  } else if (line.length < MAX_AHEAD) line.push({ take, outgoing });
  else outgoing.req.socket.resetAndDestroy();
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
