import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { acceptedCause, causeBy } from '#core/cause/cause.ts';
import {
  type Command,
  commandEnded,
  type CommandId,
  type CommandResult,
  createCommand,
  isFinished,
} from './command.ts';
import { type CommandLog, createCommandLog, type Replay } from './command-log.ts';
import { requestedKeys } from './command-request.ts';
import { checkRequests, type CommandRequests, type CommandTerms } from './command-terms.ts';
import type { SentValues } from './sent-values.ts';
import { planUndo, type Undo } from './undo.ts';
import type { CommandWay, SendEvidence } from './command-way.ts';
import { type CommandSender, createCommandSender } from './command-sender.ts';

/** Accepts requests for devices and follows each command to its end. */
export type CommandService = ReturnType<typeof createCommandService>;

/** A request that did not reach the device. `reason` is for people. */
type CommandFailure = { readonly keys: readonly string[]; readonly reason: string };
type Acknowledged = { readonly keys: readonly string[]; readonly evidence: SendEvidence };

type CommandServiceDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly registry: Pick<
    DeviceRegistry,
    'findDevice' | 'findByExternalId' | 'findReported' | 'onChange' | 'onValues' | 'assumeValues' | 'dropAssumed'
  >;
  readonly findWay: (integration: string) => CommandWay | undefined;
  /** Shared with the registry of devices, which asks it for the cause of each change. */
  readonly sentValues: SentValues;
  readonly emit: (event: HomeEvent) => void;
  readonly newId: () => string;
};

const UNDO_WITHIN_MS = 86_400_000;
/** How long a command waits for a sleeping device. */
const EXPIRES_IN_S = 300;
/** Shorter, because no door may open after people have forgotten the command. */
const SENSITIVE_EXPIRES_IN_S = 30;

export function createCommandService(deps: CommandServiceDeps) {
  const { registry } = deps;
  const onEnded = (command: Command, ended: readonly CommandResult[]): void => {
    for (const [deviceId, keys] of givenUpKeys(ended)) registry.dropAssumed(deviceId, keys, causeBy(command));
    const open = openDevices(command);
    for (const deviceId of new Set(ended.map((result) => result.deviceId)))
      if (!open.has(deviceId)) sender.forget(command.id, deviceId);
  };
  const commands = createCommandLog({ ...deps, onEnded });
  const sender = createCommandSender({ ...deps, commands });
  followDevices({ registry, commands, sender });

  /** The last request for a feature wins. */
  const supersedeOlder = (newer: Command): void => {
    const open = { ...newer, results: newer.results.filter((result) => !isFinished(result)) };
    const older = open.results.flatMap(({ deviceId }) => sender.pendingAt(deviceId));
    for (const id of new Set(older)) commands.supersede(id, open);
  };

  const dispatch = (command: Command, requests: CommandRequests, terms: CommandTerms): void => {
    const open = openDevices(command);
    for (const [device, request] of requests) {
      if (!open.has(device.id)) continue;
      const keys = requestedKeys(request);
      const usualS = isSensitiveRequest(device, keys) ? SENSITIVE_EXPIRES_IN_S : EXPIRES_IN_S;
      const expiresMs = 1000 * (terms.expiresInS ?? usualS);
      sender.dispatch(command.id, device, { expiresMs, authorize: terms.authorize });
    }
  };

  /** Ends what is still queued of a command that is undone. */
  const endUnsent = (id: string | null): void => {
    const undone = id === null ? undefined : commands.find(id);
    for (const { status, deviceId, feature } of undone?.results ?? []) {
      if (undone === undefined || status !== 'queued') continue;
      commands.end(undone.id, { deviceId, keys: [feature.key], status: 'superseded', reason: 'It was undone.' });
    }
  };

  const sentTo = (integration: string, externalId: string, keys: readonly string[]): readonly SentPart[] => {
    const device = registry.findByExternalId(integration, externalId);
    if (device === undefined) return [];
    return sender.pendingAt(device.id).map((id) => {
      const sent = sentKeys(commands.find(id), device.id).filter((key) => keys.includes(key));
      return [id, { deviceId: device.id, keys: sent }] as const;
    });
  };

  return {
    /**
     * Checks all requests before it sends anything. If requests with this replay were accepted before, returns their
     * command. Throws HubError VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED, and
     * INTEGRATION_DOWN or DEVICE_OFFLINE if none of its devices can be reached.
     */
    accept: (requests: CommandRequests, terms: CommandTerms, replay: Replay | null): Command => {
      const known = replay === null ? undefined : commands.findReplay(replay);
      if (known !== undefined) return known;
      const command = commandFrom(requests, terms, deps);
      commands.add(command, replay);
      endUnsent(terms.cause.command);
      deps.emit({ type: 'command.changed', command });
      supersedeOlder(command);
      dispatch(command, requests, terms);
      return command;
    },
    /**
     * Throws what `accept` would throw, and makes no command. Returns the error of each device that cannot be reached.
     */
    check: (requests: CommandRequests, terms: CommandTerms): ReadonlyMap<DeviceId, HubError> =>
      checkWhole(requests, terms, deps).unreachable,
    /** The command that was made for this replay. Throws HubError IDEMPOTENCY_KEY_REUSED. */
    findReplay: commands.findReplay,
    /** One of the last 1,000. */
    findCommand: commands.find,
    /**
     * How to take back a command of the last 24 h. Accepting that with the command as its cause also ends what of it was
     * not sent yet. Throws HubError NOTHING_TO_UNDO.
     */
    planUndo: (command: Command): Undo => {
      if (commands.ageMs(command.id) > UNDO_WITHIN_MS) {
        throw new HubError('NOTHING_TO_UNDO', 'The command is older than 24 hours.');
      }
      return planUndo(command, registry.findDevice);
    },
    /** Whether a command for the device is under way. */
    isBusy: (deviceId: DeviceId): boolean => sender.pendingAt(deviceId).length > 0,
    /** The command when it is finished, or after this time. */
    waitForEnd: commands.waitForEnd,
    /** To call when an integration learned that a request did not reach a device. */
    reportFailure: (integration: string, externalId: string, { keys, reason }: CommandFailure): void => {
      for (const [id, sent] of sentTo(integration, externalId, keys))
        commands.end(id, { ...sent, status: 'failed', code: 'COMMAND_FAILED', reason });
    },
    /** To call when an integration learned later than with the sending how far a request came. */
    reportAcknowledgement: (integration: string, externalId: string, { keys, evidence }: Acknowledged): void => {
      for (const [id, sent] of sentTo(integration, externalId, keys)) commands.acknowledge(id, { ...sent, evidence });
    },
    /** Ends waiting commands whose issuer lost the right; to call when logins, API tokens, roles or rooms have changed. */
    reviewRights: (): void => sender.reviewRights(),
    /** Ends every timer and every wait, and sends nothing any more. */
    stop: (): void => {
      commands.stop();
      sender.stop();
    },
  };
}

