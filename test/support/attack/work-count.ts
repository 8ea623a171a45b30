import { Session, type Profiler } from 'node:inspector';
import { startProcessorWatch } from '#test/support/machine/bounds.ts';
import { median } from '#test/support/median.ts';

/*
 * Counts what a function of the product does for an input, in steps and not in time: the same input costs the same on
 * each machine, however busy. Two things are added up:
 *
 * - Code. V8 counts how often each block ran (precise coverage); a step is one character of source that ran once, so a
 *   line that runs a thousand times counts a thousand times. Everything in the repository counts, with what it calls in
 *   node_modules; this file and vitest do not.
 * - Built-ins. V8 does not look into them, so `BUILT_INS` charges each call with the bytes, items or characters that it
 *   goes through. Iteration (`for of`, spread of an array) is charged item by item.
 *
 * Use it through `findExcess` of costly-input.ts, or alone: `const steps = await countSteps(() => decode(bytes))`.
 * Import it before the product, and warm up where a first call builds something that later calls find.
 *
 * What it does not see: backtracking of a regular expression (a match costs the characters that it covers), `{...object}`,
 * flattening of a string that was added up, BigInt, and what is native (zlib, argon2, SQLite). `costRatio` is for those:
 * processor time of a large input by that of a small one. Its limits: it tells a power of n from n, not n from n log n,
 * and it needs inputs of which one run takes at least some 20 µs.
 */

const ROOT = new URL('../../../', import.meta.url).href;
const NOT_COUNTED = /\/node_modules\/(?:vitest|@vitest|vite|chai|fast-check)\//;

/** Counts from the import on: code compiled before has no counters in its blocks. */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Steps of one run, with all that is awaited in it. Nothing else of the product may run meanwhile. */
export async function countSteps(run: () => unknown): Promise<number> {
  const charged = chargeBuiltIns();
  try {
    takeCoverage();
    const running = run();
    if (running instanceof Promise) await running;
    charged.stop();
    return charged.total() + stepsOf(takeCoverage());
  } finally {
    charged.stop();
  }
}

/**
 * Processor time of the larger input divided by that of the smaller one, the median of many tries of each. For an input
 * four times as large, linear work gives 4 and quadratic work 16. The least would not do: where the host takes the core
 * away, the kernel of a guest takes that time off what runs afterwards, down to nothing.
 */
export function costRatio(small: () => unknown, large: () => unknown): number {
  const timesOf = (run: () => unknown, times: number): number => {
    const processorMs = startProcessorWatch();
    for (let count = 0; count < times; count += 1) run();
    return processorMs() / times;
  };
  const medianOf = (tries: number, run: () => unknown, times: number): number =>
    median(Array.from({ length: tries }, () => timesOf(run, times)));
  let times = 1;
  while (medianOf(3, small, times) * times < 1 && times < 100_000) times *= 2;
  const rounds = Array.from({ length: 25 }, () => ({
    small: timesOf(small, times),
    large: timesOf(large, Math.ceil(times / 4)),
  }));
  return median(rounds.map((round) => round.large)) / median(rounds.map((round) => round.small));
}

/** What ran since the last take. A session with this process itself answers before `post` returns. */
function takeCoverage(): readonly Profiler.ScriptCoverage[] {
  let taken: readonly Profiler.ScriptCoverage[] | undefined;
  session.post('Profiler.takePreciseCoverage', (cause, { result }) => {
    if (cause !== null) throw cause;
    taken = result;
  });
  if (taken === undefined) throw new Error('the profiler did not answer at once');
  return taken;
}

function stepsOf(scripts: readonly Profiler.ScriptCoverage[]): number {
  let steps = 0;
  for (const { url, functions } of scripts) {
    // What zod makes of a schema with `new Function` has no address.
    if (url !== '' && (!url.startsWith(ROOT) || NOT_COUNTED.test(url) || url === import.meta.url)) continue;
    for (const { functionName, ranges, isBlockCoverage } of functions) {
      if ((ranges[0]?.count ?? 0) === 0) continue;
      if (!isBlockCoverage && functionName !== '<instance_members_initializer>')
        throw new Error(`${functionName} of ${url} ran before the count began: import work-count.ts first`);
      steps += charactersRun(ranges);
    }
  }
  return steps;
}

/** Ranges nest, and the innermost one has the count of its characters. A function inside another is listed by itself. */
function charactersRun(ranges: readonly Profiler.CoverageRange[]): number {
  let characters = 0;
  const outer: Profiler.CoverageRange[] = [];
  for (const range of ranges) {
    let parent = outer.at(-1);
    while (parent !== undefined && parent.endOffset <= range.startOffset) {
      outer.pop();
      parent = outer.at(-1);
    }
    characters += (range.endOffset - range.startOffset) * (range.count - (parent?.count ?? 0));
    outer.push(range);
  }
  return characters;
}

type Call = { readonly self: unknown; readonly args: readonly unknown[]; readonly result: unknown };
type Charge = (call: Call) => number;

