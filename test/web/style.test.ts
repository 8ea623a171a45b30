import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../../src/web');
const sheets = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => [path, readFileSync(join(WEB, path), 'utf8')] as const);

test('the font is that of the system, which has two weights everywhere', () => {
  const weights = sheets.flatMap(([path, text]) =>
    [...text.matchAll(/font(?:-weight)?:\s*(\d{3})\b/g)].map(([, weight]) => [path, weight]),
  );
  expect(weights.length).toBeGreaterThan(20);
  expect(weights.filter(([, weight]) => weight !== '400' && weight !== '600')).toEqual([]);
  const [, fonts] = sheets.flatMap(([, text]) => /--font: ([^,]+),/.exec(text) ?? []);
  expect(fonts).toBe('system-ui');
});

const textOf = (wanted: string): string => sheets.find(([path]) => path === wanted)?.[1] ?? '';

/** 0 to 255, as bright as it is seen. */
function brightnessOf(name: string, scheme: string): number {
  const [, red = '', green = '', blue = ''] = new RegExp(`${name}: #(..)(..)(..);`).exec(scheme) ?? [];
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16));
  return 0.2126 * (r ?? NaN) + 0.7152 * (g ?? NaN) + 0.0722 * (b ?? NaN);
}

test('what is chosen of several is brighter than the others, in the dark too', () => {
  const [light = '', dark = ''] = textOf('style/tokens.css').split('prefers-color-scheme: dark');
  for (const scheme of [light, dark]) {
    expect(brightnessOf('--chosen', scheme)).toBeGreaterThan(brightnessOf('--sunken', scheme) + 15);
  }
  expect(textOf('style/parts.css')).toMatch(
    /\.choices button\[aria-pressed='true'\],\n\.choices a\[aria-current='page'\] \{\n {2}background: var\(--chosen\)/,
  );
});

test('names are hyphenated, and the cross of a search is that of the page', () => {
  expect(textOf('style/base.css')).toMatch(/\nbdi,\nh1 \{[^}]*\n {2}-webkit-hyphens: auto;\n {2}hyphens: auto;/);
  expect(textOf('style/home.css')).toMatch(/::-webkit-search-cancel-button \{[^}]*\n {2}appearance: none;/);
});
