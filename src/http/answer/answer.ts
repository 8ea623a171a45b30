import type { ServerResponse } from 'node:http';
import type { HubError } from '#base/hub-error.ts';
import { problemAnswer } from './problem.ts';
import type { CorsRule, RequestFacts } from '#http/edge/request-facts.ts';
import { pathOfTarget } from '#http/edge/request-facts.ts';

export type RouteAnswer = {
  readonly status: number;
  /** JSON, ready-made bytes with their own content type in `headers`, or nothing. */
  readonly json?: unknown;
  readonly bytes?: Uint8Array | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the audit log, not sent: no secret, and no text from outside the hub. */
  readonly auditDetail?: string;
  /**
   * Instead of a body: called once the head is sent, and responsible for the response from then on. For routes that
   * watch how fast the client reads, or cut it off.
   */
  readonly takeOver?: (outgoing: ServerResponse) => void;
};

/** One request on its way to an answer. */
export type Exchange = {
  readonly facts: RequestFacts;
  readonly requestId: string;
  readonly cors: CorsRule;
};

/** An answer with all of its fields, as it goes out. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly takeOver?: RouteAnswer['takeOver'];
};

type Fields = Record<string, string>;

/** The answer of a route with the fields that every answer has; the route's own fields win. */
export function routeAnswer(answer: RouteAnswer, exchange: Exchange): Answer {
  const { facts } = exchange;
  const body = answer.json === undefined ? (answer.bytes ?? null) : JSON.stringify(answer.json);
  const headers: Fields = {
    'X-Request-Id': exchange.requestId,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  };
  if (facts.target.startsWith('/api')) headers['Cache-Control'] = 'no-store';
  if (answer.json !== undefined) headers['Content-Type'] = 'application/json';
  Object.assign(headers, exchange.cors.answerHeaders(facts), answer.headers);
  const { status, takeOver } = answer;
  if (takeOver === undefined) return withLength({ status, headers, body }, facts.method);
  return facts.method === 'HEAD' ? { status, headers, body: null } : { status, headers, body: null, takeOver };
}

/** The answer to a failure with the fields that every answer has. */
export function failureAnswer(error: HubError, { facts, requestId, cors }: Exchange): Answer {
  const { status, headers, body } = problemAnswer(error, pathOfTarget(facts.target), requestId);
  // The failure's own fields win.
  const fields = { ...headers, ...cors.answerHeaders(facts), ...error.options.headers };
  return withLength({ status, headers: fields, body }, facts.method);
}

/** HEAD has the fields of GET without the body (RFC 9110 section 9.3.2). */
function withLength({ status, headers, body }: Answer & { readonly headers: Fields }, method: string): Answer {
  if (body instanceof ReadableStream) {
    if (method !== 'HEAD') return { status, headers, body };
    // The stream is not read: its source has to stop now.
    void body.cancel();
    return { status, headers, body: null };
  }
  if (body !== null) headers['Content-Length'] = String(Buffer.byteLength(body));
  else if (status !== 204 && status !== 304) headers['Content-Length'] = '0';
  return { status, headers, body: method === 'HEAD' ? null : body };
}

/** The same as a web response, for callers without a server. */
export function responseOf({ status, headers, body, takeOver }: Answer): Response {
  if (takeOver !== undefined) throw new Error('only a server has a response to hand over');
  return new Response(body, { status, headers });
}
