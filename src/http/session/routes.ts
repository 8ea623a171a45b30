import { z } from 'zod/mini';
import type { Session, SessionId } from '#auth/session/session.ts';
import type { Sessions } from '#auth/session/sessions.ts';
import { HubError } from '#base/hub-error.ts';
import { sessionOf } from '#http/rights/caller-of.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';

export const sessionSchema = z.object({
  id: z.uuid(),
  client_name: z.nullable(z.string()),
  address: z.string(),
  created_at: timeSchema,
  last_used_at: timeSchema,
  expires_at: timeSchema,
  current: z.boolean(),
});

/** The caller's own sessions; those of others do not exist here. */
export function sessionRoutes(deps: {
  readonly sessions: Pick<Sessions, 'sessionsOf' | 'endSessions'>;
}): readonly Route[] {
  const { sessions } = deps;
  return [
    defineRoute({
      id: 'listSessions',
      method: 'GET',
      path: '/api/v1/session',
      summary: 'List the own sessions, the last used first',
      access: 'session',
      answers: { 200: z.array(sessionSchema) },
      handle: (request) => {
        const { user, sessionId } = sessionOf(request);
        return { status: 200, json: sessions.sessionsOf(user.id).map((session) => sessionJson(session, sessionId)) };
      },
    }),
    defineRoute({
      id: 'endSession',
      method: 'DELETE',
      path: '/api/v1/session/:id',
      summary: 'End one of the own sessions',
      access: 'session',
      answers: { 204: null },
      audit: ({ params }) => ({ type: 'session.revoked', sessionId: params['id'] as SessionId }),
      handle: async (request) => {
        const ended = await sessions.endSessions(sessionOf(request).user.id, [request.params['id'] as SessionId]);
        if (ended === 0) throw new HubError('NOT_FOUND', 'There is no such session.');
        return { status: 204 };
      },
    }),
    defineRoute({
      id: 'endOtherSessions',
      method: 'DELETE',
      path: '/api/v1/session',
      summary: 'End all own sessions but this one',
      access: 'session',
      answers: { 204: null },
      audit: () => ({ type: 'session.revoked', detail: 'all_others' }),
      handle: async (request) => {
        const { user, sessionId } = sessionOf(request);
        const others = sessions.sessionsOf(user.id).flatMap(({ id }) => (id === sessionId ? [] : [id]));
        await sessions.endSessions(user.id, others);
        return { status: 204 };
      },
    }),
  ];
}

function sessionJson(session: Session, current: SessionId): z.infer<typeof sessionSchema> {
  return {
    id: session.id,
    client_name: session.clientName,
    address: session.address,
    created_at: timeJson(session.createdAtMs),
    last_used_at: timeJson(session.lastUsedAtMs),
    expires_at: timeJson(session.expiresAtMs),
    current: session.id === current,
  };
}
