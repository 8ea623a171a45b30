import { outside, pythonFault, reserveText, templateFault, type Budget } from './fault.ts';
import { fixedText, intFrom } from './number.ts';
import { reprOf, textOf } from './spelling.ts';
import { asNumber } from './compare.ts';
import { isKind, isNumber, isUndefined, typeName, type Value } from './value.ts';

/** The name behind `%(` is not read: without its end, each would be searched for to the end of the text. */
const PART = /%(\()?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S]?)/g;
const MAX_WIDTH = 10_000;

type Format = {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
};

/** Python's `format % values`. */
export function printed(budget: Budget, format: string, values: Value): string {
  reserveText(budget, format.length);
  const given = isKind(values, 'tuple') ? values.items : [values];
  let used = 0;
  const text = format.replace(PART, (...part: (string | undefined)[]) => {
    const [found = '', name, flags = '', width, precision, letter = ''] = part;
    if (name !== undefined || width === '*' || precision === '*') throw outside('this text format');
    if (letter === '%') {
      if (found !== '%%') throw outside('this text format');
      return '%';
    }
    const value = given[used];
    if (value === undefined)
      throw pythonFault(letter === '' ? 'incomplete format' : 'not enough arguments for format string');
    used += 1;
    const hasPoint = found.includes('.');
    const wanted: Format = {
      flags,
      width: Number(width ?? 0),
      precision: hasPoint ? Number(precision ?? 0) : undefined,
      letter,
    };
    if (wanted.width > MAX_WIDTH || (wanted.precision ?? 0) > MAX_WIDTH) throw outside('a text of such width');
    const spelled = padded(formatted(budget, wanted, value), wanted);
    reserveText(budget, spelled.length);
    return spelled;
  });
  // Python would look names up in a dict, and in whatever has items.
  const last = given.at(-1) ?? null;
  const isMapping =
    !isKind(values, 'tuple') &&
    (isKind(last, 'dict') || isKind(last, 'list') || isKind(last, 'range') || isUndefined(last));
  if (used < given.length && !(used === 0 && isMapping)) {
    throw pythonFault('not all arguments converted during string formatting');
  }
  return text;
}

function formatted(budget: Budget, { flags, precision, letter }: Format, value: Value): string {
  switch (letter) {
    case 's':
      return cut(textOf(budget, value), precision);
    case 'r':
      return cut(reprOf(budget, value), precision);
    case 'd':
    case 'i':
    case 'u': {
      const number = intOf(value, letter);
      const digits = String(number < 0n ? -number : number).padStart(precision ?? 0, '0');
      return signOf(flags, number < 0n) + digits;
    }
    case 'f':
    case 'F':
      return floatFormatted(flags, precision ?? 6, floatOf(value));
    case 'x':
    case 'X':
    case 'o': {
      if (typeof value === 'number') throw pythonFault(`%${letter} format: an integer is required, not float`);
      if (flags.includes('#')) throw outside('this text format');
      const number = intOf(value, letter);
      const digits = (number < 0n ? -number : number).toString(letter === 'o' ? 8 : 16).padStart(precision ?? 0, '0');
      return signOf(flags, number < 0n) + (letter === 'X' ? digits.toUpperCase() : digits);
    }
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'c':
    case 'a':
      throw outside('this text format');
    default:
      throw pythonFault(`unsupported format character '${letter}'`);
  }
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
}

function intOf(value: Value, letter: string): bigint {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`%${letter} format: a real number is required, not ${typeName(value)}`);
  const number = intFrom(asNumber(value));
  if (number === undefined) throw pythonFault('cannot convert float NaN to integer');
  return number;
}

function floatOf(value: Value): number {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`must be real number, not ${typeName(value)}`);
  const number = Number(asNumber(value));
  if (typeof value === 'bigint' && !Number.isFinite(number)) throw pythonFault('int too large to convert to float');
  return number;
}

function floatFormatted(flags: string, digits: number, value: number): string {
  const isNegative = value < 0 || Object.is(value, -0);
  if (Number.isNaN(value)) return `${signOf(flags, false)}nan`;
  if (!Number.isFinite(value)) return `${signOf(flags, isNegative)}inf`;
  if (flags.includes('#')) throw outside('this text format');
  return signOf(flags, isNegative) + fixedText(Math.abs(value), digits);
}

function signOf(flags: string, isNegative: boolean): string {
  if (isNegative) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function padded(text: string, { flags, width, letter }: Format): string {
  const length = Array.from(text).length;
  if (length >= width) return text;
  const missing = width - length;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  const isNumeric = 'diufFxXo'.includes(letter);
  if (!flags.includes('0') || !isNumeric) return ' '.repeat(missing) + text;
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}
