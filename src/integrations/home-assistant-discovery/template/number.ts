import { outside, pythonFault, templateFault } from './fault.ts';
import {
  isKind,
  isNumber,
  isUndefined,
  table,
  textArgument,
  typeName,
  wholeNumber,
  type BoundArguments,
  type Value,
} from './value.ts';

/** Each text fits it in one way only: of two ways, a payload of digits would try all pairs. */
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NAMED_FLOAT = /^([+-]?)(inf(?:inity)?|nan)$/i;

/** Python's `float(text)`; `undefined` where that is a ValueError. */
export function floatFromText(text: string): number | undefined {
  const own = text.trim();
  if (FLOAT.test(own)) return Number(own.replaceAll('_', ''));
  const [, sign, name] = NAMED_FLOAT.exec(own) ?? [];
  if (name === undefined) return undefined;
  return name.toLowerCase() === 'nan' ? Number.NaN : Number(`${sign}Infinity`);
}

/** Python's `float(value)`; `undefined` where that is a TypeError or ValueError. Throws what else it raises. */
export function floatFrom(value: Value): number | undefined {
  if (typeof value === 'string') return floatFromText(value);
  if (isUndefined(value)) throw templateFault(value.hint);
  return value === null || typeof value === 'object' ? undefined : Number(value);
}

const PREFIXES = table({ 2: '0b', 8: '0o', 10: '', 16: '0x' });

/** Python's `int(text, base)`; `undefined` where that is a ValueError. */
export function intFromText(text: string, base = 10): bigint | undefined {
  const prefix = PREFIXES.get(String(base));
  if (prefix === undefined) throw outside(`the base ${base}`);
  const own = text.trim().toLowerCase();
  const body = own.replace(/^[+-]/, '');
  const digits = prefix !== '' && body.startsWith(prefix) ? body.slice(2).replace(/^_/, '') : body;
  if (!/^[\da-f]+(?:_[\da-f]+)*$/.test(digits)) return undefined;
  const bare = digits.replaceAll('_', '');
  if (Array.from(bare).some((digit) => Number.parseInt(digit, 16) >= base)) return undefined;
  if (bare.length > 4_300) throw outside('an int of so many digits');
  // BigInt takes no sign before a prefix.
  const size = BigInt(prefix + bare);
  return own.startsWith('-') ? -size : size;
}

/** Python's `int(value)` of what is no text; `undefined` where that is a TypeError or ValueError. */
export function intFrom(value: Value): bigint | undefined {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  if (!Number.isFinite(value)) throw pythonFault('cannot convert float infinity to integer');
  return BigInt(Math.trunc(value));
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

const INTS: Readonly<Record<BinaryOperator, (left: bigint, right: bigint) => bigint | number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => FLOATS['/'](exact(left), exact(right)),
  '//': floorDivision,
  '%': (left, right) => left - right * floorDivision(left, right),
  '**': (left, right) => {
    const power = FLOATS['**'](Number(left), Number(right));
    return right < 0n ? power : Math.abs(power) < MAX_INT ? left ** right : BigInt(MAX_INT) + 1n;
  },
};

const FLOATS: Readonly<Record<BinaryOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / divisor(right),
  '//': (left, right) => Math.round((left - modulo(left, right)) / right),
  '%': modulo,
  '**': (left, right) => {
    if (left < 0 && !Number.isInteger(right)) throw outside('complex numbers');
    return left === 0 && right < 0 ? divisor(0) : left ** right;
  },
};

/** Larger ints than payloads have are not calculated. */
const MAX_INT = 2 ** 64;

/** Arithmetic of two numbers. */
export function arithmetic(
  operator: BinaryOperator,
  [left, right]: readonly [number | bigint, number | bigint],
): number | bigint {
  if (typeof left !== 'bigint' || typeof right !== 'bigint') return FLOATS[operator](Number(left), Number(right));
  const result = INTS[operator](left, right);
  if (typeof result === 'bigint' && (result > MAX_INT || result < -MAX_INT)) throw outside('so large an int');
  return result;
}

