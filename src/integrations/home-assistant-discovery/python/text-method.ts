import { boundTo, textArgument, wholeNumber } from './arguments.ts';
import { outside, pythonFault, reserveText, spendSteps, type Budget } from './fault.ts';
import { isSpace } from './number.ts';
import { capitalized, countOf, isAscii, replaced, splitText, strippedOf, titled } from './text.ts';
import { isKind, iterate, listOf, typeName, type Arguments, type Value } from './value.ts';

export type Method<Self> = (self: Self, args: Arguments, budget: Budget) => Value;
export type Methods<Self> = ReadonlyMap<string, Method<Self>>;

export const none = (args: Arguments): void => void boundTo([], 0, args);

export const positionalOnly = (
  parameters: readonly string[],
  required: number,
  args: Arguments,
): readonly (Value | undefined)[] => {
  if (args.named.size > 0) throw pythonFault('takes no keyword arguments');
  return boundTo(parameters, required, args);
};

const simple =
  (make: (text: string, budget: Budget) => Value): Method<string> =>
  (text, args, budget) => {
    none(args);
    reserveText(budget, text.length);
    return make(text, budget);
  };

const stripping =
  (where: 'both' | 'start' | 'end'): Method<string> =>
  (text, args, budget) => {
    const [characters] = positionalOnly(['chars'], 0, args);
    spendSteps(budget, 1 + (text.length >> 4));
    return strippedOf(
      text,
      characters === undefined || characters === null ? null : textArgument(characters, ''),
      where,
    );
  };

const affix =
  (has: (text: string, part: string) => boolean): Method<string> =>
  (text, args) => {
    const [part, start] = positionalOnly(['part', 'start', 'end'], 1, args);
    if (start !== undefined) throw outside('a start in startswith');
    if (isKind(part ?? null, 'tuple')) throw outside('several beginnings');
    return has(text, textArgument(part, ''));
  };

/** The methods of a text that this interpreter has. */
export const TEXT: Methods<string> = new Map<string, Method<string>>([
  ['lower', simple((text) => text.toLowerCase())],
  ['upper', simple((text) => text.toUpperCase())],
  ['capitalize', simple(capitalized)],
  ['title', simple(titled)],
  ['strip', stripping('both')],
  ['lstrip', stripping('start')],
  ['rstrip', stripping('end')],
  ['startswith', affix((text, part) => text.startsWith(part))],
  ['endswith', affix((text, part) => text.endsWith(part))],
  [
    'removeprefix',
    (text, args) => {
      const prefix = textArgument(positionalOnly(['prefix'], 1, args)[0], '');
      return text.startsWith(prefix) ? text.slice(prefix.length) : text;
    },
  ],
  [
    'removesuffix',
    (text, args) => {
      const suffix = textArgument(positionalOnly(['suffix'], 1, args)[0], '');
      return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
    },
  ],
  [
    'split',
    (text, args, budget) => {
      const [separator, most] = boundTo(['sep', 'maxsplit'], 0, args);
      const by = separator === undefined || separator === null ? null : textArgument(separator, '');
      const parts = splitText(text, by, wholeNumber(most, -1));
      spendSteps(budget, parts.length);
      reserveText(budget, text.length);
      return listOf(parts);
    },
  ],
  [
    'replace',
    (text, args, budget) => {
      const [old, next, count] = boundTo(['old', 'new', 'count'], 2, args);
      return replaced(budget, text, {
        old: textArgument(old, ''),
        next: textArgument(next, ''),
        count: wholeNumber(count, -1),
      });
    },
  ],
  [
    'join',
    (separator, args, budget) => {
      const [parts] = positionalOnly(['iterable'], 1, args);
      const texts: string[] = [];
      for (const part of iterate(budget, parts ?? null)) {
        if (typeof part !== 'string')
          throw isKind(part, 'markup')
            ? outside('joining markup')
            : pythonFault(`expected str instance, ${typeName(part)} found`);
        reserveText(budget, part.length + separator.length);
        texts.push(part);
      }
      return texts.join(separator);
    },
  ],
  [
    'count',
    (text, args, budget) => {
      const [part, start] = positionalOnly(['sub', 'start', 'end'], 1, args);
      if (start !== undefined) throw outside('a start in count');
      spendSteps(budget, 1 + (text.length >> 4));
      return countOf(text, textArgument(part, ''));
    },
  ],
  [
    'find',
    (text, args, budget) => {
      const [part, start] = positionalOnly(['sub', 'start', 'end'], 1, args);
      if (start !== undefined) throw outside('a start in find');
      spendSteps(budget, 1 + (text.length >> 4));
      const at = text.indexOf(textArgument(part, ''));
      return BigInt(at === -1 ? -1 : Array.from(text.slice(0, at)).length);
    },
  ],
  [
    'zfill',
    (text, args, budget) => {
      const width = wholeNumber(positionalOnly(['width'], 1, args)[0], 0);
      reserveText(budget, text.length);
      const missing = width - Array.from(text).length;
      if (missing <= 0) return text;
      reserveText(budget, width);
      const sign = /^[+-]/.exec(text)?.[0] ?? '';
      return sign + '0'.repeat(missing) + text.slice(sign.length);
    },
  ],
  ['isdigit', simple((text) => asciiOnly(text) && /^\d+$/.test(text))],
  ['isnumeric', simple((text) => asciiOnly(text) && /^\d+$/.test(text))],
  ['isdecimal', simple((text) => asciiOnly(text) && /^\d+$/.test(text))],
  ['isspace', simple((text) => text !== '' && Array.from(text).every((one) => isSpace(one.charCodeAt(0))))],
  ['isalpha', simple((text) => asciiOnly(text) && /^[A-Za-z]+$/.test(text))],
  ['isalnum', simple((text) => asciiOnly(text) && /^[A-Za-z\d]+$/.test(text))],
]);

function asciiOnly(text: string): boolean {
  if (!isAscii(text)) throw outside('the classes of characters beyond ASCII');
  return true;
}
