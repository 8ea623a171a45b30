import type { FieldError } from '#base/hub-error.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandStep, Step } from '#core/automation/document/step.ts';
import { bodiesOf, checkCondition } from './check-condition.ts';
import { checkSteps } from './check-step.ts';
import { checkTrigger } from './check-trigger.ts';
import type { Checking, Directory, Warning } from './directory.ts';
import { ANYTHING, checkOperand } from './expected.ts';
import { warnOfLoops } from './loops.ts';
import { sensitiveUses } from './sensitive-use.ts';

type DefinitionCheck = {
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
  const { checking, errors, warnings } = checkValues(definition, directory);
  warnOfLoops(checking);
  warnOfNoOff(checking);
  return { errors, sensitive: checkSensitive(definition, directory), warnings };
}

/** What would be refused if it were saved now: a device may have become another one since. */
export function misfitsOf(definition: Definition, directory: Directory): readonly FieldError[] {
  return checkValues(definition, directory).errors;
}

function checkValues(definition: Definition, directory: Directory) {
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
  return { checking, errors, warnings };
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
