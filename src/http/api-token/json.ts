import * as z from 'zod/mini';
import type { ApiToken } from '#auth/token/api-token.ts';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { NewApiToken } from '#auth/token/api-tokens.ts';
import { isNetwork } from '#auth/token/peer-networks.ts';
import { IF_POSSIBLE, PLACE_SCOPES, type Preset, PRESETS, TOKEN_SCOPES, type TokenScope } from '#auth/scope.ts';
import { findDeviceIn, findRoomIn, visibilityFor } from '#auth/visibility.ts';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import type { EventFilterDeps } from '#http/event/filter.ts';
import { insufficientScope } from '#http/rights/access.ts';
import { readIds, unknownIn } from '#http/routing/named-ids.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { PROVIDER_NAME } from '#core/provider/provider.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, limited, named, oneOf, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';
import { faultWords } from '#words/faults.ts';

const MAX_EXPIRES_IN_S = 315_360_000;
const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

const scopeSchema = wordOf('Scope', TOKEN_SCOPES);
const places = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(100));

const networkSchema = limited(
  { pattern: String.raw`^[0-9a-fA-F.:]+(/[0-9]{1,3})?$` },
  z.string().check(z.refine(isNetwork)),
);

export const apiTokenCreateSchema = named(
  'ApiTokenCreate',
  limited(
    oneOf('scopes', 'preset'),
    z.strictObject({
      name: described('What it is for: answers, events and the audit log show this name.', nameSchema),
      scopes: described(
        'Either these or a `preset`.',
        z.optional(z.array(scopeSchema).check(z.minLength(1), z.maxLength(TOKEN_SCOPES.length))),
      ),
      preset: described(
        'In place of `scopes`: several of them, as the description of this call has them.',
        z.optional(z.enum(PRESET_NAMES)),
      ),
      rooms: described('Ids or selectors; `null` for all.', z.optional(z.nullable(places))),
      devices: described('Ids or selectors; `null` for all.', z.optional(z.nullable(places))),
      networks: described(
        'Addresses and subnets from which it may be used, such as `192.168.1.20` or `192.168.1.0/24`; `null` and absent: all that may use the hub.',
        z.optional(z.nullable(z.array(networkSchema).check(z.minLength(1), z.maxLength(16)))),
      ),
      provider: described(
        'Name of the provider for which the script may speak; needed with `device:provide`, and only with it.',
        z.optional(z.nullable(z.string().check(z.regex(PROVIDER_NAME)))),
      ),
      expires_in: described(
        'Seconds until it ends; `null` and absent: it is valid until somebody revokes it.',
        z.optional(z.nullable(z.int().check(z.gte(1), z.lte(MAX_EXPIRES_IN_S)))),
      ),
    }),
  ),
);

export const apiTokenSchema = named(
  'ApiToken',
  described(
    'A key that a person gave to a script. The hub does not keep its text.',
    z.object({
      id: z.uuid(),
      name: z.string(),
      kind: described(
        'What it was made for: a `script`, a screen on the `wall` that asked for it, or an `integration` of the hub.',
        wordOf('ApiTokenKind', ['script', 'wall', 'integration']),
      ),
      user: described('The person whose token it is.', z.object({ id: z.uuid() })),
      scopes: described('What it may do, as far as its person may do it at the moment.', z.array(scopeSchema)),
      rooms: described(
        'Ids of rooms; `null` if it is not limited to rooms. If `rooms` and `devices` are both `null`, it is valid for the whole home.',
        z.nullable(z.array(z.uuid())),
      ),
      devices: described(
        'Ids of devices, in addition to those in the rooms; `null` if it is not limited to devices.',
        z.nullable(z.array(z.uuid())),
      ),
      networks: described(
        'Subnets from which it may be used; `null` for all that may use the hub.',
        z.nullable(z.array(z.string())),
      ),
      provider: described('The provider for which it may speak.', z.nullable(z.string())),
      created_at: timeSchema,
      expires_at: described('`null` if it is valid until somebody revokes it.', z.nullable(timeSchema)),
      last_used_at: z.nullable(timeSchema),
      last_address: described('Socket address of the client that used it last.', z.nullable(z.string())),
    }),
  ),
);
export const createdApiTokenSchema = named(
  'CreatedApiToken',
  z.object({
    ...apiTokenSchema.shape,
    token: described('Only this answer shows it.', z.string()),
  }),
);

