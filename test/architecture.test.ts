import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

/** Per folder: the folders it may import from, and the packages for which it is the one door. */
const TABLE: Record<string, { from: readonly string[]; packages: readonly string[] }> = {
  base: { from: [], packages: [] },
  core: { from: ['base'], packages: [] },
  auth: { from: ['base', 'core'], packages: ['jose', '@node-rs/argon2'] },
  config: { from: ['base'], packages: ['smol-toml'] },
  lan: { from: ['base'], packages: [] },
  systemd: { from: ['base'], packages: ['systemd-notify'] },
  storage: { from: ['base', 'core', 'auth'], packages: ['node-sqlite3-wasm'] },
  integrations: { from: ['base', 'core'], packages: [] },
  'integrations/mqtt': { from: ['base', 'core', 'integrations'], packages: ['mqtt'] },
  'integrations/zigbee2mqtt': { from: ['base', 'core', 'integrations', 'integrations/mqtt'], packages: [] },
  'integrations/simulated-home': { from: ['base', 'core', 'integrations'], packages: [] },
  http: { from: ['base', 'core', 'auth'], packages: ['hono', '@hono/node-server', 'zod'] },
  webhooks: { from: ['base', 'core'], packages: [] },
  control: { from: ['base', 'core', 'auth'], packages: [] },
  web: { from: [], packages: ['preact', '@preact/signals'] },
};
const FOLDERS = [...new Set(Object.keys(TABLE).map((folder) => folder.split('/')[0] ?? folder))];
const EDGES = Object.keys(TABLE);
const TOP: Record<string, { from: readonly string[] }> = {
  hub: { from: EDGES },
  'daemon.ts': { from: [...EDGES, 'hub'] },
  cli: { from: [...EDGES, 'daemon.ts'] },
  'main.ts': { from: [...EDGES, 'cli', 'daemon.ts'] },
};

type Import = { file: string; folder: string; specifier: string; typeOnly: boolean };

function listSources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx)$/.test(path))
    .map((path) => join(SRC, path));
}

/** The table row that a file or an import target belongs to: its folder, or the file itself at the top. */
function rowOf(path: string): string {
  const parts = path.split('/');
  if (parts.length === 1) return path;
  const pair = parts.slice(0, 2).join('/');
  return pair in TABLE ? pair : (parts[0] ?? path);
}

function readImports(path: string): Import[] {
  const file = relative(SRC, path);
  const text = readFileSync(path, 'utf8');
  const pattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    folder: rowOf(file),
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

const imports = listSources().flatMap(readImports);

/** Refusal of one import in words, or `undefined` where the table allows it. */
function refusal(entry: Import): string | undefined {
  const { specifier, folder } = entry;
  if (specifier.startsWith('node:')) return undefined;
  if (specifier.startsWith('../')) return 'goes up with ../';
  if (specifier.startsWith('./')) return specifier.slice(2).includes('/') ? 'reaches into a folder with ./' : undefined;
  const row = TABLE[folder];
  if (specifier.startsWith('#')) {
    const target = specifier === '#daemon' ? 'daemon.ts' : rowOf(specifier.slice(1));
    const allowed = row?.from ?? TOP[folder]?.from ?? [];
    if (target === folder) return dirname(entry.file) === dirname(specifier.slice(1)) ? 'is ./ here' : undefined;
    if (!allowed.includes(target)) return `${folder} may not import from ${target}`;
    if (folder === 'storage' && target === 'auth' && !entry.typeOnly) return 'storage takes only types from auth';
    return undefined;
  }
  const packageName = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return row?.packages.includes(packageName) ? undefined : `${folder} is not the door of ${packageName}`;
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
    ['web/page.ts', '#base/json.ts'],
    ['http/app.ts', '#http/route.ts'],
    ['lan/interfaces.ts', 'some-package'],
  ])('refuses %s importing %s', (file, specifier) => {
    expect(refusal({ file, folder: rowOf(file), specifier, typeOnly: false })).toBeDefined();
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

  test('no file is named for nothing in particular', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|index)\.tsx?$/;
    expect(listSources().filter((path) => vague.test(path))).toEqual([]);
  });
});
