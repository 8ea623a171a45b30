import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, listSources, readImports, ROOT, SRC } from '#test/support/sources.ts';

const imports = listSources().flatMap(readImports);

describe('the size and the names of folders and files', () => {
  const MOST_FILES = 16;
  const LEAST_LINES = 30;
  /** Files that stay small though only one file of src imports them, or none, each with the reason. */
  const SMALL: readonly [path: RegExp, reason: string][] = [
    [/^src\/web\/main\.tsx$/, 'the entry of the bundle of the page'],
    [/^src\/storage\/thread\/storage-thread\.ts$/, 'the entry of the bundle of the storage thread'],
    [/^src\/automations\/replay\/replay-thread\.ts$/, 'the entry of the bundle of the thread of replays'],
    [/^src\/(?:web\/strings|words)\/[a-z]{2}\//, 'the same files in each language, of which the build takes one'],
    [
      /^src\/integrations\/(?:[a-z0-9-]+\/)?words\/[a-z]{2}\.ts$/,
      'what a kind says, of which the build takes one language',
    ],
    [
      /^src\/integrations\/home-assistant-discovery\/rendering\/template-thread\.ts$/,
      'the entry of the bundle of the thread of templates',
    ],
    [/\.d\.ts$/, 'types of what has none; nothing imports them'],
    [/^src\/integrations\/[a-z0-9-]+\/manifest\.ts$/, 'always loaded, and so apart from the code, which is not'],
    [/^src\/integrations\/table\.ts$/, 'the list of kinds, to which each adds a line'],
    [/^src\/storage\/migrations\/\d{3}-/, 'a released step of the schema, which nobody changes any more'],
    [/^src\/http\/[a-z-]+\/(?:routes|json|notes)\.ts$/, 'has the same name in the folder of each noun'],
  ];

  test('a folder has at most 16 files; more are sorted by noun', () => {
    const counts = new Map<string, number>();
    for (const path of listFiles()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    // Each step of the schema is a file that stays where it is.
    counts.delete('src/storage/migrations');
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  test('a file with one importer has 30 lines or more, or is part of that importer', () => {
    const importers = new Map<string, Set<string>>();
    for (const { file, specifier } of imports) {
      const target = specifier.startsWith('./') ? join(dirname(file), specifier) : specifier.replace(/^#/, '');
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
    const small = listSources()
      .map((path) => relative(SRC, path))
      .filter((file) => (importers.get(file)?.size ?? 0) < 2 && !SMALL.some(([path]) => path.test(`src/${file}`)))
      .map((file) => [file, readFileSync(join(SRC, file), 'utf8').split('\n').length - 1] as const);
    expect(small.filter(([, lines]) => lines < LEAST_LINES)).toEqual([]);
  });

  test('every exception is one', () => {
    const paths = listFiles();
    expect(SMALL.filter(([path]) => !paths.some((one) => path.test(one)))).toEqual([]);
  });

  test('no file or folder is named for nothing in particular', () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|types|index|lib|shared|stuff)(?:\.[a-z]+)?(?:\/|$)/;
    expect(listFiles().filter((path) => vague.test(path))).toEqual([]);
  });

  test('no test says by itself how many runs a random search makes: test/support/machine/runs.ts does', () => {
    const counting = listFiles().filter(
      (path) =>
        /\.(?:test|real|campaign)\.ts$/.test(path) && /\bnumRuns\b: /.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(counting).toEqual([]);
  });
});