export function apiTokenJson(token: ApiToken): z.infer<typeof apiTokenSchema> {
  return {
    id: token.id,
    name: token.name,
    kind: token.kind ?? (token.isMade === true ? 'integration' : 'script'),
    user: { id: token.userId },
    scopes: [...token.scopes],
    rooms: token.roomIds && [...token.roomIds],
    devices: token.deviceIds && [...token.deviceIds],
    networks: token.networks && [...token.networks],
    provider: token.provider,
    created_at: timeJson(token.createdAtMs),
    expires_at: timeJson(token.expiresAtMs),
    last_used_at: timeJson(token.lastUsedAtMs),
    last_address: token.lastAddress,
  };
}

/**
 * The token that a body asks for. Throws VALIDATION_FAILED with every fault, and FORBIDDEN for a right that the caller
 * does not have.
 */
export function readNewApiToken(
  body: z.infer<typeof apiTokenCreateSchema>,
  caller: Caller,
  deps: EventFilterDeps,
): NewApiToken {
  const errors: FieldError[] = [];
  const scopes = readScopes(body, caller, errors);
  // A name outside of the person's rooms is an unknown one.
  const visibility = visibilityFor(caller, 'device:read');
  const findRoom = findRoomIn(visibility, deps.findRoom);
  const findDevice = findDeviceIn(visibility, deps.findDevice);
  const roomIds = body.rooms ? readIds(body.rooms, findRoom, unknownIn('/rooms', 'room', errors)) : null;
  const deviceIds = body.devices ? readIds(body.devices, findDevice, unknownIn('/devices', 'device', errors)) : null;
  if (roomIds !== null || deviceIds !== null) {
    scopes.forEach((scope, index) => {
      const pointer = body.scopes === undefined ? '/preset' : `/scopes/${index}`;
      if (!PLACE_SCOPES.has(scope))
        errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('scope_not_limited', { scope })));
    });
  }
  const { name, networks = null, provider = null, expires_in: expiresInS = null } = body;
  const isForProvider = scopes.includes('device:provide');
  if (isForProvider && provider === null)
    errors.push(fieldError('/provider', 'REQUIRED', ...faultWords('needed_for_provider')));
  if (!isForProvider && provider !== null)
    errors.push(fieldError('/provider', 'INVALID_VALUE', ...faultWords('provider_scope')));
  if (errors.length > 0) throw validationFailed(errors);
  const missing = scopes.find((scope) => !canCaller(caller, scope));
  if (missing !== undefined) throw insufficientScope(missing, ', which you need to give it to a token');
  return { userId: caller.user.id, name, scopes, roomIds, deviceIds, networks, provider, expiresInS };
}

function readScopes(
  { scopes, preset, rooms, devices }: z.infer<typeof apiTokenCreateSchema>,
  caller: Caller,
  errors: FieldError[],
): readonly TokenScope[] {
  if (scopes === undefined && preset === undefined) {
    errors.push(fieldError('/scopes', 'REQUIRED', ...faultWords('needed_without_preset')));
  }
  if (scopes !== undefined && preset !== undefined)
    errors.push(fieldError('/preset', 'INVALID_VALUE', ...faultWords('not_combined', { other: 'scopes' })));
  if (scopes !== undefined || preset === undefined) return [...new Set(scopes)];
  const isLimited = (rooms ?? devices ?? null) !== null;
  const isPossible = (scope: TokenScope): boolean =>
    canCaller(caller, scope) && (!isLimited || PLACE_SCOPES.has(scope));
  return PRESETS[preset].filter((scope) => IF_POSSIBLE[preset]?.has(scope) !== true || isPossible(scope));
}

declareEvents(200, null, {
  // Sent only to the streams of that token, as the last event of each.
  'api_token.revoked': {
    shape: { api_token: described('The token that ended.', z.object({ id: z.string() })) },
    json: ({ tokenId }) => ({ api_token: { id: tokenId } }),
  },
});
