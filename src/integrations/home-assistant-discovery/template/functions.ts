import { boundTo, wholeNumber } from '#integrations/home-assistant-discovery/python/arguments.ts';
import {
  outside,
  pythonFault,
  spendSteps,
  templateFault,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import { inZone, type Moment } from '#integrations/home-assistant-discovery/python/moment.ts';
import { isOfItsHome } from '#integrations/home-assistant-discovery/rendering/certain-names.ts';
import {
  dictOf,
  functionOf,
  isIterable,
  isKind,
  isUndefined,
  iterate,
  lazyOf,
  tupleOf,
  typeName,
  type Arguments,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Run } from './run.ts';

/** Filters that Home Assistant also has as functions. */
const AS_FUNCTIONS = [
  'float',
  'int',
  'bool',
  'iif',
  'is_number',
  'as_timestamp',
  'as_datetime',
  'as_local',
  'as_timedelta',
  'timedelta',
  'today_at',
  'strptime',
  'typeof',
  'combine',
  'flatten',
  'sqrt',
  'md5',
  'sha1',
  'sha256',
  'sha512',
  'pack',
  'unpack',
];
const MAX_RANGE = 100_000;

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', Math.PI * 2],
]);

const FUNCTIONS: ReadonlyMap<string, (run: Run, args: Arguments) => Value> = new Map<
  string,
  (run: Run, args: Arguments) => Value
>([
  ...AS_FUNCTIONS.map((name) => [name, (run: Run, args: Arguments): Value => run.filter(name, args)] as const),
  ['min', (run, args) => run.filter('min', ofMany(args))],
  ['max', (run, args) => run.filter('max', ofMany(args))],
  ['range', (_run, args) => rangeOf(args)],
  [
    'namespace',
    (run, args) => ({
      kind: 'namespace',
      entries: new Map(
        [...pairsFor(run, args)].map(([key, value]) => {
          if (typeof key !== 'string') throw outside('a namespace with such names');
          return [key, value] as const;
        }),
      ),
    }),
  ],
  [
    'zip',
    (run, args) => {
      for (const one of args.positional)
        if (!isIterable(one)) throw pythonFault(`'${typeName(one)}' object is not iterable`);
      return lazyOf(zipped(run, args));
    },
  ],
  ['tuple', (run, args) => tupleOf([...iterate(run.budget, boundTo(['value'], 1, args)[0] ?? null)])],
  [
    'now',
    (run, args) => {
      boundTo([], 0, args);
      return inZone(momentNow(run), run.zoneOffset);
    },
  ],
  [
    'utcnow',
    (run, args) => {
      boundTo([], 0, args);
      return momentNow(run);
    },
  ],
]);

/** What a name means that no variable has. */
export function globalNamed(run: Run, name: string): Value | undefined {
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return constant;
  if (name === 'dict') return { kind: 'function', isType: true, call: (args) => dictOf(pairsFor(run, args)) };
  const call = FUNCTIONS.get(name);
  return call === undefined ? undefined : functionOf((args) => call(run, args));
}

/** What Home Assistant calculates under these names, and this interpreter does not. */
const BEYOND: ReadonlySet<string> = new Set(
  'relative_time time_since time_until acos asin atan atan2 average cos difference intersect log median merge_response set shuffle sin slugify statistical_mode symmetric_difference tan union urlencode version cycler joiner lipsum self caller varargs kwargs context environment'.split(
    ' ',
  ),
);

export function isBeyond(name: string): boolean {
  return BEYOND.has(name) || isOfItsHome(name);
}

function momentNow(run: Run): Moment {
  return { kind: 'moment', epochUs: Math.round(run.nowMs() * 1_000), offsetMin: 0 };
}

function ofMany({ positional, named }: Arguments): Arguments {
  const [only] = positional;
  if (only === undefined) throw pythonFault('expected at least 1 argument, got 0');
  if (positional.length > 1) return { positional: [tupleOf(positional)], named };
  if (!isIterable(only)) throw pythonFault(`'${typeName(only)}' object is not iterable`);
  return { positional, named };
}

function rangeOf(args: Arguments): Value {
  if (args.named.size > 0) throw pythonFault('range() takes no keyword arguments');
  const given = boundTo(['start', 'stop', 'step'], 1, args);
  const [first = 0n, second, third = 1n] = given.map((one) =>
    one === undefined ? undefined : BigInt(wholeNumber(one, 0)),
  );
  const [start, stop] = second === undefined ? [0n, first] : [first, second];
  if (third === 0n) throw pythonFault('range() arg 3 must not be zero');
  const span = third > 0n ? stop - start : start - stop;
  const size = third > 0n ? third : -third;
  const length = span <= 0n ? 0 : Number((span + size - 1n) / size);
  if (length > MAX_RANGE)
    throw pythonFault(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_RANGE}).`);
  return { kind: 'range', start, stop, step: third, length };
}

/** The pairs that Python's `dict(…)` takes: those of a dict or list, then the named ones. */
function* pairsFor(run: Run, { positional, named }: Arguments): Generator<readonly [Value, Value]> {
  const [from] = positional;
  if (positional.length > 1) throw pythonFault('dict expected at most 1 argument');
  if (from !== undefined) {
    if (isUndefined(from)) throw templateFault(from.hint);
    if (isKind(from, 'dict')) for (const { key, value } of from.entries.values()) yield [key, value];
    else
      for (const item of iterate(run.budget, from)) {
        const [key, value, more] = iterate(run.budget, item);
        if (key === undefined || value === undefined || more !== undefined)
          throw pythonFault('dictionary update sequence element has another length than 2');
        yield [key, value];
      }
  }
  spendSteps(run.budget, named.size);
  yield* named;
}

function* zipped(run: Run, { positional, named }: Arguments): Generator<Value> {
  if (named.size > 0) throw outside('zip with options');
  const iterators = positional.map((one) => iterate(run.budget, one));
  if (iterators.length === 0) return;
  for (;;) {
    const items: Value[] = [];
    for (const iterator of iterators) {
      const next = iterator.next();
      if (next.done === true) return;
      items.push(next.value);
    }
    yield tupleOf(items);
  }
}
