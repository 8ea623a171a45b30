import { outside, pythonFault, reserveText, spendSteps, TemplateFault, type Budget } from './fault.ts';
import { isWordCharacter, parsePattern, type CharacterTest, type PatternNode } from './pattern-parser.ts';

/**
 * A regular expression of Python, run step by step within a budget: JavaScript's own would let a hostile pattern hold
 * the process for minutes.
 */
export type Pattern = {
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly code: readonly Instruction[];
};

type Instruction =
  | { readonly do: 'character'; readonly test: CharacterTest }
  | { readonly do: 'start' | 'end' | 'text-end' | 'border' | 'inside' | 'done' }
  | { readonly do: 'save'; readonly slot: number }
  | { readonly do: 'go'; to: number }
  /** Tries the first way, and the other if it fails. */
  | { readonly do: 'try'; first: number; other: number };

/** Where the whole match and each group begin and end; -1 for a group without a part. */
export type Match = readonly number[];

const MAX_CODE = 5_000;
const MAX_WAITING = 20_000;

export function compilePattern(source: string, ignoresCase: boolean): Pattern {
  const { node, groups, names } = parsePattern(source, ignoresCase);
  const code: Instruction[] = [];
  emit(code, node);
  code.push({ do: 'done' });
  return { groups, names, code };
}

function put(code: Instruction[], instruction: Instruction): void {
  if (code.length >= MAX_CODE) throw outside('a pattern of this size');
  code.push(instruction);
}

function emit(code: Instruction[], node: PatternNode): void {
  switch (node.type) {
    case 'character':
      return put(code, { do: 'character', test: node.test });
    case 'start':
    case 'end':
    case 'text-end':
    case 'border':
    case 'inside':
      return put(code, { do: node.type });
    case 'row':
      for (const part of node.nodes) emit(code, part);
      return;
    case 'group':
      put(code, { do: 'save', slot: node.number * 2 });
      emit(code, node.node);
      return put(code, { do: 'save', slot: node.number * 2 + 1 });
    case 'choice':
      return emitChoice(code, node.nodes);
    case 'repeat':
      return emitRepeat(code, node);
  }
}

function emitChoice(code: Instruction[], nodes: readonly PatternNode[]): void {
  const ends: { to: number }[] = [];
  nodes.forEach((node, at) => {
    if (at === nodes.length - 1) return emit(code, node);
    const fork: Instruction & { do: 'try' } = { do: 'try', first: code.length + 1, other: 0 };
    put(code, fork);
    emit(code, node);
    const end: Instruction & { do: 'go' } = { do: 'go', to: 0 };
    put(code, end);
    ends.push(end);
    fork.other = code.length;
  });
  for (const end of ends) end.to = code.length;
}

function emitRepeat(
  code: Instruction[],
  { node, least, most, isLazy }: PatternNode & { readonly type: 'repeat' },
): void {
  for (let at = 0; at < least; at += 1) emit(code, node);
  const fork = (): Instruction & { do: 'try' } => {
    const made: Instruction & { do: 'try' } = { do: 'try', first: code.length + 1, other: code.length + 1 };
    put(code, made);
    return made;
  };
  const close = (made: { first: number; other: number }): void => {
    if (isLazy) made.first = code.length;
    else made.other = code.length;
  };
  if (most === Number.POSITIVE_INFINITY) {
    const start = code.length;
    const loop = fork();
    emit(code, node);
    put(code, { do: 'go', to: start });
    return close(loop);
  }
  const forks: { first: number; other: number }[] = [];
  for (let at = least; at < most; at += 1) {
    forks.push(fork());
    emit(code, node);
  }
  for (const made of forks) close(made);
}

export type Subject = readonly string[];

export function subjectOf(budget: Budget, text: string): Subject {
  spendSteps(budget, 1 + (text.length >> 3));
  return Array.from(text);
}

type Attempt = { readonly at: number; readonly mustAdvance: boolean };

