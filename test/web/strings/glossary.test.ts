import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#web/strings/language/language.ts';

const SRC = join(import.meta.dirname, '../../../src');
const README = readFileSync(join(SRC, 'web/README.md'), 'utf8');
const CODES = Object.keys(LANGUAGES);

/** The rows of the table below a heading, without its head. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, part = ''] = README.split(`${heading}\n`);
  const lines = (part.split(/\n##+ /)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const glossary = rowsBelow('## Glossary');
const avoided = rowsBelow('### Words that we do not use');

/** What stands in quotes in the words of a language: what people read, without the names of the texts. */
function textsIn(code: string): string {
  const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.startsWith(`web/strings/${code}/`) ||
      path.startsWith(`words/${code}/`) ||
      (path.startsWith('integrations/') && path.endsWith(`words/${code}.ts`)),
  );
  const sources = paths.filter((path) => path.endsWith('.ts')).map((path) => readFileSync(join(SRC, path), 'utf8'));
  const quoted = sources.flatMap((source) => [
    ...source.replace(/^import .*$/gm, '').matchAll(/'((?:[^'\\\n]|\\.)*)'(?!\s*:)|`((?:[^`\\]|\\.)*)`/g),
  ]);
  return quoted.map(([, text = '', template = '']) => `${text}${template}`).join('\n');
}

/** A word at its beginning, small or capital; what follows it may bend it. */
const asWord = (word: string): RegExp => {
  const [first = '', ...rest] = word;
  return new RegExp(`(?<!\\p{L})[${first.toLowerCase()}${first.toUpperCase()}]${rest.join('')}`, 'u');
};

test('has a word of each language in each row, and each name of the API once', () => {
  expect(glossary.length).toBeGreaterThan(45);
  expect(glossary.filter((cells) => cells.length !== 1 + CODES.length || cells.includes(''))).toEqual([]);
  expect(new Set(glossary.map(([name]) => name)).size).toBe(glossary.length);
});

test.each(CODES)('the words of the glossary are those that the page uses in %s', (code) => {
  const texts = textsIn(code);
  const words = glossary.map((cells) => cells[1 + CODES.indexOf(code)] ?? '');
  expect(words.filter((word) => !asWord(word).test(texts))).toEqual([]);
});

test.each(CODES)('no text uses a word in %s that the glossary replaces', (code) => {
  const texts = textsIn(code);
  const own = avoided.filter(([language]) => language === code);
  expect(own.length).toBeGreaterThan(0);
  expect(own.flatMap(([, word = '']) => asWord(word).exec(texts)?.[0] ?? [])).toEqual([]);
});
