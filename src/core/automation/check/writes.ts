import type { JsonValue } from '#base/json.ts';
import { operationIn } from '#core/automation/condition/operand.ts';
import type { Step } from '#core/automation/document/step.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { chosenDevices } from './check-step.ts';
import type { Checking } from './directory.ts';

/**
 * A step changes something that may start an automation. `value`: `undefined` where it is known only when the step
 * runs. `key`: `undefined` of a scene, which sets many.
 */
export type Write = { readonly pointer: string; readonly value: JsonValue | undefined } & (
  | { readonly kind: 'feature'; readonly devices: readonly Device[]; readonly key: string | undefined }
  | { readonly kind: 'mode' | 'variable' | 'automation'; readonly key: string }
);

/** Finds what one step changes, without the steps inside of it; `at` is its pointer. */
export function writesOf(checking: Pick<Checking, 'directory' | 'chosen'>, step: Step, at: string): readonly Write[] {
  const { directory } = checking;
  const find = (ids: readonly DeviceId[]): readonly Device[] => ids.flatMap((id) => directory.device(id) ?? []);
  if ('command' in step) {
    const { targets, set = {}, do: action = '' } = step.command;
    const { devices: named = [], group } = targets;
    const devices = [
      ...find(group === undefined ? named : [...named, group]),
      ...chosenDevices(checking, step.command),
    ];
    const toggled = /^(?:.+\.)?toggle$/.test(action) ? [action.replace(/toggle$/, 'on')] : [];
    return [
      ...Object.entries(set).map(([key, operand]): Write => {
        const value = operationIn(operand) === undefined ? operand : undefined;
        return { kind: 'feature', devices, key, value, pointer: `${at}/command/set/${key}` };
      }),
      ...toggled.map((key): Write => {
        return { kind: 'feature', devices, key, value: undefined, pointer: `${at}/command/do` };
      }),
    ];
  }
  if ('scene' in step) {
    const devices = find(directory.sceneDevices(step.scene.scene));
    return [{ kind: 'feature', devices, key: undefined, value: undefined, pointer: `${at}/scene/scene` }];
  }
  if ('mode' in step)
    return [{ kind: 'mode', key: step.mode.mode, value: step.mode.value, pointer: `${at}/mode/value` }];
  if ('variable' in step) {
    const { variable, value } = step.variable;
    const known = operationIn(value) === undefined ? value : undefined;
    return [{ kind: 'variable', key: variable, value: known, pointer: `${at}/variable/value` }];
  }
  if ('automation' in step && step.automation.do === 'run') {
    const { automation } = step.automation;
    return [{ kind: 'automation', key: automation, value: undefined, pointer: `${at}/automation` }];
  }
  return [];
}
