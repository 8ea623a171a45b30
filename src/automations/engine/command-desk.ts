import { HubError } from '#base/hub-error.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { CommandReport, Effect } from '#core/automation-run/engine.ts';
import type { CommandCheck } from '#core/automation-replay/simulation.ts';
import type { Node, Program } from '#core/automation-run/program/program.ts';
import { type Command, type CommandStatus, COMMAND_STATUSES, isFinished } from '#core/command/command.ts';
import { type CommandRequest, readRequest, requestedKeys } from '#core/command/command-request.ts';
import type { CommandService } from '#core/command/command-service.ts';
import { type CommandRequests, type CommandTerms, MAX_TARGETS } from '#core/command/command-terms.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { isGroup } from '#core/device/group.ts';
import { noMemberCan, spreadRequests } from '#core/group/group-requests.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { spreadTargets } from '#core/scene/scene-groups.ts';
import type { ActingSigner, FindSigner, MayCaller } from './engine-ports.ts';

type CommandEffect = Extract<Effect, { kind: 'command' }>;

export type CommandDesk = ReturnType<typeof createCommandDesk>;

export type CommandDeskDeps = {
  readonly commands: Pick<CommandService, 'accept' | 'findCommand'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly noteActivated: SceneRegistry['noteActivated'];
  readonly findSigner: FindSigner;
  readonly mayCaller: MayCaller;
  readonly findProgram: (automation: AutomationId) => Program | undefined;
  readonly report: (ref: string, report: CommandReport) => void;
  readonly noteCommand: (command: Command, automation: AutomationId) => void;
};

export function createCommandDesk(deps: CommandDeskDeps) {
  const { commands, report } = deps;
  const refs = new Map<string, string>();
  const follow = (command: Command, ref: string): void => {
    if (isFinished(command)) refs.delete(command.id);
    else refs.set(command.id, ref);
    report(ref, reportOf(command));
  };
  return {
    /** Sends it with the rights of the signer at this moment, and reports how far it came from then on. */
    give: (effect: CommandEffect): void => {
      let command: Command;
      try {
        command = accept(effect, deps);
      } catch (cause) {
        if (!(cause instanceof HubError) && !(cause instanceof RefusedError)) throw cause;
        report(effect.ref, { refused: cause.code, message: cause.message });
        return;
      }
      deps.noteCommand(command, effect.automation);
      const scene = effect.scene === null ? undefined : deps.scenes.findScene(effect.scene);
      if (scene !== undefined) deps.noteActivated(scene, command.id, command.createdBy);
      // Some of it was sent meanwhile.
      follow(commands.findCommand(command.id) ?? command, effect.ref);
    },
    note: (command: Command): void => {
      const ref = refs.get(command.id);
      if (ref !== undefined) follow(command, ref);
    },
  };
}

type PlanDeps = Pick<CommandDeskDeps, 'devices' | 'scenes' | 'findSigner' | 'mayCaller' | 'findProgram'>;

/** How far it would come with the rights of the signer at this moment, if it were given. */
export function tryCommand(
  effect: CommandEffect,
  deps: PlanDeps & { readonly commands: Pick<CommandService, 'check'> },
): CommandCheck {
  try {
    const signer = signerOf(deps.findSigner, effect);
    const requests = spreadOf(effect, { signer, deps });
    return { requests, unreachable: deps.commands.check(requests, termsOf(effect, requests, { signer, deps })) };
  } catch (cause) {
    if (!(cause instanceof HubError) && !(cause instanceof RefusedError)) throw cause;
    return { refused: cause.code, message: cause.message };
  }
}

function accept(effect: CommandEffect, deps: CommandDeskDeps): Command {
  const signer = signerOf(deps.findSigner, effect);
  const requests = spreadOf(effect, { signer, deps });
  return deps.commands.accept(requests, termsOf(effect, requests, { signer, deps }), null);
}

function spreadOf(
  effect: CommandEffect,
  { signer, deps }: { readonly signer: ActingSigner; readonly deps: PlanDeps },
): CommandRequests {
  const { devices } = deps;
  const faultNow = faultsBy(effect, deps.mayCaller);
  if (effect.scene !== null && !signer.may('scene:run')) throw rightsMissing('run scenes');
  const requests = spreadRequests(
    reachedOf(requestsOf(effect, deps), effect, { signer, deps }),
    devices.findDevice,
    (group, members) => {
      const faults = members.map(([device, request]) => faultNow(signer, device, request));
      const reached = members.filter((_, at) => faults[at] === undefined);
      if (reached.length > 0) return reached;
      const [first] = faults;
      if (first !== undefined) throw first;
      throw noMemberCan(group);
    },
  );
  if (requests.size > MAX_TARGETS)
    throw new HubError('VALIDATION_FAILED', `These are more than ${MAX_TARGETS} devices.`);
  return requests;
}

function termsOf(
  effect: CommandEffect,
  requests: CommandRequests,
  { signer, deps }: { readonly signer: ActingSigner; readonly deps: PlanDeps },
): CommandTerms {
  const { findSigner } = deps;
  const faultNow = faultsBy(effect, deps.mayCaller);
  const byId = new Map([...requests].map(([{ id }, request]) => [id, request]));
  return {
    isForOne: false,
    transitionMs: effect.transitionMs,
    expiresInS: effect.expiresInS,
    issuer: signer.issuer,
    cause: { ...effect.cause, scene: effect.scene },
    // It may wait for a sleeping device, or for its turn, while rights change.
    authorize: (device) => {
      const signerNow = findSigner(effect.automation);
      const missing = signerNow === undefined ? signerGone() : faultNow(signerNow, device, byId.get(device.id) ?? {});
      if (missing !== undefined) throw new HubError('FORBIDDEN', missing.message);
    },
  };
}

