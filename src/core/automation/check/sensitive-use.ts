import { operationIn } from '#core/automation/condition/operand.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandStep, Step } from '#core/automation/document/step.ts';
import { requestedKeys } from '#core/command/command-request.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { isSensitive, isSensitiveRequest } from '#core/device/sensitive.ts';
import { bodiesOf } from './check-condition.ts';
import type { Directory } from './directory.ts';

/** A step that moves something sensitive by its name. `opens`: it may let somebody in, flood the home or end an alarm. */
type SensitiveUse = {
  readonly device: DeviceId;
  readonly pointer: string;
  readonly opens: boolean;
  /** Whether a condition stands before it. */
  readonly isGuarded: boolean;
};

/**
 * The sensitive devices that steps name, alone or in a scene. Those in a room or an `any_of` are not in it: commands
 * leave them out unless they are allowed by name.
 */
export function sensitiveUses(definition: Definition, directory: Directory): readonly SensitiveUse[] {
  const uses: SensitiveUse[] = [];
  const visit = (steps: readonly Step[], pointer: string, isGuarded: boolean): void => {
    for (const [index, step] of steps.entries()) {
      const at = `${pointer}/${index}`;
      for (const use of usesOf(step, at, directory)) uses.push({ ...use, isGuarded });
      for (const [inside, body] of bodiesOf(step))
        visit(body, `${at}${inside}`, isGuarded || inside.startsWith('/choose/cases'));
    }
  };
  visit(definition.steps, '/steps', definition.conditions.length > 0);
  return uses;
}

type Use = Omit<SensitiveUse, 'isGuarded'>;

function usesOf(step: Step, pointer: string, directory: Directory): readonly Use[] {
  if ('scene' in step) {
    const at = `${pointer}/scene/scene`;
    return directory.sceneDevices(step.scene.scene).flatMap((id): readonly Use[] => {
      const device = directory.device(id);
      // What a scene wants may change later, so it may open anything.
      return device !== undefined && isSensitive(device) ? [{ device: id, pointer: at, opens: true }] : [];
    });
  }
  if (!('command' in step)) return [];
  const { targets } = step.command;
  const at = `${pointer}/command/targets`;
  const named: readonly (readonly [DeviceId, string])[] = [
    ...(targets.devices ?? []).map((id, index) => [id, `${at}/devices/${index}`] as const),
    ...(targets.group === undefined ? [] : [[targets.group, `${at}/group`] as const]),
  ];
  return named.flatMap(([id, where]): readonly Use[] => {
    const device = directory.device(id);
    if (device === undefined || !isSensitiveRequest(device, keysOf(step.command))) return [];
    return [{ device: id, pointer: where, opens: canOpen(device, step.command) }];
  });
}

function keysOf({ set, do: action }: CommandStep): readonly string[] {
  return requestedKeys({ set: set, do: action });
}

/** Only what is known to close or to arm is harmless. */
function canOpen({ features }: Device, { set }: CommandStep): boolean {
  if (set === undefined) return true;
  return Object.entries(set).some(([key, value]) => {
    if (operationIn(value) !== undefined) return true;
    switch (features.find((one) => one.key === key)?.capability) {
      case 'locked':
        return value !== true;
      case 'valve_open':
        return value !== false;
      case 'siren':
        return value !== true;
      case 'arm_mode':
        return typeof value !== 'string' || /disarm|off/.test(value);
      default:
        return true;
    }
  });
}
