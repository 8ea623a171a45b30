import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import { type Role, ROLES, type User } from '#core/person/user.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import { PLACE_SCOPES, type Scope, SCOPES_OF_ROLE } from './scope.ts';
import type { SessionId } from '#auth/session/session.ts';

/**
 * Who is asking, once the token and what stands behind it were checked: a person who logged in, or a script of one.
 * `current` looks the same caller up anew, with the rights of that moment, and throws HubError INVALID_TOKEN once the
 * session or API token has ended. It notes no use and never waits: it can be asked right before anything is written.
 */
export type Caller = SessionCaller | TokenCaller;
export type SessionCaller = {
  readonly kind: 'session';
  readonly sessionId: SessionId;
  readonly user: User;
  readonly current: () => SessionCaller;
};
export type TokenCaller = {
  readonly kind: 'api_token';
  readonly grant: TokenGrant;
  readonly user: User;
  readonly current: () => TokenCaller;
};

/** What an API token says of its rights, beside those of its person. */
export type TokenGrant = {
  readonly id: ApiTokenId;
  readonly scopes: ReadonlySet<Scope>;
  /** `undefined` where it is good for the whole home. */
  readonly limits: TokenLimits | undefined;
};
type TokenLimits = { readonly rooms: ReadonlySet<RoomId>; readonly devices: ReadonlySet<DeviceId> };

/** What a call needs: `any` live token, a `session` of a person who logged in, or a right. */
export type Need = 'any' | 'session' | Scope;

/** What a right is asked for: the whole home, one device where it is now, one room; else some part of the home. */
export type Place =
  | 'home'
  | 'somewhere'
  | { readonly device: { readonly id: DeviceId; readonly roomId: RoomId | null } }
  | { readonly room: RoomId };

/**
 * The one rule of who may do what, and to what. A script may do what its person may at the moment, as far as its token
 * names the right and reaches to the place.
 */
export function canCaller(caller: Caller, need: Need, place: Place = 'somewhere'): boolean {
  if (need === 'any') return true;
  if (need === 'session') return caller.kind === 'session';
  if (!SCOPES_OF_ROLE[caller.user.role].has(need)) return false;
  if (caller.kind === 'session') return true;
  const { scopes, limits } = caller.grant;
  return scopes.has(need) && (limits === undefined || (PLACE_SCOPES.has(need) && isWithin(limits, place)));
}

function isWithin({ rooms, devices }: TokenLimits, place: Place): boolean {
  if (place === 'home') return false;
  if (place === 'somewhere') return true;
  if ('room' in place) return rooms.has(place.room);
  const { id, roomId } = place.device;
  return devices.has(id) || (roomId !== null && rooms.has(roomId));
}

/** Looks after the hub: an owner or admin, or a script of one, whatever its token says. */
export function isKeeper({ user }: Caller): boolean {
  return SCOPES_OF_ROLE[user.role].has('hub:manage');
}

/** A script whose token reaches a part of the home alone. */
export function isLimited(caller: Caller): boolean {
  return caller.kind === 'api_token' && caller.grant.limits !== undefined;
}

/** The rights of this role that the caller has not; only who has them all may give it or change an account with it. */
export function missingForRole(caller: Caller, role: Role): readonly Scope[] {
  return [...SCOPES_OF_ROLE[role]].filter((scope) => !canCaller(caller, scope, 'home'));
}

/** Names the login or the API token: what is its own (streams, commands, keys of requests) is known by it. */
export function callerId(caller: Caller): string {
  return caller.kind === 'session' ? caller.sessionId : caller.grant.id;
}

/** The same for all who see the same devices. Short, for it goes out with each list. */
export function visibilityKey(caller: Caller): string {
  return canCaller(caller, 'device:read', 'home') ? String(ROLES.indexOf(caller.user.role)) : callerId(caller);
}

/** Whether two callers with the same token have the same rights: what a token says of itself never changes. */
export function hasSameRights(left: Caller, right: Caller): boolean {
  return left.user.role === right.user.role;
}
