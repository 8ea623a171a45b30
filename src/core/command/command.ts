import type { ProblemCode } from '#base/hub-error.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import { isConfirmedBy } from './confirmation.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceCommand, SendEvidence } from './command-way.ts';

declare const commandId: unique symbol;
export type CommandId = string & { readonly [commandId]: never };

/** Progress of a command. The last five are final. `unconfirmed`: sent, but no report confirmed it in time. */
export const COMMAND_STATUSES = [
  'queued',
  'sent',
  'confirmed',
  'unconfirmed',
  'superseded',
  'expired',
  'failed',
] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

/** The proof that a command arrived, from none to a report of the device. */
export const EVIDENCES = ['none', 'transport_ack', 'device_ack', 'state_report'] as const;
export type Evidence = (typeof EVIDENCES)[number];

/** The outcome for one feature of one device. */
export type CommandResult = {
  readonly deviceId: DeviceId;
  /** The device's selector, so that the result can be shown after the device was removed. */
  readonly selector: string;
  /** The feature at the time of the request. */
  readonly feature: Feature;
  /** `null` for an action. */
  readonly requested: JsonValue;
  /** The last value that the device reported since the hub sent the command; `null` before. */
  readonly observed: JsonValue;
  readonly status: CommandStatus;
  readonly evidence: Evidence;
  /** Why it failed, for people. */
  readonly reason: string | null;
  /** The same for programs; `null` where only people can read it. */
  readonly code: ProblemCode | null;
  /** What would bring the state back that the device reported last before the command was sent; empty if unknown. */
  readonly before: ReadonlyMap<string, JsonValue>;
};

/** An accepted request. Plain data: each change below returns a new command, or the same one if nothing changed. */
export type Command = {
  readonly id: CommandId;
  /** The least finished status of the results; once all are finished, the worst. */
  readonly status: CommandStatus;
  /** The weakest evidence of the results. */
  readonly evidence: Evidence;
  readonly results: readonly CommandResult[];
  /** The caller used the call for a single device. */
  readonly isForOne: boolean;
  readonly transitionMs: number | null;
  /** The transitions of the devices that have one of their own. */
  readonly transitionMsOf: ReadonlyMap<DeviceId, number>;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly createdBy: Issuer;
  readonly cause: Cause;
};

type Planned = 'id' | 'isForOne' | 'transitionMs' | 'createdAtMs' | 'createdBy' | 'cause';
type NewCommand = Pick<Command, Planned> & {
  /** Where `transitionMs` is `null`, it is the command's. */
  readonly targets: ReadonlyMap<Pick<Device, 'id' | 'selector' | 'features'>, DeviceCommand>;
  /** Finished results, of what needs not be sent. */
  readonly settled: readonly CommandResult[];
};

/** Which results a change is about: all of them, one device's, or some of one device's keys. */
type ResultFilter = { readonly deviceId?: DeviceId; readonly keys?: readonly string[] };

type Sending = ResultFilter & {
  /** What would bring back the present state of a feature. */
  readonly before?: (key: string) => ReadonlyMap<string, JsonValue>;
};

/** An integration learned how far a command came. */
type Acknowledgement = ResultFilter & { readonly evidence: SendEvidence };

type ValueReport = { readonly deviceId: DeviceId; readonly key: string; readonly value: JsonValue };

export type CommandEnd = ResultFilter & {
  readonly status: 'unconfirmed' | 'superseded' | 'expired' | 'failed';
  readonly reason?: string;
  readonly code?: ProblemCode;
};

/** A command before anything is sent. Ignores keys that a device does not have: `readRequest` has refused them. */
export function createCommand({ targets, settled, ...plan }: NewCommand): Command {
  const open = [...targets].flatMap(([{ id: deviceId, selector, features }, { set, action }]) =>
    features
      .filter(({ key }) => set.has(key) || action === key)
      .map((feature): CommandResult => ({
        deviceId,
        selector,
        feature,
        requested: set.get(feature.key) ?? null,
        observed: null,
        status: 'queued',
        evidence: 'none',
        reason: null,
        code: null,
        before: new Map(),
      })),
  );
  const transitionMsOf = new Map(
    [...targets].flatMap(([{ id }, { transitionMs }]) => (transitionMs === null ? [] : [[id, transitionMs] as const])),
  );
  return { ...plan, transitionMsOf, ...summary([...open, ...settled], plan.createdAtMs) };
}

export function isFinished({ status }: { readonly status: CommandStatus }): boolean {
  return status !== 'queued' && status !== 'sent';
}

