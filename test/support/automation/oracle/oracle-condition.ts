import type { JsonValue } from '#base/json.ts';
import type { Comparison, Condition, Operand } from '#core/automation/document/condition.ts';
import type { Truth } from '#core/automation/view.ts';
import { isWithin } from './oracle-clock.ts';
import { isSame, knownValue, type OracleWorld, presenceOf } from './oracle-world.ts';

/** What started a run, as far as conditions and operands look at it. */
export type OracleFacts = {
  readonly id: string;
  readonly from: JsonValue | undefined;
  readonly value: JsonValue | undefined;
  readonly depth: number;
};

export type OracleScope = {
  readonly world: OracleWorld;
  readonly facts: OracleFacts;
  readonly timedOut: ReadonlyMap<string, boolean>;
  readonly isRunning: (automation: string) => boolean;
  /** Where the result of each leaf is noted, by its pointer. */
  readonly leaves?: Map<string, Truth> | undefined;
};

/** Judges the whole tree, with nothing left out. */
export function judge(condition: Condition, pointer: string, scope: OracleScope): Truth {
  const all = (parts: readonly Condition[], word: string): readonly Truth[] =>
    parts.map((part, at) => judge(part, `${pointer}/${word}/${at}`, scope));
  const settled = (truth: Truth): Truth => (truth === 'unknown' ? (condition.if_unknown ?? truth) : truth);
  if ('and' in condition) return settled(conjunction(all(condition.and, 'and')));
  if ('or' in condition) return settled(not(conjunction(all(condition.or, 'or').map(not))));
  if ('not' in condition) return settled(not(judge(condition.not, `${pointer}/not`, scope)));
  const truth = settled(leafOf(condition, scope));
  scope.leaves?.set(pointer, truth);
  return truth;
}

export function conjunction(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false;
  return parts.includes('unknown') ? 'unknown' : true;
}

function not(truth: Truth): Truth {
  return truth === 'unknown' ? truth : !truth;
}

function leafOf(condition: Condition, scope: OracleScope): Truth {
  const { world } = scope;
  if ('feature' in condition) {
    const { device, key, for_s } = condition.feature;
    const truth = compared(knownValue(world, device, key), condition.feature, scope);
    if (truth !== true || for_s === undefined) return truth;
    const changedAtMs = world.values.get(`${device} ${key}`)?.changedAtMs ?? Infinity;
    return world.nowMs - changedAtMs >= for_s * 1000;
  }
  if ('changed' in condition) {
    const { device, key, within_s } = condition.changed;
    if (knownValue(world, device, key) === undefined) return 'unknown';
    return world.nowMs - (world.values.get(`${device} ${key}`)?.changedAtMs ?? -Infinity) <= within_s * 1000;
  }
  if ('mode' in condition)
    return conjunction(
      Object.entries(condition.mode).map(([mode, wanted]) => {
        const value = world.modes.get(mode);
        return value === undefined ? 'unknown' : [wanted].flat().includes(value);
      }),
    );
  if ('variable' in condition)
    return compared(world.variables.get(condition.variable.variable), condition.variable, scope);
  if ('availability' in condition) {
    const state = world.availability.get(condition.availability.device);
    return state === undefined ? 'unknown' : state === condition.availability.is;
  }
  if ('presence' in condition) return presenceOf(world, condition.presence.person, condition.presence.is);
  if ('time' in condition) {
    const wallMs = world.wallMs();
    return wallMs === undefined ? 'unknown' : isWithin(condition.time, world.zone, wallMs);
  }
  if ('trigger' in condition) return [condition.trigger.id].flat().includes(scope.facts.id);
  if ('step' in condition) {
    const timedOut = scope.timedOut.get(condition.step.id);
    return timedOut === undefined ? 'unknown' : timedOut === condition.step.timed_out;
  }
  if ('run' in condition) return scope.isRunning(condition.run.automation);
  if ('compare' in condition) {
    const left = evaluate(condition.compare.left, scope);
    const right = evaluate(condition.compare.right, scope);
    if (left === undefined || right === undefined) return 'unknown';
    const { op } = condition.compare;
    if (op === 'eq' || op === 'ne') return isSame(left, right) === (op === 'eq');
    // Times of the clock are texts: those have an order too.
    const areTexts = typeof left === 'string' && typeof right === 'string';
    if (!areTexts && (typeof left !== 'number' || typeof right !== 'number')) return 'unknown';
    return { lt: left < right, le: left <= right, gt: left > right, ge: left >= right }[op];
  }
  throw new Error(`the oracle does not know ${JSON.stringify(condition)}`);
}

