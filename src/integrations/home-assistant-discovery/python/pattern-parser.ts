import { isSpace } from './number.ts';
import { outside, pythonFault } from './fault.ts';
import { isAscii } from './text.ts';

export type CharacterTest = (character: string) => boolean;

/** The tree of a regular expression of Python. */
export type PatternNode =
  | { readonly type: 'character'; readonly test: CharacterTest }
  | { readonly type: 'start' | 'end' | 'text-end' | 'border' | 'inside' }
  | { readonly type: 'row' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'group'; readonly number: number; readonly node: PatternNode }
  | {
      readonly type: 'repeat';
      readonly node: PatternNode;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

export type ParsedPattern = {
  readonly node: PatternNode;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
};

type Parsing = {
  readonly source: string;
  readonly ignoresCase: boolean;
  at: number;
  groups: number;
  depth: number;
  readonly names: Map<string, number>;
};

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 20;
const MAX_REPEAT = 500;
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\u0007' };

/** Reads a regular expression. Throws TemplateFault for what Python refuses, and for what is rare. */
export function parsePattern(source: string, ignoresCase: boolean): ParsedPattern {
  if (source.length > MAX_LENGTH) throw outside('a pattern of this length');
  if (/[\ud800-\udfff]/.test(source)) throw outside('such characters in a pattern');
  if (ignoresCase && !isAscii(source)) throw outside('a pattern beyond ASCII without case');
  const parsing: Parsing = { source, ignoresCase, at: 0, groups: 0, depth: 0, names: new Map() };
  const node = parseChoice(parsing);
  if (parsing.at < source.length) throw pythonFault('unbalanced parenthesis');
  return { node, groups: parsing.groups, names: parsing.names };
}

function parseChoice(parsing: Parsing): PatternNode {
  parsing.depth += 1;
  if (parsing.depth > MAX_DEPTH) throw outside('a pattern of such depth');
  const nodes = [parseRow(parsing)];
  while (parsing.source[parsing.at] === '|') {
    parsing.at += 1;
    nodes.push(parseRow(parsing));
  }
  parsing.depth -= 1;
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { type: 'choice', nodes };
}

function parseRow(parsing: Parsing): PatternNode {
  const nodes: PatternNode[] = [];
  for (;;) {
    const next = parsing.source[parsing.at];
    if (next === undefined || next === '|' || next === ')') return { type: 'row', nodes };
    nodes.push(parseRepeats(parsing, parseAtom(parsing, next)));
  }
}

function parseRepeats(parsing: Parsing, node: PatternNode): PatternNode {
  const times = takeTimes(parsing);
  if (times === undefined) return node;
  const [least, most] = times;
  if (node.type === 'start' || node.type === 'end' || node.type === 'border' || node.type === 'inside')
    throw outside('repeating a border');
  if (least > most) throw pythonFault('min repeat greater than max repeat');
  if (least > MAX_REPEAT || (most !== Number.POSITIVE_INFINITY && most > MAX_REPEAT)) throw outside('so many repeats');
  const isLazy = parsing.source[parsing.at] === '?';
  if (isLazy) parsing.at += 1;
  if (parsing.source[parsing.at] === '+') throw outside('a possessive repeat');
  if (takeTimes({ ...parsing }) !== undefined) throw pythonFault('multiple repeat');
  if (canBeEmpty(node)) throw outside('repeating what can be empty');
  return { type: 'repeat', node, least, most, isLazy };
}

function takeTimes(parsing: Parsing): readonly [number, number] | undefined {
  const { source, at } = parsing;
  const simple: Readonly<Record<string, readonly [number, number]>> = {
    '*': [0, Number.POSITIVE_INFINITY],
    '+': [1, Number.POSITIVE_INFINITY],
    '?': [0, 1],
  };
  const next = source[at] ?? '';
  if (Object.hasOwn(simple, next)) {
    parsing.at += 1;
    return simple[next];
  }
  if (next !== '{') return undefined;
  const found = /^\{(\d*)(?:(,)(\d*))?\}/.exec(source.slice(at, at + 12));
  if (found === null) return undefined;
  const [whole, least = '', comma = '', most = ''] = found;
  if (least === '' && most === '')
    return comma === '' ? undefined : ((parsing.at += whole.length), [0, Number.POSITIVE_INFINITY]);
  parsing.at += whole.length;
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

function canBeEmpty(node: PatternNode): boolean {
  switch (node.type) {
    case 'character':
      return false;
    case 'row':
      return node.nodes.every(canBeEmpty);
    case 'choice':
      return node.nodes.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.node);
    case 'repeat':
      return node.least === 0 || canBeEmpty(node.node);
    default:
      return true;
  }
}

function parseAtom(parsing: Parsing, next: string): PatternNode {
  parsing.at += 1;
  switch (next) {
    case '(':
      return parseGroup(parsing);
    case '[':
      return { type: 'character', test: parseClass(parsing) };
    case '.':
      return { type: 'character', test: (one) => one !== '\n' };
    case '^':
      return { type: 'start' };
    case '$':
      return { type: 'end' };
    case '*':
    case '+':
    case '?':
      throw pythonFault('nothing to repeat');
    case '\\':
      return parseEscape(parsing);
    default:
      return { type: 'character', test: literal(parsing, next) };
  }
}

function parseGroup(parsing: Parsing): PatternNode {
  const { source } = parsing;
  let number: number | null = null;
  if (source.startsWith('?:', parsing.at)) parsing.at += 2;
  else if (source.startsWith('?P<', parsing.at)) {
    const name = /^\?P<([A-Za-z_]\w*)>/.exec(source.slice(parsing.at, parsing.at + 80));
    if (name === null) throw pythonFault('bad character in group name');
    if (parsing.names.has(name[1] ?? '')) throw pythonFault('redefinition of group name');
    parsing.at += name[0].length;
    parsing.groups += 1;
    number = parsing.groups;
    parsing.names.set(name[1] ?? '', number);
  } else if (source[parsing.at] === '?') throw outside('this kind of group in a pattern');
  else {
    parsing.groups += 1;
    number = parsing.groups;
  }
  const node = parseChoice(parsing);
  if (source[parsing.at] !== ')') throw pythonFault('missing ), unterminated subpattern');
  parsing.at += 1;
  return number === null ? node : { type: 'group', number, node };
}

function literal({ ignoresCase }: Parsing, wanted: string): CharacterTest {
  if (!ignoresCase) return (one) => one === wanted;
  const lower = wanted.toLowerCase();
  return (one) => lowered(one) === lower;
}

function lowered(one: string): string {
  if (one > '\u007f') throw outside('a text beyond ASCII without case');
  return one.toLowerCase();
}

const CLASSES: Readonly<Record<string, CharacterTest>> = {
  d: (one) => /^\p{Nd}$/u.test(one),
  w: (one) => /^[\p{L}\p{N}_]$/u.test(one),
  s: (one) => isSpace(one.charCodeAt(0)),
};

/** `\d` and its like, and their opposites. */
function classOf(letter: string): CharacterTest | undefined {
  const lower = letter.toLowerCase();
  const test = Object.hasOwn(CLASSES, lower) ? CLASSES[lower] : undefined;
  if (test === undefined || letter === lower) return test;
  return (one) => !test(one);
}

export const isWordCharacter: CharacterTest = (one) => CLASSES['w']?.(one) === true;

function parseEscape(parsing: Parsing): PatternNode {
  const letter = parsing.source[parsing.at];
  if (letter === undefined) throw pythonFault('bad escape (end of pattern)');
  if (letter === 'b' || letter === 'B') {
    parsing.at += 1;
    return { type: letter === 'b' ? 'border' : 'inside' };
  }
  if (letter === 'A' || letter === 'Z') {
    parsing.at += 1;
    return { type: letter === 'A' ? 'start' : 'text-end' };
  }
  const test = classOf(letter);
  if (test !== undefined) {
    parsing.at += 1;
    return { type: 'character', test };
  }
  return { type: 'character', test: literal(parsing, escapedCharacter(parsing)) };
}

function escapedCharacter(parsing: Parsing): string {
  const { source, at } = parsing;
  const letter = source[at] ?? '';
  parsing.at += 1;
  if (Object.hasOwn(PLAIN_ESCAPES, letter)) return PLAIN_ESCAPES[letter] ?? '';
  if (/\d/.test(letter)) throw outside('a reference to a group');
  if (letter === 'x' || letter === 'u') {
    const length = letter === 'x' ? 2 : 4;
    const digits = source.slice(at + 1, at + 1 + length);
    if (digits.length < length || !/^[\da-f]+$/i.test(digits)) throw pythonFault('incomplete escape');
    parsing.at += length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
  if (/[A-Za-z]/.test(letter))
    throw letter === 'U' || letter === 'N'
      ? outside('this escape in a pattern')
      : pythonFault(`bad escape \\${letter}`);
  return letter;
}

function parseClass(parsing: Parsing): CharacterTest {
  const { source } = parsing;
  const isNegated = source[parsing.at] === '^';
  if (isNegated) parsing.at += 1;
  const tests: CharacterTest[] = [];
  for (let isFirst = true; ; isFirst = false) {
    const next = source[parsing.at];
    if (next === undefined) throw pythonFault('unterminated character set');
    parsing.at += 1;
    if (next === ']' && !isFirst) break;
    const low = classMember(parsing, next);
    if (typeof low !== 'string' || source[parsing.at] !== '-' || source[parsing.at + 1] === ']') {
      tests.push(typeof low === 'string' ? literal(parsing, low) : low);
      continue;
    }
    const end = source[parsing.at + 1];
    if (end === undefined) throw pythonFault('unterminated character set');
    parsing.at += 2;
    const high = classMember(parsing, end);
    if (typeof high !== 'string') throw pythonFault('bad character range');
    if (low > high) throw pythonFault('bad character range');
    tests.push(rangeTest(parsing, low, high));
  }
  return (one) => tests.some((test) => test(one)) !== isNegated;
}

function classMember(parsing: Parsing, next: string): string | CharacterTest {
  if (next !== '\\') return next;
  const letter = parsing.source[parsing.at] ?? '';
  if (letter === 'b') {
    parsing.at += 1;
    return '\b';
  }
  const test = classOf(letter);
  if (test === undefined) return escapedCharacter(parsing);
  parsing.at += 1;
  return test;
}

function rangeTest({ ignoresCase }: Parsing, low: string, high: string): CharacterTest {
  const has: CharacterTest = (one) => one.length === 1 && one >= low && one <= high;
  if (!ignoresCase) return has;
  return (one) => has(lowered(one)) || has(one.toUpperCase());
}
