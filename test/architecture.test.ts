import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, listFiles, listSources, readImports, ROOT, SRC } from '#test/support/sources.ts';

type Row = { readonly from: readonly string[]; readonly packages: readonly string[] };
/** Per folder: the folders it may import from, and the packages for which it is the one door. */
const TABLE: Readonly<Record<string, Row>> = {
  base: { from: ['words'], packages: [] },
  words: { from: [], packages: [] },
  core: { from: ['base', 'words'], packages: [] },
  auth: { from: ['base', 'words', 'core'], packages: ['jose', '@node-rs/argon2'] },
  config: { from: ['base'], packages: ['smol-toml'] },
  lan: { from: ['base'], packages: ['ws'] },
  systemd: { from: ['base'], packages: ['systemd-notify'] },
  storage: { from: ['base', 'core', 'auth'], packages: ['node-sqlite3-wasm'] },
  integrations: { from: ['base', 'words', 'core'], packages: [] },
  'integrations/matter': {
    from: ['base', 'words', 'core', 'integrations', 'integrations/matter-program'],
    packages: [],
  },
  'integrations/matter-bridge': {
    from: ['base', 'words', 'core', 'integrations', 'integrations/matter-program'],
    packages: [],
  },
  'integrations/matter-program': {
    from: ['base', 'words', 'core', 'integrations', 'integrations/matter', 'integrations/matter-bridge'],
    packages: ['@matter/main'],
  },
  'integrations/mqtt': { from: ['base', 'words', 'core', 'integrations'], packages: ['mqtt'] },
  http: { from: ['base', 'words', 'core', 'auth'], packages: ['hono', '@hono/node-server', 'zod'] },
  webhooks: { from: ['base', 'core', 'auth'], packages: [] },
  notify: { from: ['base', 'words', 'core'], packages: [] },
  exporters: { from: ['base', 'core', 'auth'], packages: [] },
  automations: { from: ['base', 'core'], packages: ['croner', 'suncalc'] },
  control: { from: ['base', 'core', 'auth'], packages: [] },
  web: { from: ['words'], packages: ['preact', '@preact/signals', 'uplot', 'uqr'] },
};
/** Folders that take nothing but types from another one. */
const TYPES_ONLY: Readonly<Record<string, string>> = { base: 'words', storage: 'auth' };
/** Folders below `integrations` that are parts of the frame, which has more than 16 files. */
const FRAME = new Set(['instances', 'offering', 'peer', 'words']);
const KINDS = 'integrations/table.ts';
/** Every other folder below `integrations`, so that a new one needs no row. It reaches a broker through a port. */
const INTEGRATION: Row = { from: ['base', 'words', 'core', 'integrations'], packages: [] };
const FOLDERS = [...new Set(Object.keys(TABLE).map((folder) => folder.split('/')[0] ?? folder))];
const INTEGRATIONS = readdirSync(join(SRC, 'integrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !FRAME.has(entry.name))
  .map(({ name }) => `integrations/${name}`);
const EDGES = [...new Set([...Object.keys(TABLE), ...INTEGRATIONS])];
const TOP: Readonly<Record<string, { readonly from: readonly string[] }>> = {
  hub: { from: EDGES },
  'daemon.ts': { from: [...EDGES, 'hub'] },
  cli: { from: [...EDGES, 'daemon.ts'] },
  'main.ts': { from: [...EDGES, 'cli', 'daemon.ts'] },
};

/** The hub speaks English. Other languages are for the channels of notifications and for the page. */
const OTHER_LANGUAGE = /^#words\/(?!en\/)[a-z]{2}\//;

type Placed = Import & { readonly folder: string };

/** The table row that a file or an import target belongs to: its folder, or the file itself at the top. */
function rowOf(path: string): string {
  const parts = path.split('/');
  if (parts.length === 1) return path;
  const isIntegration = parts[0] === 'integrations' && parts.length > 2 && !FRAME.has(parts[1] ?? '');
  return isIntegration ? parts.slice(0, 2).join('/') : (parts[0] ?? path);
}

function findRow(folder: string): Row | undefined {
  return TABLE[folder] ?? (folder.startsWith('integrations/') ? INTEGRATION : undefined);
}

const imports: readonly Placed[] = listSources()
  .flatMap(readImports)
  .map((entry) => ({ ...entry, folder: rowOf(entry.file) }));
const DEPENDENCIES = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Readonly<Record<string, string>> }
).dependencies;

