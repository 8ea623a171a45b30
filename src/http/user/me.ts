import type * as z from 'zod/mini';
import { type Caller, rightsOf } from '#auth/caller.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { SignIn } from '#auth/sign-in/sign-in.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { User } from '#core/person/user.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requireTag, tagOf } from '#http/answer/entity-tag.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import type { QuietHoursBook } from '#core/notification/quiet-hours.ts';
import type { HomeViews } from '#core/home-view/home-view.ts';
import { callerOf, sessionOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  ACCOUNT_BODY_BYTES,
  ownAccountJson,
  meUpdateSchema,
  ownJson,
  ownSchema,
  passwordChangeSchema,
  passwordCheckSchema,
} from './json.ts';
import * as notes from './notes.ts';

type Choices = { readonly quietHours: QuietHoursBook; readonly homeViews: HomeViews };

/** The caller's own account. */
export function meRoutes(
  deps: Choices & {
    readonly signIn: Pick<SignIn, 'changePassword' | 'changeOwnAccount'>;
    readonly accounts: Pick<Accounts, 'checkPassword'>;
  },
): readonly Route[] {
  const inTurn = createTurnQueue();
  return [
    defineRoute({
      id: 'getMe',
      method: 'GET',
      path: '/api/v1/me',
      summary: 'Show your account',
      tag: 'Account',
      note: notes.getMe,
      access: 'any',
      answers: { 200: ownSchema },
      handle: (request) => {
        const caller = callerOf(request);
        return showOwn(deps, caller, { account: ownJson(caller), user: caller.user });
      },
    }),
    defineRoute({
      id: 'updateMe',
      method: 'PATCH',
      path: '/api/v1/me',
      summary: 'Change your name, language or quiet hours, or your e-mail address with the current password',
      tag: 'Account',
      note: notes.updateMe,
      access: 'session',
      body: mergePatchBody(meUpdateSchema, ACCOUNT_BODY_BYTES),
      answers: { 200: ownSchema },
      audit: ({ body }) => changedFields('user.changed', body),
      handle: (request) => {
        const update = () => updateMe(deps, request);
        // The second of two that are based on the same is refused.
        return request.header('if-match') === undefined ? update() : inTurn(update);
      },
    }),
    defineRoute({
      id: 'changePassword',
      method: 'POST',
      path: '/api/v1/me/password',
      summary: 'Change your password and end all your other sessions',
      tag: 'Account',
      note: notes.changePassword,
      access: 'session',
      body: jsonBody(passwordChangeSchema, ACCOUNT_BODY_BYTES),
      answers: { 204: null },
      audit: { unaudited: 'the change of a password writes its own entry, which also covers refusals' },
      handle: async (request) => {
        const change = { currentPassword: request.body.current_password, newPassword: request.body.new_password };
        await deps.signIn.changePassword(sessionOf(request), change, request.peer);
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'checkPassword',
      method: 'POST',
      path: '/api/v1/me/password/check',
      summary: 'Check whether the hub would take a password',
      tag: 'Account',
      note: notes.checkPassword,
      access: 'session',
      body: jsonBody(passwordCheckSchema, ACCOUNT_BODY_BYTES),
      answers: { 204: null },
      audit: { unaudited: 'it changes nothing and keeps nothing' },
      handle: (request) => {
        const { user } = sessionOf(request);
        const { password, name, email } = request.body;
        deps.accounts.checkPassword({ name: name ?? user.name, email: email ?? user.email, password }, '/password');
        return { status: 204 };
      },
    }),
  ];
}

async function updateMe(
  deps: Choices & { readonly signIn: Pick<SignIn, 'changeOwnAccount'> },
  request: RouteRequest<unknown, z.infer<typeof meUpdateSchema>>,
): Promise<RouteAnswer> {
  requireTag(request.header('if-match'), tagOfOwn(deps, request.authorize().user));
  const { name, email, current_password: currentPassword } = request.body;
  const change = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
  const user = await deps.signIn.changeOwnAccount(sessionOf(request), { ...change, currentPassword }, request.peer);
  await choose(deps, user.id, request);
  return showOwn(deps, callerOf(request), { account: ownAccountJson(user), user });
}

function showOwn(
  deps: Choices,
  caller: Caller,
  { account, user }: { readonly account: ReturnType<typeof ownJson>; readonly user: User },
): RouteAnswer {
  return { status: 200, json: { ...account, ...shownOf(deps, caller) }, headers: { ETag: tagOfOwn(deps, user) } };
}

/** By the revision, which says nothing of the e-mail address to a token that may not know it. */
function tagOfOwn({ quietHours, homeViews }: Choices, { id, revision }: User): string {
  return tagOf({ revision, hours: quietHours.of(id), language: homeViews.of(id).language });
}

/** Shows the rights of the caller and the choices of the person, beside the account itself. */
function shownOf({ quietHours, homeViews }: Choices, caller: Caller) {
  const { id } = caller.user;
  return { rights: [...rightsOf(caller)], quiet_hours: quietHours.of(id), language: homeViews.of(id).language };
}

type ChoiceRequest = { readonly body: z.infer<typeof meUpdateSchema>; readonly authorize: () => void };

async function choose({ quietHours, homeViews }: Choices, userId: string, { body, authorize }: ChoiceRequest) {
  const { quiet_hours: hours, language } = body;
  if (hours === undefined && language === undefined) return;
  authorize();
  if (hours !== undefined) await quietHours.set(userId, hours);
  if (language !== undefined) await homeViews.change(userId, { language });
}
