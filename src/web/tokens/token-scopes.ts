import { PLACE_RIGHTS, rightsOf } from '#web/state/account/rights.ts';

/** Rights that an API token can have, in the order in which they are offered. */
const TOKEN_SCOPES = [
  'device:read',
  'event:read',
  'device:control',
  'device:control_sensitive',
  'device:manage',
  'room:manage',
  'user:manage',
  'system:read',
  'device:provide',
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
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The scopes that a person of this role can give. The hub checks again at each use. */
export function scopesOfRole(role: string): readonly TokenScope[] {
  const own = rightsOf(role);
  return TOKEN_SCOPES.filter((scope) => own.includes(scope));
}

/** Whether it can be limited to some rooms and devices. */
export function canBeLimited(scope: TokenScope): boolean {
  return PLACE_RIGHTS.has(scope);
}
