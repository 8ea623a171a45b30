import { HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { causeBy } from '#core/cause/cause.ts';
import { type Command, type CommandEnd, type CommandId, queuedPart } from './command.ts';
import type { CommandLog } from './command-log.ts';
import { findRequestErrors } from './command-request.ts';
import type { CommandWay, DeviceCommand } from './command-way.ts';
import type { SentValues } from './sent-values.ts';
import { stateWish } from './state-wish.ts';
import { createSendLanes, type SendLanes } from './send-lanes.ts';
import { createSends, type Send } from './sends.ts';

/** Sends commands: to one device in the order in which they were accepted, to several devices at once. */
export type CommandSender = ReturnType<typeof createCommandSender>;

type Deps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly registry: Pick<DeviceRegistry, 'findDevice' | 'findReported' | 'assumeValues'>;
  readonly commands: Pick<CommandLog, 'find' | 'markSent' | 'acknowledge' | 'end'>;
  readonly findWay: (integration: string) => CommandWay | undefined;
  readonly sentValues: Pick<SentValues, 'note' | 'prolong'>;
};

const CONFIRM_WITHIN_MS = 10_000;
const CONFIRM_AT_LAST_MS = 120_000;
/** The next send waits no longer than this for one that hangs. */
const TURN_MS = 10_000;
const ISSUER_ENDED = {
  code: 'INVALID_TOKEN',
  reason: 'The session or API token that asked for it has ended.',
} as const;
const ISSUER_NOT_ALLOWED = { code: 'FORBIDDEN', reason: 'Its issuer may no longer do this.' } as const;

export function createCommandSender(deps: Deps) {
  const { commands, startTimer, log } = deps;
  const sends = createSends();
  let isStopped = false;
  const mayBeSent = createRightsReview(deps);
  const reportWait = createReportWait(deps);
  const lanes = createSendLanes(deps);
  const send = createSend(deps, { lanes, reportWait, mayBeSent, isStopped: () => isStopped });

  const sendInTurn = (pending: Send): void => {
    const task = (): Promise<void> =>
      new Promise((resolve, reject) => {
        let stopTimer = (): void => undefined;
        pending.endTurn = () => {
          stopTimer();
          resolve();
        };
        const onBegin = (): void => {
          stopTimer = startTimer(TURN_MS, pending.endTurn);
        };
        send(pending, onBegin).then(pending.endTurn, (cause: unknown) => {
          stopTimer();
          reject(cause);
        });
      });
    void sends.inTurn(pending.deviceId, task).catch((cause: unknown) => {
      log.error('a command could not be followed', { cause });
    });
  };

  return {
    /** Sends the command in its turn. A sleeping device gets it on waking, unless that takes longer than `expiresMs`. */
    dispatch: (
      commandId: CommandId,
      device: Device,
      { expiresMs, authorize }: Pick<Send, 'authorize'> & { readonly expiresMs: number },
    ): void => {
      const deviceId = device.id;
      const stopTimer = startTimer(expiresMs, () => commands.end(commandId, { deviceId, status: 'expired' }));
      const isParked = device.availability.state === 'asleep';
      const pending: Send = { commandId, deviceId, authorize, isParked, stopTimer, endTurn: () => undefined };
      sends.add(pending);
      if (!isParked) sendInTurn(pending);
    },
    /** Unfinished commands at this device, oldest first. */
    pendingAt: (deviceId: DeviceId): readonly CommandId[] => sends.at(deviceId).map(({ commandId }) => commandId),
    /** To call when the device is awake. */
    wake: (deviceId: DeviceId): void => {
      for (const pending of sends.at(deviceId)) {
        if (!pending.isParked) continue;
        pending.isParked = false;
        sendInTurn(pending);
      }
    },
    /** To call when the device reported progress, as a moving blind does: the sender then waits longer for the end. */
    prolong: (id: CommandId, deviceId: DeviceId): void => {
      const pending = sends.at(deviceId).find(({ commandId }) => commandId === id);
      if (pending !== undefined) reportWait.prolong(pending);
    },
    /** Ends the waiting commands, at one device or at all, whose issuer has lost the right to them. */
    reviewRights: (deviceId?: DeviceId): void => {
      for (const pending of deviceId === undefined ? sends.all() : sends.at(deviceId)) mayBeSent(pending);
    },
    /** To call when nothing is left to do for this command at this device. */
    forget: (id: CommandId, deviceId: DeviceId): void => {
      for (const pending of sends.at(deviceId)) if (pending.commandId === id) sends.remove(pending);
    },
    /** Ends every timer and sends nothing any more. */
    stop: (): void => {
      isStopped = true;
      lanes.stop();
      sends.clear();
    },
  };
}