/** Refusal of one import in words, or `undefined` where the table allows it. */
function refusal(entry: Placed): string | undefined {
  const { specifier, folder } = entry;
  if (specifier.startsWith('node:')) return undefined;
  if (specifier.startsWith('../')) return 'goes up with ../';
  if (specifier.startsWith('./')) return specifier.slice(2).includes('/') ? 'reaches into a folder with ./' : undefined;
  const row = findRow(folder);
  if (specifier.startsWith('#')) {
    const target = specifier === '#daemon' ? 'daemon.ts' : rowOf(specifier.slice(1));
    const allowed = row?.from ?? TOP[folder]?.from ?? [];
    if (target === folder) return dirname(entry.file) === dirname(specifier.slice(1)) ? 'is ./ here' : undefined;
    // The table of kinds has the manifest of each, and nothing else of it.
    if (entry.file === KINDS && /^#integrations\/[a-z0-9-]+\/manifest\.ts$/.test(specifier)) return undefined;
    if (!allowed.includes(target)) return `${folder} may not import from ${target}`;
    if (target === 'words' && OTHER_LANGUAGE.test(specifier) && !/^(?:notify|web)$/.test(folder)) {
      return 'takes only English words';
    }
    if (TYPES_ONLY[folder] === target && !entry.typeOnly) return `${folder} takes only types from ${target}`;
    return undefined;
  }
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const isOwnProtocol = row === INTEGRATION && isOnlyOf(folder, packageName);
  return isOwnProtocol || row?.packages.includes(packageName)
    ? undefined
    : `${folder} is not the door of ${packageName}`;
}

/** The protocol library of an integration: a dependency that no other folder imports. */
function isOnlyOf(folder: string, packageName: string): boolean {
  const others = imports.filter((entry) => entry.folder !== folder);
  return packageName in DEPENDENCIES && !others.some(({ specifier }) => `${specifier}/`.startsWith(`${packageName}/`));
}

describe('the import table', () => {
  test('sees the sources', () => {
    expect(imports.length).toBeGreaterThan(10);
  });

  test('every import is allowed by it', () => {
    const refused = imports.flatMap((entry) => {
      const why = refusal(entry);
      return why === undefined ? [] : [`${entry.file}: '${entry.specifier}' ${why}`];
    });
    expect(refused).toEqual([]);
  });

  test.each([
    ['core/device.ts', '#http/app.ts'],
    ['http/app.ts', '#storage/database.ts'],
    ['http/app.ts', 'jose'],
    ['core/device.ts', '../base/json.ts'],
    ['integrations/zigbee2mqtt/exposes.ts', '#integrations/simulated-home/home.ts'],
    ['integrations/hue/hue.ts', '#integrations/zigbee2mqtt/payload.ts'],
    ['integrations/hue/hue.ts', '#integrations/mqtt/mqtt-session.ts'],
    ['integrations/hue/hue.ts', '#http/app.ts'],
    ['integrations/hue/hue.ts', 'mqtt'],
    ['integrations/hue/hue.ts', 'a-package-that-is-not-a-dependency'],
    ['web/page.ts', '#base/json.ts'],
    ['core/device.ts', '#words/de/notifications.ts'],
    ['base/hub-error.ts', '#words/texts.ts'],
    ['http/app.ts', '#http/route.ts'],
    ['lan/interfaces.ts', 'some-package'],
  ])('refuses %s importing %s', (file, specifier) => {
    expect(refusal({ file, folder: rowOf(file), specifier, typeOnly: false })).toBeDefined();
  });

  test('has no circle of files, types and imports that are loaded later included', () => {
    const targets = new Map<string, string[]>();
    for (const { file, specifier } of imports) {
      const target = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier);
      if (/^[#.]/.test(specifier)) targets.set(file, [...(targets.get(file) ?? []), target]);
    }
    const done = new Set<string>();
    const findCircle = (file: string, way: readonly string[]): readonly string[] | undefined => {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const target of targets.get(file) ?? []) {
        const circle = findCircle(target, [...way, file]);
        if (circle !== undefined) return circle;
      }
      done.add(file);
      return undefined;
    };
    const circles = [...targets.keys()].flatMap((file) => findCircle(file, [])?.join(' → ') ?? []);
    expect(circles).toEqual([]);
  });

  test('every folder of src has a row', () => {
    const rows = new Set([...FOLDERS, ...Object.keys(TOP)]);
    const tops = new Set(listSources().map((path) => relative(SRC, path).split('/')[0] ?? ''));
    expect([...tops].filter((top) => !rows.has(top))).toEqual([]);
  });
});

describe('one place for each thing of the outside', () => {
  test.each([
    ['process.env', /\bprocess\.env\b/, /^(config|systemd)\/|^main\.ts$/],
    ['console', /\bconsole\./, /^cli\//],
    ['process.exit', /\bprocess\.exit\(/, /^main\.ts$/],
    ['SQL', /['"`]\s*(SELECT|INSERT|UPDATE|DELETE FROM|CREATE TABLE|PRAGMA|VACUUM)\b/, /^storage\//],
    ['Date.now', /\bDate\.now\(/, /^base\/time\/clock\.ts$|^web\//],
    ['Math.random', /\bMath\.random\(/, /^(daemon|main)\.ts$|^cli\/|^web\//],
  ])('%s is only where it belongs', (_name, pattern, allowed) => {
    const found = listSources()
      .map((path) => relative(SRC, path))
      .filter((file) => !allowed.test(file) && pattern.test(readFileSync(join(SRC, file), 'utf8')));
    expect(found).toEqual([]);
  });
});

/** What starts more than functions: programs, threads, builds and browsers. */
const STARTS_MORE =
  /(?:^(?:import|export|\}) .*\bfrom |\bimport\()'(?:node:child_process|node:worker_threads|node:inspector|esbuild|playwright-core)'/m;

/** Says of a file below test whether it, or a file below test that it imports, starts more than functions. */
function createImportSearch(read: (path: string) => string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const search = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    // For a circle of imports the answer is that of the other files in it.
    known.set(path, false);
    const text = read(path);
    const imported = [...text.matchAll(/^(?:import|export|\}) .*\bfrom '(#test\/|\.\/)([^']+\.ts)';$/gm)].map(
      ([, start, rest = '']) => (start === './' ? join(dirname(path), rest) : `test/${rest}`),
    );
    const found = STARTS_MORE.test(text) || imported.some(search);
    known.set(path, found);
    return found;
  };
  return search;
}

describe('the name of a test file', () => {
  test('is *.real.ts or *.campaign.ts where the file starts a program, a thread, a build or a browser', () => {
    const startsMore = createImportSearch((path) => readFileSync(join(ROOT, path), 'utf8'));
    const wrong = listFiles().filter((path) => path.endsWith('.test.ts') && startsMore(path));
    expect(wrong, 'name them *.real.ts').toEqual([]);
  });

  test.each([
    [{ 'test/a.test.ts': "import { spawn } from 'node:child_process';\n" }],
    [
      {
        'test/a.test.ts': "import { serve } from './b.ts';",
        'test/b.ts': "import { chromium } from 'playwright-core';",
      },
    ],
    [{ 'test/a.test.ts': "import { x } from '#test/b.ts';", 'test/b.ts': "import { build } from 'esbuild';" }],
  ])('the search finds what %j imports', (files: Readonly<Record<string, string>>) => {
    expect(createImportSearch((path) => files[path] ?? '')('test/a.test.ts')).toBe(true);
  });

  test('no test file has a name that no project takes', () => {
    const named = /\.(?:test|real|campaign)\.ts$|^test\/style\/.*\.style\.ts$|^test\/bench\/.*\.bench\.ts$/;
    const testing = listFiles().filter((path) =>
      /^import .* from 'vitest';$/m.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    const isTest = (path: string): boolean =>
      /^(?:test|describe)(?:\.\w+)*\(/m.test(readFileSync(join(ROOT, path), 'utf8'));
    expect(testing.filter((path) => isTest(path) && !named.test(path))).toEqual([]);
  });
});
