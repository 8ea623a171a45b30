import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope, TokenScope } from '#auth/scope.ts';
import { TOKEN_SCOPES } from '#auth/scope.ts';
import { ROLES, type Role } from '#core/person/user.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from '#http/routing/route.ts';
import { PEER } from '#test/support/hub/auth-harness.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

/** What each role may do, as the API documents it. A copy, so that the test notices every change of the real table. */
const RESIDENT: readonly Scope[] = [
  'device:read',
  'device:control',
  'device:control_sensitive',
  'event:read',
  'history:read',
  'notification:read',
  'mode:set',
  'automation:read',
  'automation:run',
  'automation:manage',
  'presence:tell',
  'scene:run',
  'scene:manage',
];
const ADMIN: readonly Scope[] = [
  ...RESIDENT,
  'device:manage',
  'device:provide',
  'room:manage',
  'user:manage',
  'system:read',
  'metrics:read',
  'notification:manage',
  'energy:tell',
  'hub:manage',
];
const RIGHTS: Record<Role, readonly Scope[]> = {
  owner: [...ADMIN, 'system:manage', 'backup:create'],
  admin: ADMIN,
  resident: RESIDENT,
  guest: ['device:read', 'device:control', 'event:read', 'notification:read', 'presence:tell', 'scene:run'],
};

/**
 * What each call needs: `any` live token, a `session` of a person, or a right. Also `home` if it is about the whole
 * home, `places` if it is about devices and rooms to which a token may be limited, and `login` if a person must have
 * logged in, and `provider` if it is about the provider in its path.
 */
