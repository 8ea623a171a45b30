import { outside, pythonFault, templateFault } from './fault.ts';
import { FILTERS } from './filters.ts';
import { textOf } from './text.ts';
import { TIMES } from './moment.ts';
import {
  dictOf,
  functionOf,
  isIterable,
  isKind,
  isUndefined,
  iterate,
  lazyOf,
  pairsOf,
  table,
  taking,
  tupleOf,
  typeName,
  undefinedOf,
  viewOf,
  wholeNumber,
  type Arguments,
  type Callable,
  type Surroundings,
  type Value,
} from './value.ts';

/** Filters that Home Assistant also has as functions. */
const AS_FUNCTIONS = 'float int bool iif is_number pack unpack'.split(' ');

const FUNCTIONS: ReadonlyMap<string, Callable> = table<Callable>({
  ...TIMES,
  ...Object.fromEntries([...FILTERS].filter(([name]) => AS_FUNCTIONS.includes(name))),
  min: ofMany('min'),
  max: ofMany('max'),
  range: taking('start stop? step?', (given) => {
    const [first = 0, second, step = 1] = given.map((one) => (one === undefined ? undefined : wholeNumber(one, 0)));
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    if (step === 0) throw pythonFault('range() arg 3 must not be zero');
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (length > 100_000) throw pythonFault('Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).');
    return viewOf(Array.from({ length }, (_, at) => BigInt(start + at * step)));
  }),
  namespace: (args) => ({
    kind: 'namespace',
    entries: new Map([...dictPairs(args)].map(([key, value]) => [textOf(key), value] as const)),
  }),
  zip: ({ positional, named }) => {
    if (named.size > 0) throw outside('zip with options');
    for (const one of positional) if (!isIterable(one)) throw pythonFault(`'${typeName(one)}' object is not iterable`);
    return lazyOf(zipped(positional));
  },
});

/** Home Assistant knows these of its own home, and the hub does not. */
const OF_ITS_HOME = new Set(
  'this states is_state is_state_attr state_attr state_translated has_value expand closest distance areas area_id area_name area_entities area_devices floors floor_id floor_name floor_areas floor_entities integration_entities config_entry_attr config_entry_id device_attr device_entities device_id is_device_attr labels label_id label_name label_areas label_devices label_entities issues issue is_hidden_entity'.split(
    ' ',
  ),
);
/** Home Assistant calculates under these names, and this interpreter does not. */
const BEYOND = new Set(
  'sqrt today_at as_timedelta e tau inf tuple typeof combine flatten md5 sha1 sha256 sha512 relative_time time_since time_until acos asin atan atan2 average cos difference intersect log median merge_response set shuffle sin slugify statistical_mode symmetric_difference tan union urlencode version cycler joiner lipsum self caller varargs kwargs context environment'.split(
    ' ',
  ),
);

export const isOfItsHome = (name: string): boolean => OF_ITS_HOME.has(name);

/** Finds the meaning of a name that no variable has. */
export function globalNamed(name: string, around: Surroundings): Value {
  if (BEYOND.has(name) || isOfItsHome(name)) throw outside(`'${name}'`);
  if (name === 'pi') return Math.PI;
  if (name === 'dict') return { kind: 'function', isType: true, call: (args) => dictOf(dictPairs(args)) };
  const call = FUNCTIONS.get(name);
  return call === undefined ? undefinedOf(`'${name}' is undefined`) : functionOf((args) => call(args, around));
}

/** Takes several arguments, or the items of one. */
function ofMany(name: 'min' | 'max'): Callable {
  return ({ positional, named }, around) => {
    const [only = null] = positional;
    const values = positional.length > 1 ? tupleOf(positional) : only;
    if (!isIterable(values)) throw pythonFault(`'${typeName(only)}' object is not iterable`);
    return FILTERS.get(name)?.({ positional: [values], named }, around) ?? null;
  };
}

/** The pairs that Python's `dict(…)` takes: those of a dict or list, then the named ones. */
function* dictPairs({ positional, named }: Arguments): Generator<readonly [Value, Value]> {
  const [from = null] = positional;
  if (isUndefined(from)) throw templateFault(from.hint);
  if (positional.length > 1) throw pythonFault('dict expected at most 1 argument');
  if (isKind(from, 'dict')) yield* pairsOf(from);
  else if (positional.length > 0)
    for (const item of iterate(from)) {
      const [key, value, more] = iterate(item);
      if (key === undefined || value === undefined || more !== undefined)
        throw pythonFault('dictionary update sequence element has another length than 2');
      yield [key, value];
    }
  yield* named;
}

function* zipped(values: readonly Value[]): Generator<Value> {
  const lists = values.map((one) => [...iterate(one)]);
  const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length));
  for (let at = 0; at < length; at += 1) yield tupleOf(lists.map((list) => list[at] ?? null));
}
