import * as z from 'zod/mini';
import type { SessionCaller } from '#auth/caller.ts';
import type { SessionId } from '#auth/session/session.ts';
import { HubError } from '#base/hub-error.ts';
import { createLog } from '#base/log.ts';
import { type Role, type UserId, ROLES } from '#core/person/user.ts';
import { type App, type AppDeps, createApp } from '#http/app.ts';
import { createEventEncoder } from '#http/event/json.ts';
import { refuseMalformed } from '#http/edge/guards.ts';
import { openApiPath } from '#http/reference/operation.ts';
import { deviceSchema } from '#http/device/json.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from '#http/routing/route.ts';
import { createContractCheck, isSparse, readContract } from '#test/support/daemon/contract-check.ts';

/** A live session of a person with this role. */
export function callerOf(role: Role): SessionCaller {
  return {
    kind: 'session',
    current: () => callerOf(role),
    sessionId: `session-of-${role}` as SessionId,
    user: {
      id: `user-${role}` as UserId,
      email: `${role}@home.test`,
      name: role,
      role,
      roomIds: null,
      validUntilMs: null,
      hasEnded: false,
      passwordHash: '',
      revision: 1,
      createdAtMs: 0,
      updatedAtMs: 0,
    },
  };
}

/** Encodes each event as the hub does: with the app all nouns are loaded, which declare them. */
export const createTestEncoder: typeof createEventEncoder = (deps) => createEventEncoder(deps);

/** Takes `Bearer owner`, `Bearer admin`, `Bearer resident` and `Bearer guest`. */
export function authenticateByRole(values: readonly string[]): SessionCaller {
  const [value] = values;
  if (value === undefined) throw new HubError('UNAUTHORIZED', 'an access token is needed');
  const role = ROLES.find((one) => value === `Bearer ${one}`);
  if (role === undefined) {
    const headers = { 'WWW-Authenticate': 'Bearer realm="hearthd", error="invalid_token"' };
    throw new HubError('INVALID_TOKEN', 'the access token is not valid', { headers });
  }
  return callerOf(role);
}

/** Throws for an answer that the route does not declare. */
function withCheckedAnswers(route: Route): Route {
  const check = (answer: RouteAnswer, target: string): RouteAnswer => {
    const declared = route.answers[answer.status];
    const queries = new URL(target, 'http://hub.local').searchParams;
    const other = Object.entries(route.note?.().answerWith ?? {}).find(([query]) => {
      const [name = '', value] = query.split('=');
      return queries.get(name) === value;
    })?.[1] as z.ZodMiniType | undefined;
    const usual = isSparse(target) && answer.status === 200 ? z.array(z.partial(deviceSchema)) : declared;
    const schema = other !== undefined && answer.status === 200 ? other : usual;
    const isJson = answer.json !== undefined || answer.headers?.['Content-Type'] === 'application/json';
    if (schema === undefined || (schema === null && isJson)) {
      throw new Error(`${route.method} ${route.path} does not declare its answer ${answer.status}`);
    }
    const isCoded = answer.headers?.['Content-Encoding'] !== undefined;
    if (!isJson || isCoded || answer.bytes instanceof ReadableStream) return answer;
    const text = answer.bytes === undefined ? JSON.stringify(answer.json) : Buffer.from(answer.bytes).toString('utf8');
    schema?.parse(JSON.parse(text));
    return answer;
  };
  return {
    ...route,
    handle: (request) => {
      const answer = route.handle(request);
      return answer instanceof Promise
        ? answer.then((late) => check(late, request.target))
        : check(answer, request.target);
    },
  };
}

const contract = readContract();
const checkAnswer = createContractCheck(contract);

/** Throws for an answer that differs from the OpenAPI document. */
async function withinContract(request: Request, answer: Response): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const isRead = answer.headers.get('content-type')?.includes('json') ?? true;
  const findings = checkAnswer({
    method: request.method,
    target: pathname + search,
    status: answer.status,
    headers: answer.headers,
    body: isRead ? await answer.clone().text() : '',
  });
  if (findings.length > 0) throw new Error(`${request.method} ${pathname} breaks the contract: ${findings.join('; ')}`);
  return answer;
}

/** An app of these routes on a claimed hub that trusts the network, and the log lines it writes. */
export function createTestApp(
  routes: readonly Route[],
  overrides: Partial<AppDeps> = {},
): { app: App; logged: string[]; request: (path: string, init?: RequestInit) => Promise<Response> } {
  const logged: string[] = [];
  const isMadeUp = routes.some(({ path }) => contract.paths[openApiPath(path)] === undefined);
  let requests = 0;
  const app = createApp({
    log: createLog({ level: 'debug', write: (line) => logged.push(line), journal: true, wallMs: () => 0 }),
    newRequestId: () => `request-${(requests += 1)}`,
    isClaimed: () => true,
    authenticate: authenticateByRole,
    cors: { answerHeaders: () => ({}), preflightHeaders: () => undefined },
    guards: [refuseMalformed],
    routes: routes.map(withCheckedAnswers),
    deviceSockets: [],
    ...overrides,
  });
  return {
    app,
    logged,
    request: async (path, init) => {
      const request = new Request(`http://hub.local${path}`, init);
      const answer = await app.fetch(request);
      return isMadeUp ? answer : withinContract(request, answer);
    },
  };
}
