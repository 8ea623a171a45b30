import { beforeAll, expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { Caller, TokenCaller } from '#auth/caller.ts';
import { HubError } from '#base/hub-error.ts';
import { auditedRoutes } from '#http/routing/audited-routes.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route, RouteRequest } from '#http/routing/route.ts';
import { callerOf } from '#test/support/hub/http-app.ts';
import { openHubApp } from '#test/support/hub/hub-app.ts';

const PEER = '192.168.1.20';
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

let routes: readonly Route[];
beforeAll(async () => {
  ({ routes } = await openHubApp());
});

type Given = Partial<RouteRequest<unknown, unknown>> & { answer?: Partial<RouteAnswer>; fails?: true };

/** What is noted of a call of the real table, of which only the handling is made up. */
async function note(line: string, { answer, fails, ...given }: Given) {
  const noted: AuditEvent[] = [];
  const found = routes.find((route) => nameOf(route) === line);
  if (found === undefined) throw new Error(`there is no ${line}`);
  const handle = async (): Promise<RouteAnswer> => {
    if (fails === true) throw new HubError('LAST_OWNER', 'no');
    return { status: 200, ...answer };
  };
  const [audited] = auditedRoutes([{ ...found, handle }], { record: async (event) => void noted.push(event) });
  const request = { isHead: false, caller: callerOf('owner'), peer: PEER, params: {}, ...given } as never;
  await Promise.resolve(audited?.handle(request)).catch(() => undefined);
  return noted.map((event) => Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)));
}

const own = { peer: PEER, userId: 'user-owner', sessionId: 'session-of-owner' };
const ofOther = { peer: PEER, userId: 'bea', actorId: 'user-owner', sessionId: 'session-of-owner' };
const one = { params: { id: 'one' } };

