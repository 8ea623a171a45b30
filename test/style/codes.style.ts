import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

describe('the legend of requirement codes in test/README.md', () => {
  const legend = readFileSync(join(root, 'test/README.md'), 'utf8');
  const explained = [...legend.matchAll(/^\| ([A-Z](?:\d+[a-z]?)?) \|/gm)].map(([, code]) => code ?? '');
  const used = new Set(
    readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:test|real|campaign)\.ts$/.test(path) && !path.includes('node_modules'))
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