const NEEDS: Readonly<Record<string, string>> = {
  'POST /api/v1/logout': 'session',
  'GET /api/v1/session': 'session',
  'DELETE /api/v1/session': 'session',
  'DELETE /api/v1/session/:id': 'session',
  'GET /api/v1/me': 'any',
  'PATCH /api/v1/me': 'session',
  'GET /api/v1/me/home': 'device:read places',
  'PUT /api/v1/me/home': 'session',
  'POST /api/v1/me/password': 'session',
  'POST /api/v1/me/password/check': 'session',
  'GET /api/v1/user': 'user:manage',
  'POST /api/v1/user': 'user:manage login',
  'GET /api/v1/user/:id': 'user:manage',
  'PATCH /api/v1/user/:id': 'user:manage login',
  'DELETE /api/v1/user/:id': 'user:manage login',
  'GET /api/v1/api_token': 'session',
  'POST /api/v1/api_token': 'session',
  'GET /api/v1/api_token/:id': 'session',
  'DELETE /api/v1/api_token/:id': 'session',
  'GET /api/v1/wall_request': 'session',
  'POST /api/v1/wall_request/:digits/allow': 'session',
  'POST /api/v1/wall_request/:digits/refuse': 'session',
  'GET /api/v1/audit': 'system:manage',
  'GET /api/v1/hub': 'any',
  'PATCH /api/v1/hub': 'hub:manage',
  'GET /api/v1/hub/location': 'hub:manage',
  'PUT /api/v1/hub/location': 'hub:manage',
  'DELETE /api/v1/hub/location': 'hub:manage',
  'POST /api/v1/hub/clock': 'hub:manage',
  'GET /api/v1/system/info': 'system:read',
  'GET /api/v1/backup': 'backup:create',
  'POST /api/v1/backup': 'backup:create',
  'POST /api/v1/backup/content': 'backup:create',
  'GET /api/v1/backup/:id': 'system:manage',
  'GET /api/v1/backup/:id/content': 'backup:create',
  'POST /api/v1/backup/:id/restore': 'system:manage',
  'POST /api/v1/backup/restore': 'system:manage',
  'GET /api/v1/device': 'device:read places',
  'GET /api/v1/device/:selector': 'device:read places',
  'GET /api/v1/device/:selector/td': 'device:read places',
  'GET /api/v1/device/:selector/feature/:key': 'device:read places',
  'GET /api/v1/device/:selector/feature/:key/history': 'history:read places',
  'GET /api/v1/device/:selector/feature/:key/why': 'history:read places',
  'GET /api/v1/device/:selector/feature/:key/recording': 'history:read places',
  'PATCH /api/v1/device/:selector/feature/:key/recording': 'device:manage places',
  'DELETE /api/v1/history': 'system:manage login',
  'GET /api/v1/history/settings': 'hub:manage',
  'PATCH /api/v1/history/settings': 'hub:manage',
  'GET /api/v1/history': 'history:read places',
  'GET /api/v1/history/series': 'history:read places',
  'GET /api/v1/history/export': 'history:read places',
  'GET /api/v1/history/timeline': 'history:read places',
  'POST /api/v1/history/import': 'system:manage',
  'GET /api/v1/energy': 'history:read home',
  'DELETE /api/v1/energy': 'system:manage login',
  'GET /api/v1/energy/settings': 'hub:manage',
  'PUT /api/v1/energy/settings': 'hub:manage',
  'POST /api/v1/energy/price': 'energy:tell home',
  'POST /api/v1/energy/recalculate': 'hub:manage',
  'GET /api/v1/metrics': 'metrics:read places',
  'PUT /api/v1/device/:selector/feature/:key': 'device:control places',
  'PATCH /api/v1/device/:selector/feature/:key': 'device:manage places',
  'PATCH /api/v1/device/:selector': 'device:manage places',
  'DELETE /api/v1/device/:selector': 'device:manage places',
  'POST /api/v1/device/:selector/command': 'device:control places',
  'POST /api/v1/command': 'device:control places',
  'POST /api/v1/command/:id/undo': 'device:control places',
  'GET /api/v1/command/:id': 'device:read places',
  'GET /api/v1/command/:id/why': 'device:read places',
  'GET /api/v1/group': 'device:read places',
  'GET /api/v1/group/:selector': 'device:read places',
  'POST /api/v1/group': 'device:manage places',
  'PATCH /api/v1/group/:selector': 'device:manage places',
  'DELETE /api/v1/group/:selector': 'device:manage places',
  'GET /api/v1/scene': 'device:read places',
  'GET /api/v1/scene/:selector': 'device:read places',
  'POST /api/v1/scene': 'scene:manage places',
  'PATCH /api/v1/scene/:selector': 'scene:manage places',
  'DELETE /api/v1/scene/:selector': 'scene:manage places',
  'POST /api/v1/scene/:selector/capture': 'scene:manage places',
  'POST /api/v1/scene/:selector/activate': 'scene:run places',
  'GET /api/v1/room': 'device:read places',
  'GET /api/v1/room/:selector': 'device:read places',
  'POST /api/v1/room': 'room:manage',
  'PATCH /api/v1/room/:selector': 'room:manage',
  'DELETE /api/v1/room/:selector': 'room:manage',
  'GET /api/v1/mode': 'device:read home',
  'GET /api/v1/mode/:key': 'device:read home',
  'PUT /api/v1/mode/:key': 'mode:set home',
  'POST /api/v1/mode': 'automation:manage home',
  'PATCH /api/v1/mode/:key': 'automation:manage home',
  'DELETE /api/v1/mode/:key': 'automation:manage home',
  'GET /api/v1/presence': 'device:read home',
  'GET /api/v1/presence/:id': 'automation:read home',
  'POST /api/v1/presence/me': 'presence:tell places',
  'PATCH /api/v1/presence/:id': 'user:manage login',
  'GET /api/v1/variable': 'automation:read',
  'GET /api/v1/variable/:key': 'automation:read',
  'PUT /api/v1/variable/:key': 'mode:set home',
  'POST /api/v1/variable': 'automation:manage home',
  'PATCH /api/v1/variable/:key': 'automation:manage home',
  'DELETE /api/v1/variable/:key': 'automation:manage home',
  'GET /api/v1/automation/:selector/run': 'automation:read home',
  'GET /api/v1/automation/:selector/near_miss': 'automation:read home',
  'GET /api/v1/automation/:selector/why': 'automation:read home',
  'GET /api/v1/automation_run': 'automation:read home',
  'GET /api/v1/automation_run/:id': 'automation:read home',
  'GET /api/v1/calendar': 'automation:read',
  'GET /api/v1/calendar_day': 'automation:read',
  'GET /api/v1/calendar/:key': 'automation:read',
  'PUT /api/v1/calendar/:key': 'automation:manage home',
  'DELETE /api/v1/calendar/:key': 'automation:manage home',
  'GET /api/v1/automation': 'automation:read',
  'POST /api/v1/automation': 'automation:manage',
  'GET /api/v1/automation/:selector': 'automation:read',
  'PUT /api/v1/automation/:selector': 'automation:manage',
  'PATCH /api/v1/automation/:selector': 'automation:manage',
  'DELETE /api/v1/automation/:selector': 'automation:manage',
  'POST /api/v1/automation/:selector/enable': 'automation:run',
  'POST /api/v1/automation/:selector/disable': 'automation:run',
  'POST /api/v1/automation/:selector/run': 'automation:run',
  'POST /api/v1/automation/:selector/hook/:trigger': 'automation:run',
  'PUT /api/v1/automation/:selector/hook/:trigger/secret': 'automation:manage',
  'DELETE /api/v1/automation/:selector/hook/:trigger/secret': 'automation:manage',
  'POST /api/v1/automation/resume_all': 'hub:manage',
  'POST /api/v1/automation/:selector/stop': 'automation:run',
  'POST /api/v1/automation/:selector/reset': 'automation:run',
  'POST /api/v1/automation/:selector/sign': 'automation:manage',
  'POST /api/v1/automation/:selector/restore': 'automation:manage',
  'POST /api/v1/automation/:selector/revert': 'automation:manage',
  'GET /api/v1/automation/:selector/version': 'automation:read',
  'GET /api/v1/automation/:selector/version/:version': 'automation:read',
  'GET /api/v1/automation/:selector/version/:version/diff': 'automation:read',
  'GET /api/v1/automation/:selector/next': 'automation:read',
  'GET /api/v1/automation_schema': 'automation:read',
  'POST /api/v1/automation/replace_device': 'automation:manage',
  'POST /api/v1/automation_validation': 'automation:read',
  'GET /api/v1/automation_export': 'automation:manage',
  'POST /api/v1/automation_import': 'automation:manage',
  'POST /api/v1/automation_simulation': 'automation:read',
  'GET /api/v1/automation_simulation/:id': 'automation:read',
  'DELETE /api/v1/automation_simulation/:id': 'automation:read',
  'DELETE /api/v1/automation/:selector/template': 'automation:manage',
  'GET /api/v1/automation_template': 'automation:read',
  'GET /api/v1/automation_template/:id': 'automation:read',
  'POST /api/v1/automation_template/:id/instantiate': 'automation:manage',
  'POST /api/v1/automation_template': 'automation:manage home',
  'DELETE /api/v1/automation_template/:id': 'automation:manage home',
  'GET /api/v1/event': 'event:read places',
  'GET /api/v1/notification': 'notification:read places',
  'POST /api/v1/notification': 'notification:manage',
  'GET /api/v1/notification/:id': 'notification:read places',
  'GET /api/v1/notification/settings': 'notification:read home',
  'PATCH /api/v1/notification/settings': 'notification:manage login',
  'GET /api/v1/notification_channel': 'notification:manage',
  'POST /api/v1/notification_channel': 'notification:manage login',
  'GET /api/v1/notification_channel/:id': 'notification:manage',
  'PATCH /api/v1/notification_channel/:id': 'notification:manage login',
  'DELETE /api/v1/notification_channel/:id': 'notification:manage login',
  'POST /api/v1/notification_channel/:id/test': 'notification:manage login',
  'POST /api/v1/notification/:id/acknowledge': 'notification:read places',
  'GET /api/v1/webhook': 'hub:manage',
  'POST /api/v1/webhook': 'hub:manage',
  'GET /api/v1/webhook/:id': 'hub:manage',
  'PATCH /api/v1/webhook/:id': 'hub:manage',
  'DELETE /api/v1/webhook/:id': 'hub:manage',
  'GET /api/v1/webhook/:id/delivery': 'hub:manage',
  'POST /api/v1/webhook/:id/test': 'hub:manage',
  'GET /api/v1/exporter': 'hub:manage',
  'POST /api/v1/exporter': 'hub:manage',
  'GET /api/v1/exporter/:id': 'hub:manage',
  'PATCH /api/v1/exporter/:id': 'hub:manage',
  'DELETE /api/v1/exporter/:id': 'hub:manage',
  'POST /api/v1/exporter/:id/test': 'hub:manage',
  'POST /api/v1/exporter/:id/replay': 'hub:manage',
  'GET /api/v1/integration': 'device:read home',
  'GET /api/v1/integration/:id': 'device:read home',
  'POST /api/v1/integration': 'hub:manage',
  'PATCH /api/v1/integration/:id': 'hub:manage',
  'DELETE /api/v1/integration/:id': 'hub:manage',
  'GET /api/v1/integration_kind': 'hub:manage',
  'GET /api/v1/integration_found': 'hub:manage',
  'POST /api/v1/integration_found/:id/ignore': 'hub:manage',
  'POST /api/v1/integration_found/:id/restore': 'hub:manage',
  'POST /api/v1/integration_setup': 'hub:manage',
  'GET /api/v1/integration_setup/:id': 'hub:manage',
  'POST /api/v1/integration_setup/:id': 'hub:manage',
  'DELETE /api/v1/integration_setup/:id': 'hub:manage',
  'GET /api/v1/integration/:id/pairing': 'device:manage home',
  'POST /api/v1/integration/:id/pairing': 'device:manage home',
  'DELETE /api/v1/integration/:id/pairing': 'device:manage home',
  'DELETE /api/v1/integration/:id/fabric/:fabric': 'hub:manage',
  'GET /api/v1/provider/:name': 'device:provide provider',
  'PUT /api/v1/provider/:name': 'device:provide provider',
  'DELETE /api/v1/provider/:name': 'device:provide provider',
  'PUT /api/v1/provider/:name/device/:external_id': 'device:provide provider',
  'DELETE /api/v1/provider/:name/device/:external_id': 'device:provide provider',
  'POST /api/v1/provider/:name/state': 'device:provide provider',
  'GET /api/v1/provider/:name/command': 'device:provide provider',
  'POST /api/v1/provider/:name/command/:id': 'device:provide provider',
  'GET /api/v1/find': 'device:read places',
  'GET /api/v1/vocabulary': 'device:read places',
};

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const needOf = (route: Route): string => NEEDS[nameOf(route)]?.split(' ')[0] ?? 'missing in the table';
const reachOf = (route: Route): string | undefined => NEEDS[nameOf(route)]?.split(' ')[1];

