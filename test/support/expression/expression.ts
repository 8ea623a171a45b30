/**
 * A regular expression of JavaScript as a tree, and how many characters a backtracking engine looks at until it has an
 * answer: the same on each machine. Repetitions have at most four rounds where the source names a larger number, so
 * that growth without an end shows in short texts.
 */
export type Node =
  | { readonly kind: 'one'; readonly source: string; readonly fits: (character: string) => boolean }
  | { readonly kind: 'edge'; readonly source: string }
  | { readonly kind: 'back'; readonly group: number | string }
  | { readonly kind: 'row'; readonly items: readonly Node[] }
  | { readonly kind: 'either'; readonly items: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly name: string; readonly item: Node }
  | { readonly kind: 'look'; readonly isBehind: boolean; readonly isNot: boolean; readonly item: Node }
  | {
      readonly kind: 'repeat';
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
      readonly item: Node;
    };

const MOST_ROUNDS = 4;
const ESCAPE = /^\\(?:u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|c[a-z]|[^])/i;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/;
const OPENING = /^\((?:\?(?::|(<?)([=!])|<([^>]+)>))?/;

export function readExpression(source: string, flags: string): Expression {
  let at = 0;
  let groups = 0;
  const rest = (): string => source.slice(at);
  const isUnicode = /[uv]/.test(flags);

  const one = (text: string): Node => {
    const pattern = new RegExp(`^(?:${text})$`, flags.replace(/[gy]/g, ''));
    const known = new Map<string, boolean>();
    const fits = (character: string): boolean => {
      const before = known.get(character);
      if (before !== undefined) return before;
      const now = pattern.test(character);
      known.set(character, now);
      return now;
    };
    at += text.length;
    return { kind: 'one', source: text, fits };
  };
  const readAtom = (): Node => {
    const opening = OPENING.exec(rest());
    if (opening !== null) {
      const [all, behind, sign, name = ''] = opening;
      at += all.length;
      const isPlain = all === '(?:';
      const index = sign === undefined && !isPlain ? (groups += 1) : 0;
      const item = readEither();
      at += 1;
      if (sign !== undefined) return { kind: 'look', isBehind: behind === '<', isNot: sign === '!', item };
      return isPlain ? item : { kind: 'group', index, name, item };
    }
    const back = /^\\(?:([1-9]\d*)|k<([^>]+)>)/.exec(rest());
    if (back !== null) {
      at += back[0].length;
      return { kind: 'back', group: back[2] ?? Number(back[1]) };
    }
    const edge = /^(?:[\^$]|\\[bB])/.exec(rest());
    if (edge !== null) {
      at += edge[0].length;
      return { kind: 'edge', source: edge[0] };
    }
    if (source[at] === '[') return one(source.slice(at, classEnd(source, at)));
    const escape = ESCAPE.exec(rest());
    if (escape !== null) return one(escape[0]);
    return one(isUnicode ? String.fromCodePoint(source.codePointAt(at) ?? 0) : (source[at] ?? ''));
  };
  const readRow = (): Node => {
    const items: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const item = readAtom();
      const quantifier = QUANTIFIER.exec(rest());
      at += quantifier?.[0].length ?? 0;
      items.push(quantifier === null ? item : repeatOf(item, quantifier));
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'row', items };
  };
  const readEither = (): Node => {
    const items = [readRow()];
    while (source[at] === '|') {
      at += 1;
      items.push(readRow());
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'either', items };
  };
  const read = readEither();
  if (at !== source.length) throw new Error(`the expression cannot be read from ${at} on: ${source}`);
  return { tree: read, flags };
}

function repeatOf(item: Node, [all, least, comma, most, lazy]: RegExpExecArray): Node {
  const few = least === undefined ? (all.startsWith('+') ? 1 : 0) : Number(least);
  const some = comma === undefined ? few : most === '' ? Infinity : Number(most);
  const many = least === undefined ? (all.startsWith('?') ? 1 : Infinity) : some;
  const bounded = many === Infinity ? many : Math.min(many, MOST_ROUNDS);
  return { kind: 'repeat', least: Math.min(few, MOST_ROUNDS), most: bounded, isLazy: lazy === '?', item };
}

/** Classes inside of classes, as the flag `v` knows them, are used nowhere. */
function classEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at + 1;
  }
  throw new Error(`a class without an end: ${source}`);
}

type Next = (at: number) => boolean;
export type Expression = { readonly tree: Node; readonly flags: string };

/** Looks at characters until the expression is found in the text or is known to be nowhere; at most so many. */
export function countLooks({ tree, flags }: Expression, text: string, most: number): number {
  const engine = createEngine(flags, Array.from(text), most);
  try {
    for (let at = 0; at <= text.length; at += 1) {
      if (engine.run(tree, at, () => true) || flags.includes('y')) break;
    }
  } catch (cause) {
    if (cause !== TOO_MANY) throw cause;
  }
  return engine.looks();
}

const TOO_MANY = new Error('too many looks');

function createEngine(flags: string, text: readonly string[], most: number) {
  const groups = new Map<number | string, string>();
  let looks = 0;

  const run = (node: Node, at: number, next: Next): boolean => {
    looks += 1;
    if (looks > most) throw TOO_MANY;
    switch (node.kind) {
      case 'one': {
        const character = text[at];
        return character !== undefined && node.fits(character) && next(at + 1);
      }
      case 'edge':
        return isEdge(node.source, at) && next(at);
      case 'back': {
        const told = groups.get(node.group) ?? '';
        return text.slice(at, at + told.length).join('') === told && next(at + told.length);
      }
      case 'row':
        return runRow(node.items, at, next);
      case 'either':
        return node.items.some((item) => run(item, at, next));
      case 'group':
        return run(node.item, at, (end) => {
          const told = text.slice(at, end).join('');
          groups.set(node.index, told);
          if (node.name !== '') groups.set(node.name, told);
          return next(end);
        });
      case 'look':
        return isSeen(node, at) !== node.isNot && next(at);
      default:
        return repeat({ node, rounds: 0 }, at, next);
    }
  };
  const runRow = ([item, ...others]: readonly Node[], at: number, next: Next): boolean =>
    item === undefined ? next(at) : run(item, at, (end) => runRow(others, end, next));
  const repeat = ({ node, rounds }: Repeating, at: number, next: Next): boolean => {
    const again = (): boolean =>
      rounds < node.most &&
      run(node.item, at, (end) =>
        // A round with nothing in it is none.
        end === at && rounds >= node.least ? false : repeat({ node, rounds: rounds + 1 }, end, next),
      );
    if (rounds < node.least) return again();
    return node.isLazy ? next(at) || again() : again() || next(at);
  };
  const isSeen = ({ isBehind, item }: Extract<Node, { kind: 'look' }>, at: number): boolean => {
    if (!isBehind) return run(item, at, () => true);
    // V8 reads them backwards; what they look at here is of a few characters.
    for (let from = at; from >= Math.max(0, at - MOST_ROUNDS); from -= 1) {
      if (run(item, from, (end) => end === at)) return true;
    }
    return false;
  };
  const isEdge = (source: string, at: number): boolean => {
    const [before, after] = [text[at - 1], text[at]];
    if (source === '^') return before === undefined || (flags.includes('m') && before === '\n');
    if (source === '$') return after === undefined || (flags.includes('m') && after === '\n');
    return (isOfWord(before) !== isOfWord(after)) === (source === '\\b');
  };
  return { run, looks: () => looks };
}

type Repeating = { readonly node: Extract<Node, { kind: 'repeat' }>; readonly rounds: number };

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
