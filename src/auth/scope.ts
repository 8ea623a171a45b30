import type { Role } from '#core/person/user.ts';

export const TOKEN_SCOPES = [
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
  'automation:manage',
  'presence:tell',
  'energy:tell',
  'scene:run',
  'scene:manage',
  'backup:create',
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * A right. `hub:manage` covers the hub's name, integrations and webhooks; `system:manage` what only owners may do, such
 * as backups.
 */
export type Scope = TokenScope | 'hub:manage' | 'system:manage';
export const SCOPES: readonly Scope[] = [...TOKEN_SCOPES, 'hub:manage', 'system:manage'];

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
export const SCOPES_OF_ROLE: Record<Role, ReadonlySet<Scope>> = {
  owner: new Set<Scope>([...ADMIN, 'system:manage', 'backup:create']),
  admin: new Set(ADMIN),
  resident: new Set(RESIDENT),
  guest: new Set<Scope>([
    'device:read',
    'device:control',
    'event:read',
    'notification:read',
    'presence:tell',
    'scene:run',
  ]),
};

/** Rights that a role has only over what its people made themselves. */
export const OWN_SCOPES_OF_ROLE: Partial<Record<Role, ReadonlySet<Scope>>> = {
  resident: new Set<Scope>(['automation:manage']),
};

/**
 * Rights that a token or a person limited to a part of the home can have there: those that concern existing devices and
 * rooms. No other right is left to such a caller. A right belongs here if each of its calls that is not about the `home`
 * asks `visibility.ts`, or `canCaller` with the place, about everything that it names or shows.
 */
export const PLACE_SCOPES: ReadonlySet<Scope> = new Set<Scope>([
  'device:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'event:read',
  'history:read',
  'metrics:read',
  'notification:read',
  'presence:tell',
  'scene:run',
  'scene:manage',
]);

/** These open doors, make a script a device, or copy the whole home with its secrets. */
const NEVER_IN_PRESET: ReadonlySet<TokenScope> = new Set([
  'device:control_sensitive',
  'device:provide',
  'backup:create',
]);

/** Named sets of scopes. None includes `device:control_sensitive`, which opens doors: it must be named explicitly. */
export const PRESETS = {
  read_only: ['device:read', 'event:read', 'history:read', 'notification:read', 'automation:read'],
  control: ['device:read', 'event:read', 'device:control', 'scene:run'],
  manage: [
    'device:read',
    'event:read',
    'device:control',
    'device:manage',
    'room:manage',
    'system:read',
    'scene:run',
    'scene:manage',
  ],
  everything_but_doors: TOKEN_SCOPES.filter((scope) => !NEVER_IN_PRESET.has(scope)),
} satisfies Record<string, readonly TokenScope[]>;
export type Preset = keyof typeof PRESETS;

const SEEN_ON_WALL = PRESETS.read_only;
const USED_ON_WALL = [...SEEN_ON_WALL, 'device:control', 'scene:run', 'mode:set'] as const;
/** The scopes of a screen on the wall, by what a person lets it do. Only `doors` opens any. */
export const WALL_RIGHTS = {
  see: SEEN_ON_WALL,
  control: USED_ON_WALL,
  doors: [...USED_ON_WALL, 'device:control_sensitive'],
} satisfies Record<string, readonly TokenScope[]>;
export type WallRights = keyof typeof WALL_RIGHTS;

/** These scopes of a preset are left out where its person lacks them, or the token is limited to a part of the home. */
export const IF_POSSIBLE: Readonly<Partial<Record<Preset, ReadonlySet<TokenScope>>>> = {
  read_only: new Set(['history:read', 'notification:read', 'automation:read']),
  everything_but_doors: new Set(PRESETS.everything_but_doors),
};
/** The same for a screen on the wall: it does without these. */
export const WALL_IF_POSSIBLE: ReadonlySet<TokenScope> = new Set([
  'history:read',
  'notification:read',
  'automation:read',
  'mode:set',
]);
