import { outside, reserveText, spendSteps, type Budget } from './fault.ts';
import { isCompound, iterate, type Compound, type Value } from './value.ts';
import { deltaText } from './delta.ts';
import { momentText } from './moment.ts';

/** Deeper structures are refused, because spelling them recurses. */
const MAX_DEPTH = 50;
/** Python refuses to spell longer ints. */
const MAX_DIGITS = 4_300;

/** As Python's `repr` of a float: the shortest digits that mean the same number. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(value);
  if (text.includes('e')) return expandedText(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** JavaScript writes 0.0001 in full only down to 1e-6, which this never needs; kept for the borders. */
function expandedText(value: number): string {
  const text = value.toFixed(20).replace(/(?<!0)0+$/, '');
  return text.endsWith('.') ? `${text}0` : text;
}

function intText(budget: Budget, value: bigint): string {
  if (value > -1_000_000_000_000_000n && value < 1_000_000_000_000_000n) return String(value);
  const text = String(value);
  spendSteps(budget, 1 + (text.length >> 4));
  if (text.length > MAX_DIGITS) throw outside('an int of so many digits');
  return text;
}

/** Python's `str`. */
export function textOf(budget: Budget, value: Value): string {
  if (typeof value === 'string') return value;
  return spelled(budget, value, { depth: 0, isQuoted: false });
}

/** Python's `repr`. */
export function reprOf(budget: Budget, value: Value): string {
  return spelled(budget, value, { depth: 0, isQuoted: true });
}

type Spelling = { readonly depth: number; readonly isQuoted: boolean };

function spelled(budget: Budget, value: Value, { depth, isQuoted }: Spelling): string {
  spendSteps(budget, 1);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return intText(budget, value);
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'string') return isQuoted ? quoted(budget, value) : value;
  if (depth > MAX_DEPTH) throw outside('a structure of such depth');
  return isQuoted &&
    (value.kind === 'undefined' || value.kind === 'markup' || value.kind === 'moment' || value.kind === 'delta')
    ? specialRepr(value)
    : compoundText(budget, value, depth);
}

function specialRepr(value: Compound): string {
  if (value.kind === 'undefined') return 'Undefined';
  throw outside(`the spelling of a ${value.kind} in a list`);
}

function compoundText(budget: Budget, value: Compound, depth: number): string {
  const inner = (item: Value): string => {
    const text = spelled(budget, item, { depth: depth + 1, isQuoted: true });
    reserveText(budget, text.length + 2);
    return text;
  };
  switch (value.kind) {
    case 'undefined':
      return '';
    case 'markup':
      return value.text;
    case 'list':
      return `[${value.items.map(inner).join(', ')}]`;
    case 'tuple':
      return value.items.length === 1
        ? `(${value.items.map(inner).join('')},)`
        : `(${value.items.map(inner).join(', ')})`;
    case 'dict':
      return `{${[...value.entries.values()].map(({ key, value: held }) => `${inner(key)}: ${inner(held)}`).join(', ')}}`;
    case 'range':
      return value.step === 1n
        ? `range(${value.start}, ${value.stop})`
        : `range(${value.start}, ${value.stop}, ${value.step})`;
    case 'moment':
      return momentText(value, ' ');
    case 'delta':
      return deltaText(value);
    case 'bytes':
      return bytesText(budget, value.bytes);
    default:
      // Python shows an address in memory.
      throw outside(`a ${value.kind} as text`);
  }
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** What Python's `str.isprintable` refuses, with the quotes and the backslash. */
const TO_ESCAPE = /[\p{C}\p{Z}\\'"]/gu;

function quoted(budget: Budget, text: string): string {
  reserveText(budget, text.length);
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(TO_ESCAPE, (found) => {
    if (found === ' ') return found;
    if (found === "'" || found === '"') return found === quote ? `\\${found}` : found;
    const named = Object.hasOwn(NAMED_ESCAPES, found) ? NAMED_ESCAPES[found] : undefined;
    return named ?? escaped(found.codePointAt(0) ?? 0);
  });
  return `${quote}${inside}${quote}`;
}

function escaped(point: number): string {
  const hex = point.toString(16);
  if (point <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return point <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function bytesText(budget: Budget, bytes: Buffer): string {
  reserveText(budget, 4 * bytes.length);
  const quote = bytes.includes("'") && !bytes.includes('"') ? '"' : "'";
  const inside = bytes.toString('latin1').replaceAll(/[^ -~]|[\\'"]/g, (found) => {
    if (found === "'" || found === '"') return found === quote ? `\\${found}` : found;
    return (Object.hasOwn(NAMED_ESCAPES, found) ? NAMED_ESCAPES[found] : undefined) ?? escaped(found.charCodeAt(0));
  });
  return `b${quote}${inside}${quote}`;
}

const BYTE_ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const BYTES_LITERAL = /^b(['"])((?:[ !#-&(-[\]-~]|(?!\1)['"]|\\[ -~])*)\1$/;
const BYTE = /\\x([\da-fA-F]{2})|\\([0-7]{1,3})|\\([abfnrtv\\'"])|[^\\]|\\/g;

/** What Python means by `b'…'`. `undefined` for another text, or a spelling that this does not know. */
export function bytesFromText(text: string): Buffer | undefined {
  const inside = BYTES_LITERAL.exec(text)?.[2];
  // Without two digits behind it, Python refuses the whole.
  if (inside === undefined || /(?<!\\)(?:\\\\)*\\x(?![\da-fA-F]{2})/.test(inside)) return undefined;
  const bytes: number[] = [];
  for (const [found, hex, octal, named] of inside.matchAll(BYTE)) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(named === undefined ? found.charCodeAt(0) : (BYTE_ESCAPES[named] ?? named.charCodeAt(0)));
  }
  return Buffer.from(bytes);
}

export function joinTexts(budget: Budget, values: Value, separator: string): string {
  let joined = '';
  let isFirst = true;
  for (const item of iterate(budget, values)) {
    if (isCompound(item) && item.kind === 'markup') throw outside('joining markup');
    const text = isFirst ? textOf(budget, item) : separator + textOf(budget, item);
    reserveText(budget, text.length);
    joined += text;
    isFirst = false;
  }
  return joined;
}
