import type { JsonValue } from '#base/json.ts';
import type { ThresholdTrigger, Trigger } from '#core/automation/document/trigger.ts';
import { faultsOfAccepts } from '#core/automation/hook/accepts.ts';
import { checkLimit, checkModeValues } from './check-condition.ts';
import { type Checking, watchedFeature } from './directory.ts';
import { ANYTHING, type Expected, expectedOf, expectedOfVariable } from './expected.ts';
import { type FaultWords, faultWords, notOneOf } from '#words/faults.ts';

/** Says what is wrong with a trigger whose form is right. */
export function checkTrigger(checking: Checking, trigger: Trigger, pointer: string): void {
  const { refuse, directory } = checking;
  const needs = (isThere: boolean, name: string, other: string): void => {
    if (!isThere) refuse(`${pointer}/${name}`, 'REQUIRED', ...faultWords('needed_with', { other }));
  };
  switch (trigger.type) {
    case 'feature': {
      const feature = watchedFeature(checking, trigger, { pointer, kind: 'state' });
      checkMatches(checking, trigger, { expected: feature === undefined ? ANYTHING : expectedOf(feature), pointer });
      if (trigger.all !== true) return;
      if (!('any_of' in trigger)) refuse(`${pointer}/all`, 'INVALID_VALUE', ...faultWords('only_any_of'));
      needs(trigger.to !== undefined, 'to', 'all');
      return;
    }
    case 'threshold':
      return checkThreshold(checking, trigger, pointer);
    case 'occurrence': {
      const feature = watchedFeature(checking, trigger, { pointer, kind: 'event' });
      const { action } = trigger;
      for (const one of typeof action === 'string' ? [action] : (action ?? [])) {
        if (feature?.options?.includes(one) === false) {
          refuse(`${pointer}/action`, 'INVALID_VALUE', ...notOneOf(feature.options.slice(0, 20)));
        }
      }
      return;
    }
    case 'sun':
      if (trigger.event === 'elevation') {
        needs(trigger.elevation_deg !== undefined, 'elevation_deg', 'elevation');
        needs(trigger.rising !== undefined, 'rising', 'elevation');
      } else if (trigger.elevation_deg !== undefined || trigger.rising !== undefined) {
        const name = trigger.rising === undefined ? 'elevation_deg' : 'rising';
        refuse(`${pointer}/${name}`, 'INVALID_VALUE', ...faultWords('only_elevation'));
      }
      return;
    case 'time':
      for (const [index, date] of (trigger.dates ?? []).entries()) {
        if (isNoDay(date)) checking.warn(`${pointer}/dates/${index}`, 'NEVER_TRUE', ...faultWords('no_day'));
      }
      if (trigger.cron !== undefined) {
        const fault = directory.faultOfCron(trigger.cron);
        if (fault?.isNever === true) checking.warn(`${pointer}/cron`, 'NEVER_TRUE', fault.message);
        else if (fault !== undefined) refuse(`${pointer}/cron`, 'INVALID_VALUE', fault.message);
      }
      if (trigger.anchor !== undefined && trigger.every_s === undefined) {
        refuse(`${pointer}/anchor`, 'INVALID_VALUE', ...faultWords('only_every_s'));
      }
      if (typeof trigger.at === 'object' && 'variable' in trigger.at) {
        const shape = directory.variable(trigger.at.variable);
        if (shape !== undefined && shape.type !== 'time') {
          refuse(`${pointer}/at/variable`, 'WRONG_TYPE', ...faultWords('time_variable'));
        }
      }
      return;
    case 'hook':
      if (trigger.accepts !== undefined) checking.refuseAll(faultsOfAccepts(trigger.accepts, `${pointer}/accepts`));
      return;
    case 'mode':
      for (const name of ['to', 'from'] as const) {
        const values = trigger[name];
        if (values === undefined || values === '*') continue;
        const isText = (one: unknown): one is string => typeof one === 'string';
        const at = `${pointer}/${name}`;
        if (isText(values)) checkModeValues(checking, { key: trigger.mode, values, pointer: at });
        else if (Array.isArray(values) && values.every(isText)) {
          checkModeValues(checking, { key: trigger.mode, values, pointer: at });
        } else refuse(at, 'WRONG_TYPE', ...faultWords('mode_values'));
      }
      return;
    case 'variable': {
      const shape = directory.variable(trigger.variable);
      return checkMatches(checking, trigger, {
        expected: shape === undefined ? ANYTHING : expectedOfVariable(shape),
        pointer,
      });
    }
    default:
  }
}

/** `02-30`, or 29 February of a year that has none. A range that ends so ends with its month. */
function isNoDay(date: string): boolean {
  if (date.includes('..')) return false;
  const [year = '2000', month = '', day = ''] = date.length === 5 ? ['2000', ...date.split('-')] : date.split('-');
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day);
}

function checkMatches(
  { refuseAll }: Checking,
  { to, from }: { readonly to?: JsonValue; readonly from?: JsonValue },
  { expected, pointer }: { readonly expected: Expected; readonly pointer: string },
): void {
  for (const [name, match] of [['to', to] as const, ['from', from] as const]) {
    if (match === undefined || match === '*') continue;
    const whole = expected.faults(match, `${pointer}/${name}`);
    if (!Array.isArray(match) || whole.length === 0) refuseAll(whole);
    else
      for (const [index, one] of match.entries())
        refuseAll(expected.faults(one as JsonValue, `${pointer}/${name}/${index}`));
  }
}

function checkThreshold(checking: Checking, trigger: ThresholdTrigger, pointer: string): void {
  const { above, below, change } = trigger;
  const refuse = (name: string, ...why: FaultWords): void =>
    checking.refuse(`${pointer}/${name}`, 'INVALID_VALUE', ...why);
  const feature = watchedFeature(checking, trigger, { pointer, kind: 'state' });
  if (feature !== undefined && feature.valueType !== 'number') {
    checking.refuse(`${pointer}/${'key' in trigger ? 'key' : 'any_of'}`, 'WRONG_TYPE', ...faultWords('number_values'));
    return;
  }
  if (change !== undefined) {
    for (const name of ['above', 'below', 'hysteresis', 'for_s', 'again_after_s'] as const) {
      if (trigger[name] !== undefined) refuse(name, ...faultWords('not_beside_change'));
    }
    if (change.by === 0) refuse('change/by', ...faultWords('zero'));
  }
  const expected = feature === undefined ? ANYTHING : expectedOf(feature);
  // A trigger has no run, and so only the variables of the home.
  const outside = { ...checking, names: new Map() };
  if (above !== undefined) checkLimit(outside, above, { expected, pointer: `${pointer}/above` });
  if (below !== undefined) checkLimit(outside, below, { expected, pointer: `${pointer}/below` });
  if (typeof above === 'number' && typeof below === 'number' && above >= below) {
    checking.warn(pointer, 'NEVER_TRUE', ...faultWords('nothing_between'));
  }
}
