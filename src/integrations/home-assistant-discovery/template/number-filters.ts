import { wholeNumber } from '#integrations/home-assistant-discovery/python/arguments.ts';
import { asNumber } from '#integrations/home-assistant-discovery/python/compare.ts';
import { outside, pythonFault, templateFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import {
  floatFrom,
  floatFromText,
  intFrom,
  intFromText,
  roundFloat,
  stripped,
} from '#integrations/home-assistant-discovery/python/number.ts';
import { operated } from '#integrations/home-assistant-discovery/python/operators.ts';
import {
  isKind,
  isNumber,
  isUndefined,
  typeName,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';

/** Filters of numbers. Where Home Assistant has its own in the place of Jinja2's, it is that one. */
export const NUMBER_FILTERS: readonly (readonly [string, Filter])[] = [
  [
    'float',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (_run, [value = null, otherwise]) => floatFrom(value) ?? given(otherwise, 'float', value),
    },
  ],
  [
    'int',
    {
      parameters: ['value', 'default', 'base'],
      required: 1,
      call: (run, [value = null, otherwise, base]) =>
        toInt(run, value, wholeNumber(base, 10)) ?? given(otherwise, 'int', value),
    },
  ],
  [
    'round',
    {
      parameters: ['value', 'precision', 'method', 'default'],
      required: 1,
      call: (_run, [value = null, ...rest]) => rounded(value, rest),
    },
  ],
  ['abs', { parameters: ['value'], required: 1, call: (_run, [value = null]) => absolute(value) }],
  [
    'multiply',
    {
      parameters: ['value', 'amount', 'default'],
      required: 2,
      call: (run, [value = null, amount = null, otherwise]) => {
        const number = floatFrom(value);
        if (number === undefined) return given(otherwise, 'multiply', value);
        if (isNumber(amount)) return operated(run.budget, '*', [number, amount]);
        if (isUndefined(amount)) throw templateFault(amount.hint);
        return given(otherwise, 'multiply', value);
      },
    },
  ],
  [
    'add',
    {
      parameters: ['value', 'amount', 'default'],
      required: 2,
      call: (run, [value = null, amount = null, otherwise]) => {
        const number = floatFrom(value);
        if (number === undefined) return given(otherwise, 'add', value);
        if (isNumber(amount)) return operated(run.budget, '+', [number, amount]);
        if (isUndefined(amount)) throw templateFault(amount.hint);
        return given(otherwise, 'add', value);
      },
    },
  ],
  ['bitwise_and', bitwise((left, right) => left & right)],
  ['bitwise_or', bitwise((left, right) => left | right)],
  ['bitwise_xor', bitwise((left, right) => left ^ right)],
  ['is_number', { parameters: ['value'], required: 1, call: (_run, [value = null]) => isFiniteNumber(value) }],
  [
    'bool',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (_run, [value = null, otherwise]) => toBool(value) ?? given(otherwise, 'bool', value),
    },
  ],
  [
    'sqrt',
    {
      parameters: ['value', 'default'],
      required: 1,
      call: (_run, [value = null, otherwise]) => {
        const number = floatFrom(value);
        return number === undefined || number < 0 ? given(otherwise, 'sqrt', value) : Math.sqrt(number);
      },
    },
  ],
];

function given(otherwise: Value | undefined, name: string, value: Value): Value {
  if (otherwise === undefined)
    throw pythonFault(`${name} got a ${typeName(value)} that is no such number, and no default was specified`);
  return otherwise;
}

/** As `do_int` of Jinja2: "42.23" is 42. */
function toInt(run: Run, value: Value, base: number): bigint | undefined {
  if (isKind(value, 'markup')) throw outside('markup as a number');
  const direct = typeof value === 'string' ? intFromText(run.budget, value, base) : intFrom(value);
  if (direct !== undefined) return direct;
  const number = typeof value === 'string' ? floatFromText(value) : floatFrom(value);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  return BigInt(Math.trunc(number));
}

function rounded(value: Value, [precision, method, otherwise]: readonly (Value | undefined)[]): Value {
  if (precision !== undefined && typeof precision !== 'bigint') throw outside('such a precision');
  const digits = Number(precision ?? 0n);
  const number = floatFrom(value);
  if (number === undefined) return given(otherwise, 'round', value);
  const result = roundedBy(number, digits, method);
  if (digits !== 0) return result;
  if (Number.isNaN(result)) return given(otherwise, 'round', value);
  return intFrom(result) ?? null;
}

function roundedBy(number: number, digits: number, method: Value | undefined): number {
  if (method === 'half') return roundFloat(number * 2, 0) / 2;
  if (method !== 'ceil' && method !== 'floor') return roundFloat(number, digits);
  if (digits < 0 || digits > 22) throw outside(`rounding to ${digits} digits`);
  const factor = Number(`1e${digits}`);
  const scaled = number * factor;
  if (!Number.isFinite(scaled))
    throw Number.isNaN(scaled) ? outside('rounding nan') : pythonFault('cannot convert float infinity to integer');
  // Python makes an int of it, which has no negative zero.
  return (method === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled)) / factor + 0;
}

function absolute(value: Value): Value {
  if (isUndefined(value)) throw pythonFault('bad operand type for abs(): Undefined');
  if (!isNumber(value)) throw pythonFault(`bad operand type for abs(): '${typeName(value)}'`);
  const number = asNumber(value);
  if (typeof number === 'number') return Math.abs(number);
  return number < 0n ? -number : number;
}

function bitwise(make: (left: bigint, right: bigint) => bigint): Filter {
  return {
    parameters: ['first_value', 'second_value'],
    required: 2,
    call: (_run, [left = null, right = null]) => {
      if (typeof left === 'boolean' && typeof right === 'boolean') throw outside('bits of truths');
      const [a, b] = [left, right].map((one) =>
        typeof one === 'bigint' || typeof one === 'boolean' ? BigInt(asNumber(one)) : undefined,
      );
      if (a === undefined || b === undefined) throw pythonFault('unsupported operand type(s)');
      return make(a, b);
    },
  };
}

export function isFiniteNumber(value: Value): boolean {
  const number = floatFrom(value);
  return number !== undefined && Number.isFinite(number);
}

const TRUE = new Set(['1', 'true', 'yes', 'on', 'enable']);
const FALSE = new Set(['0', 'false', 'no', 'off', 'disable']);

function toBool(value: Value): boolean | undefined {
  if (isNumber(value)) return typeof value === 'boolean' ? value : Number(value) !== 0;
  if (typeof value !== 'string') return undefined;
  const word = stripped(value.toLowerCase());
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : undefined;
}
