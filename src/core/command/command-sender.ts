import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import {
  type Command,
  commandAcknowledged,
  commandEnded,
  type CommandId,
  commandSent,
  type Evidence,
  queuedRequest,
} from './command.ts';
import type { Errand, Errands } from './command-errand.ts';
import type { CommandUpdate } from './command-progress.ts';
import type { CommandReview } from './command-review.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';

/** One validated request for one device: each key is a writable feature of it and each value fits that feature. */
export type DeviceCommand = {
  readonly externalId: string;
  readonly set: ReadonlyMap<string, JsonValue>;
  /** Key of an action feature, or `null`. */
  readonly action: string | null;
  readonly transitionMs: number | null;
};

/** How far a command is known to have come once it is sent; a state report comes by itself. */
export type SendEvidence = Exclude<Evidence, 'state_report'>;

/** How commands reach the devices of one integration. */
export type CommandWay = {
  readonly isUp: () => boolean;
  /** Puts it on the wire and resolves with what is then known of its arrival. Throws HubError at once while down. */
  readonly send: (command: DeviceCommand) => Promise<SendEvidence>;
};

/** Sends what commands want of devices: to one device in the order in which it was wanted, to several at once. */
export type CommandSender = {
  /** In its turn, or for a device that sleeps once it wakes, unless that takes longer than `expiresMs`. */
  readonly dispatch: (id: CommandId, device: Device, given: Pick<Errand, 'authorize'> & { expiresMs: number }) => void;
  /** The device is awake. */
  readonly wake: (id: DeviceId) => void;
  /** The device said something new of what it was asked for: it is on its way, as a blind that moves. */
  readonly prolong: (errand: Errand) => void;
};

type Deps = {
  readonly registry: Pick<DeviceRegistry, 'findDevice' | 'assumeValues'>;
  readonly errands: Errands;
  readonly review: CommandReview;
  readonly findCommand: (id: string) => Command | undefined;
  readonly update: CommandUpdate;
  readonly findWay: (integration: string) => CommandWay | undefined;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
  readonly log: Log;
};

const CONFIRM_WITHIN_MS = 10_000;
const CONFIRM_AT_LAST_MS = 120_000;
/** One send that hangs must not keep the next from its turn for longer. */
const TURN_MS = 10_000;

export function createCommandSender(deps: Deps): CommandSender {
  const { errands, clock, startTimer, update } = deps;

  const fail = ({ commandId, deviceId }: Errand, keys: readonly string[], reason: string): void =>
    update(commandId, (command, nowMs) => commandEnded(command, { deviceId, keys, status: 'failed', reason }, nowMs));

  const awaitReport = (errand: Errand): void => {
    errand.stopTimer();
    const untilMs = Math.min(errand.quietUntilMs ?? 0, errand.lastMs ?? 0);
    errand.stopTimer = startTimer(Math.max(0, untilMs - clock.monotonicMs()), () => {
      const { commandId, deviceId } = errand;
      update(commandId, (command, nowMs) => commandEnded(command, { deviceId, status: 'unconfirmed' }, nowMs));
    });
  };

  const send = async (errand: Errand): Promise<void> => {
    const { commandId, deviceId } = errand;
    const command = deps.findCommand(commandId);
    const request = command === undefined ? undefined : queuedRequest(command, deviceId);
    const device = deps.registry.findDevice(deviceId);
    if (command === undefined || request === undefined || device === undefined || deps.signal.aborted) return;
    if (!deps.review(errand)) return;
    const keys = [...request.set.keys(), ...(request.action === null ? [] : [request.action])];
    const transitionMs = command.transitionMs ?? 0;
    errand.quietUntilMs = clock.monotonicMs() + CONFIRM_WITHIN_MS + transitionMs;
    errand.lastMs = clock.monotonicMs() + CONFIRM_AT_LAST_MS + transitionMs;
    awaitReport(errand);
    update(commandId, (queued, nowMs) => commandSent(queued, { deviceId, keys }, nowMs));
    deps.registry.assumeValues(deviceId, request.set);
    try {
      const way = deps.findWay(device.integration);
      if (way === undefined) throw new HubError('INTEGRATION_DOWN', 'The integration is not there.');
      const { externalId } = device;
      const evidence = await way.send({ externalId, ...request, transitionMs: command.transitionMs });
      if (evidence === 'none') return;
      update(commandId, (sent, nowMs) => commandAcknowledged(sent, { deviceId, keys, evidence }, nowMs));
    } catch (cause) {
      if (!(cause instanceof HubError)) deps.log.error('sending a command failed', { device: device.selector, cause });
      fail(errand, keys, reasonFrom(cause));
    }
  };

  const sendInTurn = (errand: Errand): void => {
    const task = async (): Promise<void> => {
      const turn = new AbortController();
      errand.endTurn = () => turn.abort();
      await Promise.race([send(errand).finally(errand.endTurn), waitMs(TURN_MS, startTimer, turn.signal)]);
    };
    void errands.inTurn(errand.deviceId, task).catch((cause: unknown) => {
      deps.log.error('a command could not be followed', { cause });
    });
  };

  return {
    dispatch: (commandId, device, { expiresMs, authorize }) => {
      const deviceId = device.id;
      const stopTimer = startTimer(expiresMs, () =>
        update(commandId, (command, nowMs) => commandEnded(command, { deviceId, status: 'expired' }, nowMs)),
      );
      const isParked = device.availability.state === 'asleep';
      const errand: Errand = { commandId, deviceId, authorize, isParked, stopTimer, endTurn: () => undefined };
      errands.add(errand);
      if (!errand.isParked) sendInTurn(errand);
    },
    wake: (deviceId) => {
      for (const errand of errands.at(deviceId)) {
        if (!errand.isParked) continue;
        errand.isParked = false;
        sendInTurn(errand);
      }
    },
    prolong: (errand) => {
      if (errand.quietUntilMs === undefined || !errands.at(errand.deviceId).includes(errand)) return;
      errand.quietUntilMs = Math.max(errand.quietUntilMs, clock.monotonicMs() + CONFIRM_WITHIN_MS);
      awaitReport(errand);
    },
  };
}

function reasonFrom(cause: unknown): string {
  if (!(cause instanceof HubError)) return 'The integration failed.';
  const faults = (cause.options.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  return [cause.message, ...faults].join('; ');
}
