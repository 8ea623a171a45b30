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