/** The part still to send to a device, without what a newer command took over; `undefined` if there is none. */
export function queuedPart(
  { results, transitionMs, transitionMsOf }: Command,
  { id, externalId }: Pick<Device, 'id' | 'externalId'>,
): DeviceCommand | undefined {
  const queued = results.filter((result) => result.deviceId === id && result.status === 'queued');
  if (queued.length === 0) return undefined;
  const isAction = ({ feature }: CommandResult): boolean => feature.valueType === 'none';
  return {
    externalId,
    set: new Map(
      queued.filter((result) => !isAction(result)).map(({ feature, requested }) => [feature.key, requested]),
    ),
    action: queued.find(isAction)?.feature.key ?? null,
    transitionMs: transitionMsOf.get(id) ?? transitionMs,
  };
}

/** To call right before the command is sent, so that no report can come first. */
export function commandSent(command: Command, { before, ...filter }: Sending, nowMs: number): Command {
  return withResults(command, nowMs, (result) =>
    matches(result, filter) && result.status === 'queued'
      ? { ...result, status: 'sent', before: before?.(result.feature.key) ?? result.before }
      : result,
  );
}

/** Notes what the integration knows of the arrival. A device's acknowledgement confirms a feature without state. */
export function commandAcknowledged(command: Command, filter: Acknowledgement, nowMs: number): Command {
  return withResults(command, nowMs, (result) => {
    if (!matches(result, filter) || result.status !== 'sent') return result;
    if (EVIDENCES.indexOf(filter.evidence) <= EVIDENCES.indexOf(result.evidence)) return result;
    const isDone = filter.evidence === 'device_ack' && !isReported(result.feature);
    return { ...result, evidence: filter.evidence, status: isDone ? 'confirmed' : 'sent' };
  });
}

/** Notes a reported value. One that differs from the request ends nothing, because a lamp may be in a transition. */
export function commandObserved(command: Command, report: ValueReport, nowMs: number): Command {
  const filter = { deviceId: report.deviceId, keys: [report.key] };
  return withResults(command, nowMs, (result) => {
    if (!matches(result, filter) || result.status !== 'sent' || !isReported(result.feature)) return result;
    const observed = report.value;
    if (!isConfirmedBy(result.feature, result.requested, observed)) {
      return isSameJson(result.observed, observed) ? result : { ...result, observed };
    }
    return { ...result, observed, status: 'confirmed', evidence: 'state_report' };
  });
}

/** Ends the unfinished results: `unconfirmed` only those that were sent, `expired` only those that were not. */
export function commandEnded(command: Command, end: CommandEnd, nowMs: number): Command {
  const only = end.status === 'unconfirmed' ? 'sent' : end.status === 'expired' ? 'queued' : undefined;
  return withResults(command, nowMs, (result) =>
    matches(result, end) && !isFinished(result) && (only === undefined || result.status === only)
      ? { ...result, status: end.status, reason: end.reason ?? null, code: end.code ?? null }
      : result,
  );
}

/** The older command after a newer one was accepted: the newer one takes over the features of both. */
export function commandSuperseded(older: Command, newer: Command, nowMs: number): Command {
  const taken = new Set(newer.results.map(({ deviceId, feature }) => `${deviceId} ${feature.key}`));
  return withResults(older, nowMs, (result) =>
    !isFinished(result) && taken.has(`${result.deviceId} ${result.feature.key}`)
      ? { ...result, status: 'superseded' }
      : result,
  );
}

function matches({ deviceId, feature }: CommandResult, filter: ResultFilter): boolean {
  return (
    (filter.deviceId === undefined || filter.deviceId === deviceId) &&
    (filter.keys === undefined || filter.keys.includes(feature.key))
  );
}

function isReported(feature: Feature): boolean {
  return feature.kind === 'state' && feature.readable;
}

function withResults(command: Command, nowMs: number, change: (result: CommandResult) => CommandResult): Command {
  const results = command.results.map(change);
  if (results.every((result, index) => result === command.results[index])) return command;
  return { ...command, ...summary(results, nowMs) };
}

type Summary = Pick<Command, 'results' | 'status' | 'evidence' | 'finishedAtMs'>;

function summary(results: readonly CommandResult[], nowMs: number): Summary {
  const status = statusOf(results);
  const evidence = EVIDENCES.find((candidate) => results.some((result) => result.evidence === candidate)) ?? 'none';
  return { results, status, evidence, finishedAtMs: isFinished({ status }) ? nowMs : null };
}

function statusOf(results: readonly CommandResult[]): CommandStatus {
  const statuses = new Set(results.map(({ status }) => status));
  if (statuses.has('sent')) return 'sent';
  // A command with finished and waiting results is under way.
  if (statuses.has('queued')) return statuses.size === 1 ? 'queued' : 'sent';
  return COMMAND_STATUSES.findLast((status) => statuses.has(status)) ?? 'confirmed';
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** The command's status changed. A change of only one result makes no event. */
    'command.changed': { readonly command: Command };
  }
}
