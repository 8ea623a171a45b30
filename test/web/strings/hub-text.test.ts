import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_HUB_TEXTS } from '#test/support/page/api-types.ts';
import { CONTRACT_PATH } from '#test/support/daemon/contract-check.ts';

const WEB = join(import.meta.dirname, '../../../src/web');

/**
 * Words functions: each asks a table of its language by the id that stands beside the text, or shows what a person, a
 * device or another program wrote. `docs` is the reference of the API, which is in English.
 */
const WORDS_FUNCTIONS = [
  'docs/access.ts',
  'docs/docs.ts',
  'exporters/exporter-words.ts',
  'hub/audit.ts',
  'notifications/notification-sheet.tsx',
  'rule/past/trace-words.ts',
  'rule/template/use-template.ts',
  'rule/transfer/import-page.tsx',
  'rule/use-rule-home.ts',
  'strings/error-words.ts',
  'strings/hub-text.ts',
  'strings/kind-words.ts',
  'strings/problem-words.ts',
  'strings/rule/reason-words.ts',
];

/** `hub-text.types.tsx` has what the compiler refuses. */
test('only words functions take a text of the hub for words, and nothing casts one', () => {
  const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(WEB, path), 'utf8')] as const);
  const calls = sources.filter(([, source]) => /\binEnglish\b/.test(source)).map(([path]) => path);
  expect(calls.toSorted()).toEqual(WORDS_FUNCTIONS);
  const CAST =
    /as unknown as (?:readonly )?string|String\([\w.]*\b(?:about|help|hint|label|message|reason|sentence|text|title)\)/;
  expect(sources.filter(([, source]) => CAST.test(source)).map(([path]) => path)).toEqual([]);
});

test('each field that is said to be no text of the hub is in the document', () => {
  const { components } = JSON.parse(readFileSync(CONTRACT_PATH, 'utf8')) as {
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
  };
  const gone = [...NO_HUB_TEXTS].filter((place) => {
    const [type = '', field = ''] = place.split('.');
    return components.schemas[type]?.properties?.[field] === undefined;
  });
  expect(gone).toEqual([]);
});
