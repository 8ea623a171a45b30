import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FIELD_ERROR_CODES, PROBLEMS } from '#base/hub-error.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import type { HubWords } from '#web/strings/language/hub-words.ts';
import { LANGUAGES } from '#web/strings/language/language.ts';

const WEB = join(import.meta.dirname, '../../../src/web');
const SAID = join(import.meta.dirname, '../../../src/words');
const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));

type Words = Readonly<Record<string, unknown>>;
/** What code imports of a language: files whose every object is words. */
const APART = /^(?:grammar\.ts|hub\/)/;
/** Each part of the words, by the name under which its file gives it to the code. What may be wrong with fields has no words for some. */
async function partsOf(code: string): Promise<Words> {
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !APART.test(path))
      .map((path) => join(folder, path));
  const files = [...filesIn(join(WEB, 'strings', code)), ...filesIn(join(SAID, code))];
  const parts = await Promise.all(files.map(async (path) => (await import(path)) as Words));
  const { faultTexts: _some, ...whole } = Object.assign({}, ...parts) as Words;
  return whole;
}
const codeParts = await partsOf('en');

type Leaf = readonly [path: string, leaf: unknown];
/** Everything that is said, by its path. */
function leavesOf(value: unknown, path: string): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}.${key}`));
}

/** A value for a parameter that can be found again in the sentence. */
const MARKS = ['⟦a⟧', '⟦b⟧', '⟦c⟧', '⟦d⟧', '⟦e⟧'];
/** What a function says of its arguments: the marks and numbers that its sentence has. */
function saidOf(leaf: unknown, kind: 'words' | 'numbers'): readonly string[] {
  if (typeof leaf !== 'function') return [];
  const given = MARKS.map((mark, index) => (kind === 'words' ? mark : 7001 + index));
  try {
    const said = (leaf as (...values: readonly unknown[]) => string)(...given);
    return given.map(String).filter((one) => said.includes(one));
  } catch (cause) {
    // It takes an object or a list: the types check those.
    if (cause instanceof TypeError) return [];
    throw cause;
  }
}

const holesOf = (sentence: string): readonly string[] =>
  [...sentence.matchAll(/\{\w+\}/g)].map(([hole]) => hole).filter((hole, index, all) => all.indexOf(hole) === index);

const OTHERS = Object.keys(LANGUAGES).filter((code) => code !== 'en');

describe.each(OTHERS)('the language %s', (code) => {
  let own: Words;
  let hub: HubWords;
  beforeAll(async () => {
    own = await partsOf(code);
    ({ hub } = (await import(join(WEB, `strings/${code}/hub/hub.ts`))) as { readonly hub: HubWords });
  });

  test('has the same files as English, which the build puts in the place of those', () => {
    const saidIn = (one: string): readonly string[] => readdirSync(join(SAID, one)).toSorted();
    expect(saidIn(code)).toEqual(saidIn('en'));
    const filesOf = (one: string): readonly string[] =>
      sources.filter((path) => path.startsWith(`strings/${one}/`)).map((path) => path.slice(`strings/${one}/`.length));
    expect(
      filesOf(code)
        .filter((path) => path !== 'hub/hub-values.ts')
        .sort(),
    ).toEqual(
      filesOf('en')
        .filter((path) => path !== 'hub/kinds.ts')
        .toSorted(),
    );
  });

  test('says what is wrong with fields with the holes that English has', async () => {
    const tableOf = async (one: string): Promise<Readonly<Record<string, string>>> =>
      ((await import(join(SAID, one, 'faults.ts'))) as { readonly faultTexts: Record<string, string> }).faultTexts;
    const english = await tableOf('en');
    const said = Object.entries(await tableOf(code));
    expect(said.length).toBeGreaterThan(50);
    for (const [id, text] of said) {
      expect([id, holesOf(text).toSorted()]).toEqual([id, holesOf(english[id] ?? '{none}').toSorted()]);
    }
  });

  test('has the same parts and keys as English, and no others', () => {
    const paths = (dictionary: Words): readonly string[] =>
      Object.entries(dictionary)
        .flatMap(([name, part]) => leavesOf(part, name).map(([path]) => path))
        .sort();
    const english = paths(codeParts);
    expect(english.length).toBeGreaterThan(1500);
    expect(paths(own)).toEqual(english);
  });

  test('says in each sentence what the English one says', () => {
    const english = new Map(Object.entries(codeParts).flatMap(([name, part]) => leavesOf(part, name)));
    const wrong = Object.entries(own).flatMap(([name, part]) =>
      leavesOf(part, name).flatMap(([path, leaf]) => {
        const other = english.get(path);
        if (typeof leaf !== typeof other) return [`${path}: ${typeof leaf}, not ${typeof other}`];
        const differs = (['words', 'numbers'] as const).some(
          (kind) => saidOf(leaf, kind).join() !== saidOf(other, kind).join(),
        );
        return differs ? [`${path}: ${saidOf(leaf, 'words').join()} for ${saidOf(other, 'words').join()}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('has the same holes in each text as English', () => {
    const holes = (parts: Words): readonly string[] =>
      Object.entries(parts).flatMap(([name, part]) =>
        leavesOf(part, name).map(([path, leaf]) =>
          [path, ...(typeof leaf === 'string' ? [...holesOf(leaf)].sort() : [])].join(' '),
        ),
      );
    expect(holes(own).toSorted()).toEqual(holes(codeParts).toSorted());
  });

  test('leaves nothing in English by mistake', () => {
    const english = new Map(Object.entries(codeParts).flatMap(([name, part]) => leavesOf(part, name)));
    const same = Object.entries(own).flatMap(([name, part]) =>
      leavesOf(part, name).flatMap(([path, leaf]) =>
        typeof leaf === 'string' && leaf === english.get(path) && / [a-z]+ /.test(leaf) ? [path] : [],
      ),
    );
    expect(same.filter((path) => !SAME.has(path))).toEqual([]);
  });

  test('has words for every problem, fault and feature of the hub', () => {
    const missing = [
      ...Object.keys(PROBLEMS).filter((one) => hub.problem(one) === undefined),
      ...FIELD_ERROR_CODES.filter((one) => hub.fault(one) === undefined),
      ...Object.keys(VOCABULARY).filter((word) => {
        const name = word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
        return hub.device({ features: [{ name: `${name} 2` }] }).features[0]?.name === `${name} 2`;
      }),
    ];
    expect(missing.filter((word) => !SAME.has(word))).toEqual([]);
  });
});