const NOTED: readonly (readonly [line: string, given: Given, expected: object])[] = [
  [
    'POST /api/v1/user',
    { answer: { json: { id: 'bea', role: 'guest' } } },
    { ...ofOther, type: 'user.added', detail: 'guest' },
  ],
  [
    'PATCH /api/v1/user/:id',
    { answer: { json: { id: 'bea' } }, body: { role: 'admin', password: 'new' } },
    { ...ofOther, type: 'user.changed', detail: 'password,role' },
  ],
  ['PATCH /api/v1/presence/:id', { params: { id: 'bea' } }, { ...ofOther, type: 'user.changed', detail: 'presence' }],
  ['DELETE /api/v1/user/:id', { params: { id: 'bea' } }, { ...ofOther, type: 'user.removed' }],
  [
    'PATCH /api/v1/me',
    { body: { email: 'x@y', current_password: 'secret' } },
    { ...own, type: 'user.changed', detail: 'email' },
  ],
  ...(
    [
      ['POST /api/v1/automation', 'automation.added'],
      ['PUT /api/v1/automation/:selector', 'automation.changed'],
      ['PATCH /api/v1/automation/:selector', 'automation.changed'],
      ['DELETE /api/v1/automation/:selector', 'automation.removed'],
      ['POST /api/v1/automation/:selector/enable', 'automation.changed'],
      ['POST /api/v1/automation/:selector/disable', 'automation.changed'],
      ['POST /api/v1/automation/:selector/hook/:trigger', 'automation.called'],
      ['PUT /api/v1/automation/:selector/hook/:trigger/secret', 'automation.changed'],
      ['DELETE /api/v1/automation/:selector/hook/:trigger/secret', 'automation.changed'],
      ['POST /api/v1/automation/:selector/stop', 'automation.changed'],
      ['POST /api/v1/automation/:selector/reset', 'automation.changed'],
      ['POST /api/v1/automation/:selector/sign', 'automation.changed'],
      ['POST /api/v1/automation/:selector/restore', 'automation.changed'],
      ['POST /api/v1/automation/:selector/revert', 'automation.changed'],
      ['DELETE /api/v1/automation/:selector/template', 'automation.changed'],
    ] as const
  ).map(([line, type]) => [line, { answer: { auditDetail: 'lit' } }, { ...own, type, detail: 'lit' }] as const),
  [
    'POST /api/v1/automation/:selector/run',
    { body: {}, answer: { auditDetail: 'lit' } },
    { ...own, type: 'automation.changed', detail: 'lit' },
  ],
  [
    'POST /api/v1/automation_template/:id/instantiate',
    { query: {}, answer: { status: 201, auditDetail: 'lit' } },
    { ...own, type: 'automation.added', detail: 'lit' },
  ],
  [
    'POST /api/v1/automation_template',
    { query: {}, answer: { auditDetail: 'template evening 1' } },
    { ...own, type: 'automation.changed', detail: 'template evening 1' },
  ],
  [
    'DELETE /api/v1/automation_template/:id',
    { answer: { auditDetail: 'template evening removed' } },
    { ...own, type: 'automation.changed', detail: 'template evening removed' },
  ],
  [
    'POST /api/v1/automation/replace_device',
    { body: { from: 'a', to: 'b' }, answer: { auditDetail: 'a replaced by b' } },
    { ...own, type: 'automation.changed', detail: 'a replaced by b' },
  ],
  ['POST /api/v1/automation/resume_all', {}, { ...own, type: 'automation.changed', detail: 'all resumed' }],
  [
    'POST /api/v1/automation_import',
    { query: {}, answer: { auditDetail: 'lit' } },
    { ...own, type: 'automation.added', detail: 'lit' },
  ],
  ['PUT /api/v1/hub/location', {}, { ...own, type: 'hub.changed', detail: 'location' }],
  ['DELETE /api/v1/hub/location', {}, { ...own, type: 'hub.changed', detail: 'location' }],
  ['POST /api/v1/hub/clock', {}, { ...own, type: 'hub.changed', detail: 'clock' }],
  ['POST /api/v1/logout', {}, { ...own, type: 'session.revoked', detail: 'logout' }],
  ['DELETE /api/v1/session/:id', { params: { id: 's2' } }, { ...own, sessionId: 's2', type: 'session.revoked' }],
  ['DELETE /api/v1/session', {}, { ...own, type: 'session.revoked', detail: 'all_others' }],
  ['PUT /api/v1/energy/settings', {}, { ...own, type: 'energy.changed' }],
  [
    'DELETE /api/v1/energy',
    { query: {}, answer: { auditDetail: 'everything first 2026-11-22T10:00:00.000Z' } },
    { ...own, type: 'energy.deleted', detail: 'everything first 2026-11-22T10:00:00.000Z' },
  ],
  [
    'POST /api/v1/energy/recalculate',
    { answer: { auditDetail: '2026-11-01 to 2026-11-02' } },
    { ...own, type: 'energy.recalculated', detail: '2026-11-01 to 2026-11-02' },
  ],
  ['PATCH /api/v1/hub', { body: { name: 'Summer house' } }, { ...own, type: 'hub.renamed' }],
  ['PATCH /api/v1/hub', { body: { time_zone: 'Europe/Berlin' } }, { ...own, type: 'hub.changed', detail: 'time_zone' }],
  [
    'POST /api/v1/notification_channel',
    { answer: { auditDetail: 'ntfy 192.168.1.9' } },
    { ...own, type: 'notification_channel.added', detail: 'ntfy 192.168.1.9' },
  ],
  [
    'PATCH /api/v1/notification_channel/:id',
    { answer: { auditDetail: 'ntfy 192.168.1.9' } },
    { ...own, type: 'notification_channel.changed', detail: 'ntfy 192.168.1.9' },
  ],
  [
    'DELETE /api/v1/notification_channel/:id',
    { answer: { auditDetail: 'ntfy 192.168.1.9' } },
    { ...own, type: 'notification_channel.removed', detail: 'ntfy 192.168.1.9' },
  ],
  [
    'PATCH /api/v1/notification/settings',
    { answer: { auditDetail: 'water off' } },
    { ...own, type: 'notification.changed', detail: 'water off' },
  ],
  ['POST /api/v1/backup', {}, { ...own, type: 'backup.made' }],
  [
    'POST /api/v1/backup/content',
    { answer: { auditDetail: 'one and downloaded' } },
    { ...own, type: 'backup.made', detail: 'one and downloaded' },
  ],
  ['POST /api/v1/history/import', { query: {} }, { ...own, type: 'history.imported' }],
  ['GET /api/v1/backup/:id/content', one, { ...own, type: 'backup.downloaded', detail: 'one' }],
  [
    'DELETE /api/v1/device/:selector',
    { answer: { auditDetail: 'kitchen-lamp' } },
    { ...own, type: 'device.removed', detail: 'kitchen-lamp' },
  ],
  [
    'DELETE /api/v1/group/:selector',
    { answer: { auditDetail: 'kitchen-lights' } },
    { ...own, type: 'device.removed', detail: 'kitchen-lights' },
  ],
  [
    'PATCH /api/v1/device/:selector',
    { body: { name: 'Garage', sensitive: true }, answer: { auditDetail: 'garage sensitive' } },
    { ...own, type: 'device.marked', detail: 'garage sensitive' },
  ],
  [
    'PATCH /api/v1/history/settings',
    { query: {}, answer: { auditDetail: '30 days, usual bytes, 0 rules' } },
    { ...own, type: 'history.changed', detail: '30 days, usual bytes, 0 rules' },
  ],
  [
    'DELETE /api/v1/history',
    { query: {}, answer: { auditDetail: 'everything first 2026-11-22T10:00:00.000Z' } },
    { ...own, type: 'history.deleted', detail: 'everything first 2026-11-22T10:00:00.000Z' },
  ],
  [
    'PATCH /api/v1/device/:selector/feature/:key/recording',
    { answer: { auditDetail: 'hall/motion off' } },
    { ...own, type: 'recording.changed', detail: 'hall/motion off' },
  ],
  [
    'POST /api/v1/webhook',
    { answer: { auditDetail: '192.168.1.5:1880' } },
    { ...own, type: 'webhook.added', detail: '192.168.1.5:1880' },
  ],
  [
    'PATCH /api/v1/webhook/:id',
    { answer: { auditDetail: '192.168.1.5' } },
    { ...own, type: 'webhook.changed', detail: '192.168.1.5' },
  ],
  [
    'DELETE /api/v1/webhook/:id',
    { answer: { auditDetail: '192.168.1.5' } },
    { ...own, type: 'webhook.removed', detail: '192.168.1.5' },
  ],
  [
    'POST /api/v1/exporter',
    { answer: { auditDetail: '192.168.1.5:8086' } },
    { ...own, type: 'exporter.added', detail: '192.168.1.5:8086' },
  ],
  [
    'PATCH /api/v1/exporter/:id',
    { answer: { auditDetail: '192.168.1.5' } },
    { ...own, type: 'exporter.changed', detail: '192.168.1.5' },
  ],
  [
    'DELETE /api/v1/exporter/:id',
    { answer: { auditDetail: 'mqtt' } },
    { ...own, type: 'exporter.removed', detail: 'mqtt' },
  ],
  [
    'POST /api/v1/exporter/:id/replay',
    { answer: { auditDetail: '192.168.1.5' } },
    { ...own, type: 'exporter.replayed', detail: '192.168.1.5' },
  ],
  [
    'PATCH /api/v1/integration/:id',
    { params: { id: 'zigbee2mqtt' }, body: { password: 'secret', address: 'mqtt://192.168.1.66' } },
    { ...own, type: 'integration.changed', detail: 'zigbee2mqtt address,password' },
  ],
  [
    'PATCH /api/v1/integration/:id',
    { params: { id: 'hue' }, body: { name: 'Bridge', settings: { key: 'secret' } } },
    { ...own, type: 'integration.changed', detail: 'hue key,name' },
  ],
  [
    'POST /api/v1/integration',
    { answer: { auditDetail: 'hue' } },
    { ...own, type: 'integration.added', detail: 'hue' },
  ],
  [
    'DELETE /api/v1/integration/:id',
    { params: { id: 'hue' }, query: { devices: 'remove' } },
    { ...own, type: 'integration.removed', detail: 'hue remove' },
  ],
  [
    'POST /api/v1/integration_found/:id/ignore',
    { answer: { auditDetail: 'hue' } },
    { ...own, type: 'integration.ignored', detail: 'hue' },
  ],
  [
    'POST /api/v1/integration_found/:id/restore',
    { answer: { auditDetail: 'hue' } },
    { ...own, type: 'integration.restored', detail: 'hue' },
  ],
  [
    'POST /api/v1/integration/:id/pairing',
    { params: { id: 'zigbee2mqtt' } },
    { ...own, type: 'pairing.opened', detail: 'zigbee2mqtt' },
  ],
  [
    'DELETE /api/v1/integration/:id/fabric/:fabric',
    { params: { id: 'matter_bridge', fabric: '2' } },
    { ...own, type: 'integration.changed', detail: 'matter_bridge fabric 2' },
  ],
  [
    'PUT /api/v1/provider/:name',
    { params: { name: 'weather' }, body: { lease_s: 60 }, answer: { auditDetail: 'weather lease_s' } },
    { ...own, type: 'integration.changed', detail: 'weather lease_s' },
  ],
  [
    'PUT /api/v1/provider/:name/device/:external_id',
    { params: { name: 'weather' }, answer: { auditDetail: 'weather' } },
    { ...own, type: 'integration.added', detail: 'weather' },
  ],
  [
    'DELETE /api/v1/provider/:name',
    { params: { name: 'weather' } },
    { ...own, type: 'integration.removed', detail: 'weather' },
  ],
];