type SendParts = {
  readonly lanes: SendLanes;
  readonly reportWait: ReturnType<typeof createReportWait>;
  readonly mayBeSent: (pending: Send) => boolean;
  readonly isStopped: () => boolean;
};

/** Sends one command to one device. `onBegin` is called when its turn at the integration has come. */
function createSend(deps: Deps, parts: SendParts): (pending: Send, onBegin: () => void) => Promise<void> {
  const { commands, log } = deps;
  const noteSent = createSentNotes(deps);
  const beforeOf = createLookBack(deps);
  /**
   * Reads the part that is still to be sent, if its issuer may still request that and the device still has features for
   * it.
   */
  const requestOf = (pending: Send): DeviceCommand | undefined => {
    const { commandId, deviceId } = pending;
    const [command, device] = [commands.find(commandId), deps.registry.findDevice(deviceId)];
    if (command === undefined || device === undefined || parts.isStopped()) return undefined;
    const request = queuedPart(command, device);
    if (request === undefined || !parts.mayBeSent(pending)) return undefined;
    const errors = findRequestErrors(device, request);
    if (errors.length > 0) {
      const fault = validationFailed(errors, 'The command does not fit the device.');
      commands.end(commandId, { deviceId, status: 'failed', ...failureFrom(fault) });
      return undefined;
    }
    return request;
  };
  const begin = (pending: Send, request: DeviceCommand): void => {
    const { commandId, deviceId } = pending;
    const [command, device] = [commands.find(commandId), deps.registry.findDevice(deviceId)];
    if (command === undefined || device === undefined) return;
    parts.reportWait.start(pending, request.transitionMs ?? 0);
    noteSent(pending, command);
    commands.markSent(commandId, { deviceId, keys: keysOf(request), before: beforeOf(device) });
    deps.registry.assumeValues(deviceId, request.set, causeBy(command));
  };
  return async (pending: Send, onBegin: () => void): Promise<void> => {
    const { commandId, deviceId } = pending;
    const device = deps.registry.findDevice(deviceId);
    let sent: DeviceCommand | undefined;
    if (device === undefined) return;
    try {
      const evidence = await parts.lanes.send(device.integration, {
        way: deps.findWay(device.integration) ?? NO_WAY,
        commandId,
        request: () => requestOf(pending),
        begin: (request) => {
          sent = request;
          onBegin();
          begin(pending, request);
        },
      });
      if (evidence === undefined || evidence === 'none' || sent === undefined) return;
      commands.acknowledge(commandId, { deviceId, keys: keysOf(sent), evidence });
    } catch (cause) {
      if (!(cause instanceof HubError)) log.error('sending a command failed', { device: device.selector, cause });
      const keys = sent === undefined ? {} : { keys: keysOf(sent) };
      commands.end(commandId, { deviceId, ...keys, status: 'failed', ...failureFrom(cause) });
    }
  };
}