/**
 * The devices that the signer may use. One that the document names and they may not use refuses the whole command. What
 * a room or selection found outside of their part of the home is not there for them.
 */
function reachedOf(
  requests: ReadonlyMap<Device, CommandRequest>,
  effect: CommandEffect,
  { signer, deps }: { readonly signer: ActingSigner; readonly deps: PlanDeps },
): ReadonlyMap<Device, CommandRequest> {
  const faultNow = faultsBy(effect, deps.mayCaller);
  const isNamed = namedBy(effect, deps.findProgram(effect.automation));
  const faults = new Map<Device, RefusedError>();
  for (const [device, request] of requests) {
    // The members of a group are asked one by one.
    const missing = isGroup(device) ? undefined : faultNow(signer, device, request);
    if (missing !== undefined && isNamed(device.id)) throw missing;
    if (missing !== undefined) faults.set(device, missing);
  }
  const [first] = faults.values();
  if (first === undefined) return requests;
  if (faults.size === requests.size) throw first;
  return new Map([...requests].filter(([device]) => !faults.has(device)));
}

/** Which devices the step names, and does not only select. A run of an older version names all, to be sure. */
function namedBy({ version, pointer }: CommandEffect, program: Program | undefined): (id: DeviceId) => boolean {
  const node = program?.version === version ? findNode(program.steps, pointer) : undefined;
  if (node === undefined || !('command' in node.step)) return () => true;
  const { devices = [], group } = node.step.command.targets;
  return (id) => id === group || devices.includes(id);
}

function findNode(steps: readonly Node[], pointer: string): Node | undefined {
  for (const node of steps) {
    if (node.pointer === pointer) return node;
    if (!pointer.startsWith(`${node.pointer}/`)) continue;
    const found = findNode(node.bodies.flat(), pointer);
    if (found !== undefined) return found;
  }
  return undefined;
}

function signerOf(findSigner: FindSigner, { automation }: CommandEffect): ActingSigner {
  const signer = findSigner(automation);
  if (signer !== undefined) return signer;
  throw signerGone();
}

type FindFault = (signer: ActingSigner, device: Device, request: CommandRequest) => RefusedError | undefined;

/** Who led to it is asked for what is sensitive alone: a script may well have an automation turn a lamp on. */
function faultsBy({ cause }: CommandEffect, mayCaller: MayCaller): FindFault {
  const { callers = [] } = cause;
  return (signer, device, request) => {
    if (!signer.may('device:control', device)) return rightsMissing(`control ${device.selector}`);
    if (!isSensitiveRequest(device, requestedKeys(request))) return undefined;
    if (!signer.may('device:control_sensitive', device)) return rightsMissing(`control ${device.selector}`);
    const mayAll = callers.every((caller) => mayCaller(caller, 'device:control_sensitive', device));
    return mayAll ? undefined : causeNotAllowed(device);
  };
}

/** The reducer suspends the automation for the first two codes. No answer to a client has any of them. */
class RefusedError extends Error {
  readonly code: 'SIGNER_GONE' | 'RIGHTS_MISSING' | 'CAUSE_NOT_ALLOWED';

  constructor(code: RefusedError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

function signerGone(): RefusedError {
  return new RefusedError('SIGNER_GONE', 'The person who signed the automation, or their API token, is gone.');
}

function rightsMissing(what: string): RefusedError {
  return new RefusedError('RIGHTS_MISSING', `The person who signed the automation may not ${what}.`);
}

function causeNotAllowed({ selector }: Device): RefusedError {
  return new RefusedError('CAUSE_NOT_ALLOWED', `Somebody led to this who may not control ${selector}.`);
}

/** A device that cannot do its part, or is gone, takes nothing from the others. Throws where no device is left. */
function requestsOf(
  { wishes, scene, transitionMs }: CommandEffect,
  deps: PlanDeps,
): ReadonlyMap<Device, CommandRequest> {
  const timed = scene === null || transitionMs !== null ? undefined : deps.scenes.findScene(scene);
  const usualMs = timed?.transitionMs ?? null;
  // The wishes are those of the members of each group.
  const targets = spreadTargets(timed?.targets ?? [], deps.devices.findDevice);
  const ownMs = new Map(targets.map((one) => [one.deviceId, one.transitionMs]));
  const found: [Device, CommandRequest][] = [];
  const faults: HubError[] = [];
  for (const [id, request] of wishes) {
    const device = deps.devices.findDevice(id);
    if (device === undefined) faults.push(new HubError('NOT_FOUND', 'The device is gone.'));
    else {
      const reading = isGroup(device) ? undefined : readRequest(device, request);
      if (reading !== undefined && 'errors' in reading) {
        const errors = reading.errors.map((error) => `${error.pointer.slice(1)} ${error.message}`);
        faults.push(new HubError('VALIDATION_FAILED', `${device.selector}: ${errors.join(', ')}`));
      } else found.push([device, { ...request, transitionMs: ownMs.get(id) ?? usualMs }]);
    }
  }
  if (found.length > 0) return new Map(found);
  throw faults[0] ?? new HubError('NOT_FOUND', 'There is no such device.');
}

function reportOf(command: Command): CommandReport {
  const results: Record<string, CommandStatus> = {};
  for (const { deviceId, status } of command.results) {
    const known = results[deviceId];
    if (known === undefined || rankOf(status) > rankOf(known)) results[deviceId] = status;
  }
  return {
    id: command.id,
    status: command.status,
    evidence: command.evidence,
    results,
    reason: command.results.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}

/** A status that is not over counts first, then the worst one. */
function rankOf(status: CommandStatus): number {
  const last = COMMAND_STATUSES.length;
  return status === 'sent' ? last + 1 : status === 'queued' ? last : COMMAND_STATUSES.indexOf(status);
}
