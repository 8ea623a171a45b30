import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { canBoot, readyBase } from './base-system.ts';
import { buildPackages, copySources, ROOT } from './build-packages.ts';

/** Paths of the packages under test. */
export type Packages = {
  /** This version, as `npm run package` makes it: by architecture. */
  readonly current: Readonly<Record<'amd64' | 'arm64' | 'armhf', string>>;
  /** The same sources, built in another folder with another umask and time zone. */
  readonly again: string;
  /** A later version with one more migration. */
  readonly next: string;
  /** The version after that, whose migration fails. */
  readonly broken: string;
};

declare module 'vitest' {
  export interface ProvidedContext {
    packages: Packages;
  }
}

/** Builds what the tests install, of which nothing is left after them, and the system that their machines share. */
export function setup(project: TestProject): () => void {
  // Here, so that two files do not make it at once.
  if (canBoot) readyBase('amd64');
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-packages-'));
  const build = (root: string, name: string, ...architectures: readonly string[]): string[] =>
    buildPackages(root, join(folder, name), architectures);
  const [current, copy] = [build(ROOT, 'current'), copySources(join(folder, 'sources'))];
  const [again] = build(copy, 'again', 'amd64');
  release(copy, '0.9.0', 'CREATE TABLE next_release (id INTEGER PRIMARY KEY) STRICT');
  const [next] = build(copy, 'next', 'amd64');
  release(copy, '0.9.1', 'INSERT INTO there_is_no_such_table VALUES (1)');
  const [broken] = build(copy, 'broken', 'amd64');
  const find = (architecture: string): string => current.find((path) => path.endsWith(`_${architecture}.deb`)) ?? '';
  project.provide('packages', {
    current: { amd64: find('amd64'), arm64: find('arm64'), armhf: find('armhf') },
    again: again ?? '',
    next: next ?? '',
    broken: broken ?? '',
  });
  return () => rmSync(folder, { recursive: true });
}

/**
 * Makes the next release of the copied sources: another version, one more migration, other words in the configuration
 * file and in the description of the API.
 */
function release(root: string, version: string, migration: string): void {
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(root, file);
    const [before, after] = [readFileSync(path, 'utf8'), change(readFileSync(path, 'utf8'))];
    if (before === after) throw new Error(`${file} is not as this test knows it`);
    writeFileSync(path, after);
  };
  edit('package.json', (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  edit('CHANGELOG.md', (text) =>
    text.replace(/^## /m, `## [${version}] - 2030-01-01\n\n### Changed\n\n- One migration more.\n\n## `),
  );
  edit('src/config/option-table.ts', (text) =>
    text.replace(/'How much is logged[^']*'/, `'How much is logged since ${version}.'`),
  );
  // In a part of the program that a hub loads late.
  edit('src/http/reference/openapi.ts', (text) => text.replace(/Local home hub[^:]*:/, `Local home hub ${version}:`));
  edit('src/storage/engine/schema.ts', (text) => text.replace(/(MIGRATIONS: [^;]*?),?\s*\];/, `$1, '${migration}'];`));
}