/** What is the same in another language. */
const SAME = new Set([
  'settings.exporters.types.line_protocol',
  'exporters.types.line_protocol',
  'position',
  'radon',
  'volume',
  'vibration',
  'ozone',
  'distance',
  'color',
]);
describe('the texts of the page', () => {
  test.each(sources.filter((path) => path.endsWith('.tsx')))('%s has none of its own', (path) => {
    const source = readFileSync(join(WEB, path), 'utf8');
    const words = [
      ...source.matchAll(/>\s*([A-Za-z][^<>{}=;()]*[a-z]{2}[^<>{}=;()]*)<\//g),
      ...source.matchAll(/\b(?:aria-label|title|placeholder|alt|label|hint)="([^"]*[A-Za-z]{2}[^"]*)"/g),
    ].map(([, text = '']) => text.trim());
    expect(words).toEqual([]);
  });

  test.each(sources.filter((path) => !/^strings\/[a-z]{2}\//.test(path)))(
    '%s takes each dictionary from its own file, by a noun',
    (path) => {
      const source = readFileSync(join(WEB, path), 'utf8');
      const imports = [...source.matchAll(/^(import|export) \{([^}]*)\} from '#web\/strings\/en\/[^']+';$/gm)];
      const letters = imports.flatMap(([, , names = '']) => names.match(/\bas \w{1,3}\b/g) ?? []);
      expect([letters, imports.filter(([, how]) => how === 'export')]).toEqual([[], []]);
    },
  );

  test('every word of the page is used', () => {
    const code = sources
      .filter((path) => !/^strings\/[a-z]{2}\//.test(path))
      .map((path) => readFileSync(join(WEB, path), 'utf8'))
      .join('\n');
    const used = new Set(code.match(/\.\w+/g));
    const unused = Object.entries(codeParts).flatMap(([name, part]) =>
      Object.keys(part as object).flatMap((key) =>
        used.has(`.${key}`) || TABLES.has(name) || TABLES.has(key) ? [] : [`${name}.${key}`],
      ),
    );
    expect(unused).toEqual([]);
  });
});

/** Parts whose keys come from the hub, and keys that are the values of a choice. */
const TABLES = new Set([
  'notificationTexts',
  'limitTexts',
  'templateTexts',
  'templateMessages',
  'brokerTexts',
  'automationTexts',
  'runTexts',
  'unknownTexts',
  'whyTexts',
  'ruleSays',
  'ruleJoins',
  'ruleVerbs',
  'ruleWords',
  'ruleMembers',
  'ruleKinds',
  'chart',
  'table',
]);
