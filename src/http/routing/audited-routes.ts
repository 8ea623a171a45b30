import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { Audit } from '#auth/audit/audit.ts';
import type { AuditEvent, AuditType } from '#auth/audit/audit-entry.ts';
import { type Caller, callerId } from '#auth/caller.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route, RouteAudit, RouteRequest } from './route.ts';

type Request = RouteRequest<unknown, unknown>;
type Noted = Pick<AuditEvent, 'type' | 'userId' | 'sessionId' | 'detail'>;

/** The same calls, each of which writes its audit entry before its success is answered. */
export function auditedRoutes(routes: readonly Route[], audit: Audit): readonly Route[] {
  return routes.map((route) => {
    const { audit: word } = route;
    if (word === undefined || (typeof word === 'object' && 'unaudited' in word)) return route;
    const handle: Route['handle'] = async (request) => {
      const answer = await route.handle(request);
      // HEAD shows no content and changes nothing.
      const noted = request.isHead ? undefined : notedOf(word, request, answer);
      if (noted !== undefined) await audit.record(eventOf(request, noted));
      return answer;
    };
    return { ...route, handle };
  });
}

function notedOf(
  word: Exclude<RouteAudit, { readonly unaudited: string }>,
  request: Request,
  answer: RouteAnswer,
): Noted | undefined {
  return typeof word === 'string' ? { type: word, detail: answer.auditDetail } : word(request, answer);
}

function eventOf({ caller, peer }: Request, noted: Noted): AuditEvent {
  const userId = noted.userId ?? caller?.user.id;
  const actorId = caller?.user.id === userId ? undefined : caller?.user.id;
  const by = caller === undefined ? {} : auditedCaller(caller);
  return {
    ...noted,
    ...by,
    peer,
    userId,
    actorId,
    ...(noted.sessionId === undefined ? {} : { sessionId: noted.sessionId }),
  };
}

/** How a caller is identified in the audit log: by a session or an API token. */
export function auditedCaller(caller: Caller): Pick<AuditEvent, 'sessionId' | 'apiTokenId'> {
  return caller.kind === 'session' ? { sessionId: caller.sessionId } : { apiTokenId: callerId(caller) as ApiTokenId };
}

/** The names of the fields that a change sets, never their values; the schema has refused unknown names. */
export function changedFields(
  type: AuditType,
  body: object,
): { readonly type: AuditType; readonly detail: string } | undefined {
  const names = Object.keys(body).filter((name) => name !== 'current_password');
  return names.length === 0 ? undefined : { type, detail: names.toSorted().join(',') };
}
