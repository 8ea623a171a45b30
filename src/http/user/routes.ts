import * as z from 'zod/mini';
import type { Accounts, NewUser, PasswordSource, UserChange } from '#auth/account/accounts.ts';
import { missingForRole } from '#auth/caller.ts';
import { fieldError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { Role, User, UserId } from '#core/person/user.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import { asOfNow, callerOf, insufficientScope } from '#http/rights/access.ts';
import { requiredRevision } from '#http/answer/entity-tag.ts';
import {
  listResource,
  type Resource,
  revisionTag,
  showCreated,
  showResource,
  showIfChanged,
} from '#http/answer/resource.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  ACCOUNT_BODY_BYTES,
  type LimitDeps,
  readLimits,
  userCreateSchema,
  userJson,
  userSchema,
  userUpdateSchema,
} from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

type UserRoutesDeps = LimitDeps & {
  readonly accounts: Pick<Accounts, 'users' | 'findUser' | 'isOver'> & {
    readonly addUser: (fresh: NewUser, source: PasswordSource, authorize: () => void) => Promise<User>;
    readonly updateUser: (id: UserId, change: UserChange, terms: AuthorizedTerms<User>) => Promise<User>;
    readonly removeUser: (id: UserId, terms: AuthorizedTerms<User>) => Promise<void>;
  };
};

const PATH = '/api/v1/user';
const ONE = '/api/v1/user/:id';

/**
 * The accounts of all people, for callers who manage them. A caller cannot add or change an account that has a right
 * which the caller lacks. An API token may only list accounts: a new account or password would outlive the token.
 */
export function userRoutes(deps: UserRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), addingRoute(deps), ...changingRoutes(deps)];
}

function readingRoutes({ accounts }: UserRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listUsers',
      method: 'GET',
      path: PATH,
      summary: 'List the accounts, oldest first',
      tag: 'Account',
      note: notes.listUsers,
      access: 'user:manage',
      answers: { 200: z.array(userSchema), 304: null },
      handle: ({ header }) => {
        return showIfChanged(listResource(accounts.users().map((user) => userJson(user, accounts.isOver))), header);
      },
    }),
    defineRoute({
      id: 'getUser',
      method: 'GET',
      path: ONE,
      summary: 'Show one account',
      tag: 'Account',
      note: notes.getUser,
      access: 'user:manage',
      answers: { 200: userSchema, 304: null },
      handle: ({ params, header }) => {
        return showIfChanged(userResource(userOf(accounts, params), accounts), header);
      },
    }),
  ];
}

function addingRoute(deps: UserRoutesDeps): Route {
  const { accounts } = deps;
  return defineRoute({
    id: 'createUser',
    method: 'POST',
    path: PATH,
    summary: 'Add an account',
    tag: 'Account',
    note: notes.createUser,
    access: 'user:manage',
    sessionOnly: true,
    body: jsonBody(userCreateSchema, ACCOUNT_BODY_BYTES),
    answers: { 201: userSchema },
    audit: (_, { json }) => ({ type: 'user.added', userId: idOf(json), detail: (json as Account).role }),
    handle: async (request) => {
      const { body, peer } = request;
      requireRole(request, body.role);
      const { email, name, role, password } = body;
      const fresh = { email, name, role, password, ...readLimits(body, deps) };
      const authorize = (): void => requireRole(asOfNow(request), role);
      const user = await accounts.addUser(fresh, { peer, pointer: '/password' }, authorize);
      return showCreated(userResource(user, accounts), `${PATH}/${user.id}`);
    },
  });
}

function changingRoutes(deps: UserRoutesDeps): readonly Route[] {
  const { accounts } = deps;
  return [
    defineRoute({
      id: 'updateUser',
      method: 'PATCH',
      path: ONE,
      summary: 'Change name, e-mail address, role or limits of an account, or set its password',
      tag: 'Account',
      note: notes.updateUser,
      access: 'user:manage',
      sessionOnly: true,
      body: mergePatchBody(userUpdateSchema, ACCOUNT_BODY_BYTES),
      answers: { 200: userSchema },
      audit: ({ body }, { json }) => {
        const noted = changedFields('user.changed', body);
        return noted && { ...noted, userId: idOf(json) };
      },
      handle: async (request) => {
        const { body, params, header, peer } = request;
        const user = userOf(accounts, params);
        const requireRoles = (asking: AskedUser, { role }: User): void => {
          requireRole(asking, role);
          if (body.role !== undefined) requireRole(asking, body.role);
        };
        requireRoles(request, user);
        if (user.id === callerOf(request).user.id) refuseOwn(user, body);
        const ifRevision = requiredRevision(header('if-match'), user.revision);
        const authorize = (now: User): void => requireRoles(asOfNow(request), now);
        const change = { ...changeFrom(body, peer), ...readLimits(body, deps) };
        const changed = await accounts.updateUser(user.id, change, { ifRevision, authorize });
        return showResource(userResource(changed, accounts));
      },
    }),
    defineRoute({
      id: 'removeUser',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove an account and end its sessions and API tokens',
      tag: 'Account',
      note: notes.removeUser,
      access: 'user:manage',
      sessionOnly: true,
      answers: { 204: null },
      audit: ({ params }) => ({ type: 'user.removed', userId: params['id'] as UserId }),
      handle: async (request) => {
        const user = userOf(accounts, request.params);
        const ifRevision = requiredRevision(request.header('if-match'), user.revision);
        const authorize = ({ role }: User): void => requireRole(asOfNow(request), role);
        await accounts.removeUser(user.id, { ifRevision, authorize });
        return { status: 204 };
      },
    }),
  ];
}

type AskedUser = Pick<RouteRequest<unknown, unknown>, 'caller'>;

/** Throws for a role with a right that the caller does not have. */
function requireRole(request: AskedUser, role: Role): void {
  const [missing] = missingForRole(callerOf(request), role);
  if (missing !== undefined) throw insufficientScope(missing, `, which the role ${role} has`);
}

type Account = z.infer<typeof userSchema>;

function idOf(json: unknown): UserId {
  return (json as Account).id as UserId;
}

function changeFrom({ password, email, name, role }: z.infer<typeof userUpdateSchema>, peer: string): UserChange {
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(password === undefined ? {} : { password: { text: password, source: { peer, pointer: '/password' } } }),
  };
}

/** A person who finds an open session must not be able to take over the account. */
function refuseOwn(user: User, { password, email }: z.infer<typeof userUpdateSchema>): void {
  const [pointer, message] =
    password !== undefined
      ? ['/password', 'Change your own password with POST /api/v1/me/password.']
      : ['/email', 'Change your own e-mail address with PATCH /api/v1/me.'];
  if (password === undefined && (email === undefined || email === user.email)) return;
  throw validationFailed([fieldError(pointer, 'READ_ONLY', ...faultWords('own_account'))], message);
}

function userOf({ findUser }: Pick<Accounts, 'findUser'>, params: Readonly<Record<string, string>>): User {
  return requireThing(findUser((params['id'] ?? '') as UserId), 'user');
}

function userResource(user: User, { isOver }: Pick<Accounts, 'isOver'>): Resource {
  // The time may have come although the disk does not take it yet.
  const etag = isOver(user) ? `"${user.revision}-ended"` : revisionTag(user);
  return { etag, content: () => ({ json: userJson(user, isOver) }) };
}
