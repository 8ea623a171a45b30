import type { JsonValue } from '#base/json.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Device } from '#core/device/device.ts';
import { forEachStep } from './check-condition.ts';
import { type Checking, type Directory, isFitting, type Warning } from './directory.ts';
import { type Write, writesOf } from './writes.ts';

/** An automation as far as this looks at it. */
export type Linked = {
  readonly id: AutomationId | undefined;
  readonly selector: string;
  readonly definition: Definition;
};

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
  const chosen: Checking['chosen'] = new Map();
  const writesBy = (one: Linked): readonly Write[] => {
    const known = writes.get(one) ?? writesIn(one.definition, { directory, chosen });
    writes.set(one, known);
    return known;
  };
  const startedBy = (write: Write, among: readonly Linked[]): readonly Linked[] =>
    among.filter((one) => (budget.looks -= looksOf(write, one)) > 0 && starts(write, one));
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

function looksOf(write: Write, { definition }: Linked): number {
  return 1 + definition.triggers.length * (write.kind === 'feature' ? write.devices.length : 1);
}

function wayTo(last: Linked, seen: ReadonlyMap<Linked, Linked | null>): readonly Linked[] {
  const way: Linked[] = [];
  for (let at: Linked | null | undefined = last; at !== null && at !== undefined; at = seen.get(at)) way.unshift(at);
  return way;
}

function writesIn({ steps }: Definition, checking: Pick<Checking, 'directory' | 'chosen'>): readonly Write[] {
  const found: Write[] = [];
  forEachStep(steps, (step, at) => {
    if (found.length < MAX_WRITES) found.push(...writesOf(checking, step, at));
  });
  return found.slice(0, MAX_WRITES);
}

function starts(write: Write, { id, definition }: Linked): boolean {
  if (write.kind === 'automation') return write.key === id;
  return definition.triggers.some((trigger) => isFired(trigger, write));
}

function isFired(trigger: Trigger, write: Write): boolean {
  if (write.kind === 'feature') {
    if (trigger.type !== 'feature' && trigger.type !== 'threshold') return false;
    if (trigger.type === 'feature' && (trigger.by === 'hand' || trigger.by === 'other')) return false;
    if (write.key !== undefined && trigger.key !== undefined && trigger.key !== write.key) return false;
    return watches(trigger, write.devices) && (trigger.type === 'threshold' || fits(trigger, write.value));
  }
  if (write.kind === 'mode') return trigger.type === 'mode' && trigger.mode === write.key && fits(trigger, write.value);
  return trigger.type === 'variable' && trigger.variable === write.key && fits(trigger, write.value);
}

function watches(
  trigger: Extract<Trigger, { readonly type: 'feature' | 'threshold' }>,
  devices: readonly Device[],
): boolean {
  return devices.some((device) => {
    if ('device' in trigger) return trigger.device === device.id;
    if ('group' in trigger) return trigger.group === device.id;
    return isFitting(device, trigger.any_of);
  });
}

function fits({ to }: { readonly to?: JsonValue }, value: JsonValue | undefined): boolean {
  return value === undefined || to === undefined || to === '*' || isAmong(value, to);
}
