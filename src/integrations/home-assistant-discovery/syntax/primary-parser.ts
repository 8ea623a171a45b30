import { syntaxFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import type { Expression } from './tree.ts';
import { expectOperator, isOperator, type Stream } from './token-stream.ts';

/** A tuple without parentheses, or one expression. */
export function parseTuple(stream: Stream, isInParentheses = false): Expression {
  const items: Expression[] = [];
  let isTuple = false;
  for (;;) {
    if (items.length > 0) expectOperator(stream, ',');
    if (isTupleEnd(stream)) break;
    items.push(stream.expression(stream));
    if (!isOperator(stream, ',')) break;
    isTuple = true;
  }
  const [first] = items;
  if (isTuple) return { type: 'tuple', items };
  if (first !== undefined) return first;
  if (!isInParentheses) throw syntaxFault('expected an expression');
  return { type: 'tuple', items };
}

function isTupleEnd(stream: Stream): boolean {
  return stream.tokens[stream.at]?.type === 'end' || isOperator(stream, ')');
}

const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

export function parsePrimary(stream: Stream): Expression {
  const token = stream.tokens[stream.at];
  if (token === undefined) throw syntaxFault('unexpected end of the template');
  stream.at += 1;
  switch (token.type) {
    case 'name':
      if (Object.hasOwn(WORDS, token.text)) return { type: 'constant', value: WORDS[token.text] ?? null };
      return { type: 'name', name: token.text };
    case 'string':
      return { type: 'constant', value: token.text + followingStrings(stream) };
    case 'integer':
    case 'float':
      return { type: 'constant', value: token.value };
    case 'operator':
      return parseBracketed(stream, token.text);
    default:
      throw syntaxFault('expected an expression');
  }
}

function followingStrings(stream: Stream): string {
  const texts: string[] = [];
  for (;;) {
    const token = stream.tokens[stream.at];
    if (token?.type !== 'string') return texts.join('');
    texts.push(token.text);
    stream.at += 1;
  }
}

function parseBracketed(stream: Stream, bracket: string): Expression {
  if (bracket === '(') {
    const inside = parseTuple(stream, true);
    expectOperator(stream, ')');
    return inside;
  }
  if (bracket === '[') return { type: 'list', items: parseItems(stream, ']', () => stream.expression(stream)) };
  if (bracket !== '{') throw syntaxFault(`unexpected '${bracket}'`);
  const pairs = parseItems(stream, '}', () => {
    const key = stream.expression(stream);
    expectOperator(stream, ':');
    return [key, stream.expression(stream)] as const;
  });
  return { type: 'dict', pairs };
}

function parseItems<Item>(stream: Stream, end: string, parse: () => Item): readonly Item[] {
  const items: Item[] = [];
  while (!isOperator(stream, end)) {
    if (items.length > 0) expectOperator(stream, ',');
    if (isOperator(stream, end)) break;
    items.push(parse());
  }
  expectOperator(stream, end);
  return items;
}
