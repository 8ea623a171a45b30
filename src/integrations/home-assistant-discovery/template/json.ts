import { outside, pythonFault, spend } from './fault.ts';
import { floatText } from './text.ts';
import { isKind, isSequence, listOf, pairsOf, typeName, type DictEntry, type Value } from './value.ts';

/** As deep as JSON may be. Payloads of devices have up to six levels. */
const MAX_DEPTH = 100;
/** A text, also one without its end, or a number. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** JavaScript reads these as something else: a whole float, a large number, and a name that it would put first. */
const TO_MARK = /\d\.0+(?!\d)|\d[eE]|\d{16}|"\d+"\s*:/;

/**
 * Reads JSON as Python does, which knows 1 from 1.0. `undefined` if it is none, by the rules of `orjson`, with which Home
 * Assistant reads payloads. Where it matters, JavaScript reads it with a letter before each text, and numbers as such texts.
 */
export function valueFromJson(text: string): Value | undefined {
  const isMarked = TO_MARK.test(text);
  const mark = (found: string): string => (found.startsWith('"') ? `"'${found.slice(1)}` : `"#${found}"`);
  try {
    // Only an escape can be half a character, which no UTF-8 has.
    const reading: Reading = { depth: 0, isMarked, mayBeHalf: /\\ud/i.test(text) };
    return valueOf(JSON.parse(isMarked ? text.replace(TOKEN, mark) : text), reading);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

type Reading = { readonly depth: number; readonly isMarked: boolean; readonly mayBeHalf: boolean };

function valueOf(read: unknown, reading: Reading): Value {
  if (typeof read === 'string')
    return reading.isMarked && read.startsWith('#') ? numberFrom(read.slice(1)) : textFrom(read, reading);
  if (typeof read === 'number') return Number.isInteger(read) ? BigInt(read) : read;
  if (typeof read !== 'object' || read === null) return read === true || (read === false ? false : null);
  if (reading.depth >= MAX_DEPTH) throw new SyntaxError('too deep');
  const inner: Reading = { ...reading, depth: reading.depth + 1 };
  if (Array.isArray(read)) return listOf(read.map((item) => valueOf(item, inner)));
  const entries = new Map<string, DictEntry>();
  for (const [name, held] of Object.entries(read)) {
    const key = textFrom(name, reading);
    entries.set(key, { key, value: valueOf(held, inner) });
  }
  return { kind: 'dict', entries };
}

function textFrom(read: string, { isMarked, mayBeHalf }: Reading): string {
  const isNumber = isMarked && read.startsWith('#');
  if (isNumber || (mayBeHalf && /\p{Cs}/u.test(read))) throw new SyntaxError('no text of UTF-8');
  return isMarked ? read.slice(1) : read;
}

function numberFrom(digits: string): bigint | number {
  const number = Number(digits);
  const isWhole = /^-?\d+$/.test(digits);
  if (isWhole && Number.isSafeInteger(number)) return BigInt(number);
  if (!Number.isFinite(number)) throw new SyntaxError('too large a number');
  // What does not fit 64 bits is a float.
  return isWhole && number >= -(2 ** 63) && number <= 2 ** 64 && digits.length <= 20 ? BigInt(digits) : number;
}

type JsonOptions = {
  /** As Python's own `json` writes it, with characters beyond ASCII escaped; else as `orjson` does. */
  readonly isSpaced?: boolean;
  readonly sortsKeys?: boolean;
};

export function jsonText(value: Value, options: JsonOptions = {}): string {
  spend();
  const { isSpaced = false, sortsKeys = false } = options;
  const comma = isSpaced ? ', ' : ',';
  if (typeof value === 'string') return quoted(value, isSpaced);
  if (typeof value === 'number') return floatJson(value, isSpaced);
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (isSequence(value)) return `[${value.items.map((item) => jsonText(item, options)).join(comma)}]`;
  if (isKind(value, 'moment')) throw outside('a time as JSON');
  if (!isKind(value, 'dict')) throw pythonFault(`Object of type ${typeName(value)} is not JSON serializable`);
  const members = pairsOf(value).map(([key, held]) => {
    if (typeof key !== 'string') throw outside('JSON with a key that is no text');
    return [key, `${quoted(key, isSpaced)}:${isSpaced ? ' ' : ''}${jsonText(held, options)}`] as const;
  });
  if (sortsKeys) members.sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return `{${members.map(([, member]) => member).join(comma)}}`;
}

function floatJson(value: number, isSpaced: boolean): string {
  if (!Number.isFinite(value) && !isSpaced) return 'null';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  const text = floatText(value);
  // The two libraries begin to write exponents at different sizes.
  if (!isSpaced && text.includes('e')) throw outside('so large or small a number as JSON');
  return text;
}

function quoted(text: string, isAscii: boolean): string {
  if (/\p{Cs}/u.test(text)) throw pythonFault('str is not valid UTF-8: surrogates not allowed');
  const json = JSON.stringify(text);
  return isAscii
    ? json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
}
