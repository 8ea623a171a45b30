import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
