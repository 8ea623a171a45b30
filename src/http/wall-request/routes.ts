import type { Accounts } from '#auth/account/accounts.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { SignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import type { NewApiToken } from '#auth/token/api-tokens.ts';
import { WALL_REQUEST_S, type WallRequest, type WallRequests } from '#auth/token/wall-requests.ts';
import { HubError } from '#base/hub-error.ts';
import { apiTokenJson, apiTokenSchema, readNewApiToken } from '#http/api-token/json.ts';
import type { ApiTokenRoutesDeps } from '#http/api-token/routes.ts';
import { sessionOf } from '#http/rights/access.ts';
import { auditedCaller } from '#http/routing/audited-routes.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  wallAllowSchema,
  wallQuerySchema,
  wallQuestionSchema,
  wallRequestCreateSchema,
  wallRequestSchema,
  wallRequestStateSchema,
  wantedToken,
} from './json.ts';
import * as notes from './notes.ts';

type WallRequestRoutesDeps = Pick<ApiTokenRoutesDeps, 'findRoom' | 'registry' | 'apiTokens'> & {
  readonly accounts: Pick<Accounts, 'inTurn'>;
  readonly audit: Audit;
  readonly signInGuard: Pick<SignInGuard, 'tryDigits'>;
  readonly wallRequests: WallRequests;
};

const PATH = '/api/v1/wall_request';
const HEADER = 'hearthd-wall';
const MAX_BYTES = 1_024;
const MAX_ALLOW_BYTES = 32 * 1_024;

/** A screen on the wall gets an API token without anybody typing on it: it shows digits, and a person allows it. */
export function wallRequestRoutes(deps: WallRequestRoutesDeps): readonly Route[] {
  return [...screenRoutes(deps), questionRoute(deps), allowRoute(deps), refuseRoute(deps)];
}

function screenRoutes({ wallRequests }: WallRequestRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'createWallRequest',
      method: 'POST',
      path: PATH,
      summary: 'Ask, as a screen on the wall, to show the home',
      tag: 'Account',
      note: notes.createWallRequest,
      access: 'public',
      body: jsonBody(wallRequestCreateSchema, MAX_BYTES),
      answers: { 201: wallRequestSchema },
      audit: { unaudited: 'anybody may ask; what a person allows is in the log' },
      handle: ({ body, peer }) => {
        const asked = wallRequests.ask(body.name, peer);
        const headers = { Location: `${PATH}/${asked.id}` };
        return { status: 201, json: { ...asked, expires_in: WALL_REQUEST_S }, headers };
      },
    }),
    defineRoute({
      id: 'getWallRequest',
      method: 'GET',
      path: `${PATH}/:id`,
      summary: 'Learn, as a screen on the wall, what the person said',
      tag: 'Account',
      note: notes.getWallRequest,
      access: 'public',
      answers: { 200: wallRequestStateSchema },
      handle: ({ params, header, isHead }) => {
        const answer = wallRequests.answerTo(params['id'] ?? '', header(HEADER) ?? '', { isLook: isHead });
        if (answer === undefined) throw new HubError('NOT_FOUND', 'There is no such request, or it has ended.');
        return { status: 200, json: answer };
      },
    }),
  ];
}

function questionRoute(deps: WallRequestRoutesDeps): Route {
  return defineRoute({
    id: 'getWallQuestion',
    method: 'GET',
    path: PATH,
    summary: 'Show which screen on the wall asks with these digits',
    tag: 'Account',
    note: notes.getWallQuestion,
    access: 'session',
    query: wallQuerySchema,
    answers: { 200: wallQuestionSchema },
    handle: async (request) => {
      const asked = await askedOf(deps, request, request.query.code);
      const { name, address } = asked;
      return { status: 200, json: { name, address, expires_in: deps.wallRequests.secondsLeft(asked) } };
    },
  });
}

function allowRoute(deps: WallRequestRoutesDeps): Route {
  const { accounts, apiTokens, audit, registry, findRoom, wallRequests } = deps;
  return defineRoute({
    id: 'allowWallRequest',
    method: 'POST',
    path: `${PATH}/:digits/allow`,
    summary: 'Let a screen on the wall show the home',
    tag: 'Account',
    note: notes.allowWallRequest,
    access: 'session',
    body: jsonBody(wallAllowSchema, MAX_ALLOW_BYTES),
    answers: { 201: apiTokenSchema },
    audit: { unaudited: 'it writes the entry of the API token that it makes' },
    handle: async (request) => {
      const asked = await askedOf(deps, request, request.params['digits'] ?? '');
      const read = (): NewApiToken => {
        const caller = request.authorize();
        const fresh = readNewApiToken(wantedToken(request.body, asked, caller), caller, {
          findDevice: registry.findDevice,
          findRoom,
        });
        return { ...fresh, kind: 'wall' };
      };
      const token = await accounts.inTurn(async () => {
        const authorize = (): void => {
          read();
          requireOpen(wallRequests, asked);
        };
        const { token, text } = await apiTokens.addToken(read(), { authorize });
        if (!wallRequests.allow(asked, text)) {
          await apiTokens.endToken(token.id);
          throw noSuch();
        }
        const by = auditedCaller(sessionOf(request));
        await audit.record({
          type: 'api_token.added',
          peer: request.peer,
          userId: token.userId,
          ...by,
          detail: token.id,
        });
        return token;
      });
      return { status: 201, json: apiTokenJson(token), headers: { Location: `/api/v1/api_token/${token.id}` } };
    },
  });
}

function refuseRoute(deps: WallRequestRoutesDeps): Route {
  return defineRoute({
    id: 'refuseWallRequest',
    method: 'POST',
    path: `${PATH}/:digits/refuse`,
    summary: 'Refuse a screen on the wall',
    tag: 'Account',
    note: notes.refuseWallRequest,
    access: 'session',
    answers: { 204: null },
    audit: { unaudited: 'it ends a question, and changes nothing at the hub' },
    handle: async (request) => {
      deps.wallRequests.refuse(await askedOf(deps, request, request.params['digits'] ?? ''));
      return { status: 204 };
    },
  });
}

type Request = Pick<RouteRequest<unknown, unknown>, 'caller' | 'authorize' | 'peer'>;

/** The open request with these digits. A wrong one counts as a wrong password; one that was answered does not. */
async function askedOf(
  { signInGuard, wallRequests }: WallRequestRoutesDeps,
  request: Request,
  digits: string,
): Promise<WallRequest> {
  const { user, sessionId } = sessionOf(request);
  let asked: WallRequest | undefined;
  const isThere = await signInGuard.tryDigits({ peer: request.peer, user, sessionId }, () => {
    asked = wallRequests.find(digits);
    return asked !== undefined;
  });
  request.authorize();
  if (!isThere || asked === undefined) throw noSuch();
  requireOpen(wallRequests, asked);
  return asked;
}

function requireOpen(wallRequests: WallRequests, asked: WallRequest): void {
  if (wallRequests.secondsLeft(asked) === 0) throw noSuch();
}

function noSuch(): HubError {
  return new HubError('NOT_FOUND', 'No screen shows these digits now.');
}
