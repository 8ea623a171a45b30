import { fieldError } from '#base/hub-error.ts';
import { operationIn } from '#core/automation/condition/operand.ts';
import type { Operand } from '#core/automation/document/condition.ts';
import { type CommandStep, LONGEST_DELAY_S, type RepeatStep, type Step } from '#core/automation/document/step.ts';
import { canFulfil, readRequest } from '#core/command/command-request.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import { pointerStep } from '#core/feature/value-schema.ts';
import { limit } from '#words/limits.ts';
import { bodiesOf, checkModeValues } from './check-condition.ts';
import { checkTrigger } from './check-trigger.ts';
import { type Checking, fittingDevices } from './directory.ts';
import { ANYTHING, checkOperand, type Expected, expectedOf, expectedOfVariable, numberOf } from './expected.ts';
import { faultWords } from '#words/faults.ts';

/** Within this time a round without a wait would run again. */
const LEAST_WAIT_S = 0.1;
/** A number that stands in the document; what an operand gives is held to this when it runs. */
const DELAY: Expected = {
  ...numberOf('s'),
  faults: (value, pointer) => {
    if (typeof value !== 'number') return numberOf('s').faults(value, pointer);
    if (value >= 0 && value <= LONGEST_DELAY_S) return [];
    const range = limit('range', { least: 0, most: LONGEST_DELAY_S });
    return [fieldError(pointer, 'OUT_OF_RANGE', `must be from 0 to ${LONGEST_DELAY_S}`, range)];
  },
};

export function checkSteps(checking: Checking, steps: readonly Step[], pointer: string): void {
  for (const [index, step] of steps.entries()) {
    const at = `${pointer}/${index}`;
    checkOne(checking, step, at);
    const inner =
      'repeat' in step && step.repeat.for_each !== undefined
        ? withName(checking, step.repeat.for_each.variable)
        : checking;
    for (const [inside, body] of bodiesOf(step)) checkSteps(inner, body, `${at}${inside}`);
  }
}

function withName(checking: Checking, name: string): Checking {
  return { ...checking, names: new Map([...checking.names, [name, null]]) };
}

function checkOne(checking: Checking, step: Step, pointer: string): void {
  const { directory } = checking;
  const operands = (given: Readonly<Record<string, Operand>> | undefined, at: string): void => {
    for (const [name, operand] of Object.entries(given ?? {})) {
      checkOperand(checking, operand, { expected: ANYTHING, pointer: `${at}${pointerStep(name)}` });
    }
  };
  if ('command' in step) checkCommand(checking, step.command, `${pointer}/command`);
  else if ('delay' in step && 's' in step.delay) {
    checkOperand(checking, step.delay.s, { expected: DELAY, pointer: `${pointer}/delay/s` });
  } else if ('wait_for' in step) {
    const at = `${pointer}/wait_for`;
    if ('condition' in step.wait_for) return checking.checkCondition(step.wait_for.condition, `${at}/condition`);
    for (const [index, trigger] of step.wait_for.triggers.entries())
      checkTrigger(checking, trigger, `${at}/triggers/${index}`);
  } else if ('choose' in step) {
    for (const [index, one] of step.choose.cases.entries())
      checking.checkCondition(one.if, `${pointer}/choose/cases/${index}/if`);
  } else if ('repeat' in step) checkRepeat(checking, step.repeat, `${pointer}/repeat`);
  else if ('notify' in step) operands(step.notify.operands, `${pointer}/notify/operands`);
  else if ('request' in step) operands(step.request.json, `${pointer}/request/json`);
  else if ('mode' in step) {
    checkModeValues(checking, { key: step.mode.mode, values: step.mode.value, pointer: `${pointer}/mode/value` });
    if (step.mode.for_s !== undefined && step.mode.until !== undefined) {
      checking.refuse(`${pointer}/mode/until`, 'INVALID_VALUE', ...faultWords('not_beside', { other: 'for_s' }));
    }
  } else if ('variable' in step) {
    const shape = directory.variable(step.variable.variable);
    const expected = shape === undefined ? ANYTHING : expectedOfVariable(shape);
    checkOperand(checking, step.variable.value, { expected, pointer: `${pointer}/variable/value` });
  } else if ('automation' in step && step.automation.automation === directory.self && step.automation.do === 'run') {
    checking.warn(`${pointer}/automation`, 'POSSIBLE_LOOP', ...faultWords('runs_itself'));
  }
  return undefined;
}

