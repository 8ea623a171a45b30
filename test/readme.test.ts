import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '#cli/command-table.ts';
import { OPTION_KEYS, optionOf } from '#config/option-table.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [readme, handbook] = [read('README.md'), read('packaging/handbook.md')];
/** What a reader finds from the README on. */
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packaging/handbook.md',
  'packaging/examples/README.md',
  'src/README.md',
  'src/http/README.md',
  'src/integrations/README.md',
  'test/README.md',
  'test/proof.md',
  'test/bench/README.md',
];

test.each(OPTION_KEYS)('the handbook has the option %s with its variable, default and meaning', (key) => {
  const { variable, meaning, default: value, defaultText } = optionOf(key);
  const shown = defaultText ?? (value === null || typeof value === 'object' ? '' : `\`${value as string}\``);
  expect(handbook).toContain(`| \`${key}\` | \`${variable}\` | ${shown} | ${meaning} |`);
});

test.each(COMMANDS.map(({ name }) => name))('the handbook has the command %s', (name) => {
  const last = name.split(' ').at(-1) ?? name;
  expect(handbook).toMatch(new RegExp(`\`(hearthd )?${name}\\b|\`${last}\\b`));
});

test('the code map has every folder of src', () => {
  const folders = readdirSync(join(root, 'src')).flatMap((name) => (name === 'README.md' ? [] : `src/${name}`));
  expect(folders.filter((folder) => !read('src/README.md').includes(`\`${folder}\``))).toEqual([]);
});

test('the README shows how to run and how to test', () => {
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

test('the README is short enough to be read', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(150);
});

test.each(DOCUMENTS)('the links of %s lead to something', (path) => {
  const targets = [...read(path).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => {
    const [file = '', heading] = target.split('#');
    const found = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, found))) return true;
    return heading !== undefined && !headingsOf(read(found)).includes(heading);
  });
  expect(broken).toEqual([]);
});

/** The names under which the headings of a document are linked to. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
