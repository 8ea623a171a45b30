import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { type Caller, canCaller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { AutomationRecord, TemplateUse } from '#core/automation/registry/automation-record.ts';
import { readRequest } from '#core/command/command-request.ts';
import type { Device, DeviceId, GroupMember } from '#core/device/device.ts';
import { isRoomOfAll } from '#core/device/group.ts';
import type { Groups } from '#core/group/groups.ts';
import type { Scene, SceneTarget } from '#core/scene/scene.ts';
import { targetOf } from '#core/scene/scene-capture.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { requireRights, requireSound } from '#http/automation/document.ts';
import { type AutomationRoutesDeps, requireOwn } from '#http/automation/shown.ts';
import { insufficientScope } from '#http/rights/access.ts';
import { requireSensitive, shownTo } from '#http/scene/shown.ts';
import { faultWords } from '#words/faults.ts';

export type ReplaceDeps = AutomationRoutesDeps & {
  readonly scenes: Pick<SceneRegistry, 'scenes' | 'updateTogether'>;
  readonly groups: Pick<Groups, 'groups' | 'updateTogether'>;
  readonly registry: { readonly devices: () => readonly Device[] };
};

/** Two devices, of which the first may be gone. */
export type Exchange = { readonly fromId: DeviceId; readonly to: Device };

export type ReplacePlan = {
  readonly automations: readonly {
    readonly record: AutomationRecord;
    readonly definition: Definition;
    readonly template: TemplateUse | null;
  }[];
  readonly scenes: readonly { readonly scene: Scene; readonly targets: readonly SceneTarget[] }[];
  readonly groups: readonly { readonly group: Device; readonly members: readonly GroupMember[] }[];
};

const MAX_ERRORS = 100;

/**
 * All that names the first device, with the second in its place. Throws HubError FORBIDDEN and RIGHTS_MISSING where the
 * caller could not save it, and VALIDATION_FAILED with all that would be wrong.
 */
export async function planReplacement(deps: ReplaceDeps, exchange: Exchange, caller: Caller): Promise<ReplacePlan> {
  const errors: FieldError[] = [];
  const scenes = planScenes(deps, exchange, { caller, errors });
  const groups = planGroups(deps, exchange, { caller, errors });
  const automations: ReplacePlan['automations'][number][] = [];
  for (const record of deps.automations.automations()) {
    if (!deps.automations.referencesOf(record.id).has(`device/${exchange.fromId}`)) continue;
    // Each is checked against all others.
    await turnOfOthers();
    requireOwn(record, caller);
    const definition = exchangedDefinition(deps, { record, exchange, caller }, errors);
    if (definition === undefined) continue;
    requireRights(deps, definition, caller);
    const { template } = record;
    const inputs = template === null ? {} : exchanged(template.inputs, exchange);
    automations.push({
      record,
      definition,
      template: template === null ? null : { ...template, inputs: inputs as JsonObject },
    });
  }
  if (errors.length > 0) {
    throw validationFailed(errors.slice(0, MAX_ERRORS), 'The other device cannot take its place everywhere.');
  }
  return { automations, scenes, groups };
}

/**
 * Throws HubError PRECONDITION_FAILED if something names the first device that the plan does not have: it was made or
 * changed while the plan was made.
 */
export function refuseNewcomers(
  deps: Pick<ReplaceDeps, 'automations' | 'scenes' | 'groups'>,
  { fromId }: Pick<Exchange, 'fromId'>,
  plan: ReplacePlan,
): void {
  const planned = new Set<string>([
    ...plan.automations.map(({ record }) => record.id),
    ...plan.scenes.map(({ scene }) => scene.id),
    ...plan.groups.map(({ group }) => group.id),
  ]);
  const naming = [
    ...deps.automations.automations().filter(({ id }) => deps.automations.referencesOf(id).has(`device/${fromId}`)),
    ...deps.scenes.scenes().filter((one) => !one.isBuiltIn && one.targets.some(({ deviceId }) => deviceId === fromId)),
    ...deps.groups.groups().filter(({ members = [] }) => members.some(({ id }) => id === fromId)),
  ];
  const newcomer = naming.find(({ id }) => !planned.has(id));
  if (newcomer === undefined) return;
  throw new HubError('PRECONDITION_FAILED', `${newcomer.selector} names the device since a moment ago; try again.`);
}

type Of = { readonly record: AutomationRecord; readonly exchange: Exchange; readonly caller: Caller };

function exchangedDefinition(
  deps: ReplaceDeps,
  { record, exchange, caller }: Of,
  errors: FieldError[],
): Definition | undefined {
  const { fromId, to } = exchange;
  const reading = readDefinition(record.definition, (kind, id) => (kind === 'device' && id === fromId ? to.id : id));
  const faults = [...reading.errors];
  if (reading.definition !== undefined) faults.push(...faultsOf(deps, reading.definition, { old: record, caller }));
  errors.push(...faults.map((one) => ({ ...one, pointer: `/automations/${record.selector}${one.pointer}` })));
  return faults.length === 0 ? reading.definition : undefined;
}

function faultsOf(
  deps: ReplaceDeps,
  definition: Definition,
  context: { readonly old: AutomationRecord; readonly caller: Caller },
): readonly FieldError[] {
  try {
    requireSound(deps, definition, context);
    return [];
  } catch (cause) {
    if (cause instanceof HubError && cause.options.errors !== undefined) return cause.options.errors;
    throw cause;
  }
}

type Finding = { readonly caller: Caller; readonly errors: FieldError[] };

function planScenes(deps: ReplaceDeps, { fromId, to }: Exchange, { caller, errors }: Finding): ReplacePlan['scenes'] {
  const naming = deps.scenes
    .scenes()
    .filter(({ isBuiltIn, targets }) => !isBuiltIn && targets.some(({ deviceId }) => deviceId === fromId));
  return naming.map((scene) => {
    const targets = scene.targets.map((target, index): SceneTarget => {
      if (target.deviceId !== fromId) return target;
      const pointer = `/scenes/${scene.selector}/targets/${index}`;
      if (scene.targets.some(({ deviceId }) => deviceId === to.id)) {
        errors.push(fieldError(`${pointer}/device`, 'INVALID_VALUE', ...faultWords('named_twice')));
      }
      const reading = readRequest(to, { set: target.set });
      if ('errors' in reading) {
        errors.push(...reading.errors.map((one) => ({ ...one, pointer: pointer + one.pointer })));
      }
      return { ...targetOf(to, target.set), transitionMs: target.transitionMs };
    });
    requireScene(deps, caller, { scene, targets });
    return { scene, targets };
  });
}

/** Throws HubError FORBIDDEN as saving the scene would. */
export function requireScene(
  deps: ReplaceDeps,
  caller: Caller,
  { scene, targets }: ReplacePlan['scenes'][number],
): void {
  const visibility = visibilityFor(caller, 'scene:manage');
  const isSeen = [scene, { ...scene, targets }].every((one) => shownTo(deps, visibility, one) !== undefined);
  if (!isSeen) throw insufficientScope('scene:manage', ' for all devices of a scene');
  requireSensitive(deps, caller, { targets });
}

function planGroups(deps: ReplaceDeps, { fromId, to }: Exchange, { caller, errors }: Finding): ReplacePlan['groups'] {
  const naming = deps.groups.groups().filter(({ members = [] }) => members.some(({ id }) => id === fromId));
  return naming.map((group) => {
    const swapped = (group.members ?? []).map((member) =>
      member.id === fromId ? { id: to.id, selector: to.selector } : member,
    );
    const members = [...new Map(swapped.map((member) => [member.id, member])).values()];
    if (!isRoomOfAll(members, group.roomId, deps.registry.findDevice)) {
      errors.push(fieldError(`/groups/${group.selector}/room`, 'INVALID_VALUE', ...faultWords('room_of_members')));
    }
    requireGroup(deps, caller, { group, members });
    return { group, members };
  });
}

/** Throws HubError FORBIDDEN as saving the group would. */
export function requireGroup(
  { registry }: ReplaceDeps,
  caller: Caller,
  { group, members }: ReplacePlan['groups'][number],
): void {
  const { isWhole, seesDevice } = visibilityFor(caller, 'device:manage');
  const isSeen = [...(group.members ?? []), ...members].every(({ id }) => {
    const member = registry.findDevice(id);
    return member === undefined ? isWhole : seesDevice(member);
  });
  if (isSeen && canCaller(caller, 'device:manage', { device: group })) return;
  throw insufficientScope('device:manage', ' for all devices of a group');
}

/** Exchanges the device in the values that a template was filled with. */
function exchanged(value: JsonValue, exchange: Exchange): JsonValue {
  if (value === exchange.fromId) return exchange.to.id;
  if (Array.isArray(value)) return value.map((one: JsonValue) => exchanged(one, exchange));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exchanged(member, exchange)]));
}
