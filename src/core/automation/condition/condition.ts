import type { JsonValue } from '#base/json.ts';
import type {
  CompareOperation,
  Comparison,
  Condition,
  ConditionWord,
  Operand,
  SunEvent,
} from '#core/automation/document/condition.ts';
import type { Evaluate, Judge, OperandSeen, RunScope, SeenSun, Truth, UnknownReason } from '#core/automation/view.ts';
import { DAY_S, dayOfSpan, isOneOf, readClockTime } from './clock-time.ts';
import { compileOperandWith } from './operand.ts';
import { featureSeen, isAmong, isMovedBy, noted, presenceIs, seeFeature, seeVariable } from './sight.ts';

type BodyOf<Word extends ConditionWord> = Extract<Condition, { readonly [W in Word]: unknown }>[Word];
/** The outcome of one leaf; it notes what it looked at. */
type Leaf = (scope: RunScope, seen: OperandSeen[]) => Truth;
type Leaves = { readonly [Word in Exclude<ConditionWord, 'and' | 'or' | 'not'>]: (body: BodyOf<Word>) => Leaf };

/**
 * Kleene's logic: what nobody knows decides only where it makes no difference. `pointer` leads to the condition, and
 * each leaf that was looked at is noted under its own.
 */
export function compileCondition(condition: Condition, pointer: string): Judge {
  const ifUnknown = condition.if_unknown;
  const settled = (truth: Truth): Truth => (truth === 'unknown' ? (ifUnknown ?? truth) : truth);
  if ('not' in condition) {
    const judge = compileCondition(condition.not, `${pointer}/not`);
    return (scope, evidence) => settled(negated(judge(scope, evidence)));
  }
  if ('and' in condition) {
    const judge = allOf(condition.and, `${pointer}/and`);
    return (scope, evidence) => settled(judge(scope, evidence));
  }
  if ('or' in condition) {
    const judge = anyOf(condition.or, `${pointer}/or`);
    return (scope, evidence) => settled(judge(scope, evidence));
  }
  const leaf = compileLeaf(condition);
  return (scope, evidence) => {
    const operands: OperandSeen[] = [];
    const result = settled(leaf(scope, operands));
    evidence.push({ pointer, result, operands });
    return result;
  };
}

/** Judges a list of conditions that must all be met; an empty one is. */
export function allOf(conditions: readonly Condition[], pointer: string): Judge {
  return joined(conditions, pointer, false);
}

export function compileOperand(operand: Operand): Evaluate {
  return compileOperandWith((condition) => compileCondition(condition, ''), operand);
}

function anyOf(conditions: readonly Condition[], pointer: string): Judge {
  return joined(conditions, pointer, true);
}

/** Looks no further than the first that decides. */
function joined(conditions: readonly Condition[], pointer: string, decisive: boolean): Judge {
  const judges = conditions.map((condition, index) => compileCondition(condition, `${pointer}/${index}`));
  return (scope, evidence) => {
    let result: Truth = !decisive;
    for (const judge of judges) {
      const truth = judge(scope, evidence);
      if (truth === decisive) return truth;
      if (truth === 'unknown') result = truth;
    }
    return result;
  };
}

function negated(truth: Truth): Truth {
  return truth === 'unknown' ? truth : !truth;
}

function compileLeaf(condition: Condition): Leaf {
  for (const [word, body] of Object.entries(condition)) {
    if (isLeaf(word)) return (LEAVES[word] as (body: unknown) => Leaf)(body);
  }
  throw new Error(`a condition without a known word: ${Object.keys(condition).join(', ')}`);
}

