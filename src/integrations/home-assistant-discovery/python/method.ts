import { encodingNamed } from '#integrations/home-assistant-discovery/bytes/encoding.ts';
import { boundTo, textArgument, wholeNumber } from './arguments.ts';
import { deltaField } from './delta.ts';
import { isEqual } from './compare.ts';
import { outside, pythonFault, reserveText, spendSteps, type Budget } from './fault.ts';
import { atWall, formatMoment, momentText, timestampOf, wallOf, type Moment } from './moment.ts';
import { none, positionalOnly, TEXT, type Method, type Methods } from './text-method.ts';
import {
  dictGet,
  functionOf,
  isKind,
  tupleOf,
  type Arguments,
  type Loop,
  type PyBytes,
  type PyDict,
  type PyFunction,
  type PyList,
  type Value,
} from './value.ts';

/** The method or attribute of this name, bound to its value; `undefined` where this interpreter has none. */
export function methodOf(budget: Budget, value: Value, name: string): Value | undefined {
  if (typeof value === 'string') return bound(TEXT.get(name), value, budget);
  if (isKind(value, 'dict')) return bound(DICT.get(name), value, budget);
  if (isKind(value, 'list') || isKind(value, 'tuple')) return bound(LIST.get(name), value, budget);
  if (isKind(value, 'bytes')) return bound(BYTES.get(name), value, budget);
  if (isKind(value, 'loop')) return loopMember(budget, value, name);
  if (isKind(value, 'moment')) return momentField(value, name) ?? bound(MOMENT.get(name), value, budget);
  if (isKind(value, 'delta'))
    return (
      deltaField(value, name) ??
      (name === 'total_seconds' ? functionOf((args) => (none(args), value.us / 1e6)) : undefined)
    );
  return undefined;
}

function bound<Self>(method: Method<Self> | undefined, self: Self, budget: Budget): PyFunction | undefined {
  return method === undefined ? undefined : functionOf((args) => method(self, args, budget));
}

const DICT: Methods<PyDict> = new Map<string, Method<PyDict>>([
  [
    'get',
    (dict, args) => {
      const [key, otherwise] = positionalOnly(['key', 'default'], 1, args);
      const found = dictGet(dict, key ?? null);
      return found === undefined ? (otherwise ?? null) : found;
    },
  ],
  [
    'items',
    (dict, args, budget) =>
      viewOf(
        args,
        budget,
        [...dict.entries.values()].map(({ key, value }) => tupleOf([key, value])),
      ),
  ],
  [
    'keys',
    (dict, args, budget) =>
      viewOf(
        args,
        budget,
        [...dict.entries.values()].map(({ key }) => key),
      ),
  ],
  [
    'values',
    (dict, args, budget) =>
      viewOf(
        args,
        budget,
        [...dict.entries.values()].map(({ value }) => value),
      ),
  ],
  [
    'copy',
    (dict, args) => {
      none(args);
      return dict;
    },
  ],
]);

/** Python's views are read like lists, but neither print nor count like them. */
function viewOf(args: Arguments, budget: Budget, items: readonly Value[]): Value {
  none(args);
  spendSteps(budget, items.length);
  return { kind: 'view', items };
}

const BYTES: Methods<PyBytes> = new Map<string, Method<PyBytes>>([
  [
    'decode',
    ({ bytes }, args, budget) => {
      const [encoding, errors] = boundTo(['encoding', 'errors'], 0, args);
      if (errors !== undefined) throw outside('errors in decode');
      const known = encodingNamed(textArgument(encoding, 'utf-8'));
      if (known === undefined) throw outside('such an encoding');
      const text = known.decode(bytes);
      if (text === undefined) throw pythonFault('the bytes are no such text');
      reserveText(budget, text.length);
      return text;
    },
  ],
  [
    'hex',
    ({ bytes }, args, budget) => {
      none(args);
      reserveText(budget, 2 * bytes.length);
      return bytes.toString('hex');
    },
  ],
]);

const LIST: Methods<PyList> = new Map<string, Method<PyList>>([
  [
    'count',
    ({ items }, args, budget) => {
      const [wanted] = positionalOnly(['value'], 1, args);
      return BigInt(items.filter((item) => isEqual(budget, item, wanted ?? null)).length);
    },
  ],
  [
    'index',
    ({ items }, args, budget) => {
      const [wanted, start] = positionalOnly(['value', 'start', 'stop'], 1, args);
      if (start !== undefined) throw outside('a start in index');
      const at = items.findIndex((item) => isEqual(budget, item, wanted ?? null));
      if (at === -1) throw pythonFault('the value is not in the list');
      return BigInt(at);
    },
  ],
  [
    'copy',
    (list, args) => {
      none(args);
      return list;
    },
  ],
]);

const MOMENT: Methods<Moment> = new Map<string, Method<Moment>>([
  [
    'timestamp',
    (moment, args) => {
      none(args);
      return timestampOf(moment);
    },
  ],
  [
    'isoformat',
    (moment, args) => {
      none(args);
      return momentText(moment, 'T');
    },
  ],
  ['strftime', (moment, args) => formatMoment(moment, textArgument(boundTo(['format'], 1, args)[0], ''))],
  ['replace', replacedFields],
  [
    'weekday',
    (moment, args) => {
      none(args);
      return BigInt((wallOf(moment).date.getUTCDay() + 6) % 7);
    },
  ],
  [
    'isoweekday',
    (moment, args) => {
      none(args);
      return BigInt(((wallOf(moment).date.getUTCDay() + 6) % 7) + 1);
    },
  ],
]);

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'];

function replacedFields(moment: Moment, args: Arguments): Moment {
  const given = boundTo(FIELDS, 0, args);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, us = 0] = FIELDS.map((name, at) =>
    wholeNumber(given[at], Number(momentField(moment, name))),
  );
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  const isReal = date.getUTCMonth() + 1 === month && date.getUTCDate() === day && date.getUTCHours() === hour;
  if (!isReal || minute > 59 || second > 59 || us < 0 || us > 999_999)
    throw pythonFault('it is no time of the calendar');
  return atWall(ms * 1_000 + us, moment);
}

function momentField(moment: Moment, name: string): Value | undefined {
  const { date, us } = wallOf(moment);
  switch (name) {
    case 'year':
      return BigInt(date.getUTCFullYear());
    case 'month':
      return BigInt(date.getUTCMonth() + 1);
    case 'day':
      return BigInt(date.getUTCDate());
    case 'hour':
      return BigInt(date.getUTCHours());
    case 'minute':
      return BigInt(date.getUTCMinutes());
    case 'second':
      return BigInt(date.getUTCSeconds());
    case 'microsecond':
      return BigInt(us);
    default:
      return undefined;
  }
}

function loopMember(budget: Budget, loop: Loop, name: string): Value | undefined {
  const { items, index } = loop;
  switch (name) {
    case 'index':
      return BigInt(index + 1);
    case 'index0':
      return BigInt(index);
    case 'revindex':
      return BigInt(items.length - index);
    case 'revindex0':
      return BigInt(items.length - index - 1);
    case 'first':
      return index === 0;
    case 'last':
      return index === items.length - 1;
    case 'length':
      return BigInt(items.length);
    case 'cycle':
      return functionOf(({ positional }) => {
        if (positional.length === 0) throw pythonFault('no items for cycling given');
        return positional[index % positional.length] ?? null;
      });
    case 'changed':
      return functionOf(({ positional }) => {
        const before = loop.changed;
        loop.changed = positional;
        return before === null || !isEqual(budget, tupleOf(before), tupleOf(positional));
      });
    default:
      return undefined;
  }
}
