import { allOf, compileCondition, compileOperand } from '#core/automation/condition/condition.ts';
import type { AutomationId, Condition, Operand } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Step, StepWord } from '#core/automation/document/step.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import { distinctOf, distinctTriggers } from '#core/automation/trigger/distinct-triggers.ts';
import { compileTrigger } from '#core/automation/trigger/match.ts';
import type { MatchTrigger } from '#core/automation/trigger/happening.ts';
import type { Evaluate, Judge } from '#core/automation/view.ts';
import { needsClock, watchedBy } from './watched.ts';

/** A version of an automation, ready to run: nothing is parsed any more when something happens. */
export type Program = {
  readonly automation: AutomationId;
  readonly version: number;
  readonly definition: Definition;
  /** Equal ones once, so that their places are not those in the document. */
  readonly triggers: readonly CompiledTrigger[];
  readonly conditions: Judge;
  readonly variables: readonly Named[];
  readonly steps: readonly Node[];
};

/** An automation at rest. `ready` makes the whole of it, which goes again once no run holds it: most rest most of the time. */
export type Resting = Pick<Program, 'automation' | 'version' | 'definition' | 'triggers'> & {
  readonly ready: () => Program;
};

export type CompiledTrigger = { readonly trigger: Trigger; readonly match: MatchTrigger };
type Named = readonly [name: string, evaluate: Evaluate];

/** A step with all that can be worked out before it runs. */
export type Node = {
  readonly step: Step;
  readonly word: StepWord;
  readonly pointer: string;
  /** The lists of steps in it. */
  readonly bodies: readonly (readonly Node[])[];
  /** Operands by name (`set`, `json`, texts), the only one (delay, `repeat`, variable), or all values of `for_each`. */
  readonly operands: readonly Named[];
  /** The conditions of the cases, or of `while`, `until` and `wait_for`. */
  readonly judges: readonly Judge[];
  /** The triggers of `wait_for`. With a condition they only say when to look at it. */
  readonly triggers: readonly CompiledTrigger[];
  /** Whether its condition may change while nothing happens. */
  readonly isTimed: boolean;
};

type Source = {
  readonly id: AutomationId;
  readonly version: number;
  readonly definition: Definition;
};

export function restingProgram(source: Source): Resting {
  const { id: automation, version, definition } = source;
  const triggers = distinctTriggers(definition).map(compiled);
  const ready = whileUsed(() => wholeProgram(source, triggers));
  return { automation, version, definition, triggers, ready };
}

export function compileProgram(source: Source): Program {
  return wholeProgram(source, distinctTriggers(source.definition).map(compiled));
}

function wholeProgram({ id, version, definition }: Source, triggers: readonly CompiledTrigger[]): Program {
  return {
    automation: id,
    version,
    definition,
    triggers,
    conditions: allOf(definition.conditions, '/conditions'),
    variables: namedOperands(definition.variables),
    steps: compileBlock(definition.steps, '/steps'),
  };
}

/** The node at which the frames stand; `undefined` at the end of the innermost list, or where there is no such step. */
export function nodeAt(
  program: Program,
  frames: readonly { readonly body: number; readonly index: number }[],
): Node | undefined {
  let block: readonly Node[] | undefined = program.steps;
  let node: Node | undefined;
  for (const [depth, { body, index }] of frames.entries()) {
    if (depth > 0) block = node?.bodies[body];
    node = block?.[index];
  }
  return node;
}

/** The limits of a threshold may be large operands. */
function compiled(trigger: Trigger): CompiledTrigger {
  if (trigger.type !== 'threshold') return { trigger, match: compileTrigger(trigger) };
  const ready = whileUsed(() => compileTrigger(trigger));
  return { trigger, match: (happening, given) => ready()(happening, given) };
}

/** Gives one value of `make` as long as somebody holds it, and makes it anew once it was collected. */
function whileUsed<Value extends object>(make: () => Value): () => Value {
  let known: WeakRef<Value> | undefined;
  return () => {
    const found = known?.deref();
    if (found !== undefined) return found;
    const made = make();
    known = new WeakRef(made);
    return made;
  };
}

function compileBlock(steps: readonly Step[], pointer: string): readonly Node[] {
  return steps.map((step, at) => compileStep(step, `${pointer}/${at}`));
}

function namedOperands(operands: Readonly<Record<string, Operand>>): readonly Named[] {
  return Object.entries(operands).map(([name, operand]) => [name, compileOperand(operand)]);
}

type Parts = Partial<Pick<Node, 'bodies' | 'operands' | 'judges' | 'triggers' | 'isTimed'>>;
const NOTHING = { bodies: [], operands: [], judges: [], triggers: [], isTimed: false };

function compileStep(step: Step, pointer: string): Node {
  const word = wordOf(step);
  return { step, word, pointer: `${pointer}/${word}`, ...NOTHING, ...partsOf(step, `${pointer}/${word}`) };
}

/** A step has one member beside its id. */
function wordOf(step: Step): StepWord {
  return Object.keys(step).find((name) => name !== 'id') as StepWord;
}

function partsOf(step: Step, pointer: string): Parts {
  if ('command' in step) return { operands: namedOperands(step.command.set ?? {}) };
  if ('delay' in step) return 's' in step.delay ? { operands: namedOperands({ s: step.delay.s }) } : {};
  if ('wait_for' in step) return partsOfWait(step.wait_for, pointer);
  if ('choose' in step) {
    const { cases, else: others } = step.choose;
    return {
      judges: cases.map((one, at) => compileCondition(one.if, `${pointer}/cases/${at}/if`)),
      bodies: [
        ...cases.map((one, at) => compileBlock(one.then, `${pointer}/cases/${at}/then`)),
        compileBlock(others ?? [], `${pointer}/else`),
      ],
    };
  }
  if ('repeat' in step) {
    const { times, for_each: each, steps } = step.repeat;
    const until = step.repeat.while ?? step.repeat.until;
    return {
      operands: [
        ...namedOperands(times === undefined ? {} : { times }),
        ...(each?.in ?? []).map((operand, at): Named => [String(at), compileOperand(operand)]),
      ],
      judges:
        until === undefined ? [] : [compileCondition(until, `${pointer}/${step.repeat.while ? 'while' : 'until'}`)],
      bodies: [compileBlock(steps, `${pointer}/steps`)],
    };
  }
  if ('parallel' in step) {
    return { bodies: step.parallel.branches.map((branch, at) => compileBlock(branch, `${pointer}/branches/${at}`)) };
  }
  if ('notify' in step) return { operands: namedOperands(step.notify.operands ?? {}) };
  if ('request' in step) return { operands: namedOperands(step.request.json ?? {}) };
  if ('variable' in step) return { operands: namedOperands({ value: step.variable.value }) };
  return {};
}

function partsOfWait(
  wait: { readonly triggers: readonly Trigger[] } | { readonly condition: Condition },
  pointer: string,
): Parts {
  if ('triggers' in wait) return { triggers: distinctOf(wait.triggers).map(compiled) };
  return {
    judges: [compileCondition(wait.condition, `${pointer}/condition`)],
    triggers: watchedBy(wait.condition).map(compiled),
    isTimed: needsClock(wait.condition),
  };
}
