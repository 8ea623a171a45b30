import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '#cli/command-table.ts';
import { OPTION_KEYS, optionOf } from '#config/option-table.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test.each(OPTION_KEYS)('the README has the option %s with its variable, default and meaning', (key) => {
  const { variable, meaning, default: value, defaultText } = optionOf(key);
  const shown = defaultText ?? (value === null || typeof value === 'object' ? '' : `\`${value as string}\``);
  expect(readme).toContain(`| \`${key}\` | \`${variable}\` | ${shown} | ${meaning} |`);
});

test.each(COMMANDS.map(({ name }) => name))('the README has the command %s', (name) => {
  const last = name.split(' ').at(-1) ?? name;
  expect(readme).toMatch(new RegExp(`\`(hearthd )?${name}\\b|\`${last}\\b`));
});

test('the code map has every folder of src', () => {
  const folders = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
  expect(folders.filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([]);
});

test('the README shows how to run and how to test', () => {
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

describe('the legend of requirement codes in test/README.md', () => {
  const legend = readFileSync(join(root, 'test/README.md'), 'utf8');
  const explained = [...legend.matchAll(/^\| ([A-Z](?:\d+[a-z]?)?) \|/gm)].map(([, code]) => code ?? '');
  const used = new Set(
    readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .flatMap((path) => codesIn(readFileSync(join(root, 'test', path), 'utf8'))),
  );

  test('has each code of a test name, and no other', () => {
    expect(explained).toEqual([...new Set(explained)]);
    expect([...used].toSorted()).toEqual(explained.toSorted());
  });

  test.each([
    ["test('A8, S6: a session ends', …", ['A8', 'S6']],
    ['describe(`X: ${KILLS} kills`, …', ['X']],
    ["])('S6b: %s', …", ['S6b']],
    ["test('A lamp: it is on', …", []],
  ])('%s has the codes %j', (name, codes) => {
    expect(codesIn(name)).toEqual(codes);
  });
});

/** The codes at the start of the names of tests. */
function codesIn(text: string): string[] {
  const starts = text.matchAll(/\(\s*['"`]((?:[A-Z](?:\d+[a-z]?)?, )*[A-Z](?:\d+[a-z]?)?): /g);
  return [...starts].flatMap(([, codes = '']) => codes.split(', '));
}
