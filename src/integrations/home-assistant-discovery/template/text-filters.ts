import { createHash } from 'node:crypto';
import { flag, textArgument, wholeNumber } from '#integrations/home-assistant-discovery/python/arguments.ts';
import {
  outside,
  pythonFault,
  reserveText,
  spendSteps,
  templateFault,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/bytes/json-reader.ts';
import { jsonText } from '#integrations/home-assistant-discovery/python/json.ts';
import { isSpace } from '#integrations/home-assistant-discovery/python/number.ts';
import { printed } from '#integrations/home-assistant-discovery/python/printf.ts';
import { joinTexts, textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import {
  capitalized,
  hasHalfCharacter,
  replaced,
  strippedOf,
} from '#integrations/home-assistant-discovery/python/text.ts';
import {
  charactersOf,
  isKind,
  isUndefined,
  tupleOf,
  typeName,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import type { Filter, Run } from './run.ts';

const ofText = (make: (text: string, run: Run) => Value): Filter => ({
  parameters: ['s'],
  required: 1,
  call: (run, [value = null]) => {
    const text = plainText(run, value);
    reserveText(run.budget, text.length);
    return make(text, run);
  },
});

/** A text of any value; markup would stay markup, with rules of its own. */
export function plainText(run: Run, value: Value): string {
  if (isKind(value, 'markup')) throw outside('a filter of markup');
  return textOf(run.budget, value);
}

export const TEXT_FILTERS: readonly (readonly [string, Filter])[] = [
  ['lower', ofText((text) => text.toLowerCase())],
  ['upper', ofText((text) => text.toUpperCase())],
  ['capitalize', ofText(capitalized)],
  ['title', ofText(titleWords)],
  [
    'string',
    {
      parameters: ['object'],
      required: 1,
      call: (run, [value = null]) => (isKind(value, 'markup') ? value : textOf(run.budget, value)),
    },
  ],
  [
    'trim',
    {
      parameters: ['value', 'chars'],
      required: 1,
      call: (run, [value = null, characters]) =>
        strippedOf(
          plainText(run, value),
          characters === undefined || characters === null ? null : textArgument(characters, ''),
          'both',
        ),
    },
  ],
  [
    'replace',
    {
      parameters: ['s', 'old', 'new', 'count'],
      required: 3,
      call: (run, [value = null, old = null, next = null, count]) =>
        replaced(run.budget, plainText(run, value), {
          old: plainText(run, old),
          next: plainText(run, next),
          count: count === null ? -1 : wholeNumber(count, -1),
        }),
    },
  ],
  ['truncate', { parameters: ['s', 'length', 'killwords', 'end', 'leeway'], required: 1, call: truncated }],
  [
    'format',
    {
      free: (run, { positional: [format = null, ...values], named }) => {
        if (named.size > 0) throw outside('named values in a text format');
        return printed(run.budget, plainText(run, format), tupleOf(values));
      },
    },
  ],
  [
    'join',
    {
      parameters: ['value', 'd', 'attribute'],
      required: 1,
      call: (run, [value = null, separator, attribute]) => {
        if (attribute !== undefined && attribute !== null) throw outside('join by an attribute');
        return joinTexts(run.budget, value, plainText(run, separator ?? ''));
      },
    },
  ],
  [
    'ord',
    {
      parameters: ['value'],
      required: 1,
      call: (run, [value = null]) => {
        const [first, second] = typeof value === 'string' ? charactersOf(run.budget, value) : [];
        if (first === undefined || second !== undefined) throw pythonFault('ord() expected a character');
        return BigInt(first.codePointAt(0) ?? 0);
      },
    },
  ],
  [
    'tojson',
    {
      parameters: ['value', 'indent'],
      required: 1,
      call: (run, [value = null, indent]) => {
        if (indent !== undefined && indent !== null) throw outside('JSON with an indent');
        const json = jsonText(run.budget, value, { style: 'spaced', sortsKeys: true });
        return {
          kind: 'markup',
          text: json.replace(/[<>&']/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
        };
      },
    },
  ],
  [
    'to_json',
    {
      parameters: ['value', 'ensure_ascii', 'pretty_print', 'sort_keys'],
      required: 1,
      call: (run, [value = null, ascii, pretty, sorted]) => {
        if (flag(pretty)) throw outside('JSON with an indent');
        return jsonText(run.budget, value, { style: flag(ascii) ? 'spaced' : 'compact', sortsKeys: flag(sorted) });
      },
    },
  ],
  [
    'from_json',
    {
      parameters: ['value'],
      required: 1,
      call: (run, [value = null]) => {
        if (typeof value !== 'string')
          throw isKind(value, 'markup')
            ? outside('markup as JSON')
            : pythonFault('Input must be bytes, bytearray, memoryview, or str');
        spendSteps(run.budget, 1 + (value.length >> 3));
        const read = valueFromJson(value);
        if (read === undefined) throw pythonFault('the text is not JSON');
        return read;
      },
    },
  ],
  [
    'base64_encode',
    {
      parameters: ['value'],
      required: 1,
      call: (run, [value = null]) => {
        reserveText(run.budget, 4 * needsText(value).length);
        return Buffer.from(needsText(value)).toString('base64');
      },
    },
  ],
  ['md5', hashed('md5')],
  ['sha1', hashed('sha1')],
  ['sha256', hashed('sha256')],
  ['sha512', hashed('sha512')],
];

function needsText(value: Value): string {
  if (isUndefined(value)) throw templateFault(value.hint);
  if (typeof value !== 'string')
    throw isKind(value, 'markup')
      ? outside('markup')
      : pythonFault(`'${typeName(value)}' object has no attribute 'encode'`);
  if (hasHalfCharacter(value)) throw pythonFault('surrogates not allowed');
  return value;
}

function hashed(algorithm: string): Filter {
  return {
    parameters: ['value'],
    required: 1,
    call: (run, [value = null]) => {
      const text = needsText(value);
      spendSteps(run.budget, 50 + (text.length >> 3));
      return createHash(algorithm).update(text).digest('hex');
    },
  };
}

/** Words begin behind white space and some brackets. */
function titleWords(text: string): string {
  let isStart = true;
  return Array.from(text, (one) => {
    if (one === '-' || '({[<'.includes(one) || isSpace(one.charCodeAt(0))) {
      isStart = true;
      return one;
    }
    const cased = isStart ? one.toUpperCase() : one.toLowerCase();
    isStart = false;
    return cased;
  }).join('');
}

function truncated(run: Run, [value = null, length, kills, end, leeway]: readonly (Value | undefined)[]): Value {
  if (typeof value !== 'string')
    throw isUndefined(value)
      ? outside('a part of nothing')
      : typeof value === 'object' && value !== null
        ? outside('a part of what is no text')
        : pythonFault(`object of type '${typeName(value)}' has no len()`);
  const most = wholeNumber(length, 255);
  const ending = textArgument(end, '...');
  const more = leeway === null ? 5 : wholeNumber(leeway, 5);
  const characters = charactersOf(run.budget, value);
  const endLength = charactersOf(run.budget, ending).length;
  if (most < endLength || more < 0) throw pythonFault('expected another length');
  if (characters.length <= most + more) return value;
  const kept = characters.slice(0, most - endLength).join('');
  if (flag(kills)) return kept + ending;
  const at = kept.lastIndexOf(' ');
  return (at === -1 ? kept : kept.slice(0, at)) + ending;
}
