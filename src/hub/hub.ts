import { hostname } from 'node:os';
import { createAccessTokens } from '#auth/session/access-token.ts';
import { type Accounts, openAccounts } from '#auth/account/accounts.ts';
import { type ApiTokens, openApiTokens } from '#auth/token/api-tokens.ts';
import { type Authenticate, createAuthenticate } from '#auth/authenticate.ts';
import { type Audit, startAudit } from '#auth/audit/audit.ts';
import { type AuditHistory, createAuditHistory } from '#auth/audit/audit-history.ts';
import { type Claim, openClaim } from '#auth/sign-in/claim.ts';
import { openKeys } from '#auth/session/keys.ts';
import { createPasswordHasher } from '#auth/sign-in/password-hasher.ts';
import { createRefreshTokens } from '#auth/session/refresh-token.ts';
import { repeat } from '#base/time/repeat.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { openSessions, type Sessions } from '#auth/session/sessions.ts';
import { createLoginThrottle } from '#auth/sign-in/login-throttle.ts';
import { createSignInGuard } from '#auth/sign-in/sign-in-guard.ts';
import { createSignIn, type SignIn } from '#auth/sign-in/sign-in.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { StopList } from '#base/stop-list.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import type { Webhooks } from '#core/webhook/webhook.ts';
import type { CommandService } from '#core/command/command-service.ts';
import { type DeviceRegistry, openDeviceRegistry } from '#core/device/device-registry.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { createEventLog, type EventLog } from '#core/event/event-log.ts';
import { type HubIdentity, openHubIdentity } from '#core/hub-identity.ts';
import { openRoomRegistry, type RoomRegistry } from '#core/room/room-registry.ts';
import { createEventEncoder } from '#http/event/json.ts';
import type { SafeMode } from '#integrations/safe-mode.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import type { Storage } from '#storage/storage.ts';
import type { BrokerSettings } from './broker-settings.ts';
import { startIntegrations } from './hub-integrations.ts';
import type { BrokerReach } from './kept-broker.ts';
import { openHubWebhooks } from './hub-webhooks.ts';

const MIB = 1024 * 1024;
/** Events kept for clients that come back: of each kind as many as are promised of all. */
const EVENT_SIZES = {
  feature: { capacity: 16_384, maxBytes: 12 * MIB },
  inventory: { capacity: 10_240, maxBytes: 14 * MIB },
  passing: { capacity: 10_240, maxBytes: 6 * MIB },
};
const STALE_CHECK_MS = 10_000;
const UPKEEP_MS = 3_600_000;

/** Everything that lives on one opened state: people, devices, integrations. Ended and made anew by a restore. */
export type Hub = {
  /** Names this run in event cursors and entity tags. */
  readonly epoch: string;
  readonly identity: HubIdentity;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly signIn: SignIn;
  readonly claim: Claim;
  readonly authenticate: Authenticate;
  readonly audit: Audit;
  readonly auditHistory: AuditHistory;
  readonly devices: DeviceRegistry;
  readonly rooms: RoomRegistry;
  readonly events: EventLog;
  readonly supervisor: Supervisor;
  readonly broker: BrokerSettings;
  readonly brokerReach: BrokerReach;
  readonly safeMode: SafeMode;
  readonly commands: CommandService;
  readonly webhooks: Webhooks;
  readonly storage: Storage;
};

export type HubDeps = {
  readonly version: string;
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly hubClock: Omit<OpenHubClock, 'stop'>;
  /** The machine's name for this boot. */
  readonly bootId: string;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  /** True for the text of an address to which the hub may connect on its own: one of the LAN. */
  readonly isLanAddress: (address: string) => boolean;
  /** True for the text of an address of this machine itself: an owner alone may send webhooks there. */
  readonly isOwnAddress: (address: string) => boolean;
  /** Shows the code on the console and in the journal, whatever the log's level. */
  readonly announceClaimCode: (code: string) => void;
};