/** A resident has this right only over what residents made themselves. */
const isOthers = (role: Role, route: Route): boolean =>
  role === 'resident' && needOf(route) === 'automation:manage' && reachOf(route) === 'home';

type Credential = {
  readonly name: string;
  readonly token: string;
  readonly may: (route: Route) => boolean;
};

let hub: HubApp;
let credentials: readonly Credential[];
let request: ReturnType<typeof createTestApp>['request'];
let passed: string[];

beforeAll(async () => {
  hub = await openHubApp();
  credentials = [...(await sessionsOfRoles()), ...(await tokensOfScopes())];
  passed = [];
  // Real routes, dispatch and tokens, but empty handlers, so that the calls change nothing.
  const routes = hub.routes.map(({ id, method, path, summary, tag, access, ...rest }): Route => {
    const handle = (): RouteAnswer => {
      passed.push(`${method} ${path}`);
      return { status: 204 };
    };
    const place = rest.place === undefined ? {} : { place: rest.place };
    const login = rest.sessionOnly === undefined ? {} : { sessionOnly: rest.sessionOnly };
    return { id, method, path, summary, tag, access, ...place, ...login, answers: { 204: null }, handle };
  });
  ({ request } = createTestApp([...routes, { ...routeOf(routes), path: '/made-up' }], {
    authenticate: hub.auth.authenticate,
  }));
});

