import type { FieldError } from '#base/hub-error.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandStep, Step } from '#core/automation/document/step.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import { bodiesOf, checkCondition } from './check-condition.ts';
import { checkSteps } from './check-step.ts';
import { checkTrigger } from './check-trigger.ts';
import type { Checking, Directory, Warning } from './directory.ts';
import { ANYTHING, checkOperand } from './expected.ts';
import { sensitiveUses } from './sensitive-use.ts';

export type DefinitionCheck = {
  readonly errors: readonly FieldError[];
  /** Something sensitive is moved without its name in `allow_sensitive`, or opened without a condition. */
  readonly sensitive: {
    readonly code: 'SENSITIVE_NOT_NAMED' | 'SENSITIVE_NEEDS_CONDITION';
    readonly errors: readonly FieldError[];
  } | null;
  readonly warnings: readonly Warning[];
};

const MAX_FINDINGS = 32;

/** Whether the values of a definition fit the devices, variables and modes of the home; never an exception. */
export function checkDefinition(definition: Definition, directory: Directory): DefinitionCheck {
  const errors: FieldError[] = [];
  const warnings: Warning[] = [];
  const refuseAll = (found: readonly FieldError[]): void => {
    errors.push(...found.slice(0, MAX_FINDINGS - errors.length));
  };
  const checking: Checking = {
    directory,
    definition,
    refuseAll,
    refuse: (pointer, code, message) => refuseAll([{ pointer, code, message }]),
    warn: (pointer, code, message) => {
      if (warnings.length < MAX_FINDINGS) warnings.push({ pointer, code, message });
    },
    checkCondition: (condition, pointer) => checkCondition(checking, condition, pointer),
    chosen: new Map(),
    names: new Map(Object.entries(definition.variables)),
  };
  for (const [name, operand] of Object.entries(definition.variables)) {
    checkOperand({ ...checking, names: new Map() }, operand, { expected: ANYTHING, pointer: `/variables/${name}` });
  }
  for (const [index, trigger] of definition.triggers.entries()) checkTrigger(checking, trigger, `/triggers/${index}`);
  for (const [index, condition] of definition.conditions.entries())
    checking.checkCondition(condition, `/conditions/${index}`);
  checkSteps(checking, definition.steps, '/steps');
  warnOfLoops(checking);
  warnOfNoOff(checking);
  return { errors, sensitive: checkSensitive(definition, directory), warnings };
}

function checkSensitive(definition: Definition, directory: Directory): DefinitionCheck['sensitive'] {
  const uses = sensitiveUses(definition, directory);
  const unnamed = uses.filter(({ device }) => !definition.allow_sensitive.includes(device));
  const fault = (pointer: string, message: string): FieldError => ({ pointer, code: 'INVALID_VALUE', message });
  if (unnamed.length > 0) {
    const errors = unnamed.map(({ pointer }) => fault(pointer, 'is sensitive, and must be named in allow_sensitive'));
    return { code: 'SENSITIVE_NOT_NAMED', errors };
  }
  const isFree = definition.triggers.some(({ type }) => type === 'hook' || type === 'threshold');
  const open = isFree ? uses.filter(({ opens, isGuarded }) => opens && !isGuarded) : [];
  if (open.length === 0) return null;
  const why = 'opens something after a hook or threshold, and needs a condition';
  return { code: 'SENSITIVE_NEEDS_CONDITION', errors: open.map(({ pointer }) => fault(pointer, why)) };
}

type Found = { readonly command: CommandStep; readonly pointer: string };

function commandsIn(steps: readonly Step[], pointer: string): readonly Found[] {
  return steps.flatMap((step, index) => [
    ...('command' in step ? [{ command: step.command, pointer: `${pointer}/${index}/command` }] : []),
    ...bodiesOf(step).flatMap(([inside, body]) => commandsIn(body, `${pointer}/${index}${inside}`)),
  ]);
}

/** A command may do what starts the automation, and nothing stops that. */
function warnOfLoops({ definition, warn }: Checking): void {
  if (definition.conditions.length > 0) return;
  for (const { command, pointer } of commandsIn(definition.steps, '/steps')) {
    for (const [key, value] of Object.entries(command.set ?? {})) {
      const isStart = (trigger: Trigger): boolean => {
        if (trigger.type !== 'feature' || trigger.key !== key || trigger.by === 'hand' || trigger.by === 'other')
          return false;
        const watched = 'device' in trigger ? trigger.device : 'group' in trigger ? trigger.group : undefined;
        const isSet =
          watched !== undefined &&
          (command.targets.devices?.includes(watched) === true || command.targets.group === watched);
        const isPlain = typeof value !== 'object';
        return isSet && (!isPlain || trigger.to === undefined || trigger.to === '*' || isAmong(value, trigger.to));
      };
      const start = definition.triggers.find(isStart);
      if (start !== undefined)
        warn(`${pointer}/set/${key}`, 'POSSIBLE_LOOP', `may start the automation again by ${start.id}`);
    }
  }
}

const SENSES: ReadonlySet<string> = new Set(['motion', 'presence', 'open']);

/** A light that a sensor turns on, and nothing turns off. */
function warnOfNoOff({ definition, warn }: Checking): void {
  const isSensed = definition.triggers.some((trigger) => {
    if (trigger.type !== 'feature' || trigger.to !== true) return false;
    const words = [...(trigger.key ?? '').split('.'), 'any_of' in trigger ? (trigger.any_of.capability ?? '') : ''];
    return words.some((word) => SENSES.has(word));
  });
  if (!isSensed || JSON.stringify(definition.steps).includes('"restore"')) return;
  const commands = commandsIn(definition.steps, '/steps');
  const sets = (value: boolean) =>
    commands.find(({ command: { set } }) =>
      Object.entries(set ?? {}).some(([key, one]) => /(^|\.)on$/.test(key) && one === value),
    );
  const on = sets(true);
  const endsOtherwise = sets(false) !== undefined || commands.some(({ command }) => command.do !== undefined);
  if (on !== undefined && !endsOtherwise)
    warn(`${on.pointer}/set`, 'NO_OFF', 'turns on, and nothing here turns off again');
}