function checkCommand(checking: Checking, command: CommandStep, pointer: string): void {
  const { directory, refuse, refuseAll, warn } = checking;
  const { targets, set, do: action } = command;
  const named = [...(targets.devices ?? []), ...(targets.group === undefined ? [] : [targets.group])].flatMap(
    (id) => directory.device(id) ?? [],
  );
  for (const device of named) {
    if (device.availability.state === 'asleep') {
      warn(pointer, 'SLEEPY_DEVICE', ...faultWords('sleepy', { device: device.selector }));
    }
  }
  const chosen = chosenDevices(checking, command);
  const isChosen = targets.room !== undefined || targets.any_of !== undefined;
  if (isChosen && chosen.length === 0) warn(`${pointer}/targets`, 'NEVER_TRUE', ...faultWords('none_can'));
  // One device of today stands for all that are chosen later.
  const devices = [...named, ...chosen.slice(0, 1)];
  if (action !== undefined) {
    for (const device of devices) {
      const reading = readRequest(device, { do: action });
      if ('errors' in reading)
        refuseAll(reading.errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` })));
    }
    return;
  }
  for (const [key, operand] of Object.entries(set ?? {})) {
    const at = `${pointer}/set${pointerStep(key)}`;
    const features = devices.map(({ features: all }) => all.find((one) => one.key === key));
    if (features.length === 0) checkOperand(checking, operand, { expected: ANYTHING, pointer: at });
    const different = new Map(features.map((feature) => [JSON.stringify(feature), feature]));
    for (const feature of different.values()) {
      if (feature === undefined) refuse(at, 'UNKNOWN', ...faultWords('unknown_feature'));
      else checkSetting(checking, operand, { feature, pointer: at });
    }
  }
}

function checkSetting(
  checking: Checking,
  operand: Operand,
  { feature, pointer }: { readonly feature: Feature; readonly pointer: string },
): void {
  if (!isSettable(feature)) return checking.refuse(pointer, 'READ_ONLY', ...faultWords('not_writable'));
  return checkOperand(checking, operand, { expected: expectedOf(feature), pointer });
}

/** The devices that a command would choose now. */
export function chosenDevices(
  { directory, chosen }: Pick<Checking, 'directory' | 'chosen'>,
  { targets, set, do: action }: CommandStep,
): readonly Device[] {
  const { room, any_of: anyOf } = targets;
  if (room === undefined && anyOf === undefined) return [];
  const name = JSON.stringify([room, anyOf, Object.keys(set ?? {}), action]);
  const known = chosen.get(name);
  if (known !== undefined) return known;
  const selections = [...(room === undefined ? [] : [{ room }]), ...(anyOf === undefined ? [] : [anyOf])];
  const found = selections
    .flatMap((one) => [...fittingDevices(directory, one)])
    .filter((device) => canFulfil(device, { set, do: action }));
  chosen.set(name, found);
  return found;
}

function checkRepeat(checking: Checking, repeat: RepeatStep, pointer: string): void {
  const { times, while: whileMet, until, for_each: each, steps } = repeat;
  if (times !== undefined) checkOperand(checking, times, { expected: numberOf(null), pointer: `${pointer}/times` });
  if (whileMet !== undefined) checking.checkCondition(whileMet, `${pointer}/while`);
  if (until !== undefined) checking.checkCondition(until, `${pointer}/until`);
  for (const [index, value] of (each?.in ?? []).entries()) {
    checkOperand(checking, value, { expected: ANYTHING, pointer: `${pointer}/for_each/in/${index}` });
  }
  if (leastWaitS(steps) < LEAST_WAIT_S) {
    checking.refuse(`${pointer}/steps`, 'INVALID_VALUE', ...faultWords('no_wait_in_round'));
  }
}

/** The least time that a list of steps waits, on every way through it. */
function leastWaitS(steps: readonly Step[]): number {
  let sum = 0;
  for (const step of steps) {
    if ('stop' in step) return Infinity;
    sum += leastWaitOf(step);
  }
  return sum;
}

function leastWaitOf(step: Step): number {
  if ('delay' in step) return 's' in step.delay ? leastOf(step.delay.s) : LEAST_WAIT_S;
  // Something has to happen first. A condition may be met at once.
  if ('wait_for' in step) return 'triggers' in step.wait_for ? LEAST_WAIT_S : 0;
  const bodies = bodiesOf(step).map(([, body]) => leastWaitS(body));
  if ('choose' in step) return Math.min(...bodies, step.choose.else === undefined ? 0 : Infinity);
  if ('parallel' in step) return step.parallel.end === 'any' ? Math.min(...bodies) : Math.max(0, ...bodies);
  if (!('repeat' in step)) return 0;
  const { times, for_each: each } = step.repeat;
  return each !== undefined || (typeof times === 'number' && times >= 1) ? Math.max(0, ...bodies) : 0;
}

/** The least that an operand can give, if that is plain to see. */
function leastOf(operand: Operand): number {
  if (typeof operand === 'number') return operand;
  const operation = operationIn(operand);
  if (operation?.word === 'clamp') return leastOf((operation.body as readonly Operand[])[1] ?? 0);
  if (operation?.word === 'max') return Math.max(...(operation.body as readonly Operand[]).map(leastOf));
  return 0;
}