/** A match that begins exactly there. */
export function matchAt(
  budget: Budget,
  { pattern, subject }: Search,
  { at: start, mustAdvance }: Attempt,
): Match | undefined {
  const { code, groups } = pattern;
  const waiting: { readonly pc: number; readonly at: number; readonly slots: readonly number[] }[] = [];
  let slots: readonly number[] = Array.from({ length: (groups + 1) * 2 }, () => -1);
  let pc = 0;
  let at = start;
  for (;;) {
    spendSteps(budget, 1);
    const step = code[pc];
    let isFailed = false;
    switch (step?.do) {
      case 'character': {
        const one = subject[at];
        if (one !== undefined && step.test(one)) at += 1;
        else isFailed = true;
        pc += 1;
        break;
      }
      case 'save':
        spendSteps(budget, slots.length >> 3);
        slots = slots.with(step.slot, at);
        pc += 1;
        break;
      case 'go':
        pc = step.to;
        break;
      case 'try':
        if (waiting.length >= MAX_WAITING) throw new TemplateFault('budget', 'the pattern takes too many steps');
        waiting.push({ pc: step.other, at, slots });
        pc = step.first;
        break;
      case 'done':
        if (!mustAdvance || at > start) return slots.with(0, start).with(1, at);
        isFailed = true;
        break;
      default:
        isFailed = step === undefined || !holdsAt(subject, at, step.do);
        pc += 1;
    }
    if (!isFailed) continue;
    const next = waiting.pop();
    if (next === undefined) return undefined;
    ({ pc, at, slots } = next);
  }
}

function holdsAt(subject: Subject, at: number, what: 'start' | 'end' | 'text-end' | 'border' | 'inside'): boolean {
  const { length } = subject;
  switch (what) {
    case 'start':
      return at === 0;
    case 'end':
      return at === length || (at === length - 1 && subject[at] === '\n');
    case 'text-end':
      return at === length;
    default: {
      const before = at > 0 && isWordCharacter(subject[at - 1] ?? '');
      const after = at < length && isWordCharacter(subject[at] ?? '');
      return (before !== after) === (what === 'border');
    }
  }
}

export type Search = { readonly pattern: Pattern; readonly subject: Subject };

/** The first match from there on. */
export function findFrom(budget: Budget, search: Search, { at, mustAdvance }: Attempt): Match | undefined {
  for (let start = at; start <= search.subject.length; start += 1) {
    const found = matchAt(budget, search, { at: start, mustAdvance: mustAdvance && start === at });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All matches from left to right, as `findall` and `sub` of Python see them. */
export function* allMatches(budget: Budget, search: Search): Generator<Match> {
  let at = 0;
  let mustAdvance = false;
  for (;;) {
    const found = findFrom(budget, search, { at, mustAdvance });
    if (found === undefined) return;
    yield found;
    const [start = 0, end = 0] = found;
    at = end;
    mustAdvance = start === end;
  }
}

export function partOf(subject: Subject, match: Match, group: number): string {
  const [start = -1, end = -1] = match.slice(group * 2, group * 2 + 2);
  return start === -1 || end === -1 ? '' : subject.slice(start, end).join('');
}

/** Python's `sub`: `\1` and `\g<name>` in the replacement stand for groups. */
export function substituted(budget: Budget, search: Search, replacement: string): string {
  const template = replacementParts(search.pattern, replacement);
  let text = '';
  let from = 0;
  const add = (part: string): void => {
    reserveText(budget, part.length);
    text += part;
  };
  for (const match of allMatches(budget, search)) {
    const [start = 0, end = 0] = match;
    add(search.subject.slice(from, start).join(''));
    for (const part of template) add(typeof part === 'string' ? part : partOf(search.subject, match, part));
    from = end;
  }
  add(search.subject.slice(from).join(''));
  return text;
}

function replacementParts({ groups, names }: Pattern, replacement: string): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  for (const [found] of replacement.matchAll(/\\g<\w+>|\\[\s\S]?|[^\\]+/g)) {
    if (!found.startsWith('\\')) parts.push(found);
    else parts.push(replacementEscape(found, names));
  }
  for (const part of parts) if (typeof part === 'number' && part > groups) throw pythonFault('invalid group reference');
  return parts;
}

function replacementEscape(found: string, names: ReadonlyMap<string, number>): string | number {
  const name = /^\\g<(\w+)>$/.exec(found)?.[1];
  if (name !== undefined) {
    const number = /^\d+$/.test(name) ? Number(name) : names.get(name);
    if (number === undefined) throw pythonFault(`unknown group name '${name}'`);
    return number;
  }
  const letter = found.slice(1);
  if (/^[1-9]$/.test(letter)) return Number(letter);
  if (letter === '\\') return '\\';
  if (letter === 'n') return '\n';
  throw outside('this escape in a replacement');
}
