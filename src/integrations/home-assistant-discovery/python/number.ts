import { outside, pythonFault, spendSteps, templateFault, type Budget } from './fault.ts';
import { isCompound, isUndefined, typeName, type Value } from './value.ts';

/** Above this, ints lose digits as floats and divisions need more care than this interpreter takes. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_BITS = 16_384;
/** Without the white space that Python strips. */
export function stripped(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** As Python's `str.isspace` of one character. */
export function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  if (unit >= 0x2000 && unit <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit);
}

/** Python takes the digits of every script. Those of others than ours are refused instead of misread. */
function plain(text: string): string {
  const own = stripped(text);
  if (/[^\P{Nd}0-9]/u.test(own)) throw outside('a number in digits of another script');
  return own;
}

/** Each text fits it in one way only: of two ways, a payload of digits would try all pairs. */
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NAMED_FLOAT = /^([+-]?)(inf(?:inity)?|nan)$/i;

/** Python's `float(text)`; `undefined` where that is a ValueError. */
export function floatFromText(text: string): number | undefined {
  const own = plain(text);
  if (FLOAT.test(own)) return Number(own.replaceAll('_', ''));
  const named = NAMED_FLOAT.exec(own);
  if (named === null) return undefined;
  if (named[2]?.toLowerCase() === 'nan') return Number.NaN;
  return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Python's `float(value)`; `undefined` where that is a TypeError or ValueError. Throws what else it raises. */
export function floatFrom(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return finite(Number(value));
  if (typeof value === 'string') return floatFromText(value);
  if (value === null) return undefined;
  if (isUndefined(value)) throw templateFault(value.hint);
  if (value.kind === 'markup') return floatFromText(value.text);
  return undefined;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw pythonFault('int too large to convert to float');
  return value;
}

const DIGITS: Readonly<Record<number, RegExp>> = { 2: /^[01]$/, 8: /^[0-7]$/, 10: /^\d$/, 16: /^[\da-f]$/i };
const PREFIXES: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' };

/** Python's `int(text, base)`; `undefined` where that is a ValueError. */
export function intFromText(budget: Budget, text: string, base: number): bigint | undefined {
  const own = plain(text);
  spendSteps(budget, 1 + (own.length >> 4));
  const sign = own.startsWith('-') ? -1n : 1n;
  const body = own.replace(/^[+-]/, '').toLowerCase();
  const found = base === 0 ? baseOf(body) : base;
  const digit = DIGITS[found];
  if (digit === undefined) throw outside(`the base ${base}`);
  const prefix = PREFIXES[found];
  const hasPrefix = prefix !== undefined && body.startsWith(prefix);
  const digits = hasPrefix ? body.slice(prefix.length).replace(/^_/, '') : body;
  if (digits === '' || /__|^_|_$/.test(digits)) return undefined;
  const bare = digits.replaceAll('_', '');
  if (base === 0 && found === 10 && /^0\d*[1-9]/.test(bare)) return undefined;
  if (!Array.from(bare).every((one) => digit.test(one))) return undefined;
  if (bare.length > 4_300) throw outside('an int of so many digits');
  return sign * BigInt(`${PREFIXES[found] ?? ''}${bare}`);
}

function baseOf(body: string): number {
  const prefix = body.slice(0, 2);
  return prefix === '0x' ? 16 : prefix === '0o' ? 8 : prefix === '0b' ? 2 : 10;
}

/** Python's `int(value)` of what is no text; `undefined` where that is a TypeError or ValueError. */
export function intFrom(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return undefined;
    if (!Number.isFinite(value)) throw pythonFault('cannot convert float infinity to integer');
    return BigInt(Math.trunc(value));
  }
  if (isUndefined(value)) throw templateFault(value.hint);
  return undefined;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

/** Arithmetic of two numbers; a bool counts as an int. */
export function arithmetic(
  budget: Budget,
  operator: BinaryOperator,
  [left, right]: readonly [number | bigint, number | bigint],
): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return intArithmetic(budget, operator, [left, right]);
  return floatArithmetic(operator, asFloat(left), asFloat(right));
}

function asFloat(value: number | bigint): number {
  return typeof value === 'number' ? value : finite(Number(value));
}

function bitsOf(value: bigint): number {
  const size = value < 0n ? -value : value;
  return size <= SAFE ? 53 : size.toString(16).length * 4;
}