/** Builds the hub in boot order; the undo of each part that was started stands on the stop list. */
export async function openHub(deps: HubDeps, stops: StopList): Promise<Hub> {
  const { storage, clock, random } = deps;
  const newId = createUuidSource(clock.wallMs, random);
  // Short, for it goes out twice with each list of devices.
  const epoch = random(5).readUIntBE(0, 5).toString(36).padStart(8, '0');
  const late: { rooms?: RoomRegistry; commands?: CommandService } = {};
  const events = createEventLog({
    epoch,
    sizes: EVENT_SIZES,
    monotonicMs: clock.monotonicMs,
    log: deps.log.part('events'),
    // Until the rooms are read, nothing happens that could ask for one.
    encode: createEventEncoder({ findRoom: (id) => late.rooms?.findRoom(id), wallMs: clock.wallMs }),
  });
  const identity = await openHubIdentity(storage.meta, { version: deps.version, newId });
  // The storage's thread reads the devices while this one has to do with the people; what fails there is
  // thrown where it is awaited.
  const opening = openDevices(deps, { events, newId });
  opening.catch(() => undefined);
  const people = await openPeople(
    deps,
    { identity, events, newId, onRoleChanged: () => late.commands?.reviewRights() },
    stops,
  );
  const { devices, rooms } = await opening;
  late.rooms = rooms;
  const running = await startIntegrations(deps, { devices, rooms, events, newId }, stops);
  late.commands = running.commands;
  const webhooks = await openHubWebhooks(deps, { events, newId });
  stops.add('webhooks', webhooks.stop);
  const upkeep = (): void => {
    logFailure(deps.log, 'writing down sessions', people.sessions.upkeep());
    logFailure(deps.log, 'writing down uses of API tokens', people.apiTokens.upkeep());
    logFailure(deps.log, 'the daily backup', storage.backups.makeDailyIfDue(deps.hubClock.nowMs()));
  };
  stops.add('the watch for stale values', repeat(deps.startTimer, STALE_CHECK_MS, devices.markStale));
  stops.add('the hourly upkeep', repeat(deps.startTimer, UPKEEP_MS, upkeep));
  upkeep();
  return { epoch, identity, ...people, devices, rooms, events, ...running, webhooks, storage };
}

type Shared = {
  readonly identity: HubIdentity;
  readonly events: EventLog;
  readonly newId: () => string;
  readonly onRoleChanged: () => void;
};
type People = Pick<
  Hub,
  'accounts' | 'sessions' | 'apiTokens' | 'signIn' | 'claim' | 'authenticate' | 'audit' | 'auditHistory'
>;

async function openPeople(deps: HubDeps, shared: Shared, stops: StopList): Promise<People> {
  const { storage, hubClock, random, log } = deps;
  const { identity, events, newId } = shared;
  const files = createSecretFiles(secretsFolder(deps.config));
  const audit = startAudit({
    store: storage.audit,
    hubClock,
    syncedWallMs: () => (hubClock.isSynced() ? deps.clock.wallMs() : null),
    monotonicMs: deps.clock.monotonicMs,
    startTimer: deps.startTimer,
    log: log.part('audit'),
  });
  stops.add('the audit log', audit.stop);
  const auditHistory = createAuditHistory({ store: storage.audit, hubClock });
  const keys = await openKeys(files, { random, log });
  const sessions = await openSessions({
    store: storage.sessions,
    tokens: createRefreshTokens(keys.refresh, random),
    hubClock,
    newId,
    log,
    onRevoked: (sessionId, userId) => events.append({ type: 'session.revoked', sessionId, userId }),
  });
  stops.add('sessions', sessions.upkeep);
  const hasher = createPasswordHasher({ random });
  const hubNames = (): string[] => [hostname(), identity.identity().name];
  const apiTokens = await openApiTokens({
    store: storage.apiTokens,
    hubClock,
    random,
    newId,
    log,
    onRevoked: (tokenId, userId) => events.append({ type: 'api_token.revoked', tokenId, userId }),
  });
  stops.add('API tokens', apiTokens.upkeep);
  const users = {
    store: storage.users,
    hubNames,
    onRemoved: apiTokens.forgetTokensOf,
    onRoleChanged: shared.onRoleChanged,
  };
  const accounts = await openAccounts({ ...users, sessions, hasher, hubClock, newId });
  const { monotonicMs } = deps.clock;
  const claimDeps = { files, random, log, monotonicMs, announce: deps.announceClaimCode };
  const claim = await openClaim({ ...claimDeps, isClaimed: accounts.hasOwner });
  const accessTokens = createAccessTokens({ key: keys.access, hubId: identity.identity().id, hubClock, random });
  const nameHub = identity.rename;
  const throttle = createLoginThrottle({ monotonicMs, random });
  const guard = createSignInGuard({ throttle, audit, monotonicMs, log });
  const way = { accounts, sessions, accessTokens, hasher, claim, hubClock, log, nameHub };
  const signIn = createSignIn({ ...way, guard, audit });
  const authenticate = createAuthenticate({ accessTokens, sessions, accounts, apiTokens, hubClock });
  return { accounts, sessions, apiTokens, signIn, claim, authenticate, audit, auditHistory };
}

async function openDevices(
  { storage, clock, log }: HubDeps,
  { events, newId }: Pick<Shared, 'events' | 'newId'>,
): Promise<Pick<Hub, 'devices' | 'rooms'>> {
  const turn = createTurnQueue();
  const shared = { clock, newId, emit: events.append, turn };
  const rooms = await openRoomRegistry({ ...shared, store: storage.rooms, devices: () => devices });
  const roomExists = (id: string): boolean => rooms.findRoom(id) !== undefined;
  const devices: DeviceRegistry = await openDeviceRegistry({
    ...shared,
    store: storage.devices,
    roomExists,
    limits: DEVICE_LIMITS,
    log: log.part('devices'),
  });
  return { devices, rooms };
}

function logFailure(log: Log, what: string, done: Promise<unknown>): void {
  done.catch((cause: unknown) => log.error(`${what} failed`, { cause }));
}