/** A command, and what of it was sent to a device and is not finished. */
type SentPart = readonly [CommandId, { readonly deviceId: DeviceId; readonly keys: readonly string[] }];

type FollowDeps = {
  readonly registry: Pick<DeviceRegistry, 'onChange' | 'onValues'>;
  readonly commands: CommandLog;
  readonly sender: CommandSender;
};

/** Updates commands from the devices' reports. */
function followDevices({ registry, commands, sender }: FollowDeps): void {
  registry.onValues(({ id: deviceId }, values, observedAtMs) => {
    for (const id of sender.pendingAt(deviceId)) {
      const before = commands.find(id);
      // What the device was before the command says nothing about it.
      if (before === undefined || (observedAtMs ?? Infinity) < before.createdAtMs) continue;
      for (const [key, value] of values) commands.observe(id, { deviceId, key, value });
      if (before !== commands.find(id)) sender.prolong(id, deviceId);
    }
    // A device that reports is awake.
    sender.wake(deviceId);
  });
  registry.onChange((kind, { id: deviceId, availability }) => {
    // The device may now be in a room where the issuer of a waiting command has no right to it.
    if (kind === 'changed') sender.reviewRights(deviceId);
    if (kind === 'changed' && availability.state === 'online') sender.wake(deviceId);
    if (kind !== 'removed') return;
    const end = { deviceId, status: 'failed', code: 'NOT_FOUND', reason: 'The device was removed.' } as const;
    for (const id of sender.pendingAt(deviceId)) commands.end(id, end);
  });
}

function checkWhole(requests: CommandRequests, terms: CommandTerms, deps: Pick<CommandServiceDeps, 'findWay'>) {
  const checked = checkRequests(requests, terms);
  const unreachable = new Map<DeviceId, HubError>();
  for (const device of requests.keys()) {
    const error = unreachableError(device, deps.findWay(device.integration)?.isUp() ?? false);
    if (error !== undefined) unreachable.set(device.id, error);
  }
  const [first] = unreachable.values();
  if (first !== undefined && terms.settled === undefined && unreachable.size === checked.size) throw first;
  return { checked, unreachable };
}

/** The new command. Its results for unreachable devices have failed already. */
function commandFrom(
  requests: CommandRequests,
  terms: CommandTerms,
  deps: Pick<CommandServiceDeps, 'findWay' | 'newId' | 'clock'>,
): Command {
  const { checked, unreachable } = checkWhole(requests, terms, deps);
  const nowMs = deps.clock.wallMs();
  let command = createCommand({
    id: deps.newId() as CommandId,
    isForOne: terms.isForOne,
    transitionMs: terms.transitionMs,
    createdAtMs: nowMs,
    createdBy: terms.issuer,
    cause: acceptedCause(terms.issuer, terms.cause),
    settled: terms.settled ?? [],
    targets: checked,
  });
  for (const [deviceId, { code, message }] of unreachable) {
    command = commandEnded(command, { deviceId, status: 'failed', code, reason: message }, nowMs);
  }
  return command;
}

/** Why nothing can be sent to a device; `undefined` if it can be sent now or when the device wakes. */
function unreachableError(device: Device, isUp: boolean): HubError | undefined {
  if (!isUp) return new HubError('INTEGRATION_DOWN', `The integration ${device.integration} is not connected.`);
  if (device.availability.state === 'offline') return new HubError('DEVICE_OFFLINE', 'The device is offline.');
  return undefined;
}

function openDevices({ results }: Command): ReadonlySet<DeviceId> {
  return new Set(results.filter((result) => !isFinished(result)).map(({ deviceId }) => deviceId));
}

/** The keys of each device that no report will confirm any more. Not superseded keys: a newer command has those. */
function givenUpKeys(ended: readonly CommandResult[]): ReadonlyMap<DeviceId, readonly string[]> {
  const keys = new Map<DeviceId, string[]>();
  for (const { deviceId, feature, status } of ended) {
    if (status === 'confirmed' || status === 'superseded') continue;
    keys.set(deviceId, [...(keys.get(deviceId) ?? []), feature.key]);
  }
  return keys;
}

function sentKeys(command: Command | undefined, deviceId: DeviceId): readonly string[] {
  return (command?.results ?? []).flatMap((result) =>
    result.deviceId === deviceId && result.status === 'sent' ? [result.feature.key] : [],
  );
}
