import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { HubError, PROBLEMS } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { answerStream } from './answer-stream.ts';
import { answerResponse, problemResponse } from './answer.ts';
import type { Exchange } from './answer.ts';
import { dispatch } from './dispatch.ts';
import type { AskedRequest, DispatchDeps, Methods } from './dispatch.ts';
import { internalError } from './problem.ts';
import { factsFromIncoming, factsFromRequest, pathOfTarget } from './request-facts.ts';
import type { Route, RouteAnswer } from './route.ts';

export type RouterDeps = DispatchDeps & {
  readonly log: Log;
  /** Unguessable and unique: it goes to clients and into the log. */
  readonly newRequestId: () => string;
};

export type RouterEnv = { Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse } };

/** Finds the path's routes and turns whatever comes of them, faults included, into one answer. */
export function createRouter(deps: RouterDeps, routes: readonly Route[]): Hono<RouterEnv> {
  // The path is matched as sent: an escaped spelling of a known path is an unknown path.
  const hono = new Hono<RouterEnv>({
    getPath: (request, options) => {
      const target = options?.env?.incoming?.url;
      return target === undefined ? new URL(request.url).pathname : pathOfTarget(target);
    },
  });
  for (const [path, methods] of groupByPath(routes)) hono.all(path, (c) => respond(deps, c, methods));
  hono.notFound((c) => respond(deps, c, undefined));
  return hono;
}

function groupByPath(routes: readonly Route[]): ReadonlyMap<string, Methods> {
  const paths = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Route>();
    if (methods.has(route.method)) throw new Error(`two routes answer ${route.method} ${route.path}`);
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
}

function respond(deps: RouterDeps, c: Context<RouterEnv>, methods: Methods | undefined): Response | Promise<Response> {
  const { incoming, outgoing } = c.env ?? {};
  const request = c.req.raw;
  const facts = incoming === undefined ? factsFromRequest(request) : factsFromIncoming(incoming);
  const exchange: Exchange = { facts, requestId: deps.newRequestId(), cors: deps.cors, outgoing };
  const asked: AskedRequest = { facts, request, incoming, outgoing, params: () => c.req.param() };
  const fault = (cause: unknown): HubError => {
    const error = cause instanceof HubError ? cause : internalError(cause);
    // What fails because the client left is nobody's fault, and nobody reads the answer.
    if (PROBLEMS[error.code][0] >= 500 && !request.signal.aborted) logFault(deps.log, error, exchange);
    return error;
  };
  const fail = (cause: unknown): Response => problemResponse(fault(cause), exchange);
  const send = (answer: RouteAnswer): Response => {
    if (!(answer.bytes instanceof ReadableStream)) return answerResponse(answer, exchange);
    return answerResponse({ ...answer, bytes: answerStream(answer.bytes, outgoing, fault) }, exchange);
  };
  try {
    const answer = dispatch(deps, asked, methods);
    // An answer in the very same tick takes the server's short way out.
    return answer instanceof Promise ? answer.then(send).catch(fail) : send(answer);
  } catch (cause) {
    return fail(cause);
  }
}

function logFault(log: Log, error: HubError, { facts, requestId }: Exchange): void {
  if (error.cause === undefined) return;
  log[error.code === 'INTERNAL_ERROR' ? 'error' : 'warn']('request failed', {
    code: error.code,
    method: facts.method,
    path: pathOfTarget(facts.target),
    request_id: requestId,
    cause: error.cause,
  });
}
