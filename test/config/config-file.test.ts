import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeConfigFile } from '#config/config-file.ts';
import { nearestName } from '#config/nearest-name.ts';
import { searchOf } from '#test/support/machine/runs.ts';

test('every leaf is found with the line on which it starts', () => {
  const toml = [
    '# c',
    'a = 1',
    '',
    '[s]',
    '  b = [',
    '  1,',
    '  2]',
    'c = """',
    '[x]',
    'd = 1',
    '"""',
    '[s.t]',
    'e = { f = 1, g = 2 }',
  ];
  const file = decodeConfigFile(toml.join('\r\n'));
  expect(file.ok ? file.entries.map(({ key, line }) => [key, line]) : file).toEqual([
    ['a', 2],
    ['s.b', 5],
    ['s.c', 8],
    ['s.t.e.f', 13],
    ['s.t.e.g', 13],
  ]);
});

test('a large file is taken apart in well under a second', () => {
  const toml = Array.from({ length: 4000 }, (_, index) => `key${index} = ${index}`).join('\n');
  const file = decodeConfigFile(toml);
  expect(file.ok && file.entries.at(-1)).toMatchObject({ key: 'key3999', line: 4000 });
});

test('any text is either taken apart or refused with a line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('[', ']', '=', '"', "'", '\n', 'a', '.', '1', '#', '{', '}', ',') }),
      (toml) => {
        const file = decodeConfigFile(toml);
        expect(file.ok || file.line > 0).toBe(true);
      },
    ),
    searchOf(2000),
  );
});

test.each([
  ['HEARTHD_LOGLEVEL', 'HEARTHD_LOG'],
  ['statedir', 'state_dir'],
  ['mqtt.uri', 'mqtt.url'],
  ['elephant', undefined],
])('the name nearest to %s is %s', (name, meant) => {
  expect(nearestName(name, ['HEARTHD_LOG', 'HEARTHD_PORT', 'state_dir', 'mqtt.url'])).toBe(meant);
});
