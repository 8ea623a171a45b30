import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { countLooks, readExpression } from '#test/support/expression/expression.ts';
import { hardTexts } from '#test/support/expression/hard-texts.ts';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const SHORT = 8;
/** Four times as long: what looks at each pair of places has sixteen times the work, less what comes once. */
const LONG = 4 * SHORT;
const MOST_TIMES = 6;
const MOST_LOOKS = 30_000;

type Literal = { readonly source: string; readonly flags: string };

/** The hardest text for the expression whose work grows faster than its length, in words; `undefined` for none. */
function excessOf({ source, flags }: Literal): string | undefined {
  const expression = readExpression(source, flags);
  for (const { before, pump, after } of hardTexts(expression.tree)) {
    const looksAt = (times: number): number => countLooks(expression, before + pump.repeat(times) + after, MOST_LOOKS);
    const [few, many] = [looksAt(SHORT), looksAt(LONG)];
    if (many > few * MOST_TIMES || many > MOST_LOOKS) {
      return `/${source}/${flags} on ${JSON.stringify([before, pump, after])}: ${few} looks, then ${many}`;
    }
  }
  return undefined;
}

/** All literals of a file, by the parser of the build: comments, divisions and texts are none. */
function expressionsIn(file: string): readonly Literal[] {
  const text = readFileSync(file, 'utf8');
  // Parsing everything takes three times as long.
  if (!/\/(?![/*]).*\//.test(text.replace(/^(?:import|export) .* from '.*';$|^\s*(?:\/\/|\/?\*).*$/gm, ''))) return [];
  const found: Literal[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { readonly pattern: string; readonly flags: string } };
    if (regex !== undefined) found.push({ source: regex.pattern, flags: regex.flags });
    for (const child of Object.values(node)) look(child);
  };
  look(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

describe('a regular expression', () => {
  test('of the sources costs as much as the length of its text, whatever that says', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const found = files.flatMap((name) => expressionsIn(`${SOURCES}/${name}`).map((one) => ({ name, ...one })));
    expect(found.length).toBeGreaterThan(400);
    const excesses = found.flatMap((one) => {
      const excess = excessOf(one);
      return excess === undefined ? [] : [`${one.name}: ${excess}`];
    });
    expect(excesses).toEqual([]);
  });

  test.each([
    // Numbers as they were read before: a point that may be missing cuts the digits in two in every way.
    String.raw`^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$`,
    String.raw`^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$`,
    String.raw`^(a+)+$`,
    String.raw`\s+$`,
    String.raw`^(?:\w|_)*$`,
    String.raw`<!--.*-->`,
    String.raw`^a*?a*b`,
    String.raw`^(?<word>\w+)\s*\w+:`,
  ])('%s is found to cost more', (source) => {
    expect(excessOf({ source, flags: 'i' })).toBeDefined();
  });

  test.each([
    String.raw`^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$`,
    String.raw`^(?:a+b)+$`,
    String.raw`(?<!\s)\s+$`,
    String.raw`^\s*(\w+)\s*=\s*(\S*)$`,
    String.raw`^[0-9a-f]{1,64}$`,
    String.raw`^(?=.*\d)\w+$`,
  ])('%s is found to cost its length', (source) => {
    expect(excessOf({ source, flags: 'i' })).toBeUndefined();
  });
});