const LEAVES: Leaves = {
  feature: ({ for_s: forS, accept_restored: acceptRestored, ...rest }) => {
    const compare = compileComparison(rest);
    return (scope, seen) => {
      const { state, unknown } = seeFeature(scope.view, rest, acceptRestored);
      const isUndated = unknown === null && forS !== undefined && state?.changedAtMs === null;
      seen.push(featureSeen(rest, state, isUndated ? 'changed_when' : unknown));
      if (state === undefined || unknown !== null) return 'unknown';
      const result = compare(state.value, scope, seen);
      if (forS === undefined || result !== true) return result;
      return state.changedAtMs === null ? 'unknown' : scope.view.now.hubMs - state.changedAtMs >= forS * 1000;
    };
  },
  time: ({ after, before, days }) => {
    const span = { after: secondsOf(after), before: secondsOf(before) };
    return ({ view }, seen) => {
      const { civil } = view.now;
      seen.push(noted('clock', civil?.secondOfDay, 'clock_unset'));
      if (civil === undefined) return 'unknown';
      const day = dayOfSpan(span, civil);
      return day !== undefined && isOneOf(days, day);
    };
  },
  sun: (body) => {
    const compare = compileComparison(body);
    return (scope, seen) => {
      const [sun, civil] = [scope.view.sun(), scope.view.now.civil];
      seen.push(noted('sun/elevation', sun?.elevationDeg, 'no_sun'));
      if (sun === undefined || civil === undefined) return 'unknown';
      if (body.above !== undefined || body.below !== undefined) return compare(sun.elevationDeg, scope, seen);
      const span = sunSpan(body, sun);
      if (span !== undefined) return dayOfSpan(span, civil) !== undefined;
      for (const event of [body.after, body.before]) {
        if (event !== undefined && sun.secondOf(event) === undefined)
          seen.push(noted(`sun/${event}`, undefined, whyNoMoment(event, sun)));
      }
      return 'unknown';
    };
  },
  mode: (wanted) => {
    const entries = Object.entries(wanted);
    return ({ view }, seen) => {
      let result: Truth = true;
      for (const [key, values] of entries) {
        const value = view.mode(key);
        seen.push(noted(`mode/${key}`, value));
        if (value !== undefined && !isAmong(value, values)) return false;
        if (value === undefined) result = 'unknown';
      }
      return result;
    };
  },
  presence:
    ({ person, is }) =>
    ({ view }, seen) => {
      const isGroup = person === 'anyone' || person === 'everyone';
      seen.push(noted(`presence/${person}`, isGroup ? view.everyone() : view.presence(person)));
      return presenceIs(view, person, is);
    },
  variable: ({ variable, ...rest }) => {
    const compare = compileComparison(rest);
    return (scope, seen) => {
      const value = seeVariable(scope, variable);
      seen.push(noted(`variable/${variable}`, value));
      return value === undefined ? 'unknown' : compare(value, scope, seen);
    };
  },
  availability:
    ({ device, is }) =>
    ({ view }, seen) => {
      const state = view.availability(device)?.state;
      seen.push(noted(`availability/${device}`, state));
      if (state === undefined || (state === 'unknown' && is !== 'unknown')) return 'unknown';
      return state === is;
    },
  trigger:
    ({ id }) =>
    ({ trigger }, seen) => {
      seen.push(noted('trigger/id', trigger?.id ?? null));
      return trigger !== null && isAmong(trigger.id, id);
    },
  step:
    ({ id, timed_out: wanted }) =>
    ({ timedOut }, seen) => {
      const ended = timedOut.get(id);
      seen.push(noted(`step/${id}/timed_out`, ended, 'not_run'));
      return ended === undefined ? 'unknown' : ended === wanted;
    },
  scene:
    ({ scene, is }) =>
    ({ view }, seen) => {
      const state = view.scene(scene);
      seen.push(noted(`scene/${scene}`, state));
      return state === undefined || state === 'unknown' ? 'unknown' : state === is;
    },
  run:
    ({ automation }) =>
    ({ view }, seen) => {
      const isRunning = view.isRunning(automation);
      seen.push(noted(`run/${automation}`, isRunning));
      return isRunning;
    },
  compare: ({ left, op, right }) => {
    const [leftOf, rightOf] = [compileOperand(left), compileOperand(right)];
    return (scope, seen) => {
      const [one, other] = [leftOf(scope, seen), rightOf(scope, seen)];
      return one === undefined || other === undefined ? 'unknown' : compared(one, op, other);
    };
  },
  changed:
    ({ within_s: withinS, by, ...ref }) =>
    ({ view }, seen) => {
      const { state, unknown } = seeFeature(view, ref);
      const changedAtMs = state?.changedAtMs ?? null;
      seen.push(featureSeen(ref, state, unknown ?? (changedAtMs === null ? 'changed_when' : null)));
      if (state === undefined || unknown !== null || changedAtMs === null) return 'unknown';
      return view.now.hubMs - changedAtMs <= withinS * 1000 && isMovedBy(by, ref.key, state.cause);
    },
};