function compared(value: JsonValue | undefined, comparison: Comparison, scope: OracleScope): Truth {
  const { is, is_not, above, below, between } = comparison;
  if (value === undefined) return 'unknown';
  const isOneOf = (wanted: Operand): Truth => {
    const found = evaluate(wanted, scope);
    return found === undefined ? 'unknown' : [found].flat().some((one) => isSame(one, value));
  };
  if (is !== undefined) return isOneOf(is);
  if (is_not !== undefined) return not(isOneOf(is_not));
  const [least, greatest] = between ?? [above, below];
  return conjunction([
    ...(least === undefined ? [] : [isMore(value, evaluate(least, scope))]),
    ...(greatest === undefined ? [] : [isMore(evaluate(greatest, scope), value)]),
  ]);
}

function isMore(left: JsonValue | undefined, right: JsonValue | undefined): Truth {
  return typeof left === 'number' && typeof right === 'number' ? left > right : 'unknown';
}

/** `undefined` is unknown. */
export function evaluate(operand: Operand, scope: OracleScope): JsonValue | undefined {
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return operand as JsonValue;
  const words: Readonly<Record<string, unknown>> = operand as never;
  if ('feature' in words) {
    const { device, key } = words['feature'] as { readonly device: string; readonly key: string };
    return knownValue(scope.world, device, key);
  }
  if ('variable' in words) return scope.world.variables.get(words['variable'] as string);
  if ('trigger' in words) return words['trigger'] === 'from' ? scope.facts.from : scope.facts.value;
  if ('coalesce' in words)
    return (words['coalesce'] as readonly Operand[])
      .map((part) => evaluate(part, scope))
      .find((value) => value !== undefined);
  if ('if' in words) {
    const [condition, yes, no] = words['if'] as readonly [Condition, Operand, Operand];
    const truth = judge(condition, '', { ...scope, leaves: undefined });
    return truth === 'unknown' ? undefined : evaluate(truth ? yes : no, scope);
  }
  const [word = ''] = Object.keys(words);
  const parts = (words[word] as readonly Operand[]).map((part) => evaluate(part, scope));
  const numbers = parts.filter((part) => typeof part === 'number');
  if (numbers.length < parts.length) return undefined;
  if (word === 'add') return numbers.reduce((sum, one) => sum + one, 0);
  if (word === 'sub') return numbers.slice(1).reduce((rest, one) => rest - one, numbers[0] ?? 0);
  if (word === 'min') return Math.min(...numbers);
  if (word === 'max') return Math.max(...numbers);
  throw new Error(`the oracle does not know ${word}`);
}

/** Whether something without news can change it, as time: then it is looked at each second. */
export function needsPolls(condition: Condition): boolean {
  const text = JSON.stringify(condition);
  return ['"for_s"', '"changed"', '"run"', '"time"'].some((word) => text.includes(word));
}

/** The things that it looks at, by their names in `told`. */
export function namesIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { device, key, variable, mode, person, is }: Readonly<Record<string, unknown>> = part as never;
  return [
    ...(typeof device === 'string' ? [`availability/${device}`, `${device} ${String(key)}`] : []),
    ...(typeof person === 'string' ? [`presence/${person}/${String(is)}`] : []),
    ...(typeof variable === 'string' ? [`variable/${variable}`] : []),
    ...Object.keys(mode ?? {}).map((one) => `mode/${one}`),
    ...Object.values(part).flatMap(namesIn),
  ];
}
