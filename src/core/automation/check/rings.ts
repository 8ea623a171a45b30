import { faultWords } from '#words/faults.ts';
import type { JsonValue } from '#base/json.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Step, StepWord } from '#core/automation/document/step.ts';
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
/** The steps that write; see `writesOf`. */
const WRITERS = ['command', 'scene', 'mode', 'variable', 'automation'] as const satisfies readonly StepWord[];

/**
 * Warns of steps that may start other automations, which start others, which start this one again, where no condition
 * stands in between. A ring of one is found with the definition alone. Only automations that this one may start are read.
 */
export function warnOfRings(self: Linked, others: readonly Linked[], directory: Directory): readonly Warning[] {
  if (self.definition.conditions.length > 0) return [];
  const open = others.filter(({ id, definition }) => id !== self.id && definition.conditions.length === 0);
  const chosen: Checking['chosen'] = new Map();
  const startedBy = createStarts([...open, self]);
  const writes = writesIn(self.definition, { directory, chosen }).map((write) => {
    return { write, started: [...startedBy(write)].filter((one) => one !== self) };
  });
  const next = new Map<Linked, ReadonlySet<Started>>();
  const reached = new Set(writes.flatMap(({ started }) => started));
  const seen = new Set<Started>();
  for (const one of reached) {
    // Most writes of a home are those of another step once more, and start the same.
    const own = new Set(
      writersIn(one.definition).flatMap((step) => writesOf({ directory, chosen }, step, '').map(startedBy)),
    );
    next.set(one, own);
    for (const started of own) {
      if (seen.has(started)) continue;
      seen.add(started);
      for (const after of started) if (after !== self) reached.add(after);
    }
  }
  const startsTo = countStarts(self, next);
  return writes.flatMap(({ write, started }): readonly Warning[] => {
    const way = wayFrom(started, { self, next, startsTo });
    if (way === undefined) return [];
    const names = way.map(({ selector }) => selector);
    const chain = [...names.slice(0, MAX_SHOWN), ...(names.length > MAX_SHOWN ? ['…'] : [])].join(' → ');
    const [message, reason] = faultWords('start_ring', { automations: chain });
    return [{ pointer: write.pointer, code: 'POSSIBLE_LOOP', message, reason }];
  });
}

/** Writes of the same thing share one set. */
type Started = ReadonlySet<Linked>;
type Next = ReadonlyMap<Linked, ReadonlySet<Started>>;

/** How many starts it is from each to this one. */
function countStarts(self: Linked, next: Next): ReadonlyMap<Linked, number> {
  const giving = new Map<Started, Linked[]>();
  for (const [one, own] of next) for (const started of own) giving.set(started, [...(giving.get(started) ?? []), one]);
  const holding = new Map<Linked, Started[]>();
  for (const started of giving.keys())
    for (const one of started) holding.set(one, [...(holding.get(one) ?? []), started]);
  const starts = new Map([[self, 0]]);
  for (const [one, count] of starts) {
    for (const started of holding.get(one) ?? []) {
      for (const earlier of giving.get(started) ?? []) if (!starts.has(earlier)) starts.set(earlier, count + 1);
      giving.delete(started);
    }
  }
  return starts;
}

/** The shortest way back that begins with one of these; `undefined` where none leads there. */
function wayFrom(
  started: Iterable<Linked>,
  {
    self,
    next,
    startsTo,
  }: { readonly self: Linked; readonly next: Next; readonly startsTo: ReadonlyMap<Linked, number> },
): readonly Linked[] | undefined {
  const way: Linked[] = [];
  let at = nearestOf(started, startsTo);
  while (at !== undefined && at !== self) {
    way.push(at);
    const sets: readonly Started[] = [...(next.get(at) ?? [])];
    at = nearestOf(
      sets.flatMap((one) => nearestOf(one, startsTo) ?? []),
      startsTo,
    );
  }
  return at === undefined ? undefined : way;
}

/** The first of those from which it is the fewest starts. */
function nearestOf(among: Iterable<Linked>, startsTo: ReadonlyMap<Linked, number>): Linked | undefined {
  let found: Linked | undefined;
  let least = Infinity;
  for (const one of among) {
    const starts = startsTo.get(one) ?? Infinity;
    if (starts < least) [found, least] = [one, starts];
  }
  return found;
}

type Start = { readonly one: Linked; readonly trigger: Trigger };

/** Finds which of these automations a write may start, by what their triggers watch. */
function createStarts(all: readonly Linked[]): (write: Write) => Started {
  const budget = { looks: MAX_LOOKS };
  const byName = new Map<string, Start[]>();
  const selections: Start[] = [];
  const put = (name: string, start: Start): void => {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [start]);
    else known.push(start);
  };
  for (const one of all) {
    for (const trigger of one.definition.triggers) {
      const start = { one, trigger };
      if (trigger.type === 'mode') put(`mode/${trigger.mode}`, start);
      else if (trigger.type === 'variable') put(`variable/${trigger.variable}`, start);
      else if (trigger.type === 'feature' || trigger.type === 'threshold') {
        if ('any_of' in trigger) selections.push(start);
        else put(`feature/${'device' in trigger ? trigger.device : trigger.group}`, start);
      }
    }
  }
  const add = (started: Set<Linked>, starts: readonly Start[], write: Write): void => {
    for (const { one, trigger } of starts) {
      if (started.has(one)) continue;
      budget.looks -= write.kind === 'feature' ? write.devices.length : 1;
      if (budget.looks < 0) return;
      if (isFired(trigger, write)) started.add(one);
    }
  };
  const find = (write: Write): Started => {
    if (write.kind === 'automation') return new Set(all.filter(({ id }) => id === write.key));
    const started = new Set<Linked>();
    const names = write.kind === 'feature' ? write.devices.map(({ id }) => id) : [write.key];
    for (const name of names) add(started, byName.get(`${write.kind}/${name}`) ?? [], write);
    if (write.kind === 'feature') add(started, selections, write);
    return started;
  };
  const known = new Map<string, Started>();
  return (write) => {
    const name = nameOf(write);
    const found = known.get(name) ?? find(write);
    known.set(name, found);
    return found;
  };
}

/** The same for writes of the same. */
function nameOf(write: Write): string {
  const value = write.value === undefined ? '' : JSON.stringify(write.value);
  const places = write.kind === 'feature' ? write.devices.map(({ id }) => id).join(' ') : '';
  return `${write.kind}/${write.key ?? ''}/${places}/${value}`;
}

/** The steps of a definition that write something. It is never changed, and to read all of a large one takes longest. */
const writers = new WeakMap<Definition, readonly Step[]>();

function writersIn(definition: Definition): readonly Step[] {
  const known = writers.get(definition);
  if (known !== undefined) return known;
  const found: Step[] = [];
  forEachStep(definition.steps, (step) => {
    if (found.length < MAX_WRITES && WRITERS.some((word) => word in step)) found.push(step);
  });
  writers.set(definition, found);
  return found;
}

function writesIn(definition: Definition, checking: Pick<Checking, 'directory' | 'chosen'>): readonly Write[] {
  const found: Write[] = [];
  forEachStep(definition.steps, (step, at) => {
    if (found.length < MAX_WRITES) found.push(...writesOf(checking, step, at));
  });
  return found.slice(0, MAX_WRITES);
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
