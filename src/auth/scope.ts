import type { Role } from '#core/person/user.ts';

/** Rights that an API token can have. */
export const TOKEN_SCOPES = [
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
  'room:manage',
  'user:manage',
  'system:read',
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A right. `hub:manage`: the hub's name, integrations, webhooks; `system:manage`: what is the owner's alone, as backups. */
export type Scope = TokenScope | 'hub:manage' | 'system:manage';

const RESIDENT: readonly Scope[] = ['device:read', 'device:control', 'device:control_sensitive', 'event:read'];
const ADMIN: readonly Scope[] = [
  ...RESIDENT,
  'device:manage',
  'room:manage',
  'user:manage',
  'system:read',
  'hub:manage',
];
export const SCOPES_OF_ROLE: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set<Scope>([...ADMIN, 'system:manage']),
  admin: new Set(ADMIN),
  resident: new Set(RESIDENT),
  guest: new Set<Scope>(['device:read', 'device:control', 'event:read']),
};

/** Rights of which a token can have a part: those about devices and rooms that exist. */
export const PLACE_SCOPES: ReadonlySet<Scope> = new Set<Scope>([
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
]);

/** Sets of scopes with a name. What opens doors is in none: it has to be named. */
export const PRESETS = {
  read_only: ['device:read', 'event:read'],
  control: ['device:read', 'event:read', 'device:control'],
  manage: ['device:read', 'event:read', 'device:control', 'device:manage', 'room:manage', 'system:read'],
} as const satisfies Record<string, readonly TokenScope[]>;
