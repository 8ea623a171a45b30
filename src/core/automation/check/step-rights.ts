import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandStep, Step } from '#core/automation/document/step.ts';
import { requestedKeys } from '#core/command/command-request.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { isSensitive, isSensitiveRequest } from '#core/device/sensitive.ts';
import { forEachStep } from './check-condition.ts';
import type { Directory } from './directory.ts';

/** Who signs an automation needs a right in the whole home, or for one device. */
export type NeededRight = {
  readonly pointer: string;
  readonly right: StepRight;
  readonly device: Device | null;
};

/** Rights that steps need. The scopes of the same names are meant. */
export type StepRight =
  | 'device:control'
  | 'device:control_sensitive'
  | 'scene:run'
  | 'mode:set'
  | 'presence:tell'
  | 'user:manage'
  | 'automation:run'
  | 'notification:manage'
  | 'hub:manage';

/**
 * The rights without which a step would be refused when it runs. Devices that a room or an `any_of` will choose are
 * not in it: they are found at that moment. `signer`: the id of that person.
 */
export function rightsNeeded(definition: Definition, directory: Directory, signer: string): readonly NeededRight[] {
  const needed: NeededRight[] = [];
  const need = (pointer: string, right: StepRight, device: Device | null = null): void =>
    void needed.push({ pointer, right, device });
  const needDevice = (id: DeviceId, pointer: string, isRisky: (device: Device) => boolean): void => {
    const device = directory.device(id);
    if (device === undefined) return;
    need(pointer, 'device:control', device);
    if (isRisky(device)) need(pointer, 'device:control_sensitive', device);
  };
  forEachStep(definition.steps, (step, at) => {
    if ('command' in step) visitCommand(step.command, `${at}/command/targets`, needDevice);
    else if ('scene' in step) {
      need(`${at}/scene`, 'scene:run');
      for (const id of directory.sceneDevices(step.scene.scene)) needDevice(id, `${at}/scene/scene`, isSensitive);
    } else {
      const right = rightOf(step, signer);
      if (right !== undefined) need(at, right);
      const started = startedIn(step);
      if (started !== undefined && directory.opens(started)) need(at, 'device:control_sensitive');
    }
  });
  for (const [index, id] of definition.allow_sensitive.entries()) {
    needDevice(id, `/allow_sensitive/${index}`, () => true);
  }
  return needed;
}

/** The automation that a step runs, or lets run. */
export function startedIn(step: Step): AutomationId | undefined {
  if (!('automation' in step)) return undefined;
  return step.automation.do === 'run' || step.automation.do === 'enable' ? step.automation.automation : undefined;
}

function visitCommand(
  { targets, set, do: action }: CommandStep,
  at: string,
  needDevice: (id: DeviceId, pointer: string, isRisky: (device: Device) => boolean) => void,
): void {
  const isRisky = (device: Device): boolean => isSensitiveRequest(device, requestedKeys({ set, do: action }));
  for (const [index, id] of (targets.devices ?? []).entries()) needDevice(id, `${at}/devices/${index}`, isRisky);
  if (targets.group !== undefined) needDevice(targets.group, `${at}/group`, isRisky);
}

function rightOf(step: Step, signer: string): StepRight | undefined {
  if ('mode' in step || 'variable' in step) return 'mode:set';
  if ('notify' in step) return 'notification:manage';
  if ('request' in step) return 'hub:manage';
  if ('presence_note' in step) return step.presence_note.person === signer ? 'presence:tell' : 'user:manage';
  return 'automation' in step ? 'automation:run' : undefined;
}
