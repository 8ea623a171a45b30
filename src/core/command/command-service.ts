import type { Clock } from '#base/time/clock.ts';
import type { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { type Command, commandEnded, type CommandId, commandSuperseded, createCommand, isFinished } from './command.ts';
import { createErrands } from './command-errand.ts';
import { createCommandLog, type Replay } from './command-log.ts';
import { checkRequest, type IssuedRequest, unreachableError } from './command-order.ts';
import { createCommandProgress } from './command-progress.ts';
import { type CommandFailure, followReports } from './command-reports.ts';
import { createCommandReview } from './command-review.ts';
import { type CommandWay, createCommandSender } from './command-sender.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';

/** Takes requests for devices and follows each of them to its end. */
export type CommandService = {
  /**
   * Checks the whole order before anything is sent. One that was taken before with this replay is not taken again: the
   * command of that time is the answer. Throws HubError VALIDATION_FAILED, IDEMPOTENCY_KEY_REUSED, and where no device
   * of it can be reached INTEGRATION_DOWN or DEVICE_OFFLINE.
   */
  readonly accept: (order: IssuedRequest, replay: Replay | null) => Command;
  /** The command that was made for this replay. Throws HubError IDEMPOTENCY_KEY_REUSED. */
  readonly findReplay: (replay: Replay) => Command | undefined;
  /** One of the last 1,000. */
  readonly findCommand: (id: string) => Command | undefined;
  /** The command as it is once finished, or after this long. */
  readonly waitForEnd: (command: Command, forMs: number) => Promise<Command>;
  /** An integration learned that something that was sent did not reach a device. */
  readonly reportFailure: (integration: string, externalId: string, failure: CommandFailure) => void;
  /** To call when logins, API tokens, roles or rooms have changed: ends what waits and may not be asked for any more. */
  readonly reviewRights: () => void;
  /** Ends every timer and every wait; nothing is sent any more. */
  readonly stop: () => void;
};

export type CommandServiceDeps = {
  readonly registry: Pick<
    DeviceRegistry,
    'findDevice' | 'findByExternalId' | 'onChange' | 'onValues' | 'assumeValues' | 'dropAssumed'
  >;
  readonly findWay: (integration: string) => CommandWay | undefined;
  readonly emit: (event: HomeEvent) => void;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

/** How long a command waits for a device that sleeps. */
const EXPIRES_IN_S = 300;
/** What opens a door must not do so when nobody thinks of it any more. */
const SENSITIVE_EXPIRES_IN_S = 30;

export function createCommandService(deps: CommandServiceDeps): CommandService {
  const { clock } = deps;
  const log = createCommandLog();
  const errands = createErrands();
  const progress = createCommandProgress({ ...deps, log, errands });
  const { update } = progress;
  const stopped = new AbortController();
  const parts = { ...deps, errands, findCommand: log.find, update };
  const review = createCommandReview(parts);
  const sender = createCommandSender({ ...parts, review, signal: stopped.signal });
  const reportFailure = followReports({ ...parts, sender, review });

  const makeCommand = (order: IssuedRequest): Command => {
    const requests = checkRequest(order);
    const unreachable = new Map<DeviceId, HubError>();
    for (const device of order.devices) {
      const error = unreachableError(device, deps.findWay(device.integration)?.isUp() ?? false);
      if (error !== undefined) unreachable.set(device.id, error);
    }
    const [first] = unreachable.values();
    if (first !== undefined && unreachable.size === requests.size) throw first;
    let command = createCommand({
      id: deps.newId() as CommandId,
      isForOne: order.isForOne,
      transitionMs: order.transitionMs,
      createdAtMs: clock.wallMs(),
      createdBy: order.issuer,
      targets: [...requests].map(([{ id, selector, features }, request]) => ({
        deviceId: id,
        selector,
        features,
        request,
      })),
    });
    for (const [deviceId, { message }] of unreachable) {
      command = commandEnded(command, { deviceId, status: 'failed', reason: message }, clock.wallMs());
    }
    return command;
  };

  /** The last request for a feature wins. */
  const supersede = (newer: Command): void => {
    const open = { ...newer, results: newer.results.filter((result) => !isFinished(result)) };
    const older = open.results.flatMap(({ deviceId }) => errands.at(deviceId).map(({ commandId }) => commandId));
    for (const id of new Set(older)) update(id, (command, nowMs) => commandSuperseded(command, open, nowMs));
  };

  const dispatch = (command: Command, order: IssuedRequest): void => {
    const open = new Set(command.results.filter((result) => !isFinished(result)).map(({ deviceId }) => deviceId));
    const keys = [...new Set(command.results.map(({ feature }) => feature.key))];
    for (const device of order.devices) {
      if (!open.has(device.id)) continue;
      const usualS = isSensitiveRequest(device, keys) ? SENSITIVE_EXPIRES_IN_S : EXPIRES_IN_S;
      const expiresMs = 1000 * (order.expiresInS ?? usualS);
      sender.dispatch(command.id, device, { expiresMs, authorize: order.authorize });
    }
  };

  return {
    accept: (order, replay) => {
      const known = replay === null ? undefined : log.findReplay(replay);
      if (known !== undefined) return known;
      const command = makeCommand(order);
      log.add(command, replay);
      deps.emit({ type: 'command.changed', command });
      supersede(command);
      dispatch(command, order);
      return command;
    },
    findReplay: log.findReplay,
    findCommand: log.find,
    waitForEnd: progress.waitForEnd,
    reportFailure,
    reviewRights: () => {
      for (const errand of errands.all()) review(errand);
    },
    stop: () => {
      stopped.abort();
      progress.stop();
      errands.clear();
    },
  };
}
