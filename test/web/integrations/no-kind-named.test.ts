import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KINDS } from '#integrations/table.ts';

const WEB = join(import.meta.dirname, '../../../src/web');
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(?:ts|tsx|css|mjs|html|json)$/.test(path) && path !== 'client/api.ts',
);
/** Ids and names of kinds that are other words of the page as well: where, and what they mean there. */
const OTHER_WORDS: readonly [word: string, path: RegExp, meaning: string][] = [
  [
    'hue',
    /^(?:controls\/(?:color|feature-control)|device\/feature-row|strings\/[a-z]{2}\/page\.ts)/,
    'the angle of a color',
  ],
  ['provider', /^(?:tokens\/|strings\/[a-z]{2}\/settings\/hub-settings\.ts)/, 'a field of an API token'],
  ['Script', /^strings\/(?:en|es|fr)\/settings\/hub-settings\.ts/, 'what uses an API token'],
  ['mqtt', /^(?:notifications\/channel-forms|strings\/[a-z]{2}\/notifications\.ts)/, 'a type of channel'],
  ['mqtt', /^readings\/use-kinds\.ts/, 'a broker, through which a channel or an exporter sends'],
  ['matter', /^strings\/value-words\.ts/, 'a verb'],
  ['mqtt', /^(?:client\/vocabulary|exporters\/|strings\/[a-z]{2}\/settings\/exporters\.ts)/, 'a type of an exporter'],
];

const mentions = (path: string, text: string): string[] =>
  KINDS.flatMap(({ id, firstId = id, name }) => {
    const isOther = (word: string): boolean => OTHER_WORDS.some(([other, where]) => other === word && where.test(path));
    const words = [id, firstId, name].filter((word) => !isOther(word));
    return words.some((word) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text)) ? [`${path}: ${id}`] : [];
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
  for (const [word, where] of OTHER_WORDS) {
    const texts = sources.filter((path) => where.test(path)).map((path) => readFileSync(join(WEB, path), 'utf8'));
    expect([word, texts.some((text) => new RegExp(`\\b${word}\\b`).test(text))]).toEqual([word, true]);
  }
});
