import type { Sessions } from '#auth/session/sessions.ts';
import { sessionOf } from '#http/rights/caller-of.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';

export function logoutRoutes(deps: { readonly sessions: Pick<Sessions, 'endSessions'> }): readonly Route[] {
  return [
    defineRoute({
      id: 'logout',
      method: 'POST',
      path: '/api/v1/logout',
      summary: 'End the session of this access token',
      access: 'session',
      answers: { 204: null },
      audit: () => ({ type: 'session.revoked', detail: 'logout' }),
      handle: async (request) => {
        const { user, sessionId } = sessionOf(request);
        await deps.sessions.endSessions(user.id, [sessionId]);
        return { status: 204 };
      },
    }),
  ];
}
