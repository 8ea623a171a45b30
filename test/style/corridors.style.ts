import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOf, doubleSpreads, edgesOf, exportsOf, takenNames, targetOf } from '#test/support/corridors.ts';
import { type Import, listFiles, listSources, readImports, ROOT, SRC } from '#test/support/sources.ts';

const files = listSources().map((path) => relative(SRC, path));
const imports = listSources().flatMap(readImports);
const textOf = (file: string): string => readFileSync(join(SRC, file), 'utf8');

type Changes = { readonly added: readonly string[]; readonly gone: readonly string[] };
const NONE: Changes = { added: [], gone: [] };

/**
 * Compares places that should not be with those of the list `test/style/known/<name>.txt`, which may only shrink: a place is
 * not added to it, and a line goes with its place.
 */
function changesTo(name: string, places: readonly string[]): Changes {
  const known = readFileSync(join(ROOT, `test/style/known/${name}.txt`), 'utf8')
    .split('\n')
    .filter(Boolean);
  return { added: without(places, known), gone: without(known, places) };
}

/** What is in one list and not in the other; what is there twice counts twice. */
function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe('the corridors between the rooms of src', () => {
  test.each(['core', 'core/past', 'http', 'hub', 'storage', 'web'])(
    'the rooms of %s can be read one after another',
    (folder) => {
      expect(circlesOf(edgesOf(folder, imports))).toEqual([]);
    },
  );

  test('a file with one importer has 60 lines or is part of it, but for those that are known', () => {
    const importers = new Map<string, Set<string>>();
    for (const entry of imports) {
      const target = targetOf(entry);
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(entry.file));
    }
    const small = files.filter((file) => importers.get(file)?.size === 1 && textOf(file).split('\n').length <= 60);
    expect(changesTo('small-files', small.filter((file) => !NAMED_BY_RULE.test(file)).toSorted())).toEqual(NONE);
  });

  test('an export has an importer', () => {
    const taken = new Map<string, Set<string>>();
    for (const path of [...listFiles(), ...MORE_IMPORTERS]) {
      for (const [specifier, names] of takenNames(readFileSync(join(ROOT, path), 'utf8'))) {
        const target = pathOf(path, specifier);
        taken.set(target, new Set([...(taken.get(target) ?? []), ...names]));
      }
    }
    const unused = files.flatMap((file) => {
      const names = taken.get(`src/${file}`);
      return names?.has('*') === true || TAKEN_BY_BUILD.test(file)
        ? []
        : exportsOf(textOf(file)).flatMap((name) => (names?.has(name) ? [] : `${file}: ${name}`));
    });
    expect(unused).toEqual([]);
  });

  test('the hub is composed by names: no object has two spreads', () => {
    const spreads = files
      .filter((file) => /^(?:hub\/|daemon\.ts)/.test(file))
      .flatMap((file) => doubleSpreads(textOf(file)).map((spread) => `${file}: ${spread}`));
    expect(spreads).toEqual([]);
  });

  test('a comment has a subject: none begins with "Of" or "Those"', () => {
    const fragments = files.flatMap((file) =>
      [...textOf(file).matchAll(/(?:\/\*[*\n ]+|\/\/ )((?:Of|Those)\b.*)/g)].map(([, text = '']) => `${file}: ${text}`),
    );
    expect(fragments).toEqual([]);
  });

  test('a comment has a verb: "What" begins none but that of a field', () => {
    expect(files.flatMap((file) => clausesIn(textOf(file)).map((text) => `${file}: ${text}`))).toEqual([]);
  });
});

/** Finds the comments that begin with "What" and stand on a function, type, constant or file: a clause, and no sentence. */
function clausesIn(text: string): readonly string[] {
  const field = /^ +(?:(?:readonly|static|get|async) )*[\w'"$#[]+\??(?:[(:,\]]| =)|^ +[|&({]/;
  return [...text.matchAll(/\/\*\*[*\s]+(What\b[^*\n]*)(?:[^*]|\*(?!\/))*\*\/\n(.*)/g)].flatMap(
    ([, begin = '', next = '']) => (field.test(next) ? [] : [begin.trim()]),
  );
}

/** Words that the build takes in place of the English ones, and what the tests write from tables of the hub. */
const TAKEN_BY_BUILD =
  /^(?:web\/strings|words|integrations\/(?:[a-z0-9-]+\/)?words)\/(?:de|es|fr)[/.]|^web\/client\/(?:api|rule-forms|vocabulary)\.ts$/;

/** What imports from src beside the files of src and test. */
const MORE_IMPORTERS = [
  'build.mjs',
  'vitest.config.ts',
  ...readdirSync(join(ROOT, 'packaging')).flatMap((file) => (/\.(?:ts|mjs)$/.test(file) ? `packaging/${file}` : [])),
];

/** The path from the root that an import of a file leads to. */
function pathOf(file: string, specifier: string): string {
  if (specifier.startsWith('#test/')) return specifier.slice(1);
  if (specifier === '#daemon') return 'src/daemon.ts';
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : join(dirname(file), specifier);
}

/** Files that have the same name in each folder of their kind, or that stand alone by a rule of `folders.style.ts`. */
const NAMED_BY_RULE =
  /\/(?:routes|json|notes|manifest)\.ts$|^storage\/migrations\/|^(?:web\/strings|words)\/[a-z]{2}\/|\/words\/[a-z]{2}\.ts$|\.d\.ts$|-thread\.ts$/;

describe('the search in the corridors', () => {
  const imported = (file: string, specifier: string): Import => ({ file, specifier, typeOnly: true });

  test('finds a circle over three rooms, types included, and nothing beside it', () => {
    const found = circlesOf(
      edgesOf('core', [
        imported('core/a/one.ts', '#core/b/two.ts'),
        imported('core/b/two.ts', '#core/c/deep/three.ts'),
        imported('core/c/deep/three.ts', '#core/a/one.ts'),
        imported('core/c/four.ts', '#core/d/five.ts'),
        imported('core/c/four.ts', './six.ts'),
        imported('core/a/one.ts', '#base/json.ts'),
      ]),
    );
    expect(found).toEqual(['core/a → core/b', 'core/b → core/c', 'core/c → core/a']);
  });

  test('finds a clause on a function, a type or a constant, and none on a field', () => {
    expect(clausesIn('/** What it does. */\nexport function a() {}\n/** What it is. */\ntype A = B;')).toHaveLength(2);
    expect(clausesIn('/**\n * What it holds\n * for long. */\n  const a = new Map();')).toEqual(['What it holds']);
    expect(clausesIn('type A = {\n  /** What it says. */\n  readonly a?: B;\n  /** What else. */\n  b,\n};')).toEqual(
      [],
    );
    expect(clausesIn('/** Whatever. */\nconst a = 1; // What it is\n/* What */')).toEqual([]);
  });

  test('finds two spreads in one object, and none in a list, a call, a pattern, a text or a comment', () => {
    expect(doubleSpreads('open({ ...a, b: { ...c }, ...d.e });')).toEqual(['...a, ...d.e']);
    expect(doubleSpreads('f(...a, ...b); const { c, ...d } = [...e, ...f];')).toEqual([]);
    expect(doubleSpreads("const a = { b: '{ ...c, ...d }' }; // { ...e, ...f }")).toEqual([]);
    expect(doubleSpreads('const a = /[{}]/; g({ ...b, c: `${{ ...d }}`, ...e });')).toEqual(['...b, ...e']);
  });
});
