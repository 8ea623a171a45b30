import type { Audit } from '#auth/audit/audit.ts';
import { type Caller, canCaller, callerId } from '#auth/caller.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { type Command, isFinished } from '#core/command/command.ts';
import { type CommandRequest, requestedKeys } from '#core/command/command-request.ts';
import { type CommandRequests, type CommandTerms, MAX_TARGETS } from '#core/command/command-terms.ts';
import type { Replay } from '#core/command/command-log.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { noMemberCan, spreadRequests } from '#core/group/group-requests.ts';
import { callerOf, insufficientScope, issuerOf } from '#http/rights/access.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { RouteRequest } from '#http/routing/route.ts';
import { limit } from '#words/limits.ts';
import { noteSensitive } from './audit.ts';
import { commandJson } from './json.ts';
import { fingerprintOf, readRequestKey } from '#http/routing/once.ts';
import { planAnswer } from './plan.ts';

export type GiveDeps = {
  readonly commands: Pick<CommandService, 'accept' | 'check' | 'findReplay' | 'waitForEnd'>;
  readonly registry: Pick<DeviceRegistry, 'findDevice'>;
  readonly audit: Audit;
};

type GivenCommand = {
  /** All that makes a request the same as an earlier one with its Idempotency-Key. */
  readonly wholeRequest: object;
  /** Called unless the request repeats an earlier one. The caller may use its devices. */
  readonly plan: () => Plan;
  /** Nothing is sent or kept: the answer says what would be. */
  readonly isDryRun?: boolean | undefined;
  /** Called once, with the new command. */
  readonly onAccepted?: (command: Command) => void;
};
export type Plan = Pick<CommandTerms, 'isForOne' | 'transitionMs' | 'expiresInS' | 'settled'> &
  Partial<Pick<CommandTerms, 'cause'>> & { readonly requests: CommandRequests };

/** Answers a repeated request with the command of the first one, even if the home has changed since. */
export async function giveCommand(
  deps: GiveDeps,
  request: RouteRequest<unknown, unknown>,
  { wholeRequest, plan, isDryRun, onAccepted }: GivenCommand,
): Promise<RouteAnswer> {
  const { commands } = deps;
  if (isDryRun === true) return tryCommand(deps, callerOf(request), spread(deps, request, plan()));
  const replay = replayOf(request.header('idempotency-key'), callerOf(request), wholeRequest);
  const { waitMs, applied } = preferredWait(request.header('prefer'));
  const known = replay === null ? undefined : commands.findReplay(replay);
  if (known !== undefined) refuseUnseen(known, callerOf(request), deps);
  const accepted = known ?? accept(deps, request, { plan: plan(), replay });
  if (known === undefined) onAccepted?.(accepted);
  // If the client goes away meanwhile, the command still runs.
  const noted = known === undefined ? noteSensitive(deps, request, accepted) : undefined;
  const [command] = await Promise.all([commands.waitForEnd(accepted, waitMs), noted]);
  const json = commandJson(command);
  if (isFinished(command)) return { status: 200, json, headers: applied };
  return { status: 202, json, headers: { ...applied, Location: `/api/v1/command/${command.id}` } };
}

function tryCommand({ commands }: GiveDeps, caller: Caller, { requests, ...terms }: Plan): RouteAnswer {
  const unreachable = commands.check(requests, termsFrom(caller, requests, terms));
  const isTooSensitive = (device: Device): boolean => !mayRequest(caller, device, requests.get(device) ?? {});
  return planAnswer({ requests, settled: terms.settled ?? [], unreachable, isTooSensitive }, caller);
}

/** A device of the repeated command may be outside of what the caller sees by now. */
function refuseUnseen({ results }: Command, caller: Caller, { registry }: GiveDeps): void {
  for (const { deviceId } of results) {
    const device = registry.findDevice(deviceId);
    if (device !== undefined && !canCaller(caller, 'device:control', { device })) throw noDevice();
  }
}

