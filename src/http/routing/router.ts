import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { HubError, PROBLEMS } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { Answer, Exchange } from '#http/answer/answer.ts';
import { failureAnswer, responseOf, routeAnswer } from '#http/answer/answer.ts';
import { dispatch } from './dispatch.ts';
import type { AskedRequest, DispatchDeps, Methods } from './dispatch.ts';
import { internalError } from '#http/answer/problem.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import { factsFromIncoming, factsFromRequest, pathOfTarget } from '#http/edge/request-facts.ts';
import type { Route } from './route.ts';
import { sendAnswer } from '#http/server/send-answer.ts';

export type RouterDeps = DispatchDeps & {
  readonly log: Log;
  /** Unguessable and unique: it goes to clients and into the log. */
  readonly newRequestId: () => string;
};

/** A request on a server. */
export type Wire = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };
export type RouterEnv = { Bindings: Partial<Wire> };

export type Router = {
  /** Any request. On a server the answer is sent already when this resolves. */
  readonly fetch: (request: Request, env?: RouterEnv['Bindings']) => Response | Promise<Response>;
  /** Answers a request that needs no web request around it; false, with nothing done, where `fetch` has to. */
  readonly answerPlain: (facts: RequestFacts, wire: Wire) => boolean;
};

/**
 * Finds the path's routes and turns whatever comes of them, faults included, into one answer. A GET of a path without
 * parameters, which is what clients ask most, does without Hono and its adapter: they look after bodies and parameters,
 * and it has neither. From `respond` on there is one way for all.
 */
export function createRouter(deps: RouterDeps, routes: readonly Route[]): Router {
  // The path is matched as sent: an escaped spelling of a known path is an unknown path.
  const hono = new Hono<RouterEnv>({
    getPath: (request, options) => {
      const target = options?.env?.incoming?.url;
      return target === undefined ? new URL(request.url).pathname : pathOfTarget(target);
    },
  });
  const paths = groupByPath(routes);
  const plain = new Map([...paths].filter(([path]) => !/[:*]/.test(path)));
  // Plain ones first: the first that fits answers.
  for (const [path, methods] of new Map([...plain, ...paths])) hono.all(path, (c) => answerHono(deps, c, methods));
  hono.notFound((c) => answerHono(deps, c, undefined));
  return {
    fetch: (request, env) => hono.fetch(request, env),
    answerPlain: (facts, { incoming, outgoing }) => {
      if (facts.method !== 'GET' && facts.method !== 'HEAD') return false;
      const methods = plain.get(pathOfTarget(facts.target));
      if (methods === undefined) return false;
      const signal = (): AbortSignal => signalOf(outgoing);
      const asked: AskedRequest = { facts, request: undefined, incoming, outgoing, params: noParams, signal };
      const answer = respond(deps, asked, methods);
      if (answer instanceof Promise) void answer.then((ready) => deliver(deps, ready, { facts, outgoing }));
      else deliver(deps, answer, { facts, outgoing });
      return true;
    },
  };
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

const NO_PARAMS = Object.freeze({});
const noParams = (): Readonly<Record<string, string>> => NO_PARAMS;

/** Aborts when the client goes away before its answer has. */
function signalOf(outgoing: ServerResponse): AbortSignal {
  if (outgoing.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function answerHono(deps: RouterDeps, c: Context<RouterEnv>, methods: Methods | undefined): Promise<Response> {
  const { incoming, outgoing } = c.env ?? {};
  const request = c.req.raw;
  const facts = incoming === undefined ? factsFromRequest(request) : factsFromIncoming(incoming);
  const signal = (): AbortSignal => request.signal;
  const asked: AskedRequest = { facts, request, incoming, outgoing, params: () => c.req.param(), signal };
  const answer = await respond(deps, asked, methods);
  if (outgoing === undefined) return responseOf(answer);
  deliver(deps, answer, { facts, outgoing });
  const { RESPONSE_ALREADY_SENT } = await import('@hono/node-server/utils/response');
  return RESPONSE_ALREADY_SENT;
}

/** Never throws or rejects. A promise comes back only where something must be waited for. */
function respond(deps: RouterDeps, asked: AskedRequest, methods: Methods | undefined): Answer | Promise<Answer> {
  const exchange: Exchange = { facts: asked.facts, requestId: deps.newRequestId(), cors: deps.cors };
  const fail = (cause: unknown): Answer => {
    const error = cause instanceof HubError ? cause : internalError(cause);
    // What fails because the client left is nobody's fault, and nobody reads the answer.
    if (PROBLEMS[error.code][0] >= 500 && asked.outgoing?.destroyed !== true) logFault(deps.log, error, exchange);
    return failureAnswer(error, exchange);
  };
  try {
    const answer = dispatch(deps, asked, methods);
    if (answer instanceof Promise) return answer.then((ready) => routeAnswer(ready, exchange)).catch(fail);
    return routeAnswer(answer, exchange);
  } catch (cause) {
    return fail(cause);
  }
}

type Asking = { readonly facts: RequestFacts; readonly outgoing: ServerResponse };

function deliver({ log }: RouterDeps, answer: Answer, { facts, outgoing }: Asking): void {
  const onFault = (cause: unknown): void => {
    const error = cause instanceof HubError ? cause : internalError(cause);
    logFault(log, error, { facts, requestId: answer.headers['X-Request-Id'] ?? '' });
  };
  try {
    sendAnswer(answer, outgoing, onFault);
  } catch (cause) {
    log.error('sending an answer failed', { cause });
    outgoing.destroy();
  }
}

function logFault(log: Log, error: HubError, { facts, requestId }: Pick<Exchange, 'facts' | 'requestId'>): void {
  if (error.cause === undefined) return;
  log[error.code === 'INTERNAL_ERROR' ? 'error' : 'warn']('request failed', {
    code: error.code,
    method: facts.method,
    path: pathOfTarget(facts.target),
    request_id: requestId,
    cause: error.cause,
  });
}