test.each(NOTED)('A10: a successful %s is in the audit log with its caller', async (line, given, expected) => {
  expect(await note(line, given)).toEqual([expected]);
  expect(await note(line, { ...given, fails: true })).toEqual([]);
});

test('A10: a call by an API token is in the audit log with the token', async () => {
  const { user } = callerOf('owner');
  const grant = {
    id: 'token-1' as ApiTokenId,
    scopes: new Set(['device:manage'] as const),
    limits: undefined,
    provider: null,
  };
  const caller: TokenCaller = { kind: 'api_token', grant, user, current: () => caller };
  const given: { caller: Caller; answer: Partial<RouteAnswer> } = { caller, answer: { auditDetail: 'kitchen-lamp' } };
  expect(await note('DELETE /api/v1/device/:selector', given)).toEqual([
    { type: 'device.removed', peer: PEER, userId: 'user-owner', apiTokenId: 'token-1', detail: 'kitchen-lamp' },
  ]);
});

test.each([
  ['GET /api/v1/user', {}],
  ['GET /api/v1/backup/:id/content', { isHead: true }],
  ['PATCH /api/v1/hub', { body: {} }],
  ['PATCH /api/v1/integration/:id', { params: { id: 'zigbee2mqtt' }, body: {} }],
] as const)('A10: %s with %j is not noted, for it changed and gave out nothing', async (line, given) => {
  expect(await note(line, given)).toEqual([]);
});

test('A10: every call that changes something declares its audit entry, or why it has none', () => {
  const silent = routes.filter(({ method, audit }) => method !== 'GET' && audit === undefined);
  expect(silent.map(nameOf)).toEqual([]);
  const audited = routes.flatMap((route) =>
    route.audit === undefined || (typeof route.audit === 'object' && 'unaudited' in route.audit) ? [] : [nameOf(route)],
  );
  expect(audited.toSorted()).toEqual([...new Set(NOTED.map(([line]) => line))].toSorted());
  const reasons = routes.flatMap(({ audit }) =>
    typeof audit === 'object' && 'unaudited' in audit ? [audit.unaudited] : [],
  );
  for (const reason of reasons) expect(reason).toMatch(/^[a-z].{20,}/);
});
