import type { Node } from './expression.ts';

/** A text that may be hard for an expression: the beginning once, the pump as often as wanted, and an end that fits not. */
export type HardText = { readonly before: string; readonly pump: string; readonly after: string };

const USUAL = ['0', '1', 'a', 'f', 'x', 'e', 'A', '_', ' ', '\t', '\n', '\r', '.', '-', '+', ',', ':', ';', '/', '\\'];
const RARE = [
  '"',
  "'",
  '=',
  '@',
  '#',
  '%',
  '&',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|',
  '*',
  '~',
  '\0',
  'é',
  '😀',
];
const MOST_CHARACTERS = 6;
const ENDS = ['\u0001', 'x'];

/** Derived from the characters that its own parts take. */
export function hardTexts(tree: Node): readonly HardText[] {
  const found = new Map<string, HardText>();
  const add = (before: string, pumps: readonly string[]): void => {
    for (const pump of pumps) {
      if (pump === '') continue;
      for (const after of ENDS) found.set(JSON.stringify([before, pump, after]), { before, pump, after });
    }
  };
  add('', pumpsOf(tree));
  walk(tree, '', (repeat, before) => {
    add(before, pumpsOf(repeat));
    // What begins again and again, and each time reads to the end.
    add('', [before]);
  });
  return [...found.values()];
}

function pumpsOf(node: Node): readonly string[] {
  const characters = charactersOf(node);
  const pairs = characters.flatMap((one) => characters.map((other) => (one === other ? one : one + other)));
  return [...new Set([exampleOf(node), ...pairs])];
}

/** Of each part one character, and one that several parts take. */
function charactersOf(node: Node): readonly string[] {
  const parts = partsOf(node);
  const all = [...USUAL, ...RARE].map((character) => ({
    character,
    takers: parts.filter(({ fits }) => fits(character)).length,
  }));
  const common = all.filter(({ takers }) => takers > 0).toSorted((left, right) => right.takers - left.takers);
  const own = parts.map(exampleOf).filter((example) => example !== '');
  return [...new Set([...common.slice(0, 4).map(({ character }) => character), ...own])].slice(0, MOST_CHARACTERS);
}

type One = Extract<Node, { kind: 'one' }>;

function partsOf(node: Node): readonly One[] {
  if (node.kind === 'one') return [node];
  return childrenOf(node).flatMap(partsOf);
}

function childrenOf(node: Node): readonly Node[] {
  if ('items' in node) return node.items;
  return 'item' in node ? [node.item] : [];
}

/** A short text that fits the node. */
function exampleOf(node: Node): string {
  switch (node.kind) {
    case 'one':
      return [...USUAL, ...RARE, node.source.slice(-1)].find(node.fits) ?? '';
    case 'row':
      return node.items.map(exampleOf).join('');
    case 'either':
      return exampleOf(node.items[0] as Node);
    case 'group':
      return exampleOf(node.item);
    case 'repeat':
      return exampleOf(node.item).repeat(Math.max(1, node.least));
    default:
      return '';
  }
}

/** Each repetition without an end, with a text that leads to it. */
function walk(node: Node, before: string, found: (repeat: Node, before: string) => void): void {
  if (node.kind === 'repeat' && node.most === Infinity) found(node, before);
  if (node.kind !== 'row') {
    for (const child of childrenOf(node)) walk(child, before, found);
    return;
  }
  let lead = before;
  for (const item of node.items) {
    walk(item, lead, found);
    lead += exampleOf(item);
  }
}