/** The plan with the members of each group in its place: those that the caller may command. */
function spread({ registry }: GiveDeps, request: RouteRequest<unknown, unknown>, plan: Plan): Plan {
  const caller = callerOf(request);
  const requests = spreadRequests(plan.requests, registry.findDevice, (group, members) => {
    const reached = members.filter(([device]) => canCaller(caller, 'device:control', { device }));
    if (reached.length === 0) {
      throw members.length === 0 ? noMemberCan(group) : noDevice();
    }
    const allowed = reached.filter(([device, one]) => mayRequest(caller, device, one));
    return allowed.length === 0 ? reached : allowed;
  });
  if (requests === plan.requests) return plan;
  if (requests.size > MAX_TARGETS) throw tooManyMembers();
  return { ...plan, requests, isForOne: false };
}

function accept(
  deps: GiveDeps,
  request: RouteRequest<unknown, unknown>,
  { plan, replay }: { readonly plan: Plan; readonly replay: Replay | null },
): Command {
  const caller = callerOf(request);
  const { requests, ...terms } = spread(deps, request, plan);
  for (const [device, one] of requests) if (!mayRequest(caller, device, one)) throw sensitive(device);
  return deps.commands.accept(requests, termsFrom(caller, requests, terms), replay);
}

function termsFrom(caller: Caller, requests: CommandRequests, terms: Omit<Plan, 'requests'>): CommandTerms {
  return { cause: DIRECT, ...terms, issuer: issuerOf(caller), authorize: authorizerOf(caller, requests) };
}

/** Whether the caller, who may control the device, may request this of it. */
export function mayRequest(caller: Caller, device: Device, request: CommandRequest): boolean {
  if (canCaller(caller, 'device:control_sensitive', { device })) return true;
  return !isSensitiveRequest(device, requestedKeys(request));
}

/** Holds the caller but not the request with its socket, because a command may wait hours for a sleeping device. */
function authorizerOf(caller: Caller, requests: CommandRequests): (device: Device) => void {
  const byId = new Map([...requests].map(([{ id }, request]) => [id, request]));
  return (device) => {
    const now = caller.current();
    if (!canCaller(now, 'device:control', { device })) throw noDevice();
    if (!mayRequest(now, device, byId.get(device.id) ?? {})) throw sensitive(device);
  };
}

/** Refuses a request for groups. */
export function tooManyMembers(): HubError {
  const message = `must be at most ${MAX_TARGETS} devices, each member of a group counted`;
  return validationFailed([fieldError('/targets', 'TOO_LONG', message, limit('most', { most: MAX_TARGETS }))]);
}

export function noDevice(): HubError {
  return new HubError('NOT_FOUND', 'There is no such device.');
}

function sensitive(device: Device): HubError {
  return insufficientScope('device:control_sensitive', ` for ${device.selector}`);
}

/** The replay for an `Idempotency-Key`; `null` without one. */
export function replayOf(key: string | undefined, caller: Caller, wholeRequest: object): Replay | null {
  if (key === undefined) return null;
  return { key: `${callerId(caller)} ${readRequestKey(key)}`, fingerprint: fingerprintOf(wholeRequest) };
}

const DEFAULT_WAIT_S = 2;
const MAX_WAIT_S = 10;
/** Added to the longest wait, because the hub gives up a command 10 s after sending it, a moment after accepting it. */
const LAST_MOMENT_MS = 250;

/** How long the caller wants to wait for an answer (RFC 7240 section 4.3), and the headers that confirm it. */
type PreferredWait = { readonly waitMs: number; readonly applied: Readonly<Record<string, string>> };

/** Ignores unknown preferences, as RFC 7240 demands, and shortens a wait beyond the longest. */
export function preferredWait(prefer: string | undefined): PreferredWait {
  const match = /(?:^|,)\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?=[,;]|$)/i.exec(prefer ?? '');
  const text = match?.[1] ?? match?.[2];
  if (text === undefined) return { waitMs: DEFAULT_WAIT_S * 1000, applied: {} };
  const seconds = Math.min(MAX_WAIT_S, Number(text));
  const waitMs = seconds * 1000 + (seconds === MAX_WAIT_S ? LAST_MOMENT_MS : 0);
  return { waitMs, applied: { 'Preference-Applied': `wait=${seconds}` } };
}
