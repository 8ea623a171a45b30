import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { integrationKindJson } from '#http/integration-kind/json.ts';
import { KINDS } from '#integrations/table.ts';
import type { IntegrationKind } from '#web/client/api.ts';
import type { KindWords } from '#web/strings/en/hub/kinds.ts';
import { kindIn } from '#web/strings/kind-words.ts';
import { LANGUAGES } from '#web/strings/language/language.ts';

const FOLDER = join(import.meta.dirname, '../../src/integrations');

/** The words of a kind, which the build gathers by the name of its folder. */
async function wordsOf(kind: string, language: string): Promise<KindWords> {
  const path = join(FOLDER, kind.replaceAll('_', '-'), `words/${language}.ts`);
  return ((await import(path)) as { readonly words: KindWords }).words;
}

type Leaf = readonly [path: string, text: string];
function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`));
}

const holesIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join();

/** Names of products are the same in each language, and so are words such as "UDP-Port". */
const isSentence = (text: string): boolean => / [a-z]+ /.test(text);

describe.each(KINDS.map((kind) => [kind.id, kind] as const))('the words of %s', (id, kind) => {
  const answer = integrationKindJson({ ...kind, isDiscovered: false, canSetUp: true });
  const json = JSON.parse(JSON.stringify(answer)) as IntegrationKind;

  test('are what the hub says in English', async () => {
    expect(kindIn(json, await wordsOf(id, 'en'))).toEqual(json);
  });

  test.each(Object.keys(LANGUAGES).filter((code) => code !== 'en'))('are there in the language %s', async (code) => {
    const english = leavesOf(await wordsOf(id, 'en'));
    const own = leavesOf(await wordsOf(id, code));
    expect(own.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
    const said = new Map(own);
    expect(english.filter(([path, text]) => isSentence(text) && said.get(path) === text)).toEqual([]);
    expect(english.filter(([path, text]) => holesIn(said.get(path) ?? '') !== holesIn(text))).toEqual([]);
    const shown = leavesOf(kindIn(json, await wordsOf(id, code)));
    const before = new Map(leavesOf(json));
    expect(shown.filter(([path, text]) => isSentence(text) && before.get(path) === text)).toEqual([]);
  });
});
