import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';
import { expectWithinBudget } from '#test/support/machine/bounds.ts';

const FOLDER = join(BUNDLE, '../web');
type Entry = { readonly path: string; readonly file: string; readonly compressible: boolean };
const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Entry[];
const contentOf = ({ file }: Entry): string => readFileSync(join(FOLDER, file), 'utf8');
const sizeOf = (path: string): number => {
  const entry = manifest.find((one) => one.path === path);
  if (entry === undefined) throw new Error(`${path} is not in the manifest`);
  const content = contentOf(entry);
  return entry.compressible ? gzipSync(content).length : Buffer.byteLength(content);
};

const pageIn = (language: string): string => readFileSync(join(FOLDER, `${language}.page.html`), 'utf8');

test('what draws charts is at most 32 KB, and nothing of it is in the first load', () => {
  const drawing = manifest
    .filter(({ path }) => path.endsWith('.js') && path.startsWith('/de-'))
    .filter((entry) => contentOf(entry).includes('u-over'));
  const styles = manifest.filter(({ path }) => /^\/de-.*\/history\.loaded-/.test(path));
  const html = pageIn('en');
  expect([drawing.length, styles.length]).toEqual([1, 1]);
  for (const { path } of [...drawing, ...styles]) expect(html).not.toContain(path);
  const bytes = [...drawing, ...styles].reduce((sum, { path }) => sum + sizeOf(path), 0);
  expectWithinBudget('charts, bytes', bytes, 32 * 1024);
});

/** What the hub says, it says in English: the other languages load a table of that. */
const AT_ONCE_KB = [
  ['en', 25],
  ['de', 40],
] as const;
const bytesOf = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + sizeOf(path), 0);

/** The scripts of one language. Code finds what it needs beside it. */
function scriptsOf(language: string) {
  const scripts = new Map(
    manifest
      .filter(({ path }) => path.startsWith(`/${language}-`) && path.endsWith('.js'))
      .map((entry) => [entry.path, contentOf(entry)]),
  );
  const beside = (path: string, other: string): string => `${path.slice(0, path.lastIndexOf('/'))}/${other}`;
  /** What a script needs before it runs, itself included. */
  const withImports = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const [, other = ''] of (scripts.get(path) ?? '').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) {
      withImports(beside(path, other), found);
    }
    return found;
  };
  /** The script that some other loads later for what it exports. */
  const loadedFor = (exported: string): string => {
    const later = new RegExp(`import\\("\\./([^"]+\\.js)"\\)\\)+\\.${exported}\\b`);
    const [path] = [...scripts].flatMap(([own, text]) => {
      const other = later.exec(text)?.[1];
      return other === undefined ? [] : [beside(own, other)];
    });
    if (path === undefined) throw new Error(`nothing loads ${exported} later`);
    return path;
  };
  const html = pageIn(language);
  const first = new Set([...html.matchAll(/src="([^"]+\.js)"/g)].flatMap((match) => [...withImports(match[1] ?? '')]));
  return {
    style: manifest.map(({ path }) => path).filter((path) => new RegExp(`^/${language}-.*/rule\\.loaded-`).test(path)),
    /** What it needs beyond the first load. */
    pageOf: (name: string): Set<string> =>
      new Set([...withImports(loadedFor(name))].filter((path) => !first.has(path))),
  };
}

describe.each(AT_ONCE_KB)('what is loaded for automations at a time in %s is at most %i KB', (language, mostKb) => {
  const { style, pageOf } = scriptsOf(language);

  test.each(['RulesPage', 'RulePage', 'NewRulePage', 'TemplatesPage', 'TemplatePage', 'RunPage'])(
    '%s with its style',
    (name) => {
      expect(style).toHaveLength(1);
      const bytes = bytesOf([...pageOf(name), ...style]);
      expect(bytes).toBeGreaterThan(3 * 1024);
      expectWithinBudget(`${name} in ${language}, bytes`, bytes, mostKb * 1024);
    },
  );

  const EDITOR = ['RulePage', 'RuleEditing', 'RuleEditor'];
  test.each([
    ['RuleEditing', ['RulePage']],
    ['RuleEditor', ['RulePage', 'RuleEditing']],
    ['HoleSheet', EDITOR],
    ['KindSheet', EDITOR],
    ['LineSheet', EDITOR],
    ['RuleSettings', EDITOR],
    ['StripView', EDITOR],
    ['RuleSentence', ['RulePage']],
    ['RulePast', ['RulePage']],
    ['RuleVersions', ['RulePage']],
    ['TemplateLink', ['RulePage']],
    ['DryRunDialog', ['RulePage', 'RuleSentence']],
    ['HookPanel', ['RulePage']],
    ['RunTrace', ['RunPage']],
    ['TrialPreview', ['TemplatePage']],
  ])('%s, which comes after %j', (name, before) => {
    const there = new Set(before.flatMap((one) => [...pageOf(one)]));
    const bytes = bytesOf([...pageOf(name)].filter((path) => !there.has(path)));
    expect(bytes).toBeGreaterThan(0);
    expectWithinBudget(`${name} in ${language}, bytes`, bytes, mostKb * 1024);
  });
});
