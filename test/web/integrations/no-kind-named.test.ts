import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KINDS } from '#integrations/table.ts';

const WEB = join(import.meta.dirname, '../../../src/web');
// The failures of all kinds have one table, by their codes.
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
  (path) =>
    /\.(?:ts|tsx|css|mjs|html|json)$/.test(path) &&
    !/^client\/(?:api|rule-forms|vocabulary)\.ts$/.test(path) &&
    !/^strings\/[a-z]{2}\/hub\/hub-errors\.ts$/.test(path),
);
/** Ids of kinds that are other words of the page as well: where, and what they mean there. */
const OTHER_WORDS: readonly [id: string, path: RegExp, meaning: string][] = [
  [
    'hue',
    /^(?:controls\/(?:color|feature-control)|device\/feature-row|strings\/[a-z]{2}\/page\.ts)/,
    'the angle of a color',
  ],
  ['provider', /^(?:tokens\/|strings\/[a-z]{2}\/settings\/hub-settings\.ts)/, 'a field of an API token'],
  ['mqtt', /^(?:notifications\/channel-forms|strings\/[a-z]{2}\/notifications\.ts)/, 'a type of channel'],
  ['mqtt', /^readings\/use-integrations\.ts/, 'a broker, through which a channel or an exporter sends'],
  ['matter', /^strings\/value-words\.ts/, 'a verb'],
  ['mqtt', /^(?:exporters\/|strings\/[a-z]{2}\/settings\/exporters\.ts)/, 'a type of an exporter'],
];

const mentions = (path: string, text: string): string[] =>
  KINDS.flatMap(({ id, firstId = id, name }) => {
    const isOther = OTHER_WORDS.some(([word, where]) => word === id && where.test(path));
    const words = [...(isOther ? [] : [id, firstId]), name].map((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`));
    return words.some((word) => word.test(text)) ? [`${path}: ${id}`] : [];
  });

test('the page names no kind of integration: what it says of one comes from the hub', () => {
  const found = sources.flatMap((path) => mentions(path, readFileSync(join(WEB, path), 'utf8')));
  expect(found).toEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test('the search finds the id and the name of each kind', () => {
  for (const { id, name } of KINDS) {
    expect([id, mentions('add-page.tsx', `if (kind === '${id}') return;`)]).toEqual([id, [`add-page.tsx: ${id}`]]);
    expect([name, mentions('add-page.tsx', `<h2>${name}</h2>`)]).toEqual([name, [`add-page.tsx: ${id}`]]);
  }
});

test('every exception is one', () => {
  for (const [id, where] of OTHER_WORDS) {
    const texts = sources.filter((path) => where.test(path)).map((path) => readFileSync(join(WEB, path), 'utf8'));
    expect([id, texts.some((text) => new RegExp(`\\b${id}\\b`).test(text))]).toEqual([id, true]);
  }
});
