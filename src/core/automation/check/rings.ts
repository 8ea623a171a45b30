import type { JsonValue } from '#base/json.ts';
import { operationIn } from '#core/automation/condition/operand.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Step } from '#core/automation/document/step.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';
import { bodiesOf } from './check-condition.ts';
import { type Directory, fittingDevices, type Warning } from './directory.ts';

/** An automation as far as this looks at it. */
export type Linked = {
  readonly id: AutomationId | undefined;
  readonly selector: string;
  readonly definition: Definition;
};

/** What a step changes. `value`: `undefined` where it is known only when the step runs. */
type Write = { readonly pointer: string; readonly value: JsonValue | undefined } & (
  | { readonly kind: 'feature'; readonly device: DeviceId; readonly key: string | undefined }
  | { readonly kind: 'mode' | 'variable' | 'automation'; readonly key: string }
);

/** A larger home costs no more: this only warns. */
const MAX_LOOKS = 100_000;
const MAX_WRITES = 200;
const MAX_SHOWN = 4;

/**
 * Warns of steps that may start other automations, which start others, which start this one again, where no condition
 * stands in between. A ring of one is found with the definition alone.
 */
export function warnOfRings(self: Linked, others: readonly Linked[], directory: Directory): readonly Warning[] {
  if (self.definition.conditions.length > 0) return [];
  const open = others.filter(({ id, definition }) => id !== self.id && definition.conditions.length === 0);
  const budget = { looks: MAX_LOOKS };
  const writes = new Map<Linked, readonly Write[]>();
  const writesBy = (one: Linked): readonly Write[] => {
    const known = writes.get(one) ?? writesOf(one.definition, directory);
    writes.set(one, known);
    return known;
  };
  const startedBy = (write: Write, among: readonly Linked[]): readonly Linked[] =>
    among.filter((one) => (budget.looks -= 1 + one.definition.triggers.length) > 0 && starts(write, one, directory));
  /** The automations on the way back to this one; `undefined` where none leads there. */
  const findWay = (first: Write): readonly Linked[] | undefined => {
    const seen = new Map<Linked, Linked | null>(startedBy(first, open).map((one) => [one, null]));
    for (const one of seen.keys()) {
      for (const write of writesBy(one)) {
        if (startedBy(write, [self]).length > 0) return wayTo(one, seen);
        for (const next of startedBy(write, open)) if (!seen.has(next)) seen.set(next, one);
      }
    }
    return undefined;
  };
  return writesBy(self).flatMap((write): readonly Warning[] => {
    const way = findWay(write);
    if (way === undefined) return [];
    const names = way.map(({ selector }) => selector);
    const chain = [...names.slice(0, MAX_SHOWN), ...(names.length > MAX_SHOWN ? ['…'] : [])].join(' → ');
    return [{ pointer: write.pointer, code: 'POSSIBLE_LOOP', message: `may start this automation again by ${chain}` }];
  });
}

function wayTo(last: Linked, seen: ReadonlyMap<Linked, Linked | null>): readonly Linked[] {
  const way: Linked[] = [];
  for (let at: Linked | null | undefined = last; at !== null && at !== undefined; at = seen.get(at)) way.unshift(at);
  return way;
}

function writesOf({ steps }: Definition, directory: Directory): readonly Write[] {
  const found: Write[] = [];
  const visit = (block: readonly Step[], pointer: string): void => {
    for (const [index, step] of block.entries()) {
      if (found.length >= MAX_WRITES) return;
      const at = `${pointer}/${index}`;
      found.push(...writesOfStep(step, at, directory));
      for (const [inside, body] of bodiesOf(step)) visit(body, `${at}${inside}`);
    }
  };
  visit(steps, '/steps');
  return found.slice(0, MAX_WRITES);
}

function writesOfStep(step: Step, at: string, directory: Directory): readonly Write[] {
  if ('command' in step) {
    const { targets, set = {} } = step.command;
    const devices = [...(targets.devices ?? []), ...(targets.group === undefined ? [] : [targets.group])];
    return Object.entries(set).flatMap(([key, operand]) =>
      devices.map((device): Write => {
        const value = operationIn(operand) === undefined ? operand : undefined;
        return { kind: 'feature', device, key, value, pointer: `${at}/command/set/${key}` };
      }),
    );
  }
  if ('scene' in step) {
    const pointer = `${at}/scene/scene`;
    return directory
      .sceneDevices(step.scene.scene)
      .map((device): Write => ({ kind: 'feature', device, key: undefined, value: undefined, pointer }));
  }
  if ('mode' in step) {
    return [{ kind: 'mode', key: step.mode.mode, value: step.mode.value, pointer: `${at}/mode/value` }];
  }
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

function starts(write: Write, { id, definition }: Linked, directory: Directory): boolean {
  if (write.kind === 'automation') return write.key === id;
  return definition.triggers.some((trigger) => isFired(trigger, write, directory));
}

function isFired(trigger: Trigger, write: Write, directory: Directory): boolean {
  if (write.kind === 'feature') {
    if (trigger.type !== 'feature' && trigger.type !== 'threshold') return false;
    if (trigger.type === 'feature' && (trigger.by === 'hand' || trigger.by === 'other')) return false;
    if (write.key !== undefined && trigger.key !== undefined && trigger.key !== write.key) return false;
    return watches(trigger, write.device, directory) && (trigger.type === 'threshold' || fits(trigger, write.value));
  }
  if (write.kind === 'mode') return trigger.type === 'mode' && trigger.mode === write.key && fits(trigger, write.value);
  return trigger.type === 'variable' && trigger.variable === write.key && fits(trigger, write.value);
}

function watches(
  trigger: Extract<Trigger, { readonly type: 'feature' | 'threshold' }>,
  device: DeviceId,
  directory: Directory,
): boolean {
  if ('device' in trigger) return trigger.device === device;
  if ('group' in trigger) return trigger.group === device;
  for (const { id } of fittingDevices(directory, trigger.any_of)) if (id === device) return true;
  return false;
}

function fits({ to }: { readonly to?: JsonValue }, value: JsonValue | undefined): boolean {
  return value === undefined || to === undefined || to === '*' || isAmong(value, to);
}