const isLeaf = (word: string): word is keyof Leaves => Object.hasOwn(LEAVES, word);

/** Whether a value is as one comparison says. */
function compileComparison({ is, is_not: isNot, above, below, between }: Comparison) {
  const parts: [operand: Evaluate, test: (value: JsonValue, wanted: JsonValue) => Truth][] = [];
  const add = (operand: Operand | undefined, test: (value: JsonValue, wanted: JsonValue) => Truth): void => {
    if (operand !== undefined) parts.push([compileOperand(operand), test]);
  };
  add(is, isAmong);
  add(isNot, (value, wanted) => !isAmong(value, wanted));
  add(above, (value, wanted) => compared(value, 'gt', wanted));
  add(below, (value, wanted) => compared(value, 'lt', wanted));
  add(between?.[0], (value, wanted) => compared(value, 'ge', wanted));
  add(between?.[1], (value, wanted) => compared(value, 'le', wanted));
  return (value: JsonValue, scope: RunScope, seen: OperandSeen[]): Truth => {
    let result: Truth = true;
    for (const [operand, test] of parts) {
      const wanted = operand(scope, seen);
      const truth = wanted === undefined ? 'unknown' : test(value, wanted);
      if (truth === false) return false;
      if (truth === 'unknown') result = truth;
    }
    return result;
  };
}

/** Numbers, or texts such as clock times. Any others have no order. */
function compared(left: JsonValue, op: CompareOperation, right: JsonValue): Truth {
  if (op === 'eq' || op === 'ne') return isAmong(left, right) === (op === 'eq');
  const haveOrder =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!haveOrder) return 'unknown';
  if (op === 'lt') return left < right;
  if (op === 'le') return left <= right;
  return op === 'gt' ? left > right : left >= right;
}

/** From one moment of the sun to another, in seconds of the day; `undefined` on a day without one of them. */
function sunSpan(
  { after, before, offset_s: offsetS = 0, before_offset_s: beforeOffsetS = 0 }: BodyOf<'sun'>,
  sun: SeenSun,
): { readonly after: number | undefined; readonly before: number | undefined } | undefined {
  const at = (event: SunEvent | undefined, movedS: number): number | undefined => {
    const second = event === undefined ? undefined : sun.secondOf(event);
    return second === undefined ? undefined : second + movedS;
  };
  const span = { after: at(after, offsetS), before: at(before, beforeOffsetS) };
  if ((after !== undefined && span.after === undefined) || (before !== undefined && span.before === undefined)) {
    return undefined;
  }
  if (span.after === undefined || span.before === undefined) return span;
  const inDay = (second: number): number => ((second % DAY_S) + DAY_S) % DAY_S;
  return { after: inDay(span.after), before: inDay(span.before) };
}

/** Where its upper edge is seen, through the air. */
const HORIZON_DEG = -0.833;

/** On a day without a sunset the sun is up or down all day. */
function whyNoMoment(event: SunEvent, { elevationDeg }: SeenSun): UnknownReason {
  if (event === 'dawn' || event === 'dusk') return 'no_dawn_or_dusk';
  return elevationDeg > HORIZON_DEG ? 'sun_does_not_set' : 'sun_does_not_rise';
}

function secondsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readClockTime(text);
}
