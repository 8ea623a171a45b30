import { timingSafeEqual } from 'node:crypto';
import type { Accounts } from '#auth/account/accounts.ts';
import type { Audit } from '#auth/audit/audit.ts';
import { callerId, canCaller, type TokenCaller } from '#auth/caller.ts';
import { type ApiToken, type ApiTokenId, hashApiToken } from '#auth/token/api-token.ts';
import type { ApiTokens } from '#auth/token/api-tokens.ts';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { type CommandRequest } from '#core/command/command-request.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { isGroup } from '#core/device/group.ts';
import { spreadRequests } from '#core/group/group-requests.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { HomeRules } from '#core/integration/settings-check.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { noteSensitiveBy } from '#http/command/audit.ts';
import { mayRequest, noDevice } from '#http/command/give.ts';
import { auditedCaller } from '#http/routing/audited-routes.ts';
import { insufficientScope, issuerOf } from '#http/rights/access.ts';
import type { UserId } from '#core/person/user.ts';
import type { People } from '#hub/hub-people.ts';
import type { InstanceTokens } from '#integrations/instances/instance-parts.ts';
import type { HomePort } from '#integrations/ports.ts';

type HomePortDeps = {
  readonly version: string;
  readonly identity: Pick<HubIdentity, 'identity' | 'timeZone' | 'language'>;
  readonly hubClock: Pick<OpenHubClock, 'nowMs' | 'source'>;
  readonly accounts: Pick<Accounts, 'findUser' | 'isOver'>;
  readonly apiTokens: Pick<ApiTokens, 'tokens' | 'findGrant'>;
  readonly audit: Audit;
  readonly commands: Pick<CommandService, 'accept'>;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice' | 'findReported'>;
  readonly rooms: Pick<RoomRegistry, 'findRoom'>;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly log: Log;
};

type InstanceFacts = Pick<HomePort, 'kindOf' | 'uniqueIdOf' | 'integrationOf'>;

/** The home, as an integration offers it to others. They act with the rights of an API token. */
export function createHomePort(deps: HomePortDeps & InstanceFacts): HomePort {
  const { devices, rooms, commands, audit, log } = deps;
  return {
    hubId: deps.identity.identity().id,
    version: deps.version,
    devices: devices.devices,
    findDevice: (id) => {
      const device = devices.findDevice(id);
      return device && asReported(device, devices);
    },
    findRoom: rooms.findRoom,
    kindOf: deps.kindOf,
    uniqueIdOf: deps.uniqueIdOf,
    integrationOf: deps.integrationOf,
    local: () => {
      const source = deps.hubClock.source();
      return {
        nowMs: source === 'none' ? null : deps.hubClock.nowMs(),
        isSynced: source === 'synced',
        zone: deps.identity.timeZone(),
        language: deps.identity.language(),
      };
    },
    follow: (listener) => deps.events.subscribe((event) => listener(event)),
    command: (apiToken, { id }, { transitionMs = null, by: asker, ...request }) => {
      const caller = callerOf(apiToken, deps);
      const device = devices.findDevice(id);
      if (device === undefined) throw noDevice();
      const requests = spreadRequests(new Map([[device, request]]), devices.findDevice, (_group, members) => {
        const allowed = members.filter(([member, one]) => findFault(caller, member, one) === undefined);
        return allowed.length === 0 ? members : allowed;
      });
      for (const [one, asked] of requests) refuse(caller, one, asked);
      const byId = new Map([...requests].map(([one, asked]) => [one.id, asked]));
      const command = commands.accept(
        requests,
        {
          isForOne: !isGroup(device),
          transitionMs,
          expiresInS: null,
          issuer:
            asker === undefined ? issuerOf(caller) : { ...asker, userId: caller.user.id, token: callerId(caller) },
          cause: DIRECT,
          authorize: (one) => refuse(caller.current(), one, byId.get(one.id) ?? {}),
        },
        null,
      );
      const by = { peer: null, userId: caller.user.id, ...auditedCaller(caller) };
      const through = asker === undefined ? '' : ` by ${asker.type} ${asker.id}`;
      noteSensitiveBy({ audit, registry: devices }, by, { ...command, through }).catch((cause: unknown) => {
        log.error('a command from elsewhere cannot be audited', { command: command.id, cause });
      });
    },
  };
}

