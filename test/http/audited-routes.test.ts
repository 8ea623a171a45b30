import { expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit-entry.ts';
import { HubError } from '#base/hub-error.ts';
import { auditedRoutes } from '#http/audited-routes.ts';
import { createNotedGuard } from '#http/guards/noted-guard.ts';
import type { Route, RouteRequest } from '#http/route.ts';
import { callerOf } from '#test/support/http-app.ts';
import { factsOf } from '#test/support/request-facts.ts';

const PEER = '192.168.1.20';

async function note(line: string, given: Partial<RouteRequest<unknown, unknown>> & { json?: unknown; fails?: true }) {
  const [method = '', path = ''] = line.split(' ');
  const noted: AuditEvent[] = [];
  const route = {
    method,
    path,
    handle: async () => {
      if (given.fails === true) throw new HubError('LAST_OWNER', 'no');
      return { status: 200, json: given.json };
    },
  } as unknown as Route;
  const [audited] = auditedRoutes([route], { record: async (event) => void noted.push(event) });
  const request = { caller: callerOf('owner'), peer: PEER, params: {}, ...given } as never;
  await Promise.resolve(audited?.handle(request)).catch(() => undefined);
  return noted.map((event) => Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)));
}

const own = { peer: PEER, userId: 'user-owner', sessionId: 'session-of-owner' };
const ofOther = { peer: PEER, userId: 'bea', actorId: 'user-owner', sessionId: 'session-of-owner' };

test.each([
  ['POST /api/v1/user', { json: { id: 'bea', role: 'guest' } }, { ...ofOther, type: 'user.added', detail: 'guest' }],
  [
    'PATCH /api/v1/user/:id',
    { json: { id: 'bea' }, body: { role: 'admin', password: 'new' } },
    { ...ofOther, type: 'user.changed', detail: 'password,role' },
  ],
  ['DELETE /api/v1/user/:id', { params: { id: 'bea' } }, { ...ofOther, type: 'user.removed' }],
  [
    'PATCH /api/v1/me',
    { body: { email: 'x@y', current_password: 'secret' } },
    { ...own, type: 'user.changed', detail: 'email' },
  ],
  ['POST /api/v1/logout', {}, { ...own, type: 'session.revoked', detail: 'logout' }],
  ['DELETE /api/v1/session/:id', { params: { id: 's2' } }, { ...own, sessionId: 's2', type: 'session.revoked' }],
  ['DELETE /api/v1/session', {}, { ...own, type: 'session.revoked', detail: 'all_others' }],
  ['POST /api/v1/backup', {}, { ...own, type: 'backup.made' }],
])('A10: %s is noted once it has succeeded, with who did it', async (line, given, expected) => {
  expect(await note(line, given)).toEqual([expected]);
  expect(await note(line, { ...given, fails: true })).toEqual([]);
});

test('A10: what only reads is not noted', async () => {
  expect(await note('GET /api/v1/user', {})).toEqual([]);
});

test('A10: what a guard refuses is noted with its peer and code, and refused as before', () => {
  const noted: AuditEvent[] = [];
  const error = new HubError('MISDIRECTED_REQUEST', 'no');
  const audit = { record: async (event: AuditEvent) => void noted.push(event) };
  const facts = { ...factsOf(), peer: PEER };
  expect(createNotedGuard(() => error, audit)(facts)).toBe(error);
  expect(createNotedGuard(() => undefined, audit)(facts)).toBeUndefined();
  expect(noted).toEqual([{ type: 'request.refused', peer: PEER, detail: 'misdirected_request' }]);
});