/** Notes what is about to be sent, so that the reports that answer it are known as such. */
function createSentNotes({ registry, sentValues }: Pick<Deps, 'registry' | 'sentValues'>) {
  return ({ deviceId, quietUntilMs }: Send, command: Command): void => {
    for (const result of command.results) {
      if (result.deviceId !== deviceId || result.status !== 'queued' || result.feature.kind !== 'state') continue;
      const { feature, requested } = result;
      const before = registry.findReported(deviceId, feature.key)?.value ?? null;
      sentValues.note(deviceId, { cause: causeBy(command), feature, requested, before, untilMs: quietUntilMs ?? 0 });
    }
  };
}

/** A larger value, such as the schedule of a thermostat, is not kept for an undo. In characters of JSON. */
const MAX_KEPT_VALUE = 1_000;

/** Finds the values that would bring the present states of a device back. */
function createLookBack({ registry }: Pick<Deps, 'registry'>) {
  return ({ id, features }: Device) =>
    (key: string): ReadonlyMap<string, JsonValue> => {
      const wish = stateWish(features, { key, findState: (one) => registry.findReported(id, one) });
      return JSON.stringify([...wish]).length > MAX_KEPT_VALUE ? new Map() : wish;
    };
}

/** Waits for the device to report what was sent; ends the command as unconfirmed if it does not. */
function createReportWait({ commands, sentValues, clock, startTimer }: ReportWaitDeps) {
  const renew = (pending: Send): void => {
    pending.stopTimer();
    const untilMs = Math.min(pending.quietUntilMs ?? 0, pending.lastMs ?? 0);
    pending.stopTimer = startTimer(Math.max(0, untilMs - clock.monotonicMs()), () =>
      commands.end(pending.commandId, { deviceId: pending.deviceId, status: 'unconfirmed' }),
    );
  };
  return {
    start: (pending: Send, transitionMs: number): void => {
      pending.quietUntilMs = clock.monotonicMs() + CONFIRM_WITHIN_MS + transitionMs;
      pending.lastMs = clock.monotonicMs() + CONFIRM_AT_LAST_MS + transitionMs;
      renew(pending);
    },
    prolong: (pending: Send): void => {
      if (pending.quietUntilMs === undefined) return;
      pending.quietUntilMs = Math.max(pending.quietUntilMs, clock.monotonicMs() + CONFIRM_WITHIN_MS);
      sentValues.prolong(pending.deviceId, pending.commandId, pending.quietUntilMs);
      renew(pending);
    },
  };
}

type ReportWaitDeps = Pick<Deps, 'commands' | 'sentValues' | 'clock' | 'startTimer'>;

/** Whether the issuer may still request what was not sent yet. Ends that part of the command if not. */
function createRightsReview({ registry, commands, log }: Pick<Deps, 'registry' | 'commands' | 'log'>) {
  return ({ commandId, deviceId, authorize }: Send): boolean => {
    const device = registry.findDevice(deviceId);
    if (device === undefined) return false;
    try {
      authorize(device);
      return true;
    } catch (cause) {
      if (!(cause instanceof HubError)) log.error('checking the right to a command failed', { cause });
      const hasEnded = cause instanceof HubError && cause.code === 'INVALID_TOKEN';
      // `expired` ends only results that were not sent.
      commands.end(commandId, { deviceId, status: 'expired', ...(hasEnded ? ISSUER_ENDED : ISSUER_NOT_ALLOWED) });
      return false;
    }
  };
}

const NO_WAY: CommandWay = {
  isUp: () => false,
  send: async () => {
    throw new HubError('INTEGRATION_DOWN', 'The hub does not run this integration.');
  },
};

function keysOf({ set, action }: DeviceCommand): readonly string[] {
  return [...set.keys(), ...(action === null ? [] : [action])];
}

function failureFrom(cause: unknown): Pick<CommandEnd, 'reason' | 'code'> {
  if (!(cause instanceof HubError)) return { code: 'COMMAND_FAILED', reason: 'The integration failed.' };
  const faults = (cause.options.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  return { code: cause.code, reason: [cause.message, ...faults].join('; ') };
}
