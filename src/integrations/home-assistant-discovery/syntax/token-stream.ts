import { outside, syntaxFault } from '#integrations/home-assistant-discovery/python/fault.ts';
import type { Token } from './lexer.ts';
import type { Expression } from './tree.ts';

/** Tokens, and how far they are read. `expression` reads a whole expression; it is here because brackets lead back to it. */
export type Stream = {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
  readonly expression: (stream: Stream) => Expression;
};

export function isOperator(stream: Stream, text: string, ahead = 0): boolean {
  const token = stream.tokens[stream.at + ahead];
  return token?.type === 'operator' && token.text === text;
}

export function isWord(stream: Stream, text: string, ahead = 0): boolean {
  const token = stream.tokens[stream.at + ahead];
  return token?.type === 'name' && token.text === text;
}

export function takeOperator(stream: Stream, text: string): boolean {
  if (!isOperator(stream, text)) return false;
  stream.at += 1;
  return true;
}

export function takeWord(stream: Stream, text: string): boolean {
  if (!isWord(stream, text)) return false;
  stream.at += 1;
  return true;
}

export function expectOperator(stream: Stream, text: string): void {
  if (!takeOperator(stream, text)) throw syntaxFault(`expected '${text}'`);
}

export function expectName(stream: Stream): string {
  const token = stream.tokens[stream.at];
  if (token?.type !== 'name') throw syntaxFault('expected a name');
  stream.at += 1;
  return token.text;
}

export function expectEnd(stream: Stream): void {
  if (stream.tokens[stream.at]?.type !== 'end') throw syntaxFault('expected the end of the tag');
  stream.at += 1;
}

const MAX_ROW = 60;

/** A row of operators is a tree as deep as it is long, and running it recurses. */
export function limitRow(length: number): void {
  if (length > MAX_ROW) throw outside('an expression of such length');
}
