import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const SRC = join(ROOT, 'src');

/** An import, or what is exported from elsewhere; `file` is below src. */
export type Import = { readonly file: string; readonly specifier: string; readonly typeOnly: boolean };

/** All paths of TypeScript below src. */
export function listSources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx)$/.test(path))
    .map((path) => join(SRC, path));
}

export function readImports(path: string): Import[] {
  const file = relative(SRC, path);
  const text = readFileSync(path, 'utf8');
  const pattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** Files below src and test that are written here; fixtures are not. */
export function listFiles(): string[] {
  const below = (top: string): string[] =>
    readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return [...below('src'), ...below('test')].filter(
    (path) => !/\/(?:node_modules|venv|dist)\/|^test\/fixtures\//.test(path),
  );
}
