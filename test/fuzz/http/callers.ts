import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import { claimHub, type HubProcess, logIn, OWNER } from '#test/support/daemon/hub-process.ts';
import type { Operation } from './operation.ts';

/** The rights of each role by the contract, written down again so that a slip in the hub's own table shows. */
const RIGHTS = {
  owner: [
    'device:read',
    'device:control',
    'device:control_sensitive',
    'device:manage',
    'device:provide',
    'event:read',
    'room:manage',
    'user:manage',
    'system:read',
    'history:read',
    'metrics:read',
    'notification:read',
    'notification:manage',
    'mode:set',
    'automation:read',
    'automation:run',
    'presence:tell',
    'automation:manage',
    'energy:tell',
    'scene:run',
    'scene:manage',
    'hub:manage',
    'system:manage',
    'backup:create',
  ],
  admin: [
    'device:read',
    'device:control',
    'device:control_sensitive',
    'device:manage',
    'device:provide',
    'event:read',
    'room:manage',
    'user:manage',
    'system:read',
    'history:read',
    'metrics:read',
    'notification:read',
    'notification:manage',
    'mode:set',
    'automation:read',
    'automation:run',
    'presence:tell',
    'automation:manage',
    'energy:tell',
    'scene:run',
    'scene:manage',
    'hub:manage',
  ],
  resident: [
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
  ],
  guest: ['device:read', 'device:control', 'event:read', 'notification:read', 'presence:tell', 'scene:run'],
} as const;
type Role = keyof typeof RIGHTS;
const ROLES = Object.keys(RIGHTS) as Role[];
const TOKEN_SCOPES = RIGHTS.owner.filter((scope) => scope !== 'hub:manage' && scope !== 'system:manage');

export type Caller = {
  readonly name: string;
  /** A `stranger` has no live token. */
  readonly kind: 'session' | 'api_token' | 'stranger';
  readonly rights: ReadonlySet<string>;
  readonly token: string | undefined;
  /** The only room whose devices it sees. */
  readonly room?: string;
};

/** Whether the contract lets a caller make a call. */
export function mayCall(caller: Caller, { access }: Pick<Operation, 'access'>): boolean {
  if (access === 'public') return true;
  if (access === 'any') return caller.kind !== 'stranger';
  if (access === 'session') return caller.kind === 'session';
  return caller.rights.has(access);
}

/** Sessions that calls may end: each is logged in anew when it is gone. */
export type Doomed = {
  readonly roles: readonly Role[];
  readonly take: (role: string) => Promise<string>;
  readonly drop: (role: string) => void;
};
export type Callers = {
  readonly all: readonly Caller[];
  readonly byName: ReadonlyMap<string, Caller>;
  readonly doomed: Doomed;
};

const account = (role: string, use: string) => ({ email: `${role}-${use}@example.org`, password: 'cup river stamp' });

/** Claims the hub and creates a caller of each kind. */
export async function openCallers(hub: HubProcess): Promise<Callers> {
  const owner = await claimHub(hub);
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, string>> => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, { token: owner.access_token, body });
    expect(status, `${method} ${path}`).toBeLessThan(300);
    return json as Record<string, string>;
  };
  for (const use of ['main', 'doomed']) {
    for (const role of ROLES) await ask('POST', '/user', { ...account(role, use), name: use, role });
  }
  const session = async (role: Role, use: string): Promise<string> =>
    (await logIn(hub, account(role, use))).access_token;
  const apiToken = async (body: object): Promise<string> =>
    (await ask('POST', '/api_token', { name: 'Script', ...body }))['token'] ?? '';
  const people = await Promise.all(
    ROLES.map(async (role): Promise<Caller> => {
      return { name: role, kind: 'session', rights: new Set(RIGHTS[role]), token: await session(role, 'main') };
    }),
  );
  const scripts: Caller[] = [];
  for (const scope of TOKEN_SCOPES) {
    const token = await apiToken({ scopes: [scope], ...(scope === 'device:provide' ? { provider: 'weather' } : {}) });
    scripts.push({ name: scope, kind: 'api_token', rights: new Set([scope]), token });
  }
  const inKitchen = ['device:read', 'device:control', 'event:read'];
  scripts.push({
    name: 'kitchen',
    kind: 'api_token',
    rights: new Set(inKitchen),
    token: await apiToken({ scopes: inKitchen, rooms: ['kitchen'] }),
    room: 'kitchen',
  });
  const strangers = await makeStrangers(hub, { owner: owner.access_token, refresh: owner.refresh_token, apiToken });
  const all = [...people, ...scripts, ...strangers];
  return { all, byName: new Map(all.map((caller) => [caller.name, caller])), doomed: createDoomed(hub) };
}

async function makeStrangers(
  hub: HubProcess,
  tokens: { readonly owner: string; readonly refresh: string; readonly apiToken: (body: object) => Promise<string> },
): Promise<Caller[]> {
  const expired = await tokens.apiToken({ scopes: ['device:read', 'device:manage'], expires_in: 1 });
  const revoked = (await logIn(hub, OWNER)).access_token;
  expect((await hub.ask('POST', '/api/v1/logout', { token: revoked })).status).toBe(204);
  const isRefused = async (token: string): Promise<void> =>
    expect((await hub.ask('GET', '/api/v1/device', { token })).status).toBe(401);
  await vi.waitFor(() => isRefused(expired), { interval: 100 });
  const bearers: Record<string, string | undefined> = {
    nobody: undefined,
    expired,
    revoked,
    refresh: tokens.refresh,
    foreign: resigned(tokens.owner, { alg: 'HS256', typ: 'at+jwt' }),
    unsigned: resigned(tokens.owner, { alg: 'none', typ: 'at+jwt' }),
    empty: '',
  };
  return Object.entries(bearers).map(([name, token]) => ({ name, kind: 'stranger', rights: new Set<string>(), token }));
}

/** The same claims under another head, signed by another hub. */
function resigned(token: string, head: object): string {
  const signed = `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${token.split('.')[1]}`;
  return `${signed}.${createHmac('sha256', Buffer.alloc(32)).update(signed).digest('base64url')}`;
}

function createDoomed(hub: HubProcess): Doomed {
  const sessions = new Map<string, Promise<string>>();
  const logInDoomed = async (role: string): Promise<string> => {
    const localAddress = '127.0.0.90';
    const { status, json } = await hub.ask('POST', '/api/v1/login', { body: account(role, 'doomed'), localAddress });
    expect(status).toBe(200);
    return (json as { access_token: string }).access_token;
  };
  return {
    roles: ROLES,
    take: (role) => {
      const found = sessions.get(role) ?? logInDoomed(role);
      sessions.set(role, found);
      return found;
    },
    drop: (role) => void sessions.delete(role),
  };
}
