import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandStep, Step } from '#core/automation/document/step.ts';
import { bodiesOf, checkCondition, forEachStep } from './check-condition.ts';
import { checkSteps } from './check-step.ts';
import { checkTrigger } from './check-trigger.ts';
import { type Checking, type Directory, isFitting, type Warning } from './directory.ts';
import { ANYTHING, checkOperand } from './expected.ts';
import { sensitiveUses } from './sensitive-use.ts';
import { isAmong } from '#core/automation/condition/sight.ts';
import type { JsonValue } from '#base/json.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Device } from '#core/device/device.ts';
import { type Write, writesOf } from './writes.ts';
import { faultWords } from '#words/faults.ts';

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

/** Finds what a save would refuse now: a device may have become another one since the last. */
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
    refuse: (pointer, code, ...words) => refuseAll([fieldError(pointer, code, ...words)]),
    warn: (pointer, code, ...[message, reason = { id: code.toLowerCase(), with: {} }]) => {
      if (warnings.length < MAX_FINDINGS) warnings.push({ pointer, code, message, reason });
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
  if (unnamed.length > 0) {
    const errors = unnamed.map(({ pointer }) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('not_allowed')));
    return { code: 'SENSITIVE_NOT_NAMED', errors };
  }
  const isFree = definition.triggers.some(({ type }) => type === 'hook' || type === 'threshold');
  const open = isFree ? uses.filter(({ opens, isGuarded }) => opens && !isGuarded) : [];
  if (open.length === 0) return null;
  const errors = open.map(({ pointer }) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('not_guarded')));
  return { code: 'SENSITIVE_NEEDS_CONDITION', errors };
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
  if (on !== undefined && !endsOtherwise) warn(`${on.pointer}/set`, 'NO_OFF', ...faultWords('no_off'));
}

/** A larger home costs no more: this only warns. */
const MAX_LOOKS = 20_000;

/** A step may do what starts its own automation, and no condition stops that. A threshold has its hysteresis. */
function warnOfLoops(checking: Checking): void {
  const { definition, warn } = checking;
  if (definition.conditions.length > 0) return;
  const starts = definition.triggers.filter(({ type }) => type === 'feature' || type === 'mode' || type === 'variable');
  if (starts.length === 0) return;
  const budget = { looks: MAX_LOOKS };
  forEachStep(definition.steps, (step, at) => {
    if (budget.looks < 0) return;
    for (const write of writesOf(checking, step, at)) {
      const start = starts.find((trigger) => isFired(trigger, write, budget));
      if (start !== undefined) warn(write.pointer, 'POSSIBLE_LOOP', ...faultWords('start_loop', { trigger: start.id }));
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
