import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Condition, Operand, Operation, OperationWord } from '#core/automation/document/condition.ts';
import type { Evaluate, Judge, OperandSeen, RunScope, TriggerFacts, UnknownReason } from '#core/automation/view.ts';
import { featureSeen, noted, seeFeature, seeVariable } from './sight.ts';

type BodyOf<Word extends OperationWord> = Extract<Operation, { readonly [W in Word]: unknown }>[Word];
type Compile = (operand: Operand) => Evaluate;
type Compilers = {
  readonly [Word in OperationWord]: (
    body: BodyOf<Word>,
    compile: Compile,
    judge: (condition: Condition) => Judge,
  ) => Evaluate;
};

/** Looks a named value up and notes it. */
function named(name: string, reason: UnknownReason, find: (scope: RunScope) => JsonValue | undefined): Evaluate {
  return (scope, seen) => {
    const value = find(scope);
    seen.push(noted(name, value, reason));
    return value;
  };
}

/** Unknown where an operand is, is no number, or the result is not finite. */
function calculated(
  operands: readonly Operand[],
  compile: Compile,
  calculate: (numbers: readonly number[]) => number,
): Evaluate {
  // A function for each plain value would take fifty times its bytes.
  const parts = operands.map((operand) => (operationIn(operand) === undefined ? operand : compile(operand)));
  return (scope, seen) => {
    const numbers: number[] = [];
    let isKnown = true;
    for (const part of parts) {
      const value = typeof part === 'function' ? part(scope, seen) : part;
      if (typeof value === 'number') numbers.push(value);
      else isKnown = false;
    }
    const result = isKnown ? calculate(numbers) : Number.NaN;
    // Adding zero turns −0, which JSON cannot say, into 0.
    if (Number.isFinite(result)) return result + 0;
    if (isKnown) seen.push({ name: 'result', value: null, unknown: 'not_calculable' });
    return undefined;
  };
}

function folded(fold: (left: number, right: number) => number) {
  return (operands: readonly Operand[], compile: Compile): Evaluate =>
    calculated(operands, compile, ([first = Number.NaN, ...rest]) =>
      rest.reduce((left, right) => fold(left, right), first),
    );
}

const COMPILERS: Compilers = {
  value: (value) => () => value,
  feature: (ref) => (scope, seen) => {
    const { state, unknown } = seeFeature(scope.view, ref);
    seen.push(featureSeen(ref, state, unknown));
    return unknown === null ? state?.value : undefined;
  },
  trigger: (fact) => named(`trigger/${fact}`, 'no_trigger', ({ trigger }) => factOf(trigger, fact)),
  variable: (name) => named(`variable/${name}`, 'gone', (scope) => seeVariable(scope, name)),
  sun: () => named('sun/elevation', 'no_sun', ({ view }) => view.sun()?.elevationDeg),
  history: (question) => {
    const { device, key, fn, over_s: overS, ago_s: agoS = 0 } = question;
    const source = `history/${device}/${key}/${fn}/${overS}${agoS === 0 ? '' : `/${agoS}`}`;
    return named(source, 'no_history', ({ view }) => view.history(question));
  },
  add: folded((left, right) => left + right),
  sub: folded((left, right) => left - right),
  mul: folded((left, right) => left * right),
  div: folded((left, right) => left / right),
  min: folded(Math.min),
  max: folded(Math.max),
  round: ([operand, digits], compile) =>
    calculated([operand], compile, ([number = Number.NaN]) => Number(number.toFixed(digits))),
  clamp: (operands, compile) =>
    calculated(operands, compile, ([number = Number.NaN, least = 0, greatest = 0]) =>
      least > greatest ? Number.NaN : Math.min(Math.max(number, least), greatest),
    ),
  map: (operands, compile) =>
    calculated(
      operands,
      compile,
      ([number = Number.NaN, inLow = 0, inHigh = 0, outLow = 0, outHigh = 0]) =>
        outLow + ((number - inLow) / (inHigh - inLow)) * (outHigh - outLow),
    ),
  if: ([condition, met, unmet], compile, judge) => {
    const [isMet, ways] = [judge(condition), { true: compile(met), false: compile(unmet) }];
    return (scope, seen) => {
      const inside: OperandSeen[] = [];
      const truth = isMet(scope, { push: ({ operands }) => inside.push(...operands) });
      seen.push(...inside);
      return truth === 'unknown' ? undefined : ways[`${truth}`](scope, seen);
    };
  },
  coalesce: (operands, compile) => {
    const parts = operands.map(compile);
    return (scope, seen) => {
      for (const part of parts) {
        const value = part(scope, seen);
        if (value !== undefined) return value;
      }
      return undefined;
    };
  },
};

const isOperationWord = (word: string): word is OperationWord => Object.hasOwn(COMPILERS, word);

/** The operation that an operand is; `undefined` for a plain value. */
export function operationIn(operand: Operand): { readonly word: OperationWord; readonly body: unknown } | undefined {
  if (!isJsonObject(operand)) return undefined;
  const [[word, body] = ['', null], second] = Object.entries(operand);
  return second === undefined && isOperationWord(word) ? { word, body } : undefined;
}

/** `judge` compiles a condition: conditions have operands, and operands conditions. */
export function compileOperandWith(judge: (condition: Condition) => Judge, operand: Operand): Evaluate {
  const operation = operationIn(operand);
  if (operation === undefined) return () => operand;
  const compile = (inner: Operand): Evaluate => compileOperandWith(judge, inner);
  const compiler = COMPILERS[operation.word] as (
    body: unknown,
    compile: Compile,
    judge: (condition: Condition) => Judge,
  ) => Evaluate;
  return compiler(operation.body, compile, judge);
}

function factOf(trigger: TriggerFacts | null, fact: BodyOf<'trigger'>): JsonValue | undefined {
  if (trigger === null) return undefined;
  if (fact === 'late_s') return trigger.lateMs / 1000;
  if (fact === 'at') return trigger.atMs;
  if (fact === 'value' || fact === 'from' || fact === 'device' || fact === 'key' || fact === 'action') {
    return trigger[fact] ?? undefined;
  }
  return valueAt(trigger.body, fact);
}

/** The value to which a JSON pointer leads; `undefined` where there is none. */
function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}
