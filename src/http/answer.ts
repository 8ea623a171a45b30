import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HubError } from '#base/hub-error.ts';
import { problemAnswer } from './problem.ts';
import type { CorsRule, RequestFacts } from './request-facts.ts';
import { pathOfTarget } from './request-facts.ts';
import type { RouteAnswer } from './route.ts';

/** One request on its way to an answer. */
export type Exchange = {
  readonly facts: RequestFacts;
  readonly requestId: string;
  readonly cors: CorsRule;
  /** Absent without a server, as in tests of the routes. */
  readonly outgoing: ServerResponse | undefined;
};

/** The answer of a route with the fields that every answer has; a route's own fields win. */
export function answerResponse(answer: RouteAnswer, exchange: Exchange): Response {
  const { facts } = exchange;
  const body = answer.json === undefined ? (answer.bytes ?? null) : JSON.stringify(answer.json);
  const headers: Record<string, string> = {
    'X-Request-Id': exchange.requestId,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  };
  if (facts.target.startsWith('/api')) headers['Cache-Control'] = 'no-store';
  if (answer.json !== undefined) headers['Content-Type'] = 'application/json';
  Object.assign(headers, exchange.cors.answerHeaders(facts), answer.headers);
  if (answer.takeOver !== undefined && facts.method !== 'HEAD') {
    return handOver(answer.takeOver, { status: answer.status, headers }, exchange.outgoing);
  }
  return respondWith(body, { status: answer.status, headers }, facts.method);
}

function handOver(takeOver: (outgoing: ServerResponse) => void, init: Init, outgoing?: ServerResponse): Response {
  if (outgoing === undefined) throw new Error('only a server has a response to hand over');
  outgoing.writeHead(init.status, init.headers);
  outgoing.flushHeaders();
  takeOver(outgoing);
  return RESPONSE_ALREADY_SENT;
}

export function problemResponse(error: HubError, exchange: Exchange): Response {
  const { facts } = exchange;
  const { status, headers, body } = problemAnswer(error, pathOfTarget(facts.target), exchange.requestId);
  return respondWith(body, { status, headers: { ...headers, ...exchange.cors.answerHeaders(facts) } }, facts.method);
}

type Body = string | Uint8Array | ReadableStream<Uint8Array> | null;
type Init = { readonly status: number; readonly headers: Record<string, string> };

function respondWith(body: Body, init: Init, method: string): Response {
  if (method !== 'HEAD' || body === null) return new Response(body, init);
  if (body instanceof ReadableStream) {
    // Nobody will read it: what feeds it must learn that now.
    void body.cancel();
    return new Response(null, init);
  }
  return new Response(null, {
    ...init,
    headers: { ...init.headers, 'Content-Length': String(Buffer.byteLength(body)) },
  });
}
