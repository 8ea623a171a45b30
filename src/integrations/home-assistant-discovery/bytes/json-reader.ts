import { hasHalfCharacter } from '#integrations/home-assistant-discovery/python/text.ts';
import {
  listOf,
  type DictEntry,
  type DictKey,
  type PyDict,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';

/** As deep as JSON may be. Payloads of devices have up to six levels. */
const MAX_DEPTH = 100;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
type Reader = { readonly text: string; at: number };

class NotJson extends Error {}

/**
 * Reads JSON as Python does, which knows 1 from 1.0. `undefined` if it is none, by the rules of `orjson`, with which Home
 * Assistant reads payloads.
 */
export function valueFromJson(text: string): Value | undefined {
  const reader: Reader = { text, at: 0 };
  try {
    const value = readValue(reader, 0);
    skipSpace(reader);
    return reader.at === text.length ? value : undefined;
  } catch (cause) {
    if (cause instanceof NotJson) return undefined;
    throw cause;
  }
}

/* Characters by their codes: a payload is read for each message, and a code is compared faster than a text. */
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const LOWER_E = 0x65;

function skipSpace(reader: Reader): void {
  const { text } = reader;
  let { at } = reader;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  reader.at = at;
}

function readValue(reader: Reader, depth: number): Value {
  skipSpace(reader);
  const first = reader.text.charCodeAt(reader.at);
  switch (first) {
    case QUOTE:
      return readText(reader);
    case 0x7b:
      if (depth >= MAX_DEPTH) throw new NotJson();
      return readObject(reader, depth + 1);
    case 0x5b:
      if (depth >= MAX_DEPTH) throw new NotJson();
      return readArray(reader, depth + 1);
    case 0x74:
      return readWord(reader, 'true', true);
    case 0x66:
      return readWord(reader, 'false', false);
    case 0x6e:
      return readWord(reader, 'null', null);
    default:
      return readNumber(reader);
  }
}

function readWord(reader: Reader, word: string, value: Value): Value {
  if (!reader.text.startsWith(word, reader.at)) throw new NotJson();
  reader.at += word.length;
  return value;
}

/** Where the digits from here on end. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (!(code >= ZERO && code <= 0x39)) return at;
    at += 1;
  }
}

function readNumber(reader: Reader): Value {
  const { text, at: start } = reader;
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const digitsAt = digitsEnd(text, first);
  if (digitsAt === first) throw new NotJson();
  // No number begins with 0 but 0 itself; what follows is then for the caller to refuse.
  let at = text.charCodeAt(first) === ZERO ? first + 1 : digitsAt;
  let isWhole = true;
  if (text.charCodeAt(at) === POINT) {
    const end = digitsEnd(text, at + 1);
    if (end === at + 1) throw new NotJson();
    at = end;
    isWhole = false;
  }
  // With this bit, upper case is lower case.
  if ((text.charCodeAt(at) | 0x20) === LOWER_E) {
    const sign = text.charCodeAt(at + 1);
    const from = sign === MINUS || sign === 0x2b ? at + 2 : at + 1;
    const end = digitsEnd(text, from);
    if (end === from) throw new NotJson();
    at = end;
    isWhole = false;
  }
  reader.at = at;
  const digits = text.slice(start, at);
  return isWhole ? wholeFrom(digits) : finite(Number(digits));
}

function wholeFrom(digits: string): Value {
  // So many digits are exact in a float, and are made from it faster.
  if (digits.length <= 15) return BigInt(Number(digits));
  // What does not fit 64 bits is a float.
  const whole = digits.length < 25 ? BigInt(digits) : undefined;
  return whole !== undefined && whole >= -9_223_372_036_854_775_808n && whole <= 18_446_744_073_709_551_615n
    ? whole
    : finite(Number(digits));
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new NotJson();
  return value;
}

function readText(reader: Reader): string {
  const { text } = reader;
  const start = reader.at + 1;
  let at = start;
  let isAscii = true;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) return readEscaped(reader, at);
    // Also where the text has ended: there the code is not a number.
    if (!(code >= 0x20)) throw new NotJson();
    if (code > 0x7f) isAscii = false;
    at += 1;
  }
  reader.at = at + 1;
  const read = text.slice(start, at);
  if (!isAscii && hasHalfCharacter(read)) throw new NotJson();
  return read;
}

function readEscaped(reader: Reader, firstEscape: number): string {
  const { text } = reader;
  let at = firstEscape;
  let from = reader.at + 1;
  let read = '';
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (!(code >= 0x20)) throw new NotJson();
    if (code !== BACKSLASH) {
      at += 1;
      continue;
    }
    read += text.slice(from, at);
    const escape = text[at + 1] ?? '';
    if (escape === 'u') {
      const hex = text.slice(at + 2, at + 6);
      if (!/^[\da-f]{4}$/i.test(hex)) throw new NotJson();
      read += String.fromCharCode(Number.parseInt(hex, 16));
      at += 6;
    } else {
      if (!Object.hasOwn(ESCAPES, escape)) throw new NotJson();
      read += ESCAPES[escape] ?? '';
      at += 2;
    }
    from = at;
  }
  read += text.slice(from, at);
  reader.at = at + 1;
  if (hasHalfCharacter(read)) throw new NotJson();
  return read;
}

function readArray(reader: Reader, depth: number): Value {
  const items: Value[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === ']') {
    reader.at += 1;
    return listOf(items);
  }
  for (;;) {
    items.push(readValue(reader, depth));
    skipSpace(reader);
    const next = reader.text[reader.at];
    reader.at += 1;
    if (next === ']') return listOf(items);
    if (next !== ',') throw new NotJson();
  }
}

function readObject(reader: Reader, depth: number): PyDict {
  const entries = new Map<DictKey, DictEntry>();
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === '}') {
    reader.at += 1;
    return { kind: 'dict', entries };
  }
  for (;;) {
    skipSpace(reader);
    if (reader.text[reader.at] !== '"') throw new NotJson();
    const key = readText(reader);
    skipSpace(reader);
    if (reader.text[reader.at] !== ':') throw new NotJson();
    reader.at += 1;
    entries.set(key, { key, value: readValue(reader, depth) });
    skipSpace(reader);
    const next = reader.text[reader.at];
    reader.at += 1;
    if (next === '}') return { kind: 'dict', entries };
    if (next !== ',') throw new NotJson();
  }
}
