import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KINDS } from '#integrations/table.ts';
import { textsOf } from '#test/support/corridors.ts';
import { listSources, readImports, SRC } from '#test/support/sources.ts';

/** Places that may name a kind of integration though they are in no folder of one, each with the reason. */
const NAMING: readonly [path: RegExp, reason: string][] = [
  [/^integrations\/table\.ts$/, 'the list of kinds, to which each adds a line'],
  [/^http\/.*\/notes\.ts$/, 'examples for people'],
  [/^integrations\/[^/]+\/manifest\.ts$/, 'what it speaks through'],
  [/^integrations\/[^/]+\/words\//, 'words for people about what it speaks through'],
  [/^web\/notifications\/channel-forms\.tsx$/, 'a channel of notifications has a type of that name'],
  [/^web\/readings\/use-kinds\.ts$/, 'the API has no other word for a broker'],
  [/^storage\/migrations\//, 'what an earlier version kept'],
  [/^config\/option-table\.ts$/, 'the options of the configuration file, which manifests name'],
  [/^http\/integration\/released-settings\.ts$/, 'the form of version 0.1, for one more version'],
  [/^hub\/exporter\/hub-exporters\.ts$/, 'an exporter opens a connection of its own with the code of that kind'],
  [/^integrations\/matter-program\//, 'the program that speaks for both kinds of Matter'],
  [
    /^integrations\/home-assistant-discovery\/(?:discovery-run|native-devices)\.ts$/,
    'programs announce there what the hub also reaches through other kinds, and each has its own way to write an address',
  ],
];

/** Names that are also words of something else: a color, a verb, a protocol, a script. They count only as a kind. */
const WORDS: ReadonlySet<string> = new Set(['hue', 'matter', 'mqtt', 'provider']);

/** The folder of each name that a kind has. */
const FOLDERS: ReadonlyMap<string, string> = new Map(
  KINDS.flatMap(({ id, firstId }) => {
    const folder = id.replaceAll('_', '-');
    return [id, folder, firstId ?? id].map((name) => [name, folder] as const);
  }),
);

/** The names of kinds in a file below src that is in another folder. */
function findNames(file: string, text: string): readonly string[] {
  const others = [...FOLDERS].filter(([, folder]) => !file.startsWith(`integrations/${folder}/`)).map(([name]) => name);
  const texts = textsOf(text).join('\n');
  return others.filter((name) =>
    WORDS.has(name)
      ? new RegExp(`\\bkind\\)?\\s*(?:[!=]==|[:=])\\s*'${name}'`, 'i').test(text)
      : new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(texts),
  );
}

const found = listSources().flatMap((path) => {
  const file = relative(SRC, path);
  const imported = readImports(path).flatMap(({ specifier }) => {
    const [, folder = ''] = /^#integrations\/([^/]+)\//.exec(specifier) ?? [];
    return !file.startsWith('integrations/') && [...FOLDERS.values()].includes(folder) ? [`import from ${folder}`] : [];
  });
  return [...imported, ...findNames(file, readFileSync(join(SRC, file), 'utf8'))].map((name) => [file, name] as const);
});

describe('a kind of integration', () => {
  test('is named in its folder alone: elsewhere its manifest is asked', () => {
    expect(found.filter(([file]) => !NAMING.some(([path]) => path.test(file)))).toEqual([]);
  });

  test.each(NAMING.map(([path, reason]) => [path.source, reason, path] as const))(
    'is named in %s: %s',
    (_source, _reason, path) => {
      expect(found.some(([file]) => path.test(file))).toBe(true);
    },
  );
});

describe('the search for names of kinds', () => {
  test.each([
    ['hub/hub.ts', "if (kind === 'mqtt') return;"],
    ['hub/hub.ts', "const PATH = '/api/v1/shelly/socket';"],
    ['core/room/room.ts', 'const text = `the WLED in ${room}`;'],
    ['integrations/hue/hue.ts', "const other = 'esphome';"],
    ['integrations/instances/instances.ts', "const KIND = 'provider';"],
  ])('finds one in %s: %s', (file, text) => {
    expect(findNames(file, text)).toHaveLength(1);
  });

  test.each([
    ['core/feature/rgb.ts', "const { hue } = color; const kind = 'hue color'; // as wled has it"],
    ['core/exporter/exporter.ts', "const TYPES = ['line_protocol', 'mqtt'];"],
    ['integrations/wled/wled.ts', "const id = 'wled';"],
  ])('finds none in %s: %s', (file, text) => {
    expect(findNames(file, text)).toEqual([]);
  });
});
