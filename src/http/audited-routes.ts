import type { Audit } from '#auth/audit.ts';
import type { AuditEvent } from '#auth/audit-entry.ts';
import type { SessionId } from '#auth/session.ts';
import type { UserId } from '#core/user.ts';
import type { Route, RouteAnswer, RouteRequest } from './route.ts';

type Noted = Pick<AuditEvent, 'type' | 'userId' | 'sessionId' | 'detail'>;
type Witness = (request: RouteRequest<unknown, unknown>, answer: RouteAnswer) => Noted;

/** What is noted of which call, once it has succeeded. Logins and API tokens note themselves: they know more of it. */
const WITNESSES: Readonly<Record<string, Witness>> = {
  'POST /api/v1/user': (_, answer) => ({ type: 'user.added', userId: idOf(answer), detail: roleOf(answer) }),
  'PATCH /api/v1/user/:id': (request, answer) => ({
    type: 'user.changed',
    userId: idOf(answer),
    detail: namesOf(request.body),
  }),
  'DELETE /api/v1/user/:id': ({ params }) => ({ type: 'user.removed', userId: params['id'] as UserId }),
  'PATCH /api/v1/me': (request) => ({ type: 'user.changed', detail: namesOf(request.body) }),
  'POST /api/v1/logout': () => ({ type: 'session.revoked', detail: 'logout' }),
  'DELETE /api/v1/session/:id': ({ params }) => ({ type: 'session.revoked', sessionId: params['id'] as SessionId }),
  'DELETE /api/v1/session': () => ({ type: 'session.revoked', detail: 'all_others' }),
  'POST /api/v1/backup': () => ({ type: 'backup.made' }),
};

/** The same calls, whose successes are in the audit log before they are answered. */
export function auditedRoutes(routes: readonly Route[], audit: Audit): readonly Route[] {
  return routes.map((route) => {
    const witness = WITNESSES[`${route.method} ${route.path}`];
    if (witness === undefined) return route;
    const handle: Route['handle'] = async (request) => {
      const answer = await route.handle(request);
      await audit.record(eventOf(request, witness(request, answer)));
      return answer;
    };
    return { ...route, handle };
  });
}

function eventOf({ caller, peer }: RouteRequest<unknown, unknown>, noted: Noted): AuditEvent {
  const userId = noted.userId ?? caller?.user.id;
  const actorId = caller?.user.id === userId ? undefined : caller?.user.id;
  const sessionId = noted.sessionId ?? (caller?.kind === 'session' ? caller.sessionId : undefined);
  return { ...noted, peer, userId, actorId, sessionId };
}

/** Which fields were changed, never what they hold. The schema of the call has let none through that it does not know. */
function namesOf(body: unknown): string {
  return Object.keys(body as object)
    .filter((name) => name !== 'current_password')
    .toSorted()
    .join(',');
}

function idOf({ json }: RouteAnswer): UserId {
  return (json as { readonly id: UserId }).id;
}

function roleOf({ json }: RouteAnswer): string {
  return (json as { readonly role: string }).role;
}
