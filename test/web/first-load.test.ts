import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

const FOLDER = join(BUNDLE, '../web');
type Entry = { readonly path: string; readonly files: Readonly<Record<string, string>> };
const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Entry[];
const sizeOf = (path: string): number => {
  const files = manifest.find((entry) => entry.path === path)?.files ?? {};
  return statSync(join(FOLDER, files['gzip'] ?? files['identity'] ?? '')).size;
};

test('the first load is at most 60 KB, compressed as browsers ask for it over plain http', () => {
  const html = readFileSync(join(FOLDER, 'page.html'), 'utf8');
  const paths = ['/', ...[...html.matchAll(/(?:href|src)="([^"]+\.(?:js|css|svg))"/g)].map((match) => match[1] ?? '')];
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0);
  process.stdout.write(`first load: ${bytes} bytes in ${paths.length} files\n`);
  expect(paths.length).toBeGreaterThan(3);
  expect(bytes).toBeLessThanOrEqual(60 * 1024);
});

test('what draws charts is at most 32 KB, and nothing of it is in the first load', () => {
  const contentOf = ({ files }: Entry): string => readFileSync(join(FOLDER, files['identity'] ?? ''), 'utf8');
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
