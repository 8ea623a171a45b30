import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

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

test('the first load is at most 70 KB, compressed as browsers ask for it over plain http', () => {
  const html = readFileSync(join(FOLDER, 'page.html'), 'utf8');
  const paths = ['/', ...[...html.matchAll(/(?:href|src)="([^"]+\.(?:js|css|svg))"/g)].map((match) => match[1] ?? '')];
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0);
  process.stdout.write(`first load: ${bytes} bytes in ${paths.length} files\n`);
  expect(paths.length).toBeGreaterThan(3);
  expect(bytes).toBeLessThanOrEqual(70 * 1024);
});

test('what draws charts is at most 32 KB, and nothing of it is in the first load', () => {
  const drawing = manifest
    .filter(({ path }) => path.endsWith('.js'))
    .filter((entry) => contentOf(entry).includes('u-over'));
  const styles = manifest.filter(({ path }) => path.startsWith('/history.loaded-'));
  const html = readFileSync(join(FOLDER, 'page.html'), 'utf8');
  expect([drawing.length, styles.length]).toEqual([1, 1]);
  for (const { path } of [...drawing, ...styles]) expect(html).not.toContain(path);
  const bytes = [...drawing, ...styles].reduce((sum, { path }) => sum + sizeOf(path), 0);
  process.stdout.write(`charts: ${bytes} bytes\n`);
  expect(bytes).toBeLessThanOrEqual(32 * 1024);
});

const scripts = new Map(
  manifest.filter(({ path }) => path.endsWith('.js')).map((entry) => [entry.path, contentOf(entry)]),
);
/** What a script needs before it runs, itself included. */
const withImports = (path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, other = ''] of (scripts.get(path) ?? '').matchAll(/(?:from|import)"(\/[^"]+\.js)"/g)) {
    withImports(other, found);
  }
  return found;
};
/** The script that some other loads later for what it exports. */
const loadedFor = (exported: string): string => {
  const later = new RegExp(`import\\("(/[^"]+\\.js)"\\)\\)+\\.${exported}\\b`);
  const [path] = [...scripts.values()].flatMap((text) => later.exec(text)?.[1] ?? []);
  if (path === undefined) throw new Error(`nothing loads ${exported} later`);
  return path;
};
const html = readFileSync(join(FOLDER, 'page.html'), 'utf8');
const first = new Set([...html.matchAll(/src="([^"]+\.js)"/g)].flatMap((match) => [...withImports(match[1] ?? '')]));
const bytesOf = (paths: Iterable<string>): number => [...paths].reduce((sum, path) => sum + sizeOf(path), 0);

describe('what is loaded for automations is at most 25 KB at a time', () => {
  const style = manifest.filter(({ path }) => path.startsWith('/rule.loaded-')).map(({ path }) => path);
  const pageOf = (name: string): Set<string> =>
    new Set([...withImports(loadedFor(name))].filter((path) => !first.has(path)));

  test.each(['RulesPage', 'RulePage', 'NewRulePage', 'TemplatesPage', 'TemplatePage', 'RunPage'])(
    '%s with its style',
    (name) => {
      expect(style).toHaveLength(1);
      const bytes = bytesOf([...pageOf(name), ...style]);
      process.stdout.write(`${name}: ${bytes} bytes\n`);
      expect(bytes).toBeGreaterThan(3 * 1024);
      expect(bytes).toBeLessThanOrEqual(25 * 1024);
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
    process.stdout.write(`${name}: ${bytes} bytes\n`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(25 * 1024);
  });
});
