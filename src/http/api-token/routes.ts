import * as z from 'zod/mini';
import type { Accounts } from '#auth/account/accounts.ts';
import type { ApiToken, ApiTokenId } from '#auth/token/api-token.ts';
import type { ApiTokens, NewApiToken } from '#auth/token/api-tokens.ts';
import type { Audit } from '#auth/audit/audit.ts';
import { type Caller, canCaller, missingForRole } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import { createdApiTokenSchema, apiTokenJson, apiTokenSchema, apiTokenCreateSchema, readNewApiToken } from './json.ts';
import { linkedPage, linkedPageShape } from '#http/answer/linked-page.ts';
import { auditedCaller } from '#http/routing/audited-routes.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import type { EventFilterDeps } from '#http/event/filter.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { ACCOUNT_BODY_BYTES } from '#http/user/json.ts';
import { described } from '#http/note/described.ts';
import * as notes from './notes.ts';

export type ApiTokenRoutesDeps = Pick<EventFilterDeps, 'findRoom'> & {
  readonly registry: Pick<EventFilterDeps, 'findDevice'>;
  readonly apiTokens: Pick<ApiTokens, 'tokens' | 'endToken' | 'findEnding'> & {
    readonly addToken: (fresh: NewApiToken, terms: AuthorizedTerms) => ReturnType<ApiTokens['addToken']>;
  };
  readonly accounts: Pick<Accounts, 'findUser' | 'inTurn'>;
  readonly audit: Audit;
};

const PATH = '/api/v1/api_token';
const ONE = '/api/v1/api_token/:id';

/**
 * Keys that people give to their scripts. Each use checks what a token may do: never more than its person may do at that
 * moment. Making, seeing and revoking tokens needs a login: a token that makes tokens could not be taken back.
 */
export function apiTokenRoutes(deps: ApiTokenRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), addingRoute(deps), revokingRoute(deps)];
}

function readingRoutes(deps: ApiTokenRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listApiTokens',
      method: 'GET',
      path: PATH,
      summary: 'List your API tokens, or all of them',
      tag: 'Account',
      note: notes.listApiTokens,
      access: 'session',
      query: z.strictObject({
        all: described('The tokens of all people; needs the right `user:manage`.', z.optional(z.boolean())),
        ...linkedPageShape,
      }),
      answers: { 200: z.array(apiTokenSchema) },
      handle: (request) => {
        const caller = callerOf(request);
        const isAll = request.query.all === true;
        if (isAll && !canCaller(caller, 'user:manage')) throw insufficientScope('user:manage');
        const tokens = deps.apiTokens.tokens().filter(({ userId }) => isAll || userId === caller.user.id);
        return linkedPage(tokens.map(apiTokenJson), request);
      },
    }),
    defineRoute({
      id: 'getApiToken',
      method: 'GET',
      path: ONE,
      summary: 'Show one API token',
      tag: 'Account',
      note: notes.getApiToken,
      access: 'session',
      answers: { 200: apiTokenSchema },
      handle: (request) => ({ status: 200, json: apiTokenJson(tokenOf(deps, request)) }),
    }),
  ];
}

function addingRoute(deps: ApiTokenRoutesDeps): Route {
  return defineRoute({
    id: 'createApiToken',
    method: 'POST',
    path: PATH,
    summary: 'Make an API token; only this answer shows its text',
    tag: 'Account',
    note: notes.createApiToken,
    access: 'session',
    once: 'place',
    body: jsonBody(apiTokenCreateSchema, ACCOUNT_BODY_BYTES),
    answers: { 201: createdApiTokenSchema },
    audit: { unaudited: 'it writes its own entry, which names the token' },
    handle: async (request) => {
      const { accounts, apiTokens, registry, findRoom } = deps;
      const read = (caller: Caller): NewApiToken =>
        readNewApiToken(request.body, caller, { findDevice: registry.findDevice, findRoom });
      const fresh = read(callerOf(request));
      // In turn with changes of accounts: no token may be created for a person who is being removed at the same time.
      const { token, text } = await accounts.inTurn(async () => {
        return apiTokens.addToken(fresh, { authorize: () => void read(request.authorize()) });
      });
      const { peer } = request;
      const by = auditedCaller(callerOf(request));
      await deps.audit.record({ type: 'api_token.added', peer, userId: token.userId, ...by, detail: token.id });
      const headers = { Location: `${PATH}/${token.id}` };
      return { status: 201, json: { ...apiTokenJson(token), token: text }, headers };
    },
  });
}

function revokingRoute(deps: ApiTokenRoutesDeps): Route {
  return defineRoute({
    id: 'revokeApiToken',
    method: 'DELETE',
    path: ONE,
    summary: 'Revoke an API token at once',
    tag: 'Account',
    note: notes.revokeApiToken,
    access: 'session',
    answers: { 204: null },
    audit: { unaudited: 'it writes its own entry, which names the token and its person' },
    handle: async (request) => {
      const { user } = callerOf(request);
      const token = tokenOf(deps, request, { isToEnd: true });
      const owner = deps.accounts.findUser(token.userId);
      const [missing] =
        owner === undefined || owner.id === user.id ? [] : missingForRole(callerOf(request), owner.role);
      if (missing !== undefined) throw insufficientScope(missing, `, which the role ${owner?.role} has`);
      await deps.apiTokens.endToken(token.id);
      const by = { ...auditedCaller(callerOf(request)), ...(owner?.id === user.id ? {} : { actorId: user.id }) };
      const { peer } = request;
      await deps.audit.record({ type: 'api_token.removed', peer, userId: token.userId, ...by, detail: token.id });
      return { status: 204 };
    },
  });
}

/**
 * A token of the caller, or any token if the caller manages accounts. `isToEnd`: one that has ended and is on disk all
 * the same, too.
 */
function tokenOf(
  { apiTokens }: ApiTokenRoutesDeps,
  request: RouteRequest<unknown, unknown>,
  { isToEnd = false } = {},
): ApiToken {
  const caller = callerOf(request);
  const wanted = request.params['id'];
  const ending = isToEnd ? apiTokens.findEnding(wanted as ApiTokenId) : undefined;
  const token = apiTokens.tokens().find(({ id }) => id === wanted) ?? ending;
  if (token !== undefined && (token.userId === caller.user.id || canCaller(caller, 'user:manage'))) return token;
  throw new HubError('NOT_FOUND', 'There is no such API token.');
}