/** A route that the OpenAPI document does not have, so that the answers are not checked against it. */
function routeOf(routes: readonly Route[]): Route {
  const [route] = routes;
  if (route === undefined) throw new Error('there is no route');
  return route;
}

async function sessionsOfRoles(): Promise<Credential[]> {
  const password = 'pebble window 9';
  const made: Credential[] = [];
  for (const role of ROLES) {
    const email = `${role}@home.test`;
    await hub.auth.accounts.addUser({ email, name: role, role, password }, { peer: PEER, pointer: '' });
    const { accessToken } = await hub.auth.logIn({ email, password });
    const may = (route: Route): boolean =>
      ['any', 'session'].includes(needOf(route)) ||
      ((RIGHTS[role] as readonly string[]).includes(needOf(route)) && !isOthers(role, route));
    made.push({ name: `a login of ${role}`, token: accessToken, may });
  }
  return made;
}

async function tokensOfScopes(): Promise<Credential[]> {
  const made: Credential[] = [];
  const [kitchen] = hub.home.rooms.rooms();
  const make = async (role: Role, scopes: readonly TokenScope[], limit?: 'kitchen' | 'of y'): Promise<void> => {
    const user = hub.auth.accounts.findUserByEmail(`${role}@home.test`);
    if (user === undefined || kitchen === undefined) throw new Error('the home is not furnished');
    const isLimited = limit === 'kitchen';
    const roomIds = isLimited ? [kitchen.id] : null;
    const provider = limit === 'of y' ? 'y' : scopes.includes('device:provide') ? 'x' : null;
    const rest = { userId: user.id, name: 'x', deviceIds: null, networks: null, expiresInS: null };
    const { text } = await hub.auth.apiTokens.addToken({ ...rest, scopes, roomIds, provider });
    const name = `a token of ${role} with ${scopes.join(' ')}${limit === undefined ? '' : ` ${limit}`}`;
    const may = (route: Route): boolean => {
      const need = needOf(route);
      if (need === 'any') return true;
      const isHis = (RIGHTS[role] as readonly string[]).includes(need) && (scopes as readonly string[]).includes(need);
      if (isOthers(role, route) || (reachOf(route) === 'provider' && limit === 'of y')) return false;
      return isHis && reachOf(route) !== 'login' && (!isLimited || reachOf(route) === 'places');
    };
    made.push({ name, token: text, may });
  };
  for (const scope of TOKEN_SCOPES) {
    await make('owner', [scope]);
    await make('owner', [scope], 'kitchen');
  }
  for (const role of ROLES) await make(role, TOKEN_SCOPES);
  await make('owner', TOKEN_SCOPES, 'kitchen');
  await make('owner', TOKEN_SCOPES, 'of y');
  return made;
}

