import { isAmong } from '#core/automation/condition/sight.ts';
import type { JsonValue } from '#base/json.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Device } from '#core/device/device.ts';
import { forEachStep } from './check-condition.ts';
import { type Checking, isFitting } from './directory.ts';
import { type Write, writesOf } from './writes.ts';

/** A larger home costs no more: this only warns. */
const MAX_LOOKS = 20_000;

/** A step may do what starts its own automation, and no condition stops that. A threshold has its hysteresis. */
export function warnOfLoops(checking: Checking): void {
  const { definition, warn } = checking;
  if (definition.conditions.length > 0) return;
  const starts = definition.triggers.filter(({ type }) => type === 'feature' || type === 'mode' || type === 'variable');
  if (starts.length === 0) return;
  const budget = { looks: MAX_LOOKS };
  forEachStep(definition.steps, (step, at) => {
    if (budget.looks < 0) return;
    for (const write of writesOf(checking, step, at)) {
      const start = starts.find((trigger) => isFired(trigger, write, budget));
      if (start !== undefined) warn(write.pointer, 'POSSIBLE_LOOP', `may start the automation again by ${start.id}`);
    }
  });
}

function isFired(trigger: Trigger, write: Write, budget: { looks: number }): boolean {
  if (write.kind === 'automation') return false;
  if (write.kind !== 'feature') {
    const key = trigger.type === 'mode' ? trigger.mode : trigger.type === 'variable' ? trigger.variable : undefined;
    return trigger.type === write.kind && key === write.key && isNews(trigger, write);
  }
  if (trigger.type !== 'feature' || trigger.by === 'hand' || trigger.by === 'other') return false;
  // A scene mostly sets what it is for, and then changes nothing.
  if (write.key === undefined || (trigger.key !== undefined && trigger.key !== write.key)) return false;
  if (!fits(trigger, write) || (budget.looks -= 1 + write.devices.length) < 0) return false;
  return write.devices.some((device) => {
    if ('device' in trigger) return trigger.device === device.id;
    if ('group' in trigger) return trigger.group === device.id;
    const { capability } = trigger.any_of;
    const isOfIt = (one: Device['features'][number]): boolean => one.key === write.key && one.capability === capability;
    return isFitting(device, trigger.any_of) && (capability === undefined || device.features.some(isOfIt));
  });
}

function fits({ to }: { readonly to?: JsonValue }, { value }: Write): boolean {
  return value === undefined || to === undefined || to === '*' || isAmong(value, to);
}

/** A mode or variable that is set to the one value for which the trigger waits has that value already. */
function isNews(trigger: { readonly to?: JsonValue }, write: Write): boolean {
  const { to } = trigger;
  return fits(trigger, write) && (write.value === undefined || to === undefined || to === '*' || Array.isArray(to));
}
