import type { Role, User } from '#core/user.ts';
import type { SessionId } from './session.ts';

const SCOPES = [
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
  'room:manage',
  'user:manage',
  'system:read',
  'hub:manage',
  'system:manage',
] as const;
/** A right. `hub:manage`: the hub's name and integrations; `system:manage`: backups and what else is the owner's alone. */
export type Scope = (typeof SCOPES)[number];

/** Who is asking, once the access token and the live session behind it were checked. */
export type Caller = {
  readonly kind: 'session';
  readonly sessionId: SessionId;
  readonly user: User;
};

const RESIDENT: readonly Scope[] = ['device:read', 'device:control', 'device:control_sensitive', 'event:read'];
const ADMIN: readonly Scope[] = [
  ...RESIDENT,
  'device:manage',
  'room:manage',
  'user:manage',
  'system:read',
  'hub:manage',
];
const SCOPES_OF_ROLE: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set(SCOPES),
  admin: new Set(ADMIN),
  resident: new Set(RESIDENT),
  guest: new Set<Scope>(['device:read', 'device:control', 'event:read']),
};

/** The rights of this role that the caller has not; only who has them all may give it or change an account with it. */
export function missingForRole(caller: Caller, role: Role): readonly Scope[] {
  return [...SCOPES_OF_ROLE[role]].filter((scope) => !canCaller(caller, scope));
}

/** The one rule of who may do what. */
export function canCaller(caller: Caller, scope: Scope): boolean {
  return SCOPES_OF_ROLE[caller.user.role].has(scope);
}