const size = (value: unknown): number => {
  const { length, size, byteLength } = Object(value) as { length?: number; size?: number; byteLength?: number };
  return length ?? byteLength ?? size ?? 0;
};
const ofSelf: Charge = ({ self }) => size(self);
const ofFirst: Charge = ({ args }) => size(args[0]);
const ofResult: Charge = ({ result }) => size(result);
const one: Charge = () => 1;
/** The length of a search: up to the match, else to the end. */
const searched: Charge = ({ self, args, result }) => {
  const from = Number(args[1] ?? 0);
  return (Number(result) < 0 ? size(self) : Number(result)) - from + size(args[0]);
};
const sorted: Charge = ({ self }) => size(self) * Math.max(1, Math.ceil(Math.log2(size(self) + 1)));
const matched: Charge = ({ self, args, result }) => {
  const match = result as RegExpExecArray | null;
  return match === null ? size(args[0]) : match[0].length + (self as RegExp).source.length;
};
const keysOf: Charge = ({ args }) => Reflect.ownKeys(Object(args[0])).length;

const prototypeOf = (iterator: object): object => Object.getPrototypeOf(iterator) as object;

const BUILT_INS: readonly (readonly [owner: object, charge: Charge, ...names: readonly string[]])[] = [
  [String.prototype, searched, 'indexOf'],
  [String.prototype, ofSelf, 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll'],
  [String.prototype, ofSelf, 'toLowerCase', 'toUpperCase', 'normalize', 'localeCompare'],
  [String.prototype, ofFirst, 'startsWith', 'endsWith'],
  [String.prototype, ofResult, 'repeat', 'padStart', 'padEnd'],
  [String.prototype, ({ self, result }) => size(self) - size(result) + 1, 'trim', 'trimStart', 'trimEnd'],
  [RegExp.prototype, matched, 'exec'],
  [Array.prototype, searched, 'indexOf'],
  [Array.prototype, ofSelf, 'includes', 'lastIndexOf', 'fill', 'reverse', 'toReversed', 'with', 'toSpliced'],
  [Array.prototype, ofResult, 'slice', 'concat', 'join', 'flat', 'flatMap'],
  [Array.prototype, sorted, 'sort', 'toSorted'],
  [Array.prototype, ({ self, args }) => size(self) + args.length, 'shift', 'unshift', 'splice'],
  [Array.prototype, ({ args }) => args.length, 'push'],
  [Array, ofResult, 'from'],
  [Object, keysOf, 'keys', 'values', 'entries', 'assign'],
  [Object, ofFirst, 'fromEntries'],
  [Set.prototype, one, 'add'],
  [Map.prototype, one, 'set'],
  [JSON, ofFirst, 'parse'],
  [JSON, ofResult, 'stringify'],
  [Buffer, ofResult, 'concat', 'from', 'alloc'],
  [Buffer, ofFirst, 'byteLength', 'compare'],
  [Buffer.prototype, ofResult, 'toString'],
  [Buffer.prototype, ofSelf, 'indexOf', 'includes', 'compare', 'equals', 'copy', 'fill'],
  [Uint8Array.prototype, ofResult, 'slice'],
  [Uint8Array.prototype, ofFirst, 'set'],
  [TextDecoder.prototype, ofFirst, 'decode'],
  [TextEncoder.prototype, ofResult, 'encode'],
  [globalThis, ofFirst, 'decodeURIComponent'],
  [globalThis, ofResult, 'encodeURIComponent'],
  ...[[], '', new Map(), new Set()].map((items) => [prototypeOf(items[Symbol.iterator]()), one, 'next'] as const),
];

/** Puts a meter before each built-in until it is stopped. */
function chargeBuiltIns(): { readonly total: () => number; readonly stop: () => void } {
  let total = 0;
  const undo: (() => void)[] = [];
  for (const [owner, charge, ...names] of BUILT_INS) {
    for (const name of names) {
      const original = Object.getOwnPropertyDescriptor(owner, name) ?? { value: Reflect.get(owner, name) as unknown };
      const call = original.value as (...args: readonly unknown[]) => unknown;
      const isOwn = Object.hasOwn(owner, name);
      // A rest parameter is filled without the iterator, so that the meter of iteration does not meet itself.
      const metered = function (this: unknown, ...args: readonly unknown[]): unknown {
        const result = Reflect.apply(call, this, args);
        total += charge({ self: this, args, result });
        return result;
      };
      Object.defineProperty(owner, name, { configurable: true, writable: true, enumerable: false, value: metered });
      undo.push(() => {
        if (isOwn) Object.defineProperty(owner, name, original);
        else Reflect.deleteProperty(owner, name);
      });
    }
  }
  return {
    total: () => total,
    stop: () => {
      for (let index = undo.length - 1; index >= 0; index -= 1) undo[index]?.();
      undo.length = 0;
    },
  };
}