function divisor<N extends number | bigint>(number: N): N {
  if (Number(number) === 0) throw pythonFault('division by zero');
  return number;
}

function exact(whole: bigint): number {
  if (!Number.isSafeInteger(Number(whole))) throw outside('the division of so large ints');
  return Number(whole);
}

function floorDivision(left: bigint, right: bigint): bigint {
  const quotient = left / divisor(right);
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** The rest has the sign of the divisor. */
function modulo(left: number, right: number): number {
  const rest = left % divisor(right);
  if (rest === 0) return right < 0 ? -0 : 0;
  return rest < 0 === right < 0 ? rest : rest + right;
}

const MAX_FRACTION = 60;

/** Python's `round(float, digits)`: the exact value decides, and a tie goes to the even digit. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  if (digits < 0) return digits < -20 ? 0 : roundFloat(value / 10 ** -digits, 0) * 10 ** -digits;
  const size = Math.abs(value);
  const rounded = size >= 2 ** 52 ? size : Number(fixedText(size, digits));
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** A finite number of at least 0 with so many digits behind the point, as Python's `%.2f`. */
export function fixedText(size: number, digits: number): string {
  if (digits > MAX_FRACTION) throw outside(`${digits} digits behind the point`);
  if (size >= 1e21) return digits === 0 ? String(BigInt(size)) : `${BigInt(size)}.${'0'.repeat(digits)}`;
  const text = size.toFixed(digits);
  const isTie = Number.isInteger(size * 2 ** (digits + 1)) && size.toFixed(digits + 1).endsWith('5');
  // JavaScript rounds ties up; where that digit is odd, Python takes the one below.
  return isTie && Number(text.at(-1)) % 2 === 1 ? (size * (1 - Number.EPSILON)).toFixed(digits) : text;
}

/* One number as bytes, by a format of Python's `struct`, as Home Assistant's filters `pack` and `unpack` have it. */

const WHOLE = {
  b: 'Int8',
  B: 'Uint8',
  h: 'Int16',
  H: 'Uint16',
  i: 'Int32',
  I: 'Uint32',
  l: 'Int32',
  L: 'Uint32',
} as const;
const TYPES = table({ ...WHOLE, f: 'Float32', d: 'Float64' } as const);
/** Without an order, `l` is as large as the machine has it. */
const FORMAT = /^([<>!])?([bBhHiIfd]|(?<=[<>!])[lL])$/;

function layoutOf(format: Value | undefined) {
  const [, order = '<', code = ''] = FORMAT.exec(textArgument(format)) ?? [];
  const type = TYPES.get(code);
  if (type === undefined) throw outside('such a format of bytes');
  return { type, isLittle: order === '<', size: Number(/\d+/.exec(type)) / 8, isWhole: Object.hasOwn(WHOLE, code) };
}

/** None where there are too few bytes. */
export function unpacked([value, format, offset]: BoundArguments): Value {
  const { type, isLittle, size, isWhole } = layoutOf(format);
  if (!isKind(value, 'bytes')) throw pythonFault(`a bytes-like object is required, not '${typeName(value)}'`);
  const from = wholeNumber(offset, 0);
  const start = from < 0 ? value.bytes.length + from : from;
  const own = start < 0 ? value.bytes.subarray(0, 0) : Uint8Array.from(value.bytes.subarray(start, start + size));
  if (own.length < size) return null;
  const number = new DataView(own.buffer)[`get${type}`](0, isLittle);
  return isWhole ? BigInt(number) : number;
}

/** None where the value does not fit. */
export function packed([value, format]: BoundArguments): Value {
  const { type, isLittle, size, isWhole } = layoutOf(format);
  if (!isNumber(value) || (isWhole && typeof value === 'number')) return null;
  const view = new DataView(new ArrayBuffer(size));
  view[`set${type}`](0, Number(value), isLittle);
  const fits = !isWhole || view[`get${type}`](0, isLittle) === Number(value);
  return fits ? { kind: 'bytes', bytes: Buffer.from(view.buffer) } : null;
}