function intArithmetic(budget: Budget, operator: BinaryOperator, [left, right]: readonly [bigint, bigint]): Value {
  if (bitsOf(left) + bitsOf(right) > MAX_BITS) throw outside('arithmetic with so large ints');
  spendSteps(budget, 1 + ((bitsOf(left) + bitsOf(right)) >> 8));
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return trueDivision(left, right);
    case '//':
      return floorDivision(left, right);
    case '%':
      return left - right * floorDivision(left, right);
    default:
      return intPower(left, right);
  }
}

function trueDivision(left: bigint, right: bigint): number {
  if (right === 0n) throw pythonFault('division by zero');
  const isSafe = (value: bigint): boolean => value <= SAFE && value >= -SAFE;
  if (!isSafe(left) || !isSafe(right)) throw outside('the division of so large ints');
  return Number(left) / Number(right);
}

function floorDivision(left: bigint, right: bigint): bigint {
  if (right === 0n) throw pythonFault('integer division or modulo by zero');
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

function intPower(base: bigint, exponent: bigint): Value {
  if (exponent < 0n) {
    if (base === 0n) throw pythonFault('zero to a negative power');
    return floatArithmetic('**', asFloat(base), asFloat(exponent));
  }
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent > BigInt(MAX_BITS) || bitsUsed(base) * Number(exponent) > MAX_BITS) throw outside('so large a power');
  return base ** exponent;
}

function bitsUsed(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

function floatArithmetic(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      if (right === 0) throw pythonFault('float division by zero');
      return left / right;
    case '//':
      return floatDivmod(left, right)[0];
    case '%':
      return floatDivmod(left, right)[1];
    default:
      return floatPower(left, right);
  }
}

/** As CPython's `float_divmod`, so that both have the same rounding. */
function floatDivmod(left: number, right: number): readonly [number, number] {
  if (right === 0) throw pythonFault('float floor division by zero');
  let rest = left % right;
  let quotient = (left - rest) / right;
  if (rest !== 0) {
    if (right < 0 !== rest < 0) {
      rest += right;
      quotient -= 1;
    }
  } else rest = right < 0 ? -0 : 0;
  if (quotient === 0) return [left / right < 0 || Object.is(left / right, -0) ? -0 : 0, rest];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest];
}

function floatPower(left: number, right: number): number {
  if (right === 0 || left === 1) return 1;
  if (left === 0 && right < 0) throw pythonFault('zero to a negative power');
  // JavaScript has nan for 1 ** nan and (-1) ** inf, Python has not.
  if (!Number.isFinite(left) || !Number.isFinite(right)) throw outside('powers of infinity');
  if (left < 0 && !Number.isInteger(right)) throw outside('complex numbers');
  // The last digit of other powers depends on the C library.
  if (left === 10 && Number.isInteger(right) && Math.abs(right) <= 22) return Number(`1e${right}`);
  if (right === 1) return left;
  const power = left ** right;
  if (Number.isInteger(left) && Number.isInteger(right) && right > 0 && Math.abs(power) <= Number(SAFE)) return power;
  throw outside('powers of floats');
}

/** Python's `round(float, digits)`: the exact value decides, and a tie goes to the even digit. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  if (digits < 0 || digits > MAX_FRACTION) throw outside(`rounding to ${digits} digits`);
  const size = Math.abs(value);
  if (size >= 2 ** 52) return value;
  const rounded = Number(fixedText(size, digits));
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

const MAX_FRACTION = 60;

/** A finite number of at least 0 with so many digits behind the point, as Python's `%.2f`. */
export function fixedText(size: number, digits: number): string {
  if (digits > MAX_FRACTION) throw outside(`${digits} digits behind the point`);
  if (size >= 1e21) return digits === 0 ? String(BigInt(size)) : `${BigInt(size)}.${'0'.repeat(digits)}`;
  const up = size.toFixed(digits);
  const isTie =
    Number.isInteger(size * 2 ** (digits + 1)) &&
    !Number.isInteger(size * 2 ** digits) &&
    size.toFixed(digits + 1).endsWith('5');
  if (!isTie || Number(up.at(-1)) % 2 === 0) return up;
  // JavaScript rounds ties up; where that digit is odd, Python takes the one below.
  const below = String(BigInt(up.replace('.', '')) - 1n).padStart(digits + 1, '0');
  return digits === 0 ? below : `${below.slice(0, -digits)}.${below.slice(-digits)}`;
}

export function unsupportedOperands(operator: string, left: Value, right: Value): Error {
  for (const value of [left, right]) if (isUndefined(value)) return templateFault(value.hint);
  for (const value of [left, right]) {
    if (isCompound(value) && (value.kind === 'moment' || value.kind === 'markup' || value.kind === 'view'))
      return outside(`${operator} with a ${value.kind}`);
  }
  return pythonFault(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`);
}
