import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import { type Role, ROLES, type User, type UserId } from '#core/person/user.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import { OWN_SCOPES_OF_ROLE, PLACE_SCOPES, type Scope, SCOPES, SCOPES_OF_ROLE } from './scope.ts';
import type { SessionId } from '#auth/session/session.ts';

/**
 * Who makes the request, after its token was checked: a person who logged in, or a script with an API token of that
 * person. `current` looks the same caller up again, with its present rights, and throws HubError INVALID_TOKEN once the
 * session or API token has ended. It records no use and never waits, so it can be called right before a write.
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

/**
 * An automation acts with the rights that the person who signed it has at this moment. `grant`: of the API token that
 * it was signed with, which limits them further; `null` after a person who logged in signed it.
 */
export type AutomationCaller = {
  readonly kind: 'automation';
  readonly user: User;
  readonly grant: TokenGrant | null;
};

/** The rights that an API token names. Its person's role limits them further. */
export type TokenGrant = {
  readonly id: ApiTokenId;
  readonly scopes: ReadonlySet<Scope>;
  /** `undefined` if the token is valid for the whole home. */
  readonly limits: TokenLimits | undefined;
  /** The only provider for which it may speak; `null` for none. */
  readonly provider: string | null;
};
type TokenLimits = { readonly rooms: ReadonlySet<RoomId>; readonly devices: ReadonlySet<DeviceId> };

/** A call needs `any` live token, a `session` of a person who logged in, or a right. */
export type Need = 'any' | 'session' | Scope;

/**
 * Where a right must hold: in the whole home, somewhere in it, for one device in its present room, for one room, for
 * the provider of this name, or for what these people made.
 */
export type Place =
  | 'home'
  | 'somewhere'
  | { readonly provider: string }
  | { readonly madeBy: readonly UserId[] }
  | { readonly device: { readonly id: DeviceId; readonly roomId: RoomId | null } }
  | { readonly room: RoomId };

/**
 * The only rule that decides who may do what, and where. A person who is limited to rooms has in them the rights that
 * can hold in a place, and no other right. A script may do what its person may do at that moment, if its token names the
 * right and covers the place.
 */
export function canCaller(caller: Caller | AutomationCaller, need: Need, place: Place = 'somewhere'): boolean {
  if (need === 'any') return true;
  if (need === 'session') return caller.kind === 'session';
  if (!SCOPES_OF_ROLE[caller.user.role].has(need)) return false;
  if (OWN_SCOPES_OF_ROLE[caller.user.role]?.has(need) === true && !isOwn(caller.user.id, place)) return false;
  const { roomIds } = caller.user;
  if (roomIds !== null && !(PLACE_SCOPES.has(need) && isWithin({ rooms: roomIds, devices: NONE }, place))) return false;
  if (caller.kind === 'session' || caller.grant === null) return true;
  const { scopes, limits, provider } = caller.grant;
  if (typeof place === 'object' && 'provider' in place && place.provider !== provider) return false;
  return scopes.has(need) && (limits === undefined || (PLACE_SCOPES.has(need) && isWithin(limits, place)));
}

const NONE: ReadonlySet<DeviceId> = new Set();

function isOwn(id: UserId, place: Place): boolean {
  return place === 'somewhere' || (typeof place === 'object' && 'madeBy' in place && place.madeBy.includes(id));
}

function isWithin({ rooms, devices }: TokenLimits, place: Place): boolean {
  if (place === 'home') return false;
  if (place === 'somewhere') return true;
  if ('provider' in place || 'madeBy' in place) return false;
  if ('room' in place) return rooms.has(place.room);
  const { id, roomId } = place.device;
  return devices.has(id) || (roomId !== null && rooms.has(roomId));
}

/** True for an owner or admin, and for every script of one, also if its token has few rights. */
export function isKeeper({ user }: Caller): boolean {
  return SCOPES_OF_ROLE[user.role].has('hub:manage');
}

/** True for a script whose token covers only a part of the home. */
export function isLimited(caller: Caller): boolean {
  return caller.kind === 'api_token' && caller.grant.limits !== undefined;
}

/** Lists the rights of the caller in the home, or in the part of it that is left to it. */
export function rightsOf(caller: Caller): readonly Scope[] {
  return SCOPES.filter((scope) => canCaller(caller, scope));
}

/**
 * The rights of this role that the caller lacks. Without all of them it may neither assign the role nor change an
 * account that has it.
 */
export function missingForRole(caller: Caller, role: Role): readonly Scope[] {
  return [...SCOPES_OF_ROLE[role]].filter((scope) => !canCaller(caller, scope, 'home'));
}

/** Identifies the session or API token as the owner of its event streams, commands and idempotency keys. */
export function callerId(caller: Caller): string {
  return caller.kind === 'session' ? caller.sessionId : caller.grant.id;
}

/** The API token that an automation was signed with; `undefined` where a person who logged in signed it. */
export function tokenIdOf({ grant }: AutomationCaller): ApiTokenId | undefined {
  return grant?.id;
}

/** Equal for all callers that see the same devices. Short, because it is sent with each list. */
export function visibilityKey(caller: Caller): string {
  const { role, roomIds, revision } = caller.user;
  if (canCaller(caller, 'device:read', 'home')) return String(ROLES.indexOf(role));
  // The limits of a token never change, those of its person do.
  return roomIds === null ? callerId(caller) : `${callerId(caller)}-${revision}`;
}

/**
 * Whether two callers with the same token have the same rights. Only their person can differ: a token's rights never
 * change.
 */
export function hasSameRights(left: Caller, right: Caller): boolean {
  return left.user.role === right.user.role && left.user.roomIds === right.user.roomIds;
}
