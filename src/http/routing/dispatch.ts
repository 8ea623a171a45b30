import type { Authenticate } from '#auth/authenticate.ts';
import { canCaller } from '#auth/caller.ts';
import type { Caller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { homeNeeded, insufficientScope, ownProviderNeeded, sessionNeeded } from '#http/rights/access.ts';
import { readQuery } from './query-string.ts';
import type { TakeRation } from './rations.ts';
import { readBody, streamBody } from './request-body.ts';
import type { BodySource } from './request-body.ts';
import type { CorsRule, RequestFacts } from '#http/edge/request-facts.ts';
import { headerValues, pathOfTarget } from '#http/edge/request-facts.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from './route.ts';

export type DispatchDeps = {
  readonly isClaimed: () => boolean;
  readonly authenticate: Authenticate;
  readonly cors: CorsRule;
  /** Absent: no limit. */
  readonly takeRation?: TakeRation;
  /** What a browser sees at an unknown address. Absent: the problem that every client gets. */
  readonly notFoundPage?: (facts: RequestFacts) => NotFoundPage | undefined;
};

/** `answer` is absent for a client that is no browser; `vary` names the fields that decide it. */
export type NotFoundPage = { readonly vary: string; readonly answer?: RouteAnswer | Promise<RouteAnswer> };

/** The routes of one path by method. */
export type Methods = ReadonlyMap<string, Route>;

export type AskedRequest = BodySource & {
  readonly params: () => Readonly<Record<string, string>>;
  /** Aborts when the client goes away; created on the first call. */
  readonly signal: () => AbortSignal;
};

const NO_METHODS: Methods = new Map();

/**
 * The answer to one well-formed request, in the contract's order of refusal: unclaimed, path, method, token, rights,
 * ration, query, media type, size, body. Throws refusals. Returns a promise only if something has to be waited for.
 */
export function dispatch(
  deps: DispatchDeps,
  asked: AskedRequest,
  methods: Methods | undefined,
): RouteAnswer | Promise<RouteAnswer> {
  const { facts } = asked;
  if (facts.method === 'OPTIONS') {
    const headers = deps.cors.preflightHeaders(facts);
    if (headers !== undefined) return { status: 204, headers };
  }
  const underApi = /^\/api\/v1(?:\/|$)/.test(pathOfTarget(facts.target));
  if (underApi && !deps.isClaimed()) refuseUnclaimed(facts.method, methods ?? NO_METHODS);
  if (methods === undefined) return refuseUnknownPath(deps, asked, underApi);
  const route = findRoute(methods, facts.method);
  if (route === undefined) throw methodNotAllowed(methods, facts.method);
  if (route.access === 'public') return answerRoute(route, asked, undefined);
  const { bySecret } = route;
  const authorization = headerValues(facts, 'authorization');
  if (bySecret !== undefined && authorization.length === 0 && facts.header(bySecret.header) !== undefined) {
    bySecret.admit({ params: asked.params(), header: facts.header, peer: facts.peer });
    return answerRoute(route, asked, undefined);
  }
  const caller = deps.authenticate(authorization, facts.peer);
  const answer = (known: Caller): RouteAnswer | Promise<RouteAnswer> => {
    refuseRights(route, known, asked);
    deps.takeRation?.(route, known);
    return answerRoute(route, asked, known);
  };
  return caller instanceof Promise ? caller.then(answer) : answer(caller);
}

/** HEAD is GET without the body (RFC 9110 section 9.3.2). */
function findRoute(methods: Methods, method: string): Route | undefined {
  return methods.get(method === 'HEAD' ? 'GET' : method);
}

function refuseUnclaimed(method: string, methods: Methods): void {
  const route = findRoute(methods, method);
  const isOpen = route === undefined ? [...methods.values()].some((one) => one.whileUnclaimed) : route.whileUnclaimed;
  if (isOpen !== true) throw new HubError('HUB_UNCLAIMED', 'The hub has no owner yet: set it up first.');
}

/** Below `/api/v1` a caller without a token does not learn which paths exist. */
function refuseUnknownPath(
  deps: DispatchDeps,
  asked: AskedRequest,
  underApi: boolean,
): RouteAnswer | Promise<RouteAnswer> {
  const page = deps.notFoundPage?.(asked.facts);
  if (page?.answer !== undefined) return page.answer;
  const options = page === undefined ? {} : { headers: { Vary: page.vary } };
  const notFound = new HubError('NOT_FOUND', 'There is nothing at this path.', options);
  if (!underApi) throw notFound;
  const caller = deps.authenticate(headerValues(asked.facts, 'authorization'), asked.facts.peer);
  return Promise.resolve(caller).then(() => {
    throw notFound;
  });
}

function methodNotAllowed(methods: Methods, method: string): HubError {
  const allowed = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ');
  return new HubError('METHOD_NOT_ALLOWED', `${method} is not allowed here, only ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

function answerRoute(
  route: Route,
  asked: AskedRequest,
  caller: Caller | undefined,
): RouteAnswer | Promise<RouteAnswer> {
  const { facts } = asked;
  const query = readQuery(route.query, facts.target);
  const call = (caller: Caller | undefined, body: unknown): RouteAnswer | Promise<RouteAnswer> =>
    route.handle({
      caller,
      authorize: () => authorize(route, caller, asked),
      params: asked.params(),
      query,
      body,
      isHead: facts.method === 'HEAD',
      header: facts.header,
      peer: facts.peer,
      target: facts.target,
      stream: () => streamBody(asked),
      signal: asked.signal,
    });
  if (route.body === undefined) return call(caller, undefined);
  const body = readBody(route.body, asked);
  if (caller === undefined) return body.then((read) => call(undefined, read));
  // A body may come long after its head. A caller who lost the rights in the meantime learns nothing about the body.
  const again = (): Caller => authorize(route, caller, asked);
  return body.finally(() => void again()).then((read) => call(again(), read));
}

/** The caller as of now. Throws the refusal that a request would get now. */
function authorize(route: Route, caller: Caller | undefined, asked: AskedRequest): Caller {
  if (caller === undefined) throw new Error(`${route.path} is public: it has no caller to authorize`);
  const current = caller.current();
  refuseRights(route, current, asked);
  return current;
}

function refuseRights({ access, place, sessionOnly }: Route, caller: Caller, { params }: AskedRequest): void {
  if (sessionOnly === true && !canCaller(caller, 'session')) throw sessionNeeded();
  const where = place === 'provider' ? { provider: params()['name'] ?? '' } : place;
  if (access === 'public' || canCaller(caller, access, where)) return;
  if (access === 'any' || access === 'session') throw sessionNeeded();
  if (!canCaller(caller, access)) throw insufficientScope(access);
  throw place === 'provider' ? ownProviderNeeded() : homeNeeded();
}
