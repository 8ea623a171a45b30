import type { Accounts } from '#auth/account/accounts.ts';
import type { SignIn } from '#auth/sign-in/sign-in.ts';
import { changedFields } from '#http/routing/audited-routes.ts';
import type { QuietHoursBook } from '#core/notification/quiet-hours.ts';
import { callerOf, sessionOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
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

/** The caller's own account. */
export function meRoutes(deps: {
  readonly signIn: Pick<SignIn, 'changePassword' | 'changeOwnAccount'>;
  readonly accounts: Pick<Accounts, 'checkPassword'>;
  readonly quietHours: QuietHoursBook;
}): readonly Route[] {
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
        return { status: 200, json: { ...ownJson(caller), quiet_hours: deps.quietHours.of(caller.user.id) } };
      },
    }),
    defineRoute({
      id: 'updateMe',
      method: 'PATCH',
      path: '/api/v1/me',
      summary: 'Change your name, your quiet hours, or your e-mail address with the current password',
      tag: 'Account',
      note: notes.updateMe,
      access: 'session',
      body: mergePatchBody(meUpdateSchema, ACCOUNT_BODY_BYTES),
      answers: { 200: ownSchema },
      audit: ({ body }) => changedFields('user.changed', body),
      handle: async (request) => {
        const { name, email, quiet_hours: quietHours, current_password: currentPassword } = request.body;
        const change = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
        const asked = { ...change, currentPassword };
        const changed = await deps.signIn.changeOwnAccount(sessionOf(request), asked, request.peer);
        if (quietHours !== undefined) {
          request.authorize();
          await deps.quietHours.set(changed.id, quietHours);
        }
        return { status: 200, json: { ...ownAccountJson(changed), quiet_hours: deps.quietHours.of(changed.id) } };
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
