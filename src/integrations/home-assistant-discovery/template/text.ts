import { outside, pythonFault, reserve, spend, templateFault } from './fault.ts';
import { deltaText, momentText } from './moment.ts';
import { fixedText, intFrom } from './number.ts';
import {
  asNumber,
  isCompound,
  isKind,
  isNumber,
  isUndefined,
  pairsOf,
  sizeOf,
  table,
  textArgument,
  typeName,
  type Compound,
  type Value,
} from './value.ts';

/** As Python's `repr` of a float: the shortest digits that mean the same number. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e16)) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** Python's `str`. */
export function textOf(value: Value): string {
  spend();
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return floatText(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isCompound(value) ? compoundText(value) : String(value);
}

/** Python's `repr`. */
function reprOf(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (!isCompound(value)) return textOf(value);
  if (value.kind === 'undefined') return 'Undefined';
  if (value.kind === 'moment' || value.kind === 'delta') throw outside(`the spelling of a ${value.kind} in a list`);
  return textOf(value);
}

function compoundText(value: Compound): string {
  switch (value.kind) {
    case 'undefined':
      return '';
    case 'list':
      return `[${joined(value.items.map(reprOf), ', ')}]`;
    case 'tuple':
      return `(${joined(value.items.map(reprOf), ', ')}${value.items.length === 1 ? ',' : ''})`;
    case 'dict':
      return `{${joined(
        pairsOf(value).map(([key, held]) => `${reprOf(key)}: ${reprOf(held)}`),
        ', ',
      )}}`;
    case 'moment':
      return momentText(value, ' ');
    case 'delta':
      return deltaText(value);
    case 'bytes':
      return `b${quoted(value.bytes.toString('latin1'), /[^ -~]|[\\'"]/g)}`;
    default:
      // Python shows an address in memory, or a name of its own.
      throw outside(`a ${value.kind} as text`);
  }
}

export function joined(texts: readonly string[], separator: string): string {
  reserve(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

const NAMED_ESCAPES = table({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' });

/** In the quotes that Python takes. What it escapes in a text are these, and what `str.isprintable` refuses. */
function quoted(text: string, escapes = /[\p{C}\p{Z}\\'"]/gu): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(escapes, (found) => {
    if (found === ' ') return found;
    if (found === "'" || found === '"') return found === quote ? `\\${found}` : found;
    const hex = (found.codePointAt(0) ?? 0).toString(16);
    const wide = hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
    return NAMED_ESCAPES.get(found) ?? (hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : wide);
  });
  return quote + inside + quote;
}

const BYTE_ESCAPES = table({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 });
const BYTES_LITERAL = /^b(['"])((?:[ !#-&(-[\]-~]|(?!\1)['"]|\\[ -~])*)\1$/;
const BYTE = /\\x([\da-fA-F]{2})|\\([0-7]{1,3})|\\([abfnrtv\\'"])|[^\\]|\\/g;

/** Reads `b'…'` as Python does. `undefined` for another text, or a spelling that this does not know. */
export function bytesFromText(text: string): Buffer | undefined {
  const inside = BYTES_LITERAL.exec(text)?.[2];
  // Without two digits behind it, Python refuses the whole.
  if (inside === undefined || /(?<!\\)(?:\\\\)*\\x(?![\da-fA-F]{2})/.test(inside)) return undefined;
  const bytes = Array.from(inside.matchAll(BYTE), ([found, hex, octal, named]) => {
    if (hex !== undefined) return Number.parseInt(hex, 16);
    if (octal !== undefined) return Number.parseInt(octal, 8) & 0xff;
    return BYTE_ESCAPES.get(named ?? '') ?? (named ?? found).charCodeAt(0);
  });
  return Buffer.from(bytes);
}

/** Python's `split`. `null` splits at runs of white space; `most` below 0 is no limit. */
export function splitText(text: string, separator: string | null, most: number): readonly string[] {
  if (separator === '') throw pythonFault('empty separator');
  if (separator === null) {
    if (most >= 0) throw outside('a limited split at white space');
    return text.match(/\S+/g) ?? [];
  }
  const parts = text.split(separator);
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(separator)];
}

/** Python's `replace`; a negative count means all. */
export function replaced(text: string, [old, next]: readonly [string, string], count: number): string {
  if (old === '' && count >= 0) throw outside('a replacement of nothing');
  // Python puts the text before, between and after all characters.
  const parts = old === '' ? ['', ...Array.from(text), ''] : splitText(text, old, count);
  reserve(text.length + (parts.length - 1) * next.length);
  return parts.join(next);
}

/** Without these characters at its ends; without white space where none are given. */
export function strippedOf(text: string, argument: Value | undefined, where: 'both' | 'start' | 'end'): string {
  const characters = (argument ?? null) === null ? undefined : textArgument(argument);
  const goes = (at: number): boolean => characters?.includes(text[at] ?? '') ?? /\s/.test(text[at] ?? '');
  let [start, end] = [0, text.length];
  if (where !== 'end') while (start < end && goes(start)) start += 1;
  if (where !== 'start') while (end > start && goes(end - 1)) end -= 1;
  return text.slice(start, end);
}

export function capitalized(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Each letter that this finds as a capital, all others small. */
export function titled(text: string, starts: RegExp): string {
  return text.toLowerCase().replace(starts, (letter) => letter.toUpperCase());
}

/** How a value is spelled: the letter is the one of `%d`. */
type Format = {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
};

/** The name behind `%(` is not read: without its end, each would be searched for to the end of the text. */
const PRINTF = /%(\()?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S]?)/g;

/** Python's `format % values`. */
export function printed(format: string, values: Value): string {
  const given = isKind(values, 'tuple') ? values.items : [values];
  let used = 0;
  const text = format.replace(PRINTF, (...part: (string | undefined)[]) => {
    const [found = '', name, flags = '', width, precision, letter = ''] = part;
    if (name !== undefined || width === '*' || precision === '*') throw outside('this text format');
    if (found === '%%') return '%';
    const value = given[used];
    if (value === undefined) throw pythonFault('not enough arguments for format string');
    used += 1;
    return spelled(value, {
      flags,
      width: Number(width ?? 0),
      precision: found.includes('.') ? Number(precision ?? 0) : undefined,
      letter,
    });
  });
  // Python would look names up in a dict, and in whatever has items.
  const hasItems = isKind(values, 'dict') || isKind(values, 'list') || isUndefined(values);
  if (used < given.length && !(used === 0 && hasItems))
    throw pythonFault('not all arguments converted during string formatting');
  return text;
}

function spelled(value: Value, format: Format): string {
  const { flags, width, letter } = format;
  reserve(width + (format.precision ?? 0));
  const text = unpadded(value, format);
  const missing = width - (sizeOf(text) ?? 0);
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0') || letter === 's' || letter === 'r') return ' '.repeat(missing) + text;
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}

function unpadded(value: Value, { flags, precision, letter }: Format): string {
  if (letter === 's' || letter === 'r') {
    const text = letter === 's' ? textOf(value) : reprOf(value);
    return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  }
  if (!'diufFxXo'.includes(letter) || letter === '' || flags.includes('#')) throw outside('this text format');
  if (isUndefined(value)) throw templateFault(value.hint);
  if (!isNumber(value)) throw pythonFault(`%${letter} format: a real number is required, not ${typeName(value)}`);
  const number = asNumber(value);
  const isNegative = number < 0 || Object.is(number, -0);
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (letter === 'f' || letter === 'F') {
    const size = Math.abs(Number(number));
    if (!Number.isFinite(size)) return Number.isNaN(size) ? 'nan' : `${sign}inf`;
    return sign + fixedText(size, precision ?? 6);
  }
  const isHex = letter.toLowerCase() === 'x';
  if (typeof number === 'number' && (isHex || letter === 'o'))
    throw pythonFault(`%${letter} format: an integer is required, not float`);
  const whole = intFrom(number);
  if (whole === undefined) throw pythonFault('cannot convert float NaN to integer');
  const digits = String(whole < 0n ? -whole : whole);
  const spelt = isHex || letter === 'o' ? BigInt(digits).toString(isHex ? 16 : 8) : digits;
  const cased = letter === 'X' ? spelt.toUpperCase() : spelt;
  return (whole < 0n ? '-' : sign === '-' ? '' : sign) + cased.padStart(precision ?? 0, '0');
}
