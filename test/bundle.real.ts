import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE, runHearthd } from '#test/support/daemon/run-hearthd.ts';
import { expectWithinBudget } from '#test/support/machine/bounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearthd-bundle-'));
const bundle = join(folder, 'elsewhere', 'hearthd.mjs');
beforeAll(() => cpSync(dirname(BUNDLE), dirname(bundle), { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test('the bundle runs from any folder without packages beside it', async () => {
  expect(await runHearthd(['version'], { bundle, cwd: '/' })).toEqual({
    code: 0,
    stdout: 'hearthd 0.1.0\n',
    stderr: '',
  });
  expect((await runHearthd(['--help'], { bundle, cwd: '/' })).code).toBe(0);
});

test('SQLite, argon2 and the list of common passwords work from there', async () => {
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const add = ['user', 'add', 'ada@home', '--role', 'owner', '--password-stdin', '--state-dir', state];
  expect(await runHearthd(add, { bundle, cwd: '/', input: 'password1234' })).toMatchObject({ code: 65 });
  expect(await runHearthd(add, { bundle, cwd: '/', input: 'cup river stamp' })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const listed = await runHearthd(['user', 'list', '--state-dir', state], { bundle, cwd: '/' });
  expect(listed).toEqual({ code: 0, stdout: 'ada@home\towner\tada\n', stderr: '' });
});

test('the program has below 2.6 MB beside its threads and that of Matter, and names no path of the machine that built it', () => {
  const names = readdirSync(dirname(bundle)).filter((name) => name.endsWith('.mjs'));
  const apart = names.filter((name) => /-(?:thread|process)\.mjs$/.test(name));
  expect(apart).toEqual(['matter-process.mjs', 'replay-thread.mjs', 'storage-thread.mjs', 'template-thread.mjs']);
  const texts = names.map((name) => readFileSync(join(dirname(bundle), name), 'utf8'));
  const program = texts.filter((_, at) => !apart.includes(names[at] ?? ''));
  expectWithinBudget('the program, characters', program.join('').length, 2_600_000);
  for (const text of texts) expect(text).not.toContain(dirname(import.meta.dirname));
  // It is in the program as soon as one file imports `{ z }` and not `* as z`, with all else of zod that nobody uses.
  expect(program.filter((text) => text.includes('z.compile does not support'))).toEqual([]);
});

test('what is loaded later has a name that changes with its content, so that none is taken for another version', () => {
  const names = readdirSync(dirname(bundle)).filter((name) => name.endsWith('.mjs'));
  const imported = new Set(
    names
      .flatMap((name) => [...readFileSync(join(dirname(bundle), name), 'utf8').matchAll(/"\.\/([^"]+\.mjs)"/g)])
      .map(([, name]) => name),
  );
  // The program itself, its three threads and the process of the Matter bridge are started by their names.
  expect(imported.size).toBe(names.length - 5);
  for (const name of imported) expect(name).toMatch(/-[0-9A-Z]{8}\.mjs$/);
});

type Metafile = {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly Imported[] }>>;
  readonly outputs: Readonly<
    Record<string, { readonly entryPoint?: string; readonly inputs: object; readonly imports: readonly Imported[] }>
  >;
};
type Imported = { readonly path: string; readonly kind: string };

/** Everything that is loaded with these, as far as it is not imported later. */
function loadedWith(from: readonly string[], parts: Readonly<Record<string, { imports: readonly Imported[] }>>) {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path) || parts[path] === undefined) return;
    loaded.add(path);
    for (const { path: next, kind } of parts[path].imports) if (kind !== 'dynamic-import') load(next);
  };
  for (const path of from) load(path);
  return loaded;
}

describe('of a kind of integration', () => {
  const { inputs, outputs } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../node_modules/.cache/hearthd/program.json'), 'utf8'),
  ) as Metafile;
  const entries = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint ?? '', path]));
  const isOfKind = (path: string): boolean =>
    /^src\/integrations\/[^/]+\/.*\.ts$/.test(path) && !/\/instances\//.test(path);
  const manifests = Object.keys(inputs).filter((path) => /^src\/integrations\/[^/]+\/manifest\.ts$/.test(path));
  const codeOf = (manifest: string): readonly string[] =>
    (inputs[manifest]?.imports ?? []).flatMap(({ path, kind }) => (kind === 'dynamic-import' ? [path] : []));

  test('the program loads nothing but its manifest, and what that needs, before there is an instance', () => {
    const codes = new Set(manifests.flatMap(codeOf));
    const others = [...entries.keys()].filter((entry) => entry !== '' && !codes.has(entry));
    const files = loadedWith(
      others.map((entry) => entries.get(entry) ?? ''),
      outputs,
    );
    const loaded = new Set([...files].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})).filter(isOfKind));
    const light = [...loadedWith(manifests, inputs)].filter(isOfKind);
    expect(loaded.size).toBeGreaterThan(0);
    expect([...loaded].filter((path) => !light.includes(path))).toEqual([]);
    const bytes = light.map((path) => readFileSync(join(import.meta.dirname, '..', path)).length);
    expect(Math.max(...bytes)).toBeLessThan(8_000);
  });

  test.each(manifests)('%s has its code in a part of its own', (manifest) => {
    const [code = '', ...more] = codeOf(manifest);
    expect(more).toEqual([]);
    const name = basename(entries.get(code) ?? '');
    expect(readdirSync(dirname(BUNDLE))).toContain(name);
    expect(name).toMatch(new RegExp(`^${basename(code, '.ts')}-[0-9A-Z]{8}\\.mjs$`));
  });
});

test('the licences of what is bundled come with it', () => {
  expect(readFileSync(join(dirname(bundle), 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('smol-toml');
});

const plugins = (await import(pathToFileURL(join(import.meta.dirname, '../packaging/bundle-plugins.mjs')).href)) as {
  readonly neverRun: (paths?: readonly string[]) => Plugin;
  readonly nodeWhenUsed: () => Plugin;
};

/** Builds a program of this text, in memory. */
async function tryBuild(contents: string, plugin: Plugin): Promise<string> {
  const stdin = { contents, resolveDir: join(import.meta.dirname, '..') };
  const options = { bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
  const { outputFiles } = await build({ ...options, stdin, plugins: [plugin] });
  return outputFiles[0]?.text ?? '';
}

test('never-run fails the build when a module that it leaves out is not there', async () => {
  const program = "import * as toml from 'smol-toml'; console.log(toml.parse);";
  const there = 'smol-toml/dist/index.js';
  expect(await tryBuild(program, plugins.neverRun([there]))).not.toContain('TomlError');
  const building = tryBuild(program, plugins.neverRun([there, 'smol-toml/dist/renamed.js']));
  await expect(building).rejects.toThrow('smol-toml/dist/renamed.js is not in the build');
});

test('node-when-used fails the build when it catches no import of node', async () => {
  const program = "import { readFileSync } from 'node:fs'; console.log(readFileSync);";
  expect(await tryBuild(program, plugins.nodeWhenUsed())).toContain('__require("node:fs")');
  const building = tryBuild('console.log(1);', plugins.nodeWhenUsed());
  await expect(building).rejects.toThrow('an import of node: is not in the build');
});