describe('A1: every call', () => {
  test('that is not public is in the table of this test, with the right that it declares', () => {
    const guarded = hub.routes.filter(({ access }) => access !== 'public');
    expect(guarded.map(nameOf).toSorted()).toEqual(Object.keys(NEEDS).toSorted());
    const declared = guarded.map((route) => [nameOf(route), route.access, route.place, route.sessionOnly === true]);
    const expected = guarded.map((route) => [
      nameOf(route),
      needOf(route),
      reachOf(route) === 'home' || reachOf(route) === 'provider' ? reachOf(route) : undefined,
      reachOf(route) === 'login',
    ]);
    expect(declared).toEqual(expected);
  });

  test('succeeds for exactly the callers that the table allows', async () => {
    const wrong: string[] = [];
    let requests = 0;
    for (const route of hub.routes.filter(({ access }) => access !== 'public')) {
      for (const { name, token, may } of credentials) {
        const isOfOthers = name.includes('resident') && isOthers('resident', route);
        const headers = { Authorization: `Bearer ${token}` };
        const answer = await request(route.path.replaceAll(/:\w+/g, 'x'), { method: route.method, headers });
        requests += 1;
        const isRight = may(route) ? answer.status === 204 : answer.status === 403;
        if (!isRight) wrong.push(`${nameOf(route)} by ${name}: ${answer.status}`);
        const challenge = answer.headers.get('www-authenticate') ?? '';
        if (answer.status === 403 && !challenge.includes('insufficient_scope')) wrong.push(`${nameOf(route)}: silent`);
        const isForLogins = reachOf(route) === 'login' && name.startsWith('a token');
        const isElsewhere = name.includes('kitchen') || (reachOf(route) === 'provider' && name.endsWith('of y'));
        const isMissing = !['any', 'session'].includes(needOf(route)) && !isElsewhere && !isForLogins && !isOfOthers;
        if (answer.status === 403 && isMissing && !challenge.includes(`scope="${needOf(route)}"`)) {
          wrong.push(`${nameOf(route)} by ${name}: does not name ${needOf(route)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(1_000);
    expect(new Set(passed).size).toBe(Object.keys(NEEDS).length);
  });
});

test('only the one rule reads roles, scopes and limits', () => {
  const src = join(import.meta.dirname, '../../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const using = (pattern: RegExp): string[] =>
    files.filter((path) => pattern.test(readFileSync(join(src, path), 'utf8'))).toSorted();
  expect(using(/\bSCOPES_OF_ROLE\b/)).toEqual(['auth/caller.ts', 'auth/scope.ts']);
  expect(using(/\bgrant\.(scopes|limits)\b|\bcaller\.grant\b/)).toEqual(['auth/caller.ts']);
  expect(using(/\b(caller|user)\??\.role\b/)).toEqual([
    'auth/account/accounts.ts',
    'auth/account/user-table.ts',
    'auth/caller.ts',
  ]);
});