/**
 * The device with the values that it has reported itself. The page shows beside an assumed value that it is one; others
 * would take it for what the device has done, such as a lock for locked.
 */
function asReported(device: Device, { findReported }: Pick<DeviceRegistry, 'findReported'>): Device {
  const assumed = [...device.states].flatMap(([key, { quality }]) => (quality === 'assumed' ? [key] : []));
  if (assumed.length === 0) return device;
  const states = new Map(device.states);
  for (const key of assumed) {
    const reported = findReported(device.id, key);
    if (reported === undefined) states.delete(key);
    else states.set(key, reported);
  }
  return { ...device, states };
}

/** Throws HubError INVALID_TOKEN. */
function callerOf(id: string, deps: Pick<HomePortDeps, 'accounts' | 'apiTokens'>): TokenCaller {
  const token = deps.apiTokens.tokens().find((one) => one.id === id);
  const grant = token && deps.apiTokens.findGrant(token.id);
  const user = token && deps.accounts.findUser(token.userId);
  if (grant === undefined || user === undefined || deps.accounts.isOver(user)) {
    throw new HubError('INVALID_TOKEN', 'The API token was revoked or has expired.');
  }
  return { kind: 'api_token', grant, user, current: () => callerOf(id, deps) };
}

function refuse(caller: TokenCaller, device: Device, request: CommandRequest): void {
  const fault = findFault(caller, device, request);
  if (fault !== undefined) throw fault;
}

function findFault(caller: TokenCaller, device: Device, request: CommandRequest): HubError | undefined {
  if (!canCaller(caller, 'device:control')) return insufficientScope('device:control');
  if (!canCaller(caller, 'device:control', { device })) return noDevice();
  if (mayRequest(caller, device, request)) return undefined;
  return insufficientScope('device:control_sensitive', ` for ${device.selector}`);
}

/** Nobody has the text of such a token: the hub drops it. */
export function createInstanceTokens({
  accounts,
  apiTokens,
  audit,
}: Pick<People, 'accounts' | 'apiTokens' | 'audit'>): InstanceTokens {
  const WHOLE_HOME = { roomIds: null, deviceIds: null, networks: null, provider: null, expiresInS: null };
  return {
    isLive: (id, rights) => {
      const token = apiTokens.tokens().find((one) => one.id === id);
      return token?.scopes.length === rights.length && rights.every((right) => token.scopes.includes(right));
    },
    make: ({ name, rights, userId, authorize }) =>
      accounts.inTurn(async () => {
        const fresh = { ...WHOLE_HOME, isMade: true as const, name, scopes: rights, userId: userId as UserId };
        const { token } = await apiTokens.addToken(fresh, { authorize });
        await audit.record({ type: 'api_token.added', peer: null, userId: token.userId, detail: token.id });
        return token.id;
      }),
    end: async (id) => {
      const userId = apiTokens.tokens().find((token) => token.id === id)?.userId;
      const isEnded = await apiTokens.endToken(id as ApiTokenId);
      if (isEnded) await audit.record({ type: 'api_token.removed', peer: null, ...(userId && { userId }), detail: id });
    },
    made: () => apiTokens.tokens().flatMap(({ id, isMade }) => (isMade === true ? id : [])),
  };
}

/** Makes the rules for settings that name something of the home. */
export function homeRules({
  rooms,
  devices,
  apiTokens,
}: Pick<HomePortDeps, 'rooms' | 'devices' | 'apiTokens'>): HomeRules {
  return {
    findRoom: (idOrSelector) => rooms.findRoom(idOrSelector)?.id,
    findDevice: (idOrSelector) => devices.findDevice(idOrSelector)?.id,
    findApiToken: (idOrText) => {
      const hash = hashApiToken(idOrText);
      const isIt = ({ id, tokenHash }: ApiToken): boolean => id === idOrText || timingSafeEqual(tokenHash, hash);
      const token = apiTokens.tokens().find(isIt);
      if (token === undefined || apiTokens.findGrant(token.id) === undefined) return { refusal: 'is not there' };
      // The broker does not say from where a message came.
      if (token.networks !== null) return { refusal: 'is limited to addresses, which nobody sees here' };
      return { id: token.id };
    },
  };
}
